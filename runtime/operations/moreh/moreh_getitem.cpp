// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/moreh/moreh_getitem.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <tuple>

#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/moreh/internal/moreh_program.hpp"

namespace tilemeter {

namespace {

constexpr std::uint64_t kPage = 32;         // bytes: what the kernels' rows are rounded up to
constexpr std::size_t kMostDimensions = 5;  // of an input
constexpr std::size_t kSpatial = 2;         // dimensions of an image

std::uint64_t whole_pages(std::uint64_t bytes) {
    return ceil_div(bytes, kPage) * kPage;
}

struct MorehGetItemOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "MorehGetItemOperation";

    std::vector<std::uint32_t> index_dims;
    MemoryConfig memory_config;
    std::optional<TensorSpec> output;

    auto attributes() const { return std::tie(index_dims, memory_config); }

    void validate(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        const bool in_rows = input.layout == Layout::ROW_MAJOR;
        require(input.dtype == DataType::INT32 || input.dtype == DataType::BFLOAT16,
                "Input tensor must be of type INT32 or BFLOAT16!");
        const std::uint32_t size = last_size(inputs[1].shape);
        for (const TensorSpec& index : inputs.subspan(1)) {
            require(index.dtype == DataType::INT32, "Index tensor must be of type INT32!");
            require(index.layout != Layout::ROW_MAJOR || index.shape.rank() == 1,
                    "Index tensor must be 1D for ROW_MAJOR layout!");
            require(!in_rows || index.layout == Layout::ROW_MAJOR,
                    "input layout ROW_MAJOR and index layout TILE not supported");
            require(last_size(index.shape) == size, "The shapes of all index tensors must be identical!");
        }
        for (const std::uint32_t dim : index_dims)
            require(!in_rows || dim + 1 != input.shape.rank(),
                    "getitem for ROW_MAJOR layout not support W index tensor!");
        for (std::size_t i = 0; i < index_dims.size(); ++i) {
            require(index_dims[i] == index_dims[0] + i, [&] {
                std::string list;
                for (const std::uint32_t dim : index_dims)
                    list += (list.empty() ? "" : ", ") + std::to_string(dim);
                return "The value of index_dims={" + list + "} must be consecutive integers.";
            });
        }
        require(!output || output->dtype == input.dtype,
                "Output tensor must have the same dtype as input tensor!");
        require(index_dims.back() < input.shape.rank() && index_dims.size() == inputs.size() - 1,
                "moreh_getitem: index_dims: expected a dimension of ", input.shape,
                " for each index tensor, got ", attribute_text(index_dims), " for ", inputs.size() - 1);
        require(input.shape.rank() <= kMostDimensions,
                "moreh_getitem: input: expected at most five dimensions, got ", input.shape);
    }
    void validate_program(SpecsView inputs, const DeviceDescription&) const {
        require(inputs[0].layout == Layout::ROW_MAJOR || inputs[0].shape.rank() > 1,
                "ShapeBase[] index out of range. 1 not in [-4, 1)");
    }
    TensorSpecs infer(SpecsView inputs) const {
        if (output) return {*output};
        const TensorSpec& input = inputs[0];
        const std::uint32_t first = index_dims.front(), last = index_dims.back();
        Shape shape;
        for (std::uint32_t dim = 0; dim < input.shape.rank(); ++dim) {
            const bool replaced = std::ranges::find(index_dims, dim) != index_dims.end();
            if (input.layout == Layout::TILE) {
                shape.push_back(dim == last ? last_size(inputs[1].shape) : replaced ? 1 : input.shape[dim]);
            } else if (dim < first || dim > last) {
                shape.push_back(input.shape[dim]);
            } else if (dim == first) {
                shape.push_back(inputs[1].shape[0]);
            }
        }
        return {TensorSpec{shape, input.dtype, input.layout, memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const TensorSpec &input = inputs[0], &out = outputs[0];
        const std::uint64_t element = element_size(input.dtype);
        std::vector<std::uint64_t> sizes;
        if (input.layout == Layout::ROW_MAJOR) {
            sizes.push_back(whole_pages(row_bytes(input)));
            for (const TensorSpec& index : inputs.subspan(1))
                sizes.push_back(whole_pages(last_size(index.shape) * element_size(index.dtype)));
            ProgramPlan made = moreh_plan(
                "ttnn::operations::moreh::moreh_getitem::MorehGetItemOperation::MorehGetItemRmFactory", 0,
                num_rows(out), sizes, device);
            made.view_of_input = input.shape.to_rank(kMostDimensions);
            return made;
        }
        constexpr std::uint64_t kFaceWidth = 16, kIndexTile = 4096;
        const bool along_rows = index_dims.back() + 1 == input.shape.rank();
        if (along_rows) {
            sizes.assign(2, whole_pages(element));
        } else {
            sizes.push_back(whole_pages(kFaceWidth * element));
        }
        sizes.insert(sizes.end(), index_dims.size(), kIndexTile);
        const std::uint64_t units =
            num_rows(out) * ceil_div(row_elements(out), along_rows ? kPage / element : kFaceWidth);
        return moreh_plan(
            "ttnn::operations::moreh::moreh_getitem::MorehGetItemOperation::MorehGetItemTilizedFactory", 1,
            units, sizes, device);
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        if (outputs[0].dtype == DataType::INT32)
            return {HostArray::from_integers(chosen(inputs, inputs[0]->to_integers(), outputs[0]),
                                             outputs[0].dtype, outputs[0].shape)};
        return {HostArray::from_floats(chosen(inputs, inputs[0]->to_floats(), outputs[0]), outputs[0].dtype,
                                       outputs[0].shape)};
    }

private:
    static std::uint32_t last_size(const Shape& shape) { return shape.rank() == 0 ? 1 : shape[-1]; }

    template <typename T>
    std::vector<T> chosen(ArraysView inputs, const std::vector<T>& values, const TensorSpec& out) const {
        const Shape& shape = inputs[0]->shape();
        std::uint64_t outer = 1, inner = 1, whole = 1;
        for (std::size_t i = 0; i < shape.rank(); ++i) {
            (i < index_dims.front() ? outer : i > index_dims.back() ? inner : whole) *= shape.dimensions()[i];
        }
        std::vector<std::uint64_t> places(inputs[1]->size());
        for (std::size_t i = 0; i < index_dims.size(); ++i) {
            const std::int64_t size = shape.dimensions()[index_dims[i]];
            const std::vector<std::int64_t> indices = inputs[i + 1]->to_integers();
            for (std::size_t k = 0; k < places.size(); ++k) {
                const std::int64_t index = indices[k] < 0 ? indices[k] + size : indices[k];
                require(index >= 0 && index < size, "moreh_getitem: index_tensors: expected indices of ",
                        size, " elements, got ", indices[k]);
                places[k] = places[k] * static_cast<std::uint64_t>(size) + static_cast<std::uint64_t>(index);
            }
        }
        std::vector<T> made;
        made.reserve(outer * places.size() * inner);
        for (std::uint64_t o = 0; o < outer; ++o) {
            for (const std::uint64_t place : places) {
                const auto from = values.begin() + static_cast<std::ptrdiff_t>((o * whole + place) * inner);
                made.insert(made.end(), from, from + static_cast<std::ptrdiff_t>(inner));
            }
        }
        made.resize(out.shape.volume());
        return made;
    }
};

struct MorehFoldOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "MorehFoldOperation";
    using Sizes = std::vector<std::uint32_t>;

    Sizes output_size, kernel_size, dilation, padding, stride;
    MemoryConfig memory_config;
    std::optional<TensorSpec> output;

    auto attributes() const {
        return std::tie(output_size, kernel_size, dilation, padding, stride, memory_config);
    }

    void validate(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        require(input.layout == Layout::ROW_MAJOR, "Fold: only support input in ROW_MAJOR");
        require_sizes();
        const std::size_t rank = input.shape.rank();
        require(rank == 3 || rank == 2, "Fold: Only support 3D or 2D input tensor");
        require(input.shape[-1] == places(0) * places(1), "Fold: Invalid input tensor size");
        const std::uint32_t kernel = kernel_size[0] * kernel_size[1];
        require(kernel != 0 && input.shape[-2] % kernel == 0, "Fold: Invalid input tensor size");
        if (!output) return;
        const Shape& image = output->shape;
        require(image.rank() == 4 || image.rank() == 3, "Fold: Only support 4D and 3D output tensor");
        require(image[-3] == input.shape[-2] / kernel, "Fold: Invalid output tensor size");
        require(image[-2] == output_size[0] && image[-1] == output_size[1],
                "Fold: Invalid output shape size");
    }
    TensorSpecs infer(SpecsView inputs) const {
        if (output) return {*output};
        require_sizes();
        const TensorSpec& input = inputs[0];
        const std::size_t rank = input.shape.rank();
        require(rank == 3 || rank == 2, "Fold: Only support 3D or 2D input tensor");
        const std::uint32_t kernel = std::max<std::uint32_t>(kernel_size[0] * kernel_size[1], 1);
        Shape shape;
        if (rank == 3) shape.push_back(input.shape[0]);
        for (const std::uint32_t size : {input.shape[-2] / kernel, output_size[0], output_size[1]})
            shape.push_back(size);
        return {TensorSpec{shape, input.dtype, input.layout, memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const TensorSpec &input = inputs[0], &out = outputs[0];
        const std::uint64_t page = row_bytes(input), alignment = device.dram_alignment;
        std::vector<std::uint64_t> sizes{2 * whole_pages(page),
                                         2 * whole_pages(row_elements(out) * element_size(input.dtype))};
        const bool in_dram = input.memory_config.buffer_type == BufferType::DRAM;
        if ((in_dram && page % alignment != 0) || alignment > kPage)  // Blackhole reads by way of it always
            sizes.push_back(4 * ceil_div(page, alignment) * alignment);
        return moreh_plan("ttnn::operations::moreh::moreh_fold::MorehFoldOperation::MultiCore", 0,
                          num_rows(out), sizes, device);
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::vector<float> columns = inputs[0]->to_floats();
        std::vector<float> images(outputs[0].shape.volume());
        const std::uint64_t height = output_size[0], width = output_size[1];
        const std::array<std::uint64_t, kSpatial> many{places(0), places(1)};
        const std::uint64_t kernel = std::uint64_t{kernel_size[0]} * kernel_size[1];
        const std::uint64_t row = many[0] * many[1];
        for (std::uint64_t i = 0; i < columns.size(); ++i) {
            const std::uint64_t of_channel = i / row % kernel, at = i % row;
            const std::int64_t y = place(0, of_channel / kernel_size[1], at / many[1]);
            const std::int64_t x = place(1, of_channel % kernel_size[1], at % many[1]);
            if (y < 0 || x < 0 || static_cast<std::uint64_t>(y) >= height ||
                static_cast<std::uint64_t>(x) >= width)
                continue;
            const std::uint64_t channel = i / row / kernel;
            images[(channel * height + static_cast<std::uint64_t>(y)) * width +
                   static_cast<std::uint64_t>(x)] += columns[i];
        }
        return {HostArray::from_floats(images, outputs[0].dtype, outputs[0].shape)};
    }

private:
    void require_sizes() const {
        const std::pair<const char*, const Sizes*> all[] = {{"output_size", &output_size},
                                                            {"kernel_size", &kernel_size},
                                                            {"dilation", &dilation},
                                                            {"padding", &padding},
                                                            {"stride", &stride}};
        for (const auto& [name, sizes] : all)
            require(sizes->size() == kSpatial, "Fold: ", name, " takes 2 elements");
        require(stride[0] != 0 && stride[1] != 0, "moreh_fold: stride: expected positive numbers, got 0");
    }
    /// The places of the kernel along that dimension; numbers wrap, as TT-NN's do.
    std::uint32_t places(std::size_t i) const {
        return (output_size[i] + 2 * padding[i] - dilation[i] * (kernel_size[i] - 1) - 1) / stride[i] + 1;
    }
    std::int64_t place(std::size_t i, std::uint64_t in_kernel, std::uint64_t at) const {
        return static_cast<std::int64_t>(at * stride[i] + in_kernel * dilation[i]) -
               static_cast<std::int64_t>(padding[i]);
    }
};

}  // namespace

Tensor MorehGetItem::body() const {
    require(input.has_value(), "Input tensor is required for moreh_getitem operation.");
    require(!index_tensors.empty() && !index_dims.empty(),
            "moreh_getitem: index_tensors, index_dims: expected one of each at least, got none");
    std::vector<Tensor> inputs{*input};
    inputs.insert(inputs.end(), index_tensors.begin(), index_tensors.end());
    return launch(
        MorehGetItemOperation{index_dims, memory_config.value_or(input->memory_config()), spec_of(output)},
        inputs, output);
}

Tensor MorehFold::body() const {
    return launch(MorehFoldOperation{output_size, kernel_size, dilation, padding, stride,
                                     memory_config.value_or(input.memory_config()), spec_of(output)},
                  {input}, output);
}

}  // namespace tilemeter
