// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/sharding_operations.hpp"

#include <algorithm>
#include <string_view>

#include "runtime/compute/blocks.hpp"
#include "runtime/device/buffer_geometry.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

void require_sharded(const MemoryConfig& config, const char* operation, const char* argument) {
    require(
        config.memory_layout != TensorMemoryLayout::ND_SHARDED ||
            std::string_view(operation) != "interleaved_to_sharded",
        "interleaved_to_sharded does not support ND sharding. Please use ttnn.to_memory_config or ttnn.copy instead.");
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

/// The cores on which a program reads or writes shards: those of L1 themselves, those beside the banks of DRAM.
/// Height and width shards have one core each, blocks their rectangle.
CoreRangeSet worker_cores(const TensorSpec& spec, const DeviceDescription& device) {
    const ShardSpec& shard = *spec.memory_config.shard_spec;
    const Shape padded = spec.padded_shape();
    const std::uint64_t columns = padded[-1];
    const std::uint64_t rows = columns == 0 ? 0 : padded.volume() / columns;
    const auto down = static_cast<std::uint32_t>(ceil_div(rows, shard.shape[0]));
    const auto along = static_cast<std::uint32_t>(ceil_div(columns, shard.shape[1]));
    const bool by_rows = shard.orientation == ShardOrientation::ROW_MAJOR;
    if (spec.memory_config.memory_layout == TensorMemoryLayout::BLOCK_SHARDED) {
        const CoreRange box = shard.grid.bounding_box();
        const CoreCoord end{box.start.x + (by_rows ? along : down) - 1,
                            box.start.y + (by_rows ? down : along) - 1};
        if (shard.grid.ranges().size() != 1 || rows == 0 || end.x > box.end.x || end.y > box.end.y)
            return shard.grid;
        return CoreRange{box.start, end};
    }
    std::vector<CoreCoord> cores = cores_of(shard.grid, by_rows);
    cores.resize(std::min<std::size_t>(cores.size(), std::size_t{down} * along));
    if (spec.memory_config.buffer_type == BufferType::DRAM) {
        for (CoreCoord& core : cores) {
            require(core.x < device.dram_bank_cores.size(),
                    "shards in DRAM: dram_bank_cores: expected one for bank ", core.x,
                    " in the description of ", device.name, ", found ", device.dram_bank_cores.size());
            core = device.dram_bank_cores[core.x].noc_0;
        }
    }
    return merge_cores_by_column(std::move(cores));
}

/// True if the cores of width shards, as TT-NN counts them in the first rectangle, hold more columns than there are.
bool has_empty_columns(const TensorSpec& spec) {
    const ShardSpec& shard = *spec.memory_config.shard_spec;
    const auto& [start, end] = shard.grid.ranges().front();
    const std::uint64_t cores = end.x == start.x ? end.y - start.y + 1 : end.x - start.x + 1;
    return cores * shard.shape[1] > spec.shape[-1];
}

/// The way from shards to other shards: TT-NN's choice of a program.
enum class ReshardWay : std::uint8_t {
    kByRows,     ///< height shards, of which one side at least lies in L1
    kByColumns,  ///< width shards of rows, the same
    kAnyInL1,    ///< all others within L1
    kPageByPage,  ///< all others from or into DRAM, and of any number of dimensions, straight from where they are
    kThroughL1  ///< from DRAM into DRAM
};

ReshardWay reshard_way(const TensorSpec& from, const MemoryConfig& to) {
    const bool from_dram = from.memory_config.buffer_type == BufferType::DRAM;
    const bool into_dram = to.buffer_type == BufferType::DRAM;
    if (from_dram && into_dram) return ReshardWay::kThroughL1;
    if (!from.memory_config.shard_spec || !to.shard_spec) return ReshardWay::kPageByPage;
    if (from.memory_config.memory_layout == to.memory_layout) {
        if (to.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED) return ReshardWay::kByRows;
        if (to.memory_layout == TensorMemoryLayout::WIDTH_SHARDED && from.layout == Layout::ROW_MAJOR)
            return ReshardWay::kByColumns;
    }
    return from_dram || into_dram ? ReshardWay::kPageByPage : ReshardWay::kAnyInL1;
}

// A shard of a tensor that is less high or wide than it is as large as the tensor.
ShardSpec clipped(ShardSpec shard, const TensorSpec& spec) {
    const Shape padded = spec.padded_shape();
    const std::uint64_t columns = padded[-1], rows = columns == 0 ? 0 : padded.volume() / columns;
    shard.shape[0] = static_cast<std::uint32_t>(std::min<std::uint64_t>(shard.shape[0], rows));
    shard.shape[1] = static_cast<std::uint32_t>(std::min<std::uint64_t>(shard.shape[1], columns));
    return shard;
}

// The bytes of a shard where it is not in a tensor's buffer: while its dtype changes.
std::uint64_t shard_bytes(const TensorSpec& spec, const ShardSpec& shard) {
    if (spec.layout == Layout::TILE) return shard_tiles(shard) * tile_size(spec.dtype);
    return std::uint64_t{shard.shape[0]} * shard.shape[1] * element_size(spec.dtype);
}

}  // namespace

std::uint32_t shard_width(const MemoryConfig& config) {
    if (config.shard_spec) return config.shard_spec->shape[1];
    return config.nd_shard_spec ? config.nd_shard_spec->shape[-1] : 0;
}

void InterleavedToShardedOperation::validate(SpecsView inputs, const DeviceDescription& device) const {
    require_interleaved(inputs[0].memory_config, "interleaved_to_sharded", "input");
    require_sharded(memory_config, "interleaved_to_sharded", "memory_config");
    require(has_aligned_rows(inputs[0].layout, memory_config, dtype, device.l1_alignment),
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
    const CoreRangeSet cores = worker_cores(outputs[0], device);
    const std::uint64_t size = buffer_geometry(outputs[0], device).size_per_bank_bytes;
    // Shards in DRAM are put together in L1 and written from there.
    const bool in_dram = memory_config.buffer_type == BufferType::DRAM;
    plan.memory.push_back(in_dram ? dataflow_buffer(size, cores) : borrowed_buffer(size, cores, kOutput));
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
    return {compute::converted(*inputs[0], dtype)};
}

void ShardedToInterleavedOperation::validate(SpecsView inputs, const DeviceDescription& device) const {
    require_sharded(inputs[0].memory_config, "sharded_to_interleaved", "input");
    require(inputs[0].memory_config.buffer_type == BufferType::L1, "Input tensor must be in L1");
    require(has_aligned_rows(inputs[0].layout, inputs[0].memory_config, inputs[0].dtype, device.l1_alignment),
            "Shard page size must be aligned to 16B for L1 Tensor");
    require_interleaved(memory_config, "sharded_to_interleaved", "memory_config");
}

TensorSpecs ShardedToInterleavedOperation::infer(SpecsView inputs) const {
    return {TensorSpec{inputs[0].shape, dtype, inputs[0].layout, memory_config}};
}

ProgramPlan ShardedToInterleavedOperation::plan(SpecsView inputs, SpecsView outputs,
                                                const DeviceDescription& device) const {
    ProgramPlan plan{{"ttnn::prim::ShardedToInterleavedProgramFactory", 0}};
    const CoreRangeSet cores = worker_cores(inputs[0], device);
    plan.memory.push_back(borrowed_buffer(buffer_geometry(inputs[0], device).size_per_bank_bytes, cores, 0));
    if (inputs[0].dtype != dtype) {
        plan.memory.push_back(
            dataflow_buffer(shard_bytes(outputs[0], *inputs[0].memory_config.shard_spec), cores));
    }
    return plan;
}

std::vector<HostArray> ShardedToInterleavedOperation::compute(ArraysView inputs, SpecsView) const {
    return {compute::converted(*inputs[0], dtype)};
}

void ReshardOperation::validate(SpecsView inputs, const DeviceDescription& device) const {
    const auto require_shards = [](const MemoryConfig& config, const char* argument) {
        if (!config.nd_shard_spec) require_sharded(config, "reshard", argument);
    };
    require_shards(inputs[0].memory_config, "input");
    require_shards(memory_config, "memory_config");
    const std::string refused = refusal(inputs[0], device);
    require(refused.empty(), refused);
}

std::string ReshardOperation::refusal(const TensorSpec& input, const DeviceDescription& device) const {
    if (input.layout != Layout::ROW_MAJOR) return {};
    const ReshardWay way = reshard_way(input, memory_config);
    const std::uint64_t width = element_size(input.dtype);
    const std::uint64_t from = shard_width(input.memory_config);
    const std::uint64_t to = shard_width(memory_config);
    const auto unaligned = [&](const char* whose, std::uint64_t columns, std::uint64_t alignment) {
        return std::string(whose) + " row-major shard width " + std::to_string(columns) + " with data type " +
               std::string(attribute_text(input.dtype)) + " gives page size " +
               std::to_string(columns * width) + " bytes, which must be aligned to " +
               std::to_string(alignment) + " bytes for reshard";
    };
    if (way != ReshardWay::kByRows && way != ReshardWay::kThroughL1) {
        const std::uint64_t alignment = page_alignment(input.memory_config, device);
        if (from * width % alignment != 0) return unaligned("Input", from, alignment);
        if (to * width % device.l1_alignment != 0) return unaligned("Output", to, device.l1_alignment);
    }
    const bool by_pages = way == ReshardWay::kThroughL1 || way == ReshardWay::kPageByPage;
    const bool flat = input.memory_config.shard_spec && memory_config.shard_spec;
    if (!by_pages || from == to || (flat && memory_config.buffer_type == BufferType::L1)) return {};
    const auto pages = [&](std::uint64_t columns) {
        return num_rows(input) * ceil_div(input.shape[-1], columns);
    };
    if (pages(from) != pages(to)) {
        return "Number of input (" + std::to_string(pages(from)) + ") and output (" +
               std::to_string(pages(to)) + ") pages must match";
    }
    return "Input and output tensors must have the same page size. Input page size: " +
           std::to_string(from * width) + ", Output page size: " + std::to_string(to * width);
}

TensorSpecs ReshardOperation::infer(SpecsView inputs) const {
    return {TensorSpec{inputs[0].shape, inputs[0].dtype, inputs[0].layout, memory_config}};
}

ProgramPlan ReshardOperation::plan(SpecsView inputs, SpecsView outputs,
                                   const DeviceDescription& device) const {
    constexpr int kInput = 0, kOutput = 1;
    const TensorSpec &from = inputs[0], &to = outputs[0];
    const bool into_dram = to.memory_config.buffer_type == BufferType::DRAM;
    const ReshardWay way = reshard_way(from, to.memory_config);
    if (way == ReshardWay::kThroughL1) {
        const std::uint64_t page =
            round_up(buffer_geometry(from, device).page_size_bytes, device.dram_alignment);
        return {{"ttnn::prim::NdReshardCopyPagesFactory", 5},
                {dataflow_buffer(page, whole_grid(device.compute_grid))}};
    }
    if (way == ReshardWay::kPageByPage) {
        if (from.memory_config.buffer_type == BufferType::L1)
            return {{"ttnn::prim::NdReshardCopyLocalShardFactory<true>", 6}};
        return {{"ttnn::prim::NdReshardCopyLocalShardFactory<false>", 7}};
    }
    // A program runs where the shards in L1 lie; between two such places where the result does.
    const TensorSpec &local = into_dram ? from : to, &remote = into_dram ? to : from;
    const CoreRangeSet cores = worker_cores(local, device);
    const ShardSpec& local_shard = *local.memory_config.shard_spec;
    const bool is_clipped = way == ReshardWay::kAnyInL1 && page_geometry(local).num_shards == 1;
    const std::uint64_t size = shard_bytes(local, is_clipped ? clipped(local_shard, local) : local_shard);
    ProgramPlan plan{{"ttnn::prim::ReshardGenericFactory", 4},
                     {borrowed_buffer(size, cores, into_dram ? kInput : kOutput)}};
    if (way == ReshardWay::kByColumns && (into_dram || !(has_empty_columns(from) || has_empty_columns(to)))) {
        plan.factory = into_dram ? ProgramFactory{"ttnn::prim::ReshardSameHeightFactory<false>", 3}
                                 : ProgramFactory{"ttnn::prim::ReshardSameHeightFactory<true>", 2};
    }
    if (way != ReshardWay::kByRows) return plan;
    if (into_dram) {
        plan.factory = {"ttnn::prim::ReshardSameWidthFactory<false>", 1};
        return plan;
    }
    plan.factory = {"ttnn::prim::ReshardSameWidthFactory<true>", 0};
    // Rows that are not aligned are read in pieces, twice a shard of them.
    const ShardSpec& shard = *remote.memory_config.shard_spec;
    const std::uint64_t row = shard.shape[1] * element_size(from.dtype);
    const std::uint64_t aligned = round_up(row, page_alignment(remote.memory_config, device));
    if (from.layout == Layout::ROW_MAJOR && (row != aligned || row % device.l1_alignment != 0))
        plan.memory.push_back(dataflow_buffer(2 * shard.shape[0] * aligned, cores));
    return plan;
}

std::vector<HostArray> ReshardOperation::compute(ArraysView inputs, SpecsView) const {
    return {*inputs[0]};
}

}  // namespace tilemeter
