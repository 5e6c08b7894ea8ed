// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/internal/concat_operation.hpp"

#include <algorithm>

#include "runtime/compute/rearrange.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/tensor_pages.hpp"
#include "runtime/operations/data_movement/internal/block_split.hpp"

namespace tilemeter {

namespace {

// A core per tile row: it takes the inputs' tiles apart into rows and makes tiles of the joined rows.
ProgramPlan plan_partial_tiles(SpecsView inputs, const TensorSpec& output, const DeviceDescription& device) {
    ProgramPlan plan{{"ttnn::prim::ConcatTiledUnalignedProgramFactory", 6}};
    const std::uint64_t tile = tile_size(output.dtype);
    std::uint64_t columns_in = 0;
    for (const TensorSpec& input : inputs)
        columns_in += input.tile_columns();
    const std::uint64_t columns_out = output.tile_columns();
    // TT-NN lists these cores one by one.
    const WorkCores all(std::nullopt, device.compute_grid, CoreWalk::kDownColumns);
    std::vector<CoreRange> each;
    for (std::uint64_t i = 0; i < cores_for_even_rows(output.tile_rows(), all.size()); ++i)
        each.push_back({all[i], all[i]});
    const CoreRangeSet cores(std::move(each));
    plan.memory = circular_buffers(
        {2 * columns_in * tile, columns_in * tile, columns_out * tile, 2 * columns_out * tile}, cores);
    return plan;
}

}  // namespace

bool ConcatOperation::joins_partial_tiles(SpecsView inputs, std::size_t dim) {
    bool partial = false;
    for (const TensorSpec& input : inputs) {
        const bool joinable = input.layout == Layout::TILE && dim + 1 == input.shape.rank() &&
                              (input.dtype == DataType::BFLOAT16 || input.dtype == DataType::FLOAT32) &&
                              !input.memory_config.is_sharded();
        if (!joinable) return false;
        partial = partial || input.shape[-1] % kTileWidth != 0;
    }
    return partial;
}

void ConcatOperation::validate(SpecsView inputs) const {
    const TensorSpec& first = inputs[0];
    for (const TensorSpec& input : inputs) {
        require(input.dtype == first.dtype && input.layout == first.layout, "concat: tensors: expected all ",
                name_of(first.dtype), " ", name_of(first.layout), ", found ", name_of(input.dtype), " ",
                name_of(input.layout));
    }
}

TensorSpecs ConcatOperation::infer(SpecsView inputs) const {
    const auto axis = static_cast<std::int64_t>(dim);
    Shape shape = inputs[0].shape;
    for (const TensorSpec& input : inputs.subspan(1))
        shape.set(axis, shape[axis] + input.shape[axis]);
    return {TensorSpec{shape, inputs[0].dtype, inputs[0].layout, memory_config}};
}

CoreRangeSet ConcatOperation::cores_for(std::uint64_t pages, const DeviceDescription& device) const {
    return sub_core_grids ? dividing_cores(pages, device, sub_core_grids, CoreWalk::kDownColumns)
                          : cores_down_columns(pages, device);
}

ProgramPlan ConcatOperation::plan(SpecsView inputs, SpecsView outputs,
                                  const DeviceDescription& device) const {
    if (joins_partial_tiles(inputs, dim)) return plan_partial_tiles(inputs, outputs[0], device);
    ProgramPlan plan{{"ttnn::prim::ConcatProgramFactory", 0}};
    const TensorSpec& output = outputs[0];
    if (output.layout == Layout::TILE) {
        plan.memory = {dataflow_buffer(2 * tile_size(output.dtype), cores_for(num_tiles(output), device))};
        return plan;
    }
    const std::uint64_t alignment = std::max(page_alignment(inputs[0].memory_config, device),
                                             page_alignment(output.memory_config, device));
    const std::uint64_t row = round_up(row_bytes(output), alignment);
    plan.memory = {dataflow_buffer(2 * row, cores_for(num_rows(output), device))};
    return plan;
}

std::vector<HostArray> ConcatOperation::compute(ArraysView inputs, SpecsView) const {
    return {compute::concatenated(inputs, dim)};
}

}  // namespace tilemeter
