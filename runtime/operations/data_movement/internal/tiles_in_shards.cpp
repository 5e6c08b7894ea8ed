// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/internal/tiles_in_shards.hpp"

#include "runtime/device/buffer_geometry.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/operations/work/tensor_pages.hpp"
#include "runtime/types/rounding.hpp"

namespace tilemeter {

bool is_in_columns(const TensorSpec& spec) {
    const MemoryConfig& config = spec.memory_config;
    return config.memory_layout == TensorMemoryLayout::WIDTH_SHARDED && config.shard_spec &&
           config.buffer_type == BufferType::L1;
}

ProgramPlan plan_columns(const TensorSpec& input, const TensorSpec& output, const Shape& padded,
                         const DeviceDescription& device) {
    constexpr std::uint64_t kInFlight = 2;
    constexpr int kResult = 1;
    const ShardSpec& shards = *input.memory_config.shard_spec;
    const std::uint64_t tiles = padded[-2] / kTileHeight * (shards.shape[1] / kTileWidth);
    return {{"ttnn::prim::TilizeWithValPaddingMultiCoreShardedFactory", 4},
            {dataflow_buffer(kInFlight * tiles * tile_size(input.dtype), shards.grid),
             borrowed_buffer(buffer_geometry(output, device).size_per_bank_bytes, shards.grid, kResult),
             scratchpad(std::uint64_t{shards.shape[1]} * element_size(input.dtype), shards.grid)}};
}

ProgramPlan plan_shards_without_padding(const TensorSpec& input, const TensorSpec& output,
                                        const DeviceDescription& device) {
    constexpr std::uint64_t kInFlight = 2;
    constexpr int kResult = 1;
    const ShardSpec& shards = *input.memory_config.shard_spec;
    // Columns are taken a matrix at a time.
    const bool in_columns = input.memory_config.memory_layout == TensorMemoryLayout::WIDTH_SHARDED;
    const std::uint64_t height = (in_columns ? input.padded_shape()[-2] : shards.shape[0]) / kTileHeight;
    const std::uint64_t width = shards.shape[1] / kTileWidth;
    const bool to_shards = output.memory_config.is_sharded();
    ProgramPlan plan{{"ttnn::prim::UntilizeWithUnpaddingMultiCoreShardedProgramFactory", 2},
                     {borrowed_buffer(buffer_geometry(input, device).size_per_bank_bytes, shards.grid, 0),
                      dataflow_buffer(kInFlight * width * (to_shards ? height : 1) * tile_size(output.dtype),
                                      shards.grid)}};
    if (to_shards) {
        const std::uint64_t rows = num_rows(output);
        const std::uint64_t last = rows - (ceil_div(rows, shards.shape[0]) - 1) * shards.shape[0];
        const std::uint64_t row = round_up(
            output.memory_config.shard_spec->shape[1] * element_size(output.dtype), device.l1_alignment);
        plan.memory.push_back(borrowed_buffer(last * row, shards.grid, kResult));
    }
    return plan;
}

}  // namespace tilemeter
