// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/normalization/internal/sharded_norm_program.hpp"

#include <algorithm>
#include <utility>

#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/program_pieces.hpp"

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

/// The figures of the programs of a norm over chips: tiles of a shard, bytes of a tile.
struct ChipNorm {
    ChipNorm(const TensorSpec& input, SumsOfRows sums)
        : height(input.memory_config.shard_spec->shape[0] / kTileHeight),
          width(input.memory_config.shard_spec->shape[1] / kTileWidth),
          sum(tile_size(sums.in_fp32 ? DataType::FLOAT32 : DataType::BFLOAT16)),
          sums_of_rows(height * sums.kinds * sum),
          peers(peers_of(input.memory_config)),
          rows_to_gather(ceil_div(height, peers.count)),
          cores(input.memory_config.shard_spec->grid.bounding_box()) {}

    std::uint64_t shard_bytes(DataType dtype) const { return height * width * tile_size(dtype); }

    std::uint64_t height;
    std::uint64_t width;
    std::uint64_t constant = tile_size(DataType::BFLOAT16);
    std::uint64_t sum;
    std::uint64_t sums_of_rows;
    Peers peers;
    std::uint64_t rows_to_gather;  ///< of tiles, by one core
    CoreRangeSet cores;
};

// Those that gather the sums of their peers.
CoreRangeSet gathering_cores(const MemoryConfig& config, const ChipNorm& norm) {
    const auto count = static_cast<std::uint32_t>(ceil_div(norm.height, norm.rows_to_gather));
    const auto [first, last] = config.shard_spec->grid.bounding_box();
    if (norm.peers.count == config.shard_spec->grid.num_cores()) {
        std::vector<CoreCoord> all = cores_of(norm.cores);
        all.resize(count);
        return merge_cores(std::move(all));
    }
    const bool transposed = config.memory_layout == TensorMemoryLayout::BLOCK_SHARDED &&
                            config.shard_spec->orientation == ShardOrientation::COL_MAJOR;
    return transposed ? CoreRange{first, {last.x, first.y + count - 1}}
                      : CoreRange{first, {first.x + count - 1, last.y}};
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
        if (input.shape[-1] % kTileWidth != 0) {  // the padding of the last tiles is masked
            if (subtracts_mean) take(height * width * sum);
            take(width * constant);
        }
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

std::vector<ProgramMemory> plan_sums_of_shards(const TensorSpec& input, const TensorSpec& output,
                                               const TensorSpec* residual, SumsOfRows sums) {
    const ChipNorm norm(input, sums);
    const auto borrowed = [&](std::uint64_t size, int tensor) {
        return borrowed_buffer(size, norm.cores, tensor);
    };
    std::vector<ProgramMemory> pieces{borrowed(norm.shard_bytes(input.dtype), 0)};
    if (residual != nullptr) {
        pieces.push_back(borrowed(norm.shard_bytes(residual->dtype), 1));
        pieces.push_back(borrowed(norm.shard_bytes(input.dtype), 0));
    }
    for (const std::uint64_t size :
         {norm.constant, norm.sum, norm.sums_of_rows, norm.peers.partial * sums.kinds * norm.sum,
          norm.sums_of_rows, norm.height * norm.width * norm.sum})
        pieces.push_back(dataflow_buffer(size, norm.cores));
    pieces.push_back(borrowed(sums.kinds * tile_size(output.dtype), residual != nullptr ? 2 : 1));
    return pieces;
}

std::vector<ProgramMemory> plan_norm_by_sums(const TensorSpec& input, const TensorSpec& output,
                                             const TensorSpec& stats, const TensorSpec* weight,
                                             const TensorSpec* bias, SumsOfRows sums, int stats_index,
                                             int output_index) {
    const ChipNorm norm(input, sums);
    std::vector<ProgramMemory> pieces{borrowed_buffer(norm.shard_bytes(input.dtype), norm.cores, 0)};
    const auto take = [&](std::uint64_t size) { pieces.push_back(dataflow_buffer(size, norm.cores)); };
    take(norm.constant);
    take(norm.constant);
    take(norm.sum);
    take(norm.sums_of_rows);
    if (weight != nullptr) take(norm.width * tile_size(weight->dtype));
    if (bias != nullptr) take(norm.width * tile_size(bias->dtype));
    // The differences from the mean, of layer_norm with room for its square before them; the result before it is scaled.
    take((norm.height * norm.width + sums.kinds - 1) * norm.sum);
    take(norm.height * norm.width * norm.sum);
    take(norm.sums_of_rows);
    if (output.memory_config.shard_spec == input.memory_config.shard_spec) {
        pieces.push_back(borrowed_buffer(norm.shard_bytes(output.dtype), norm.cores, output_index));
    } else {
        take(norm.shard_bytes(output.dtype));
    }
    const CoreRangeSet gathering = gathering_cores(input.memory_config, norm);
    pieces.push_back(borrowed_buffer(stats.tile_columns() * tile_size(stats.dtype), gathering, stats_index));
    pieces.push_back(dataflow_buffer(sums.kinds * norm.sum, gathering));
    pieces.push_back(dataflow_buffer(norm.sums_of_rows, gathering));
    return pieces;
}

void require_senders(const MemoryConfig& config) {
    if (config.memory_layout != TensorMemoryLayout::WIDTH_SHARDED) return;
    const CoreRange box = config.shard_spec->grid.bounding_box();
    if (config.shard_spec->orientation == ShardOrientation::COL_MAJOR) {
        // And for the second of a row below the first one.
        require(box.end.y != box.start.y || box.end.x == box.start.x, "Start core must be within grid size");
        return;
    }
    // TT-NN looks for the second core of a column to the right of the first one, unless it is the column 0.
    require(box.end.x != box.start.x || box.end.y == box.start.y || box.end.x == 0,
            "Start core must be within grid size");
}

void require_filled_box(const ShardSpec& shards) {
    const CoreRange box = shards.grid.bounding_box();
    const std::uint64_t cores = shards.grid.num_cores();
    const std::vector<CoreCoord> all = cores_of(box, shards.orientation == ShardOrientation::ROW_MAJOR);
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(cores, all.size()); ++i) {
        require(shards.grid.contains(all[i]),
                "Sharded layernorm requires a non-rectangular core grid to fill its ",
                box.end.x - box.start.x + 1, " x ", box.end.y - box.start.y + 1,
                " bounding box in shard order, leaving the unused cores at the end. Got grid ",
                shards.grid.to_string(), ", which is missing core (", all[i].x, ", ", all[i].y, ")");
    }
}

}  // namespace tilemeter
