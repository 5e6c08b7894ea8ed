// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/repeat.hpp"

#include <algorithm>
#include <tuple>

#include "runtime/compute/rearrange.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/tensor_pages.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/internal/repeated_pages.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/data_movement/tilize_operations.hpp"

namespace tilemeter {

namespace {

using Times = std::vector<std::uint32_t>;

/// Along one dimension.
struct RepeatCodegen {
    static constexpr std::string_view kName = "RepeatCodegenDeviceOperation";
    static constexpr std::string_view kAttributesName = "RepeatCodegenParams";

    std::size_t dim;
    std::uint32_t times;
    MemoryConfig memory_config;

    auto attributes() const { return std::make_tuple(dim, times, memory_config); }

    TensorSpecs infer(SpecsView inputs) const {
        return {repeated_spec(inputs[0], dim, times, memory_config)};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        return plan_repeated_pages("ttnn::prim::RepeatCodegenProgramFactory", inputs[0], outputs[0], device);
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView) const {
        Times each(inputs[0]->shape().rank(), 1);
        each[dim] = times;
        return {compute::repeated(*inputs[0], each)};
    }
};

// In which order dimensions are repeated: rows first, where they are pages; else from the outermost.
std::vector<std::size_t> order_of(const Times& times, Layout layout) {
    std::vector<std::size_t> order;
    if (layout == Layout::ROW_MAJOR && times.back() > 1) order.push_back(times.size() - 1);
    for (std::size_t i = 0; i < times.size(); ++i) {
        const bool taken = !order.empty() && order.front() == i;
        if (times[i] > 1 && !taken) order.push_back(i);
    }
    return order;
}

// Repetitions of a dimension of 1 are as well repetitions of the next one, outermost: of all before the
// pages.
void merge_leading(const Shape& shape, Times& times, bool by_rows) {
    for (std::size_t i = 0; i + (by_rows ? 2 : 3) < times.size(); ++i) {
        if (shape.dimensions()[i] != 1 || times[i] == 1 || times[i + 1] == 1) continue;
        times[i + 1] *= times[i];
        times[i] = 1;
    }
}

bool cuts_tiles(const Tensor& input, const Times& times) {
    if (input.layout() != Layout::TILE) return false;
    const std::size_t rank = times.size();
    return (times[rank - 1] > 1 && input.shape()[-1] % kTileWidth != 0) ||
           (times[rank - 2] > 1 && input.shape()[-2] % kTileHeight != 0);
}

Tensor repeat_pages(const Tensor& input, const Times& times, const MemoryConfig& memory_config) {
    Tensor result = input;
    for (const std::size_t dim : order_of(times, input.layout()))
        result = launch(RepeatCodegen{dim, times[dim], memory_config}, {result});
    return result;
}

Tensor repeat_four(const Tensor& input, Times times, const MemoryConfig& memory_config) {
    Shape shape;
    for (std::size_t i = 0; i < times.size(); ++i)
        shape.push_back(input.shape().dimensions()[i] * times[i]);
    merge_leading(input.shape(), times, input.layout() == Layout::ROW_MAJOR || cuts_tiles(input, times));
    Tensor result;
    if (cuts_tiles(input, times)) {
        Tensor rows = input.dtype() == DataType::BFLOAT16
                          ? launch(UntilizeCodegen{memory_config}, {input})
                          : unscoped::untilize_with_unpadding(input, memory_config);
        rows = repeat_pages(rows, times, memory_config);
        if (rows.shape() != shape) rows = reshape_view(rows, shape);
        result = unscoped::to_layout(rows, Layout::TILE, std::nullopt, memory_config);
    } else {
        result = repeat_pages(input, times, memory_config);
    }
    return result.shape() == shape ? result : reshape_view(result, shape);
}

}  // namespace

Tensor unscoped::repeat(const Tensor& input, const std::vector<std::uint32_t>& given,
                        const OptionalMemoryConfig& memory_config) {
    require_on_device(input, "repeat", "input");
    const std::size_t rank = input.shape().rank();
    require(given.size() <= Shape::kMaxRank, "repeat: times: expected at most ", Shape::kMaxRank,
            " numbers, got ", given.size());
    Times times(rank - std::min(rank, given.size()), 1);  // fewer are of the last dimensions
    times.insert(times.end(), given.begin(), given.end());
    require(std::find(times.begin(), times.end(), 0U) == times.end(),
            "repeat: times: expected at least 1 each, got 0");
    const MemoryConfig config = memory_config.value_or(input.memory_config());
    if (std::all_of(times.begin(), times.end(), [](std::uint32_t each) { return each == 1; })) {
        return unscoped::to_memory_config(input, config);
    }
    const Tensor source = unscoped::reshape(input, input.shape().to_rank(times.size()));
    if (times.size() >= 4) return repeat_four(source, times, config);
    Times four(4 - times.size(), 1);
    four.insert(four.end(), times.begin(), times.end());
    const Tensor result = repeat_four(unscoped::unsqueeze_to_4D(source), four, config);
    return unscoped::squeeze_from_4D(result, times.size());
}

Tensor Repeat::call() const {
    require_none(optional_output_tensor, "repeat", "optional_output_tensor");
    return in_operation(*this, [&] {
        const std::span<const std::uint32_t> times = repeat_dims.dimensions();
        return unscoped::repeat(input_tensor, Times(times.begin(), times.end()), memory_config);
    });
}

Tensor Expand::body() const {
    const Tensor& input = input_tensor;
    const std::vector<std::int64_t>& sizes = output_shape;
    const std::size_t rank = input.shape().rank();
    require(sizes.size() >= rank, "expand: sizes: expected at least ", rank, " numbers for ", input.shape(),
            ", got ", sizes.size());
    Times times;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const std::size_t added = sizes.size() - rank;
        const std::int64_t size = i < added ? 1 : input.shape().dimensions()[i - added];
        require(sizes[i] == -1 || sizes[i] == size || (size == 1 && sizes[i] >= 1),
                "Only size 1 dimensions can be expanded in the output shape: expected -1 or ", size,
                " for dimension ", i, " of ", input.shape(), ", got ", sizes[i]);
        times.push_back(sizes[i] == -1 ? 1U : static_cast<std::uint32_t>(sizes[i] / size));
    }
    return unscoped::repeat(input, times, memory_config);
}

}  // namespace tilemeter
