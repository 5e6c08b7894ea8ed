// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/moreh/moreh_softmax.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <tuple>

#include "runtime/compute/normalization.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/moreh/internal/moreh_program.hpp"

namespace tilemeter {

namespace {

// Programs that keep whole rows of tiles end below this address; longer rows are read again and again.
constexpr std::uint64_t kEndOfRows = 512 * 1024;

bool fits(const std::vector<std::uint64_t>& sizes, const DeviceDescription& device) {
    return device.l1_unreserved_base + std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}) <=
           kEndOfRows;
}

// Tiles along the dimension.
std::uint64_t tiles_along(const TensorSpec& spec, std::size_t dim) {
    const std::uint64_t length = spec.shape.dimensions()[dim];
    return tile_axis(spec.shape, dim) == TileAxis::kOther ? length : ceil_div(length, kTileWidth);
}

// Calls `change` with each line of elements along the dimension.
template <typename Change>
void each_line(const Shape& shape, std::size_t dim, Change change) {
    const Strides strides(shape, dim);
    for (std::uint64_t outer = 0; outer < strides.outer; ++outer) {
        for (std::uint64_t inner = 0; inner < strides.inner; ++inner)
            change(outer * strides.length * strides.inner + inner, strides.inner, strides.length);
    }
}

struct MorehSoftmaxOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "MorehSoftmaxOperation";

    SoftmaxKind kind;
    std::size_t dim;
    MemoryConfig memory_config;
    OptionalComputeKernelConfig kernels;

    auto attributes() const { return std::make_tuple(static_cast<int>(kind), dim, memory_config, kernels); }

    void validate(SpecsView inputs) const {
        require_moreh_dtype(inputs[0], "moreh_softmax input",
                            {DataType::BFLOAT16, DataType::BFLOAT8_B, DataType::FLOAT32});
    }
    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[0].shape, inputs[0].dtype, Layout::TILE, memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const TensorSpec& input = inputs[0];
        const std::uint64_t tile = tile_size(input.dtype), sum = sum_tile_size(input.dtype, kernels);
        const std::uint64_t along = tiles_along(input, dim), units = num_tiles(input) / along;
        const TileAxis axis = tile_axis(input.shape, dim);
        if (axis == TileAxis::kOther)
            return moreh_plan(
                "ttnn::operations::moreh::moreh_softmax::MorehSoftmaxOperation::MorehSoftmaxCLargeFactory", 0,
                units, {2 * tile, 2 * tile, sum, sum, 2 * sum, tile, sum}, device);
        const bool width = axis == TileAxis::kWidth;
        const std::vector<std::uint64_t> whole{along * tile, tile, tile, tile,        along * tile,
                                               along * sum,  sum,  sum,  along * sum, sum};
        if (fits(whole, device)) {
            return width ? moreh_plan(
                               "ttnn::operations::moreh::moreh_softmax::MorehSoftmaxOperation::"
                               "MorehSoftmaxWSmallFactory",
                               4, units, whole, device)
                         : moreh_plan(
                               "ttnn::operations::moreh::moreh_softmax::MorehSoftmaxOperation::"
                               "MorehSoftmaxHSmallFactory",
                               3, units, whole, device);
        }
        const std::vector<std::uint64_t> parts{2 * tile, tile, tile, tile, 2 * tile,
                                               2 * sum,  sum,  sum,  sum,  sum};
        return width ? moreh_plan(
                           "ttnn::operations::moreh::moreh_softmax::MorehSoftmaxOperation::"
                           "MorehSoftmaxWLargeFactory",
                           2, units, parts, device)
                     : moreh_plan(
                           "ttnn::operations::moreh::moreh_softmax::MorehSoftmaxOperation::"
                           "MorehSoftmaxHLargeFactory",
                           1, units, parts, device);
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        std::vector<float> values = inputs[0]->to_floats();
        const Shape& shape = inputs[0]->shape();
        if (kind != SoftmaxKind::kLogSoftmax) {
            if (kind == SoftmaxKind::kSoftmin)
                std::transform(values.begin(), values.end(), values.begin(), std::negate<>());
            values = compute::softmax(values, shape, dim);
            return {HostArray::from_floats(values, outputs[0].dtype, outputs[0].shape)};
        }
        each_line(shape, dim, [&](std::uint64_t first, std::uint64_t step, std::uint64_t count) {
            double largest = -std::numeric_limits<double>::infinity(), sum = 0.0;
            for (std::uint64_t i = 0; i < count; ++i)
                largest = std::max(largest, double{values[first + i * step]});
            for (std::uint64_t i = 0; i < count; ++i)
                sum += std::exp(values[first + i * step] - largest);
            const double above_all = largest + std::log(sum);
            for (std::uint64_t i = 0; i < count; ++i) {
                float& value = values[first + i * step];
                value = static_cast<float>(value - above_all);
            }
        });
        return {HostArray::from_floats(values, outputs[0].dtype, outputs[0].shape)};
    }
};

struct MorehSoftmaxBackwardOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "MorehSoftmaxBackwardOperation";

    SoftmaxKind kind;
    std::size_t dim;
    MemoryConfig memory_config;
    OptionalComputeKernelConfig kernels;

    auto attributes() const { return std::make_tuple(static_cast<int>(kind), dim, memory_config, kernels); }

    void validate(SpecsView inputs) const {
        require_moreh_dtype(inputs[0], "output_tensor", {DataType::BFLOAT16, DataType::BFLOAT8_B});
        require_moreh_dtype(inputs[1], "output_grad_tensor", {DataType::BFLOAT16, DataType::BFLOAT8_B});
        require(inputs[0].shape == inputs[1].shape, "moreh_softmax_backward: expected equal shapes, got ",
                inputs[0].shape, " and ", inputs[1].shape);
    }
    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[0].shape, inputs[0].dtype, Layout::TILE, memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const TensorSpec& input = inputs[0];
        const std::uint64_t tile = tile_size(input.dtype), sum = sum_tile_size(input.dtype, kernels);
        const std::uint64_t along = tiles_along(input, dim), units = num_tiles(input) / along;
        const TileAxis axis = tile_axis(input.shape, dim);
        if (axis == TileAxis::kOther)
            return moreh_plan(
                "ttnn::operations::moreh::moreh_softmax_backward::MorehSoftmaxBackwardOperation::"
                "MorehSoftmaxBackwardCLargeFactory",
                0, units, {2 * tile, 2 * tile, 2 * tile, sum, 2 * sum, sum}, device);
        const bool width = axis == TileAxis::kWidth;
        // The check for room takes sums for no larger than other tiles.
        if (fits({along * tile, along * tile, tile, tile, 2 * tile, along * tile, tile, tile}, device)) {
            const std::vector<std::uint64_t> whole{along * tile, along * tile, tile, tile,
                                                   2 * tile,     along * sum,  sum,  sum};
            return width ? moreh_plan(
                               "ttnn::operations::moreh::moreh_softmax_backward::"
                               "MorehSoftmaxBackwardOperation::"
                               "MorehSoftmaxBackwardWSmallFactory",
                               4, units, whole, device)
                         : moreh_plan(
                               "ttnn::operations::moreh::moreh_softmax_backward::"
                               "MorehSoftmaxBackwardOperation::"
                               "MorehSoftmaxBackwardHSmallFactory",
                               3, units, whole, device);
        }
        const std::vector<std::uint64_t> parts{2 * tile, 2 * tile, tile, tile,   2 * tile,
                                               sum,      sum,      sum,  2 * sum};
        return width ? moreh_plan(
                           "ttnn::operations::moreh::moreh_softmax_backward::MorehSoftmaxBackwardOperation::"
                           "MorehSoftmaxBackwardWLargeFactory",
                           2, units, parts, device)
                     : moreh_plan(
                           "ttnn::operations::moreh::moreh_softmax_backward::MorehSoftmaxBackwardOperation::"
                           "MorehSoftmaxBackwardHLargeFactory",
                           1, units, parts, device);
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::vector<float> y = inputs[0]->to_floats();
        std::vector<float> values = inputs[1]->to_floats();
        const bool logarithm = kind == SoftmaxKind::kLogSoftmax;
        const double sign = kind == SoftmaxKind::kSoftmin ? -1.0 : 1.0;
        each_line(inputs[0]->shape(), dim, [&](std::uint64_t first, std::uint64_t step, std::uint64_t count) {
            double sum = 0.0;
            for (std::uint64_t i = 0; i < count; ++i)
                sum += values[first + i * step] * (logarithm ? 1.0 : y[first + i * step]);
            for (std::uint64_t i = 0; i < count; ++i) {
                float& value = values[first + i * step];
                const double output = y[first + i * step];
                value = static_cast<float>(logarithm ? value - std::exp(output) * sum
                                                     : sign * (value - sum) * output);
            }
        });
        return {HostArray::from_floats(values, outputs[0].dtype, outputs[0].shape)};
    }
};

}  // namespace

template <SoftmaxKind Kind>
Tensor MorehSoftmaxOf<Kind>::body() const {
    const MorehSoftmaxOperation operation{Kind, input_tensor.shape().position(dim),
                                          memory_config.value_or(input_tensor.memory_config()),
                                          compute_kernel_config};
    return launch(operation, {input_tensor}, output_tensor);
}

template <SoftmaxKind Kind>
Tensor MorehSoftmaxBackwardOf<Kind>::body() const {
    const MorehSoftmaxBackwardOperation operation{Kind, output_tensor.shape().position(dim),
                                                  memory_config.value_or(output_grad_tensor.memory_config()),
                                                  compute_kernel_config};
    return launch(operation, {output_tensor, output_grad_tensor}, input_grad_tensor);
}

template struct MorehSoftmaxOf<SoftmaxKind::kSoftmax>;
template struct MorehSoftmaxOf<SoftmaxKind::kSoftmin>;
template struct MorehSoftmaxOf<SoftmaxKind::kLogSoftmax>;
template struct MorehSoftmaxBackwardOf<SoftmaxKind::kSoftmax>;
template struct MorehSoftmaxBackwardOf<SoftmaxKind::kSoftmin>;
template struct MorehSoftmaxBackwardOf<SoftmaxKind::kLogSoftmax>;

}  // namespace tilemeter
