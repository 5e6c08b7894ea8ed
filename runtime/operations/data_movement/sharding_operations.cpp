// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/sharding_operations.hpp"

#include "runtime/device/buffer_geometry.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/tensor_pages.hpp"

namespace tilemeter {

namespace {

void require_sharded(const MemoryConfig& config, const char* operation, const char* argument) {
    require(config.is_sharded() && config.shard_spec, operation, ": ", argument,
            ": expected a sharded memory config with a shard spec, got ", name_of(config.memory_layout),
            config.shard_spec ? "" : " without");
}

void require_interleaved(const MemoryConfig& config, const char* operation, const char* argument) {
    require(!config.is_sharded(),
            "Input tensor memory layout must be INTERLEAVED, but got TensorMemoryLayout::",
            name_of(config.memory_layout), ": ", operation, ": ", argument);
}

std::uint64_t shard_tiles(const ShardSpec& shard) {
    return ceil_div(shard.shape[0], kTileHeight) * ceil_div(shard.shape[1], kTileWidth);
}

// The cores that hold data: of height and width shards as many as there are shards, of blocks the rectangle.
CoreRangeSet cores_with_data(const TensorSpec& spec) {
    const ShardSpec& shard = *spec.memory_config.shard_spec;
    const Shape padded = spec.padded_shape();
    const std::uint64_t columns = padded[-1];
    const std::uint64_t rows = columns == 0 ? 0 : padded.volume() / columns;
    if (spec.memory_config.memory_layout == TensorMemoryLayout::BLOCK_SHARDED) {
        const CoreRange box = shard.grid.bounding_box();
        const bool by_rows = shard.orientation == ShardOrientation::ROW_MAJOR;
        const auto down = static_cast<std::uint32_t>(ceil_div(rows, shard.shape[0]));
        const auto along = static_cast<std::uint32_t>(ceil_div(columns, shard.shape[1]));
        const CoreCoord end{box.start.x + (by_rows ? along : down) - 1,
                            box.start.y + (by_rows ? down : along) - 1};
        if (shard.grid.ranges().size() != 1 || rows == 0 || end.x > box.end.x || end.y > box.end.y)
            return shard.grid;
        return CoreRange{box.start, end};
    }
    const std::uint64_t shards = ceil_div(rows, shard.shape[0]) * ceil_div(columns, shard.shape[1]);
    if (shards >= shard.grid.num_cores()) return shard.grid;
    std::vector<CoreCoord> cores = cores_of(shard.grid, shard.orientation == ShardOrientation::ROW_MAJOR);
    cores.resize(shards);
    return merge_cores(std::move(cores));
}

// What a shard takes where it is not in a tensor's buffer: while its dtype changes.
std::uint64_t shard_bytes(const TensorSpec& spec, const ShardSpec& shard) {
    if (spec.layout == Layout::TILE) return shard_tiles(shard) * tile_size(spec.dtype);
    return std::uint64_t{shard.shape[0]} * shard.shape[1] * element_size(spec.dtype);
}

}  // namespace

void InterleavedToShardedOperation::validate(SpecsView inputs) const {
    require_interleaved(inputs[0].memory_config, "interleaved_to_sharded", "input");
    require_sharded(memory_config, "interleaved_to_sharded", "memory_config");
    constexpr std::uint64_t kAlignmentOfL1 = 16;  // of every device
    const std::optional<ShardSpec>& shards = memory_config.shard_spec;
    require(inputs[0].layout != Layout::ROW_MAJOR || !shards || memory_config.buffer_type != BufferType::L1 ||
                shards->shape[1] * element_size(dtype) % kAlignmentOfL1 == 0,
            "Shard page size must currently have L1 aligned page size");
}

TensorSpecs InterleavedToShardedOperation::infer(SpecsView inputs) const {
    return {TensorSpec{inputs[0].shape, dtype, inputs[0].layout, memory_config}};
}

ProgramPlan InterleavedToShardedOperation::plan(SpecsView inputs, SpecsView outputs,
                                                const DeviceDescription& device) const {
    constexpr int kOutput = 1;
    constexpr std::uint64_t kRowsInFlight = 4;
    ProgramPlan plan{{"ttnn::prim::InterleavedToShardedProgramFactory", 0}};
    const ShardSpec& shard = *memory_config.shard_spec;
    const CoreRangeSet cores = cores_with_data(outputs[0]);
    plan.memory.push_back(
        borrowed_buffer(buffer_geometry(outputs[0], device).size_per_bank_bytes, cores, kOutput));
    if (inputs[0].dtype != dtype) {
        plan.memory.push_back(dataflow_buffer(shard_bytes(inputs[0], shard), cores));
    }
    if (inputs[0].layout == Layout::ROW_MAJOR) {
        // Rows are read with their misalignment; DRAM's alignment holds for L1 as well.
        const std::uint64_t row = shard.shape[1] * element_size(dtype);
        plan.memory.push_back(scratchpad(
            kRowsInFlight * (round_up(row, device.dram_alignment) + device.dram_alignment), cores));
    }
    return plan;
}

std::vector<HostArray> InterleavedToShardedOperation::compute(ArraysView inputs, SpecsView) const {
    return {inputs[0]->converted(dtype)};
}

void ShardedToInterleavedOperation::validate(SpecsView inputs) const {
    require_sharded(inputs[0].memory_config, "sharded_to_interleaved", "input");
    require_interleaved(memory_config, "sharded_to_interleaved", "memory_config");
}

TensorSpecs ShardedToInterleavedOperation::infer(SpecsView inputs) const {
    return {TensorSpec{inputs[0].shape, dtype, inputs[0].layout, memory_config}};
}

ProgramPlan ShardedToInterleavedOperation::plan(SpecsView inputs, SpecsView outputs,
                                                const DeviceDescription& device) const {
    ProgramPlan plan{{"ttnn::prim::ShardedToInterleavedProgramFactory", 0}};
    const CoreRangeSet cores = cores_with_data(inputs[0]);
    plan.memory.push_back(borrowed_buffer(buffer_geometry(inputs[0], device).size_per_bank_bytes, cores, 0));
    if (inputs[0].dtype != dtype) {
        plan.memory.push_back(
            dataflow_buffer(shard_bytes(outputs[0], *inputs[0].memory_config.shard_spec), cores));
    }
    return plan;
}

std::vector<HostArray> ShardedToInterleavedOperation::compute(ArraysView inputs, SpecsView) const {
    return {inputs[0]->converted(dtype)};
}

void ReshardOperation::validate(SpecsView inputs) const {
    require_sharded(inputs[0].memory_config, "reshard", "input");
    require_sharded(memory_config, "reshard", "memory_config");
}

TensorSpecs ReshardOperation::infer(SpecsView inputs) const {
    return {TensorSpec{inputs[0].shape, inputs[0].dtype, inputs[0].layout, memory_config}};
}

ProgramPlan ReshardOperation::plan(SpecsView inputs, SpecsView outputs,
                                   const DeviceDescription& device) const {
    constexpr int kOutput = 1;
    const MemoryConfig& from = inputs[0].memory_config;
    const bool same_width = from.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED &&
                            memory_config.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED &&
                            from.shard_spec->shape[1] == memory_config.shard_spec->shape[1];
    ProgramPlan plan{{"ttnn::prim::ReshardGenericFactory", 4}};
    if (same_width) {
        plan.factory = {"ttnn::prim::ReshardSameWidthFactory<true>", 0};
    }
    plan.memory.push_back(borrowed_buffer(buffer_geometry(outputs[0], device).size_per_bank_bytes,
                                          memory_config.shard_spec->grid, kOutput));
    // Rows that are not aligned are read in pieces, twice a shard of them.
    const std::uint64_t row = from.shard_spec->shape[1] * element_size(inputs[0].dtype);
    const std::uint64_t aligned = round_up(row, device.l1_alignment);
    if (same_width && inputs[0].layout == Layout::ROW_MAJOR && row != aligned) {
        plan.memory.push_back(
            dataflow_buffer(2 * from.shard_spec->shape[0] * aligned, memory_config.shard_spec->grid));
    }
    return plan;
}

std::vector<HostArray> ReshardOperation::compute(ArraysView inputs, SpecsView) const {
    return {*inputs[0]};
}

}  // namespace tilemeter
