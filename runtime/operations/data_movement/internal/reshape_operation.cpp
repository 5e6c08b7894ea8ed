// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/internal/reshape_operation.hpp"

#include <algorithm>

#include "runtime/device/errors.hpp"
#include "runtime/operations/core/tensor_pages.hpp"
#include "runtime/operations/data_movement/reshape_mapping.hpp"

namespace tilemeter {

namespace {

// One page of the table, one input tile, and a place where the output tile is put together.
ProgramPlan plan_tiles(const TensorSpec& input, const TensorSpec& output, const DeviceDescription& device,
                       const OptionalCores& sub_core_grids) {
    ProgramPlan plan{{"ttnn::prim::ReshapeViewTiledProgramFactory", 1}};
    const std::uint64_t tiles = num_tiles(output);
    const std::uint64_t words = reshape_mapping_words(input.shape, output.shape);
    const CoreRangeSet cores = cores_down_columns(tiles, device, sub_core_grids);
    const std::uint64_t tile_bytes = tile_size(input.dtype);
    plan.memory = {dataflow_buffer(words * element_size(DataType::UINT32), cores),
                   dataflow_buffer(tile_bytes, cores), scratchpad(tile_size(output.dtype), cores)};
    plan.config_tensors = {
        TensorSpec{Shape{static_cast<std::uint32_t>(tiles), static_cast<std::uint32_t>(words)},
                   DataType::UINT32, Layout::ROW_MAJOR, DRAM_MEMORY_CONFIG}};
    return plan;
}

// Two reading places of a whole row with room for its misalignment, and one or, for rows that are not
// aligned, eight places to write from. Rows of which one divides the other keep both data movers of a core
// busy.
ProgramPlan plan_rows(const TensorSpec& input, const TensorSpec& output, const DeviceDescription& device,
                      const OptionalCores& sub_core_grids) {
    constexpr std::uint64_t kBlock = 64;
    constexpr std::uint64_t kAlignment = 16;
    constexpr std::uint64_t kMostSlots = 8;
    const std::uint64_t from = row_bytes(input);
    const std::uint64_t to = row_bytes(output);
    const std::uint64_t read = 2 * ((from - 1) / kBlock * kBlock + 128);
    const std::uint64_t slot = (to - 1) / kBlock * kBlock + 80;
    const bool to_aligned = to % kAlignment == 0;
    const bool both_movers = (from % to == 0 || to % from == 0) &&
                             (to_aligned || output.memory_config.buffer_type != BufferType::DRAM);
    const std::uint64_t movers = both_movers ? 2 : 1;
    std::uint64_t slots = 1;
    if (!to_aligned || from % kAlignment != 0) {
        const std::uint64_t room = device.l1_size - device.l1_unreserved_base;
        const std::uint64_t fitting = room > read * movers ? (room - read * movers) / (slot * movers) : 0;
        slots = std::clamp<std::uint64_t>(fitting, 1, kMostSlots);
    }
    ProgramPlan plan{{"ttnn::prim::ReshapeViewRMProgramFactory", 0}};
    const CoreRangeSet cores = sub_core_grids.value_or(whole_grid(device.compute_grid));
    for (std::uint64_t mover = 0; mover < movers; ++mover) {
        plan.memory.push_back(scratchpad(read, cores));
        plan.memory.push_back(scratchpad(slot * slots, cores));
    }
    return plan;
}

}  // namespace

void ReshapeView::validate(SpecsView inputs) const {
    switch (inputs[0].dtype) {
        case DataType::BFLOAT16:
        case DataType::FLOAT32:
        case DataType::INT32:
        case DataType::UINT32:
            return;
        default:
            throw RuntimeError("Can only work with bfloat16/float32 or int32/uint32 tensors");
    }
}

TensorSpecs ReshapeView::infer(SpecsView inputs) const {
    return {TensorSpec{shape, inputs[0].dtype, inputs[0].layout, memory_config}};
}

ProgramPlan ReshapeView::plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
    return inputs[0].layout == Layout::TILE ? plan_tiles(inputs[0], outputs[0], device, sub_core_grids)
                                            : plan_rows(inputs[0], outputs[0], device, sub_core_grids);
}

std::vector<HostArray> ReshapeView::compute(ArraysView inputs, SpecsView) const {
    return {inputs[0]->reshaped(shape)};
}

}  // namespace tilemeter
