// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/slice_write.hpp"

#include <algorithm>

#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/copy.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/sliding_window/internal/padded_slice.hpp"
#include "runtime/types/rounding.hpp"

namespace tilemeter {

namespace {

Shape shape_from(const std::vector<std::int64_t>& sizes) {
    Shape shape;
    for (const std::int64_t size : sizes)
        shape.push_back(static_cast<std::uint32_t>(std::max<std::int64_t>(size, 0)));
    return shape;
}

Shape part_between(const Shape& begin, const Shape& end, const Shape& step) {
    Shape part;
    for (std::size_t i = 0; i < begin.rank(); ++i) {
        const auto axis = static_cast<std::int64_t>(i);
        require(end[axis] >= begin[axis], "End ", end[axis], " must be greater than or equal to start ",
                begin[axis]);
        require(step[axis] != 0, "slice_write: step: expected at least 1, got 0");
        part.push_back(static_cast<std::uint32_t>(ceil_div(end[axis] - begin[axis], step[axis])));
    }
    return part;
}

bool is_all_ones(const Shape& step) {
    const std::span<const std::uint32_t> steps = step.dimensions();
    return std::all_of(steps.begin(), steps.end(), [](std::uint32_t each) { return each == 1; });
}

}  // namespace

Tensor experimental::SliceWrite::body() const {
    require_on_device(input_tensor, "slice_write", "input_tensor");
    require_on_device(output_tensor, "slice_write", "output_tensor");
    require(!output_tensor.is_sharded(), "Slice Write currently doesn't support sharded output tensors.");
    const bool sharded = input_tensor.is_sharded();
    require(sharded ||
                (input_tensor.layout() == Layout::ROW_MAJOR && output_tensor.layout() == Layout::ROW_MAJOR),
            "slice_write: expected ROW_MAJOR tensors or an input in shards, got ",
            name_of(input_tensor.layout()), " into ", name_of(output_tensor.layout()));
    require(start.size() == end.size() && start.size() == step.size(),
            "slice_write: expected as many of start, end "
            "and step, got ",
            start.size(), ", ", end.size(), " and ", step.size());
    const Shape begin = shape_from(start);
    Shape last = shape_from(end);
    const Shape steps = shape_from(step);
    const Shape part = part_between(begin, last, steps);
    if (part.volume() == 0) return output_tensor;
    const Shape& shape = input_tensor.shape();
    if (!sharded || shape.rank() != 4 || shape[0] != 1 || shape[1] != 1) {
        for (std::size_t i = 0; i < std::min(shape.rank(), part.rank()); ++i) {
            const auto axis = static_cast<std::int64_t>(i);
            require(part[axis] == shape[axis], "Size of the slice being written ", part[axis],
                    " should match the size of the input tensor ", shape[axis], " at dim ", i);
        }
    }
    require(!sharded || is_all_ones(steps), "Step is not supported for sharded slice_write operation");
    if (input_tensor.layout() == Layout::TILE && last.rank() >= 2) {
        for (const std::int64_t axis : {-2, -1})
            last.set(axis, static_cast<std::uint32_t>(round_up(last[axis], kTileHeight)));
    }
    return launch_into(tilemeter::SliceWrite{begin, last, steps}, {input_tensor, output_tensor},
                       output_tensor);
}

Tensor experimental::PaddedSlice::body() const {
    require_on_device(input_tensor, "padded_slice", "input_tensor");
    const Shape& shape = input_tensor.shape();
    require(shape.rank() == 4, "Only 4D tensors are supported for padded_slice");
    require(padded_slice_start.size() == 4, "Input rank 4 and begins ", padded_slice_start.size(),
            " must have the same size");
    require(padded_slice_end.size() == 4, "Start 4 and end ", padded_slice_end.size(),
            " must have the same size");
    require(!padded_slice_step || is_all_ones(shape_from(*padded_slice_step)),
            "Steps != 1 are not supported for padded_slice.");
    require(memory_config.is_sharded() && memory_config.shard_spec,
            "Output Memory Config must be sharded. Use slice for non-sharded outputs.");
    require(!input_tensor.is_sharded(), " padded_slice does not support sharded inputs.");
    require(!output_tensor, "padded_slice: expected output_tensor=None, got a tensor");
    const auto from_zero = [&](const std::vector<std::int64_t>& indices) {
        std::vector<std::int64_t> wrapped = indices;
        for (std::size_t i = 0; i < wrapped.size(); ++i)
            if (wrapped[i] < 0) wrapped[i] += shape.dimensions()[i];
        return shape_from(wrapped);
    };
    const Shape begin = from_zero(padded_slice_start);
    const Shape last = from_zero(padded_slice_end);
    const bool whole = begin == Shape{0, 0, 0, 0} && last == shape &&
                       memory_config.shard_spec->shape[1] == input_tensor.padded_shape()[-1];
    if (whole && input_tensor.layout() == Layout::ROW_MAJOR)
        return unscoped::to_memory_config(input_tensor, memory_config);
    return launch(tilemeter::PaddedSlice{begin, last, memory_config}, {input_tensor});
}

}  // namespace tilemeter
