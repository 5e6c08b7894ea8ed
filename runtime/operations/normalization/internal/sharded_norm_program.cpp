// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/normalization/internal/sharded_norm_program.hpp"

#include "runtime/operations/core/program_pieces.hpp"

namespace tilemeter {

namespace {

/// The cores that hold parts of the same rows.
struct Peers {
    std::uint64_t count = 0;    ///< that share the sums of the rows among them
    std::uint64_t partial = 0;  ///< partial sums that the busiest one gathers
};

// In blocks: those of one row of cores. In columns: all, which gather first along the rows of a rectangle,
// then down its first column.
Peers peers_of(const MemoryConfig& config) {
    const CoreRangeSet& grid = config.shard_spec->grid;
    const CoreRange box = grid.bounding_box();
    const std::uint64_t columns = box.end.x - box.start.x + 1;
    const std::uint64_t rows = box.end.y - box.start.y + 1;
    if (config.memory_layout == TensorMemoryLayout::BLOCK_SHARDED) {
        const bool transposed = config.shard_spec->orientation == ShardOrientation::COL_MAJOR;
        const std::uint64_t count = transposed ? rows : columns;
        return {count, count};
    }
    const std::uint64_t count = grid.num_cores();
    const bool two_stages = count == columns * rows && columns > 1 && rows > 1;
    if (two_stages) return {columns, columns + rows - 1};
    return {count, count};
}

}  // namespace

std::vector<ProgramMemory> plan_sharded_norm(const TensorSpec& input, const TensorSpec& output,
                                             const TensorSpec* residual, const TensorSpec* weight,
                                             const TensorSpec* bias, bool subtracts_mean, bool sums_in_fp32,
                                             std::uint64_t reciprocal_bytes, int output_index) {
    const ShardSpec& shard = *input.memory_config.shard_spec;
    const std::uint64_t height = shard.shape[0] / kTileHeight;
    const std::uint64_t width = shard.shape[1] / kTileWidth;
    const std::uint64_t constant = tile_size(DataType::BFLOAT16);
    const std::uint64_t sum = tile_size(sums_in_fp32 ? DataType::FLOAT32 : DataType::BFLOAT16);
    const Peers peers = peers_of(input.memory_config);
    const CoreRangeSet cores = shard.grid.bounding_box();
    const bool welford = reciprocal_bytes > 0;

    std::vector<ProgramMemory> pieces;
    const auto take = [&](std::uint64_t size) { pieces.push_back(dataflow_buffer(size, cores)); };
    const auto borrow = [&](std::uint64_t size, int tensor) {
        pieces.push_back(borrowed_buffer(size, cores, tensor));
    };
    borrow(height * width * tile_size(input.dtype), 0);
    if (residual != nullptr) borrow(height * width * tile_size(residual->dtype), 1);
    if (welford) {  // mean and variance lie beside each other
        take(2 * height * sum);
        take(2 * height * sum);
        take(2 * peers.partial * sum);
    } else {
        take(constant);
        take(constant);
        take(sum);
        take(height * sum);
        take(peers.partial * sum);
        take(height * sum);
        take(ceil_div(height, peers.count) * sum);
        if (subtracts_mean) {
            take(height * sum);
            take(height * sum);
            take(peers.partial * sum);
        }
    }
    if (weight != nullptr) take(width * tile_size(weight->dtype));
    if (bias != nullptr) take(width * tile_size(bias->dtype));
    take(height * width * sum);
    take(height * width * sum);
    if (welford) {
        take(2 * height * sum);
        take(2 * height * sum);
        borrow(reciprocal_bytes, output_index - 1);
    } else {
        take(height * sum);
    }
    borrow(height * width * tile_size(output.dtype), output_index);
    return pieces;
}

}  // namespace tilemeter
