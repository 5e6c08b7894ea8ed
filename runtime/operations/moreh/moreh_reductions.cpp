// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/moreh/moreh_reductions.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>

#include "runtime/compute/broadcast.hpp"
#include "runtime/compute/reduce.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/moreh/internal/moreh_program.hpp"

namespace tilemeter {

namespace {

// Positions of the dimensions, the last one first.
std::vector<std::size_t> positions(const ReduceDims& dims, const Shape& shape) {
    std::vector<std::size_t> found;
    if (!dims || (std::holds_alternative<std::vector<int>>(*dims) && std::get<1>(*dims).empty())) {
        for (std::size_t i = 0; i < shape.rank(); ++i)
            found.push_back(i);
    } else if (const int* one = std::get_if<int>(&*dims)) {
        found.push_back(shape.position(*one));
    } else {
        for (const int each : std::get<std::vector<int>>(*dims))
            found.push_back(shape.position(each));
    }
    std::sort(found.begin(), found.end(), std::greater<>());
    require(std::adjacent_find(found.begin(), found.end()) == found.end(),
            "dim: expected different dimensions");
    return found;
}

// The dimensions of a sum as TT-NN takes them: none from the end.
std::vector<std::size_t> positions_from_front(const ReduceDims& dims, const Shape& shape) {
    constexpr int kMost = 8;
    const auto require_one = [&](int dim) {
        require(dim >= 0 && dim <= kMost, "dim must be between 0 and ", kMost, ".");
        require(static_cast<std::size_t>(dim) < shape.rank(), "dim must be smaller than input tensor rank ",
                shape.rank(), ".");
    };
    if (dims && std::holds_alternative<int>(*dims)) require_one(std::get<int>(*dims));
    if (dims && !std::holds_alternative<int>(*dims)) {
        for (const int each : std::get<std::vector<int>>(*dims))
            require_one(each);
    }
    return positions(dims, shape);
}

// TT-NN's program of means looks at the dimension before that.
void require_mean_dims(const ReduceDims& dims) {
    static constexpr int kLast = 7;
    const auto require_one = [](int dim) {
        require(dim >= 0 && dim <= kLast, "Invalid dimension value: ", dim,
                ". Expected a value between 0 and ", kLast, ".");
    };
    if (!dims) return;
    if (const int* one = std::get_if<int>(&*dims)) return require_one(*one);
    for (const int each : std::get<std::vector<int>>(*dims))
        require_one(each);
}

Shape without(const Shape& shape, std::size_t dim, bool keepdim) {
    std::vector<std::uint32_t> dimensions(shape.dimensions().begin(), shape.dimensions().end());
    if (keepdim || tile_axis(shape, dim) != TileAxis::kOther) {
        dimensions[dim] = 1;
    } else {
        dimensions.erase(dimensions.begin() + static_cast<std::ptrdiff_t>(dim));
    }
    return Shape(dimensions);
}

/// The reduction of one dimension.
struct Reduction {
    static constexpr bool kMakesOutputsFirst = true;

    std::size_t dim;
    bool keepdim;
    MemoryConfig memory_config;
    OptionalComputeKernelConfig kernels;

    auto attributes() const { return std::tie(dim, keepdim, memory_config, kernels); }

    TensorSpecs infer(SpecsView inputs) const {
        return {
            TensorSpec{without(inputs[0].shape, dim, keepdim), inputs[0].dtype, Layout::TILE, memory_config}};
    }
};

struct MorehSumOperation : Reduction {
    static constexpr std::string_view kName = "MorehSumOperation";

    std::optional<TensorSpec> given_output{};

    void validate(SpecsView inputs) const {
        require_moreh_dtype(inputs[0], "moreh_sum input", {DataType::BFLOAT16, DataType::INT32});
        if (!given_output) return;
        require_moreh_dtype(*given_output, "moreh_sum output", {DataType::BFLOAT16, DataType::INT32});
        require_dimensions(inputs[0].padded_shape(), given_output->padded_shape(), "dimension");
        require_dimensions(inputs[0].shape, given_output->shape, "dimension without padding");
    }
    /// The same for an output that the caller gives.
    MorehSumOperation into(const TensorSpec& output) const { return {*this, output}; }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const DataType dtype = inputs[0].dtype;
        const std::uint64_t tile = tile_size(dtype), sum = sum_tile_size(dtype, kernels);
        const std::uint64_t units = num_tiles(outputs[0]);
        const TileAxis axis = tile_axis(inputs[0].shape, dim);
        const auto planned = [&](StaticName factory, std::uint64_t index,
                                 const std::vector<std::uint64_t>& sizes) {
            return moreh_plan(factory, index, units, sizes, device);
        };
        if (dtype == DataType::INT32) {
            if (axis == TileAxis::kWidth)
                return planned("ttnn::operations::moreh::moreh_sum::MorehSumOperation::MorehSumWIntFactory",
                               5, {2 * tile, tile, tile, 2 * tile});
            if (axis == TileAxis::kHeight)
                return planned("ttnn::operations::moreh::moreh_sum::MorehSumOperation::MorehSumHIntFactory",
                               3, {2 * tile, tile, tile, 2 * tile});
            return planned("ttnn::operations::moreh::moreh_sum::MorehSumOperation::MorehSumNCIntFactory", 4,
                           {2 * tile, tile, 2 * tile});
        }
        if (axis == TileAxis::kWidth)
            return planned("ttnn::operations::moreh::moreh_sum::MorehSumOperation::MorehSumWFactory", 2,
                           {2 * tile, 2 * tile, tile, sum, tile, 2 * tile});
        if (axis == TileAxis::kHeight)
            return planned("ttnn::operations::moreh::moreh_sum::MorehSumOperation::MorehSumHFactory", 0,
                           {2 * tile, tile, tile, sum, tile, 2 * tile});
        return planned("ttnn::operations::moreh::moreh_sum::MorehSumOperation::MorehSumNCFactory", 1,
                       {2 * tile, tile, 2 * tile});
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const HostArray& input = *inputs[0];
        const TensorSpec& out = outputs[0];
        const std::uint64_t length = input.shape().dimensions()[dim];
        if (!is_floating_point(out.dtype)) {
            const auto values =
                compute::reduce(compute::ReduceKind::kSum, input.to_integers(), input.shape(), dim, length);
            return {HostArray::from_integers(values, out.dtype, out.shape)};
        }
        const auto values =
            compute::reduce(compute::ReduceKind::kSum, input.to_floats(), input.shape(), dim, length);
        return {HostArray::from_floats(values, out.dtype, out.shape)};
    }

private:
    /// Those beside the one that is reduced, counted from the last, as TT-NN does.
    void require_dimensions(const Shape& input, const Shape& output, const char* what) const {
        if (input.rank() != output.rank()) return;  // without keepdim
        for (std::size_t i = 0; i < input.rank(); ++i) {
            const auto position = static_cast<std::int64_t>(input.rank() - 1 - i);
            if (position == static_cast<std::int64_t>(dim)) continue;
            require(input[position] == output[position], [&] {
                const auto said = [&](const char* side, const Shape& shape) {
                    return std::string(side) + what + "[" + std::to_string(i) + "] (" +
                           std::to_string(shape[position]) + ")";
                };
                return said("Input ", input) + " must equal " + said("output ", output);
            });
        }
    }
};

struct MorehMeanOperation : Reduction {
    static constexpr std::string_view kName = "MorehMeanOperation";

    void validate(SpecsView inputs) const {
        require_moreh_dtype(inputs[0], "moreh_mean input", {DataType::BFLOAT16});
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const std::uint64_t tile = tile_size(inputs[0].dtype), sum = sum_tile_size(inputs[0].dtype, kernels);
        const std::uint64_t units = num_tiles(outputs[0]);
        switch (tile_axis(inputs[0].shape, dim)) {
            case TileAxis::kWidth:
                return moreh_plan(
                    "ttnn::operations::moreh::moreh_mean::MorehMeanOperation::MorehMeanWFactory", 2, units,
                    {2 * tile, tile, tile, sum, tile, tile}, device);
            case TileAxis::kHeight:
                return moreh_plan(
                    "ttnn::operations::moreh::moreh_mean::MorehMeanOperation::MorehMeanHFactory", 0, units,
                    {2 * tile, tile, tile, sum, tile, tile}, device);
            case TileAxis::kOther:
                break;
        }
        return moreh_plan("ttnn::operations::moreh::moreh_mean::MorehMeanOperation::MorehMeanNCFactory", 1,
                          units, {2 * tile, tile, tile, tile, 2 * tile}, device);
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const HostArray& input = *inputs[0];
        const std::uint64_t length = input.shape().dimensions()[dim];
        auto values =
            compute::reduce(compute::ReduceKind::kSum, input.to_floats(), input.shape(), dim, length);
        for (float& value : values)
            value /= static_cast<float>(length);
        return {HostArray::from_floats(values, outputs[0].dtype, outputs[0].shape)};
    }
};

/// Norms that are no sum of powers: p is 0 or infinite.
struct MorehNormOperation : Reduction {
    static constexpr std::string_view kName = "MorehNormOperation";

    float p;

    auto attributes() const { return std::tie(p, dim, keepdim, memory_config, kernels); }

    void validate(SpecsView inputs) const {
        require_moreh_dtype(inputs[0], "moreh_norm input", {DataType::BFLOAT16});
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const std::uint64_t tile = tile_size(inputs[0].dtype), sum = sum_tile_size(inputs[0].dtype, kernels);
        const std::uint64_t units = num_tiles(outputs[0]);
        switch (tile_axis(inputs[0].shape, dim)) {
            case TileAxis::kWidth:
                return moreh_plan(
                    "ttnn::operations::moreh::moreh_norm::MorehNormOperation::ProgramFactoryWOther", 0, units,
                    {tile, tile, tile, tile, sum, sum, sum}, device);
            case TileAxis::kHeight:
                return moreh_plan(
                    "ttnn::operations::moreh::moreh_norm::MorehNormOperation::ProgramFactoryHOther", 1, units,
                    {tile, tile, tile, tile, sum, sum, sum}, device);
            case TileAxis::kOther:
                break;
        }
        return moreh_plan("ttnn::operations::moreh::moreh_norm::MorehNormOperation::ProgramFactoryNCOther", 2,
                          units, {tile, tile, tile, sum, sum}, device);
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        std::vector<float> values = inputs[0]->to_floats();
        for (float& value : values)
            value = p == 0.0F ? static_cast<float>(value != 0.0F) : std::abs(value);
        const auto kind = p == 0.0F  ? compute::ReduceKind::kSum
                          : p > 0.0F ? compute::ReduceKind::kMax
                                     : compute::ReduceKind::kMin;
        const Shape& shape = inputs[0]->shape();
        values = compute::reduce(kind, values, shape, dim, shape.dimensions()[dim]);
        return {HostArray::from_floats(values, outputs[0].dtype, outputs[0].shape)};
    }
};

struct MorehAbsPowOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "MorehAbsPowOperation";

    float p;
    MemoryConfig memory_config;
    OptionalComputeKernelConfig kernels;

    auto attributes() const { return std::tie(p, memory_config, kernels); }

    void validate(SpecsView inputs) const {
        require_moreh_dtype(inputs[0], "moreh_abs_pow input", {DataType::BFLOAT16});
    }
    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[0].shape, inputs[0].dtype, Layout::TILE, memory_config}};
    }
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const std::uint64_t tile = tile_size(inputs[0].dtype), sum = sum_tile_size(inputs[0].dtype, kernels);
        const std::uint64_t rows = num_tiles(inputs[0]) / ceil_div(inputs[0].shape[-1], kTileWidth);
        return moreh_plan(
            "ttnn::operations::moreh::moreh_abs_pow::MorehAbsPowOperation::MorehAbsPowProgramFactory", 0,
            rows, {tile, tile, tile, tile, tile, sum, sum, sum, sum}, device);
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        std::vector<float> values = inputs[0]->to_floats();
        for (float& value : values)
            value = std::pow(std::abs(value), p);
        return {HostArray::from_floats(values, outputs[0].dtype, outputs[0].shape)};
    }
};

/// Gradients repeated over the reduced dimensions, divided by how many they were where it was a mean.
struct Spreading {
    std::vector<std::size_t> dims;
    bool keepdim;
    Shape shape;
    MemoryConfig memory_config;
    OptionalComputeKernelConfig kernels;

    auto attributes() const { return std::tie(dims, keepdim, shape, memory_config, kernels); }

    void validate(SpecsView inputs) const {
        require_moreh_dtype(inputs[0], "output_grad", {DataType::BFLOAT16});
        require(inputs[0].shape.volume() == reduced().volume(), [&] {
            return "output_grad: expected the shape of the reduced input, " + reduced().to_string() +
                   ", got " + inputs[0].shape.to_string();
        });
    }
    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{shape, inputs[0].dtype, Layout::TILE, memory_config}};
    }

    Shape reduced() const {
        std::vector<std::uint32_t> dimensions(shape.dimensions().begin(), shape.dimensions().end());
        for (const std::size_t dim : dims)
            dimensions[dim] = 1;
        return Shape(dimensions);
    }
    std::vector<float> spread(const HostArray& grad) const {
        return compute::broadcast_to<float>(grad.to_floats(), reduced(), shape);
    }
};

struct MorehSumBackwardOperation : Spreading {
    static constexpr std::string_view kName = "MorehSumBackwardOperation";

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const std::uint64_t tile = tile_size(inputs[0].dtype);
        return moreh_plan(
            "ttnn::operations::moreh::moreh_sum_backward::MorehSumBackwardOperation::ProgramFactory", 0,
            num_tiles(outputs[0]), {2 * tile, tile, 2 * tile}, device);
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        return {HostArray::from_floats(spread(*inputs[0]), outputs[0].dtype, outputs[0].shape)};
    }
};

struct MorehMeanBackwardOperation : Spreading {
    static constexpr std::string_view kName = "MorehMeanBackwardOperation";

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const std::uint64_t tile = tile_size(inputs[0].dtype);
        return moreh_plan(
            "ttnn::operations::moreh::moreh_mean_backward::MorehMeanBackwardOperation::"
            "MorehMeanBackwardProgramFactory",
            0, num_tiles(outputs[0]), {2 * tile, tile, tile, tile, 2 * tile}, device);
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        std::vector<float> values = spread(*inputs[0]);
        const auto count = static_cast<float>(shape.volume() / reduced().volume());
        for (float& value : values)
            value /= count;
        return {HostArray::from_floats(values, outputs[0].dtype, outputs[0].shape)};
    }
};

struct MorehNormBackwardOperation {
    static constexpr std::string_view kName = "MorehNormBackwardOperation";

    float p;
    std::vector<std::size_t> dims;
    MemoryConfig memory_config;
    OptionalComputeKernelConfig kernels;

    auto attributes() const { return std::tie(p, dims, memory_config, kernels); }

    void validate(SpecsView inputs) const {
        for (const TensorSpec& input : inputs)
            require_moreh_dtype(input, "moreh_norm_backward input", {DataType::BFLOAT16});
        const std::uint64_t expected = reduced(inputs[0].shape).volume();
        require(inputs[1].shape.volume() == expected && inputs[2].shape.volume() == expected, [&] {
            return "moreh_norm_backward: output, output_grad: expected the shape of the norm, " +
                   reduced(inputs[0].shape).to_string() + ", got " + inputs[1].shape.to_string() + " and " +
                   inputs[2].shape.to_string();
        });
    }
    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[0].shape, inputs[0].dtype, Layout::TILE, memory_config}};
    }
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const std::uint64_t tile = tile_size(inputs[0].dtype), sum = sum_tile_size(inputs[0].dtype, kernels);
        std::vector<std::uint64_t> sizes(5, tile);
        sizes.insert(sizes.end(), 8, sum);
        return moreh_plan(
            "ttnn::operations::moreh::moreh_norm_backward::MorehNormBackwardOperation::"
            "MorehNormBackwardProgramFactory",
            0, num_tiles(outputs[0]), sizes, device);
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const Shape& shape = outputs[0].shape;
        std::vector<float> values = inputs[0]->to_floats();
        const auto norm = compute::broadcast_to<float>(inputs[1]->to_floats(), reduced(shape), shape);
        const auto grad = compute::broadcast_to<float>(inputs[2]->to_floats(), reduced(shape), shape);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double x = values[i], y = norm[i];
            const double slope = y == 0.0 ? 0.0 : std::pow(std::abs(x), p - 1.0) / std::pow(y, p - 1.0);
            values[i] = static_cast<float>(std::copysign(slope, x) * (x == 0.0 ? 0.0 : grad[i]));
        }
        return {HostArray::from_floats(values, outputs[0].dtype, shape)};
    }

private:
    Shape reduced(const Shape& shape) const {
        std::vector<std::uint32_t> dimensions(shape.dimensions().begin(), shape.dimensions().end());
        for (const std::size_t dim : dims)
            dimensions[dim] = 1;
        return Shape(dimensions);
    }
};

/// Tells an operation that looks at it which output the caller gives.
template <typename Operation>
Tensor launched(const Operation& operation, const Tensor& input, const OptionalTensor& output) {
    if constexpr (requires { operation.into(output->spec()); }) {
        if (output) return launch(operation.into(output->spec()), {input}, output);
    }
    return launch(operation, {input}, output);
}

// Dimension by dimension; what lies between goes when the next is there.
template <typename MakeOperation>
Tensor one_by_one(const Tensor& input, const std::vector<std::size_t>& dims, const OptionalTensor& output,
                  MakeOperation operation) {
    ScopedTensor between(input);
    for (std::size_t i = 0; i + 1 < dims.size(); ++i)
        between = launch(operation(dims[i]), {*between});
    return launched(operation(dims.back()), *between, output);
}

template <typename Operation>
Tensor reduced(const Tensor& input, const ReduceDims& dim, bool keepdim, const OptionalTensor& output,
               const OptionalMemoryConfig& memory_config, const OptionalComputeKernelConfig& kernels) {
    const MemoryConfig config = memory_config.value_or(input.memory_config());
    return one_by_one(input, positions_from_front(dim, input.shape()), output, [&](std::size_t each) {
        return Operation{{each, keepdim, config, kernels}};
    });
}

Tensor abs_pow(const Tensor& input, float p, const OptionalTensor& output,
               const OptionalMemoryConfig& memory_config, const OptionalComputeKernelConfig& kernels) {
    return launch(MorehAbsPowOperation{p, memory_config.value_or(input.memory_config()), kernels}, {input},
                  output);
}

}  // namespace

Tensor unscoped::moreh_sum(const Tensor& input, const ReduceDims& dim, bool keepdim,
                           const OptionalTensor& output, const OptionalMemoryConfig& memory_config,
                           const OptionalComputeKernelConfig& compute_kernel_config) {
    return reduced<MorehSumOperation>(input, dim, keepdim, output, memory_config, compute_kernel_config);
}

Tensor MorehSum::body() const {
    return reduced<MorehSumOperation>(input, dim, keepdim, output, memory_config, compute_kernel_config);
}

Tensor MorehMean::call() const {
    require(!divisor, "divisor not supported yet.");
    return in_operation(*this, [&] {
        require_mean_dims(dim);
        return reduced<MorehMeanOperation>(input, dim, keepdim, output, memory_config, compute_kernel_config);
    });
}

Tensor MorehSumBackward::call() const {
    require(input || input_grad, "input: expected a tensor, or input_grad, got neither");
    return in_operation(*this, [&] {
        const Shape& shape = (input ? *input : *input_grad).shape();
        const MorehSumBackwardOperation operation{{positions(dim, shape), keepdim, shape,
                                                   memory_config.value_or(output_grad.memory_config()),
                                                   compute_kernel_config}};
        return launch(operation, {output_grad}, input_grad);
    });
}

Tensor MorehMeanBackward::call() const {
    require(input_grad_shape || input_grad, "input_grad_shape: expected one, or input_grad, got neither");
    return in_operation(*this, [&] {
        const Shape shape = input_grad_shape ? *input_grad_shape : input_grad->shape();
        const MorehMeanBackwardOperation operation{{positions(dim, shape), keepdim, shape,
                                                    memory_config.value_or(output_grad.memory_config()),
                                                    compute_kernel_config}};
        return launch(operation, {output_grad}, input_grad);
    });
}

Tensor MorehAbsPow::body() const {
    return abs_pow(input, p, output, memory_config, compute_kernel_config);
}

Tensor MorehNorm::body() const {
    const MemoryConfig config = memory_config.value_or(input.memory_config());
    const std::vector<std::size_t> dims = positions_from_front(dim, input.shape());
    if (p == 0.0F || std::isinf(p)) {
        require(p != 0.0F || dims.size() <= 1, "moreh_norm: p is 0: expected one dimension");
        return one_by_one(input, dims, output, [&](std::size_t each) {
            return MorehNormOperation{{each, keepdim, config, compute_kernel_config}, p};
        });
    }
    ScopedTensor powers(abs_pow(input, p, std::nullopt, config, compute_kernel_config));
    powers = reduced<MorehSumOperation>(*powers, dim, keepdim, std::nullopt, config, compute_kernel_config);
    return abs_pow(*powers, 1.0F / p, output, config, compute_kernel_config);
}

Tensor MorehNormBackward::body() const {
    const MorehNormBackwardOperation operation{p, positions(dim, input.shape()),
                                               memory_config.value_or(input.memory_config()),
                                               compute_kernel_config};
    return launch(operation, {input, output, output_grad}, input_grad);
}

}  // namespace tilemeter
