// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/reduction/prod.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/copy.hpp"
#include "runtime/operations/data_movement/fill_padding.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/reduction/internal/reduction_dims.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

void require_tiles(const TensorSpec& input) {
    require(input.layout == Layout::TILE, "prod: input_tensor: expected TILE layout, got ",
            name_of(input.layout));
}

ProgramPlan double_buffered(std::string_view factory, const TensorSpec& input, const TensorSpec& output,
                            const CoreRangeSet& cores) {
    return {{factory, 0}, dataflow_buffers({2 * tile_size(input.dtype), 2 * tile_size(output.dtype)}, cores)};
}

/// The product of all elements. The result stands in the first place of a tensor of 32 tiles, as TT-NN declares it.
struct ProdAll {
    static constexpr std::string_view kName = "ProdAllDeviceOperation";
    static constexpr std::string_view kAttributesName = "ProdAllParams";

    MemoryConfig memory_config;

    auto attributes() const { return std::make_tuple(memory_config); }

    void validate(SpecsView inputs) const { require_tiles(inputs[0]); }
    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{Shape{1, kTileHeight, kTileHeight, kTileWidth}, inputs[0].dtype, Layout::TILE,
                           memory_config}};
    }
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        return double_buffered("ttnn::prim::ProdAllDeviceOperation::ProdAllProgramFactory", inputs[0],
                               outputs[0], cores_down_columns(1, device));
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        double product = 1.0;
        for (const float value : inputs[0]->to_floats())
            product *= value;
        std::vector<float> values(outputs[0].shape.volume());
        values.front() = static_cast<float>(product);
        return {HostArray::from_floats(values, outputs[0].dtype, outputs[0].shape)};
    }
};

/// Along one of the two outer of four dimensions, written into its second input.
struct ProdNc {
    static constexpr std::string_view kName = "ProdNcDeviceOperation";
    static constexpr std::string_view kAttributesName = "ProdNcParams";

    std::size_t dim;
    MemoryConfig memory_config;

    auto attributes() const { return std::make_tuple(dim); }
    auto key_attributes() const { return std::tie(dim, memory_config); }

    void validate(SpecsView inputs) const {
        const DataType dtype = inputs[0].dtype;
        require(
            dtype == DataType::BFLOAT16 || dtype == DataType::FLOAT32 || dtype == DataType::BFLOAT8_B,
            "Error - unsupported data type for prod, expected BFLOAT16, FLOAT32 or BFLOAT8_B but got DataType::",
            name_of(dtype), ".");
    }
    TensorSpecs infer(SpecsView inputs) const {
        TensorSpec output = inputs[0];
        output.memory_config = memory_config;
        output.shape.set(static_cast<std::int64_t>(dim), 1);
        return {output};
    }
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        return double_buffered("ttnn::prim::ProdNcDeviceOperation::ProdNcProgramFactory", inputs[0],
                               outputs[0], cores_down_columns(num_tiles(outputs[0]), device));
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const Shape& shape = inputs[0]->shape();
        const std::vector<float> values = inputs[0]->to_floats();
        std::uint64_t stride = 1;
        for (std::size_t i = dim + 1; i < shape.rank(); ++i)
            stride *= shape.dimensions()[i];
        const std::uint64_t length = shape.dimensions()[dim];
        std::vector<float> products;
        products.reserve(outputs[0].shape.volume());
        std::vector<double> columns(stride);
        for (std::uint64_t slab = 0; slab < values.size(); slab += length * stride) {
            std::fill(columns.begin(), columns.end(), 1.0);
            for (std::uint64_t i = 0; i < length * stride; i += stride) {
                std::transform(columns.begin(), columns.end(), values.begin() + slab + i, columns.begin(),
                               std::multiplies<>());
            }
            products.insert(products.end(), columns.begin(), columns.end());
        }
        return {HostArray::from_floats(products, outputs[0].dtype, outputs[0].shape)};
    }
};

// The first element goes by way of the host.
Tensor product_of_all(const Tensor& input, const MemoryConfig& memory_config) {
    const bool to_tiles = input.layout() == Layout::ROW_MAJOR;
    require(!to_tiles || input.shape().rank() > 1, "To be tilizable output tensor shape ", input.shape(),
            " must be divisible by tile size (32, 32)");
    const ScopedTensor tiles(to_tiles ? unscoped::tilize_with_val_padding(input, 1.0F) : Tensor());
    const ScopedTensor products(launch(ProdAll{memory_config}, {to_tiles ? *tiles : input}));
    const Tensor host = download(*products);
    const TensorSpec spec{Shape{}, input.dtype(), Layout::ROW_MAJOR, DRAM_MEMORY_CONFIG};
    const Tensor first = changed_on_host(host, spec, [spec](const HostArray& values) {
        return HostArray::from_floats(std::vector<float>{values.to_floats().front()}, spec.dtype, spec.shape);
    });
    return upload(unscoped::to_layout(first, Layout::TILE), input.shared_device(), memory_config);
}

Tensor with_zeros(const Tensor& input, std::size_t dim, const MemoryConfig& memory_config) {
    TensorSpec spec = input.spec();
    spec.shape.set(static_cast<std::int64_t>(dim), 1);
    spec.memory_config = memory_config;
    return upload_filled(spec, 0.0F, input.shared_device());
}

// Rows become tiles with ones around them.
Tensor product_outside(const Tensor& input, std::size_t dim, const MemoryConfig& memory_config) {
    if (input.layout() == Layout::ROW_MAJOR) {
        const ScopedTensor tiles(unscoped::tilize_with_val_padding(input, 1.0F));
        return product_outside(*tiles, dim, memory_config);
    }
    ScopedTensor result(with_zeros(input, dim, memory_config));
    launch_into(ProdNc{dim, memory_config}, {input}, *result);
    return result.take();
}

// The product along one of four dimensions, kept as 1. A dimension inside the tiles becomes the outermost.
Tensor product_along(const Tensor& input, std::size_t dim, std::size_t rank,
                     const MemoryConfig& memory_config, ScopedTensor& moved) {
    const auto squeezed = [rank](const Tensor& tensor) {
        return rank < 4 ? unscoped::squeeze_from_4D(tensor, rank) : tensor;
    };
    if (dim < 2) return squeezed(product_outside(input, dim, memory_config));
    const bool columns = dim == 3;
    moved = unscoped::permute(
        input, columns ? std::vector<std::int64_t>{3, 0, 1, 2} : std::vector<std::int64_t>{2, 0, 1, 3},
        memory_config);
    Tensor result = product_outside(*moved, 0, memory_config);
    if (!columns) {
        result = unscoped::permute(result, {1, 2, 0, 3}, memory_config);
        return squeezed(result);
    }
    const ScopedTensor permuted(unscoped::permute(result, {1, 2, 0, 3}, memory_config));
    result = unscoped::transpose(*permuted, 2, 3, memory_config);
    return squeezed(result);
}

Shape ones(std::size_t rank) {
    Shape shape;
    while (shape.rank() < rank)
        shape.push_back(1);
    return shape;
}

Tensor with_ones_around(const Tensor& input) {
    return input.layout() == Layout::TILE && has_padding(input) ? fill_padding(input, 1.0F) : input;
}

Tensor product_in_four(const Tensor& input, std::size_t position, bool keepdim,
                       const MemoryConfig& memory_config) {
    const std::size_t rank = input.shape().rank();
    const Shape wanted = remaining_shape(input.shape(), std::span(&position, 1), keepdim);
    ScopedTensor moved{Tensor()};
    Tensor kept =
        product_along(unscoped::unsqueeze_to_4D(input), position + 4 - rank, rank, memory_config, moved);
    if (keepdim) return kept;
    const ScopedTensor result(std::move(kept));
    return unscoped::reshape(*result, wanted);
}

// In a tensor of five dimensions and more: the dimension changes places with the third last, which is the second of
// four then.
Tensor product_of_many(const Tensor& input, std::size_t position, bool keepdim,
                       const MemoryConfig& memory_config) {
    const std::size_t rank = input.shape().rank(), third_last = rank - 3;
    std::vector<std::int64_t> order(rank);
    std::iota(order.begin(), order.end(), std::int64_t{0});
    std::swap(order[third_last], order[position]);
    const bool moves = position != third_last;
    const ScopedTensor moved(moves ? unscoped::permute(input, order, memory_config) : Tensor());
    const Tensor& source = moves ? *moved : input;
    Shape shape = source.shape();
    shape.set(-3, 1);
    Tensor kept = reshape_view(product_outside(view_in_four(source), 1, memory_config), shape);
    if (moves) kept = unscoped::permute(kept, order, memory_config);
    if (keepdim) return kept;
    return unscoped::reshape(kept, remaining_shape(input.shape(), std::span(&position, 1), false));
}

Tensor product(const Tensor& input, const std::optional<std::int64_t>& dim, bool keepdim,
               const MemoryConfig& memory_config) {
    const std::size_t rank = input.shape().rank();
    const Tensor filled = with_ones_around(input);
    require(!dim || rank != 0 || *dim == 0 || *dim == -1,
            "Dimension for prod is out of range (expected to be in range of [-1, 0])");
    if (rank == 0) return unscoped::clone(filled, std::nullopt, memory_config);
    if (input.shape().volume() == 0) {
        ReducedDims dims(rank);
        std::iota(dims.begin(), dims.end(), std::size_t{0});
        if (dim) dims = {input.shape().position(*dim)};
        return reduced_from_nothing(input, dims, keepdim, 1.0F, input.dtype(), memory_config);
    }
    if (dim && rank > 1) {
        const std::size_t position = input.shape().position(*dim);
        return rank > 4 ? product_of_many(filled, position, keepdim, memory_config)
                        : product_in_four(filled, position, keepdim, memory_config);
    }
    const Tensor all = product_of_all(filled, memory_config);
    return keepdim ? reshape_view(all, ones(rank)) : all;
}

}  // namespace

Tensor ProdInto::body() const {
    require_on_device(input_tensor, "prod", "input_tensor");
    const MemoryConfig config = memory_config.value_or(input_tensor.memory_config());
    const Tensor input = with_ones_around(input_tensor);
    if (dims.empty()) return product_of_all(input, config);
    std::vector<std::size_t> order;
    for (const std::int64_t dim : dims)
        order.push_back(input_tensor.shape().position(dim));
    std::sort(order.begin(), order.end(), std::greater<>());
    require(order.front() <= 1 && input_tensor.shape().rank() == 4,
            "prod: dims: expected 0, 1 or both of four dimensions, got ", dims.size(), " dims of ",
            input_tensor.shape());
    ScopedTensor products{Tensor()};
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
        const Tensor& source = i == 0 ? input : *products;
        const ProdNc operation{order[i], config};
        const TensorSpecs specs = operation.infer(std::vector{source.spec()});
        const Tensor between = create_device_tensor(specs.front(), input_tensor.shared_device());
        products = launch_into(operation, {source}, between);
    }
    return launch_into(ProdNc{order.back(), config}, {order.size() == 1 ? input : *products}, output_tensor);
}

Tensor unscoped::prod(const Tensor& input, const std::optional<std::int64_t>& dim, bool keepdim,
                      const MemoryConfig& memory_config) {
    require_on_device(input, "prod", "input_tensor");
    return product(input, dim, keepdim, memory_config);
}

Tensor Prod::body() const {
    return unscoped::prod(input_tensor, dim, keepdim, memory_config.value_or(input_tensor.memory_config()));
}

}  // namespace tilemeter
