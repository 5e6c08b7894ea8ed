// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/work/shards_over.hpp"

#include <algorithm>
#include <utility>

#include "runtime/operations/work/largest_divisor.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

ShardSpec shards_over(const TensorSpec& tensor, TensorMemoryLayout::Value layout, CoreCoord grid) {
    const std::uint64_t rows = tensor.tile_rows();
    const std::uint64_t columns = tensor.tile_columns();
    const std::uint64_t cores = std::uint64_t{grid.x} * grid.y;
    const auto spec = [](std::uint64_t height, std::uint64_t width, CoreRangeSet where) {
        return ShardSpec{std::move(where),
                         {static_cast<std::uint32_t>(height * kTileHeight),
                          static_cast<std::uint32_t>(width * kTileWidth)}};
    };
    if (layout == TensorMemoryLayout::HEIGHT_SHARDED) {
        const std::uint64_t height = ceil_div(rows, cores);
        return spec(height, columns, first_cores(ceil_div(rows, height), grid, true));
    }
    if (layout == TensorMemoryLayout::WIDTH_SHARDED) {
        const std::uint64_t width = ceil_div(columns, cores);
        return spec(rows, width, first_cores(ceil_div(columns, width), grid, true));
    }
    const std::uint64_t height = ceil_div(rows, grid.y);
    const std::uint64_t width = ceil_div(columns, grid.x);
    return spec(height, width,
                whole_grid({static_cast<std::uint32_t>(ceil_div(columns, width)),
                            static_cast<std::uint32_t>(ceil_div(rows, height))}));
}

MemoryConfig on_its_cores(const TensorSpec& result, MemoryConfig config) {
    if (!config.shard_spec || result.layout != Layout::TILE) return config;
    config.nd_shard_spec.reset();
    const auto share = [](std::uint64_t tiles, std::uint64_t cores) {
        return static_cast<std::uint32_t>(ceil_div(tiles, cores) * kTileHeight);
    };
    ShardSpec& shard = *config.shard_spec;
    const std::uint64_t cores = shard.grid.num_cores();
    const CoreRange box = shard.grid.bounding_box();
    std::uint64_t down = box.end.y - box.start.y + 1;
    std::uint64_t across = box.end.x - box.start.x + 1;
    if (shard.orientation == ShardOrientation::COL_MAJOR) std::swap(down, across);
    if (config.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED) {
        down = cores;
        across = 1;
    } else if (config.memory_layout == TensorMemoryLayout::WIDTH_SHARDED) {
        down = 1;
        across = cores;
    }
    shard.shape = {share(result.tile_rows(), down), share(result.tile_columns(), across)};
    return config;
}

MemoryConfig fitted_shards(const MemoryConfig& config, const TensorSpec& tensor) {
    const bool tiles = tensor.layout == Layout::TILE;
    const bool in_blocks = config.memory_layout == TensorMemoryLayout::BLOCK_SHARDED;
    const Shape padded = tensor.padded_shape();
    const std::uint64_t row_elements = padded.rank() == 0 ? 1 : padded[-1];
    // Shards are cut between these: tiles, or rows and, of blocks of rows, as many elements as 64 bytes hold.
    constexpr std::uint64_t kPiece = 64;
    const std::uint64_t row_step = tiles ? kTileHeight : 1;
    const std::uint64_t column_step = tiles       ? kTileWidth
                                      : in_blocks ? kPiece / element_size(tensor.dtype)
                                                  : 1;
    if (row_elements % column_step != 0)
        return {TensorMemoryLayout::INTERLEAVED, config.buffer_type, std::nullopt};
    const std::uint64_t rows = padded.volume() / row_elements / row_step;
    const std::uint64_t columns = row_elements / column_step;
    MemoryConfig fitted = config;
    fitted.nd_shard_spec.reset();
    ShardSpec& shards = *fitted.shard_spec;
    const std::uint64_t cores = shards.grid.num_cores();
    std::uint64_t height = rows;
    std::uint64_t width = columns;
    if (config.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED) {
        height = ceil_div(rows, cores);
        if (height == rows) fitted.memory_layout = TensorMemoryLayout::WIDTH_SHARDED;
    } else if (config.memory_layout == TensorMemoryLayout::WIDTH_SHARDED) {
        width = ceil_div(columns, cores);
    } else {
        const CoreRange box = shards.grid.bounding_box();
        const bool by_rows = shards.orientation == ShardOrientation::ROW_MAJOR;
        const std::uint64_t across = box.end.x - box.start.x + 1;
        const std::uint64_t down = box.end.y - box.start.y + 1;
        const std::uint64_t along_rows = largest_divisor(rows, by_rows ? down : across);
        const std::uint64_t along_columns = largest_divisor(columns, by_rows ? across : down);
        height = rows / along_rows;
        width = columns / along_columns;
        const auto last = [](std::uint32_t first, std::uint64_t count) {
            return static_cast<std::uint32_t>(first + count - 1);
        };
        shards.grid = CoreRange{box.start,
                                {last(box.start.x, by_rows ? along_columns : along_rows),
                                 last(box.start.y, by_rows ? along_rows : along_columns)}};
    }
    shards.shape = {static_cast<std::uint32_t>(height * row_step),
                    static_cast<std::uint32_t>(width * column_step)};
    return fitted;
}

MemoryConfig stretched_shards(const TensorSpec& from, const Shape& to) {
    MemoryConfig config = from.memory_config.made_anew();
    if (!config.shard_spec) return config;
    const Shape source = from.padded_shape();
    TensorSpec stretched = from;
    stretched.shape = to;
    const Shape target = stretched.padded_shape();
    const std::uint64_t source_rows = source.volume() / source[-1];
    const std::uint64_t target_rows = target.volume() / target[-1];
    auto& shard = config.shard_spec->shape;
    constexpr std::uint64_t kLeast = kTileHeight;  // also of shards of rows
    shard[0] = static_cast<std::uint32_t>(std::max(shard[0] * target_rows / source_rows, kLeast));
    shard[1] =
        static_cast<std::uint32_t>(std::max(std::uint64_t{shard[1]} * target[-1] / source[-1], kLeast));
    config.nd_shard_spec.reset();
    return config;
}

namespace {

// Whole tiles, as many on each core of the grid; blocks: rows of the tensor over rows of cores.
ShardSpec shards_over_all(const Shape& padded, TensorMemoryLayout::Value layout, CoreCoord grid) {
    const std::uint64_t rows = padded.volume() / padded[-1], columns = padded[-1];
    const std::uint64_t cores = std::uint64_t{grid.x} * grid.y;
    const auto share = [](std::uint64_t size, std::uint64_t parts) {
        return static_cast<std::uint32_t>(ceil_div(size, parts * kTileHeight) * kTileHeight);
    };
    ShardSpec shards{whole_grid(grid),
                     {static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns)}};
    if (layout == TensorMemoryLayout::HEIGHT_SHARDED) {
        shards.shape[0] = share(rows, cores);
    } else if (layout == TensorMemoryLayout::WIDTH_SHARDED) {
        shards.shape[1] = share(columns, cores);
    } else {
        shards.shape = {share(rows, grid.y), share(columns, grid.x)};
    }
    return shards;
}

}  // namespace

bool is_open(const MemoryConfig& config) {
    return config.is_sharded() && !config.shard_spec && !config.nd_shard_spec;
}

MemoryConfig with_open_shards(MemoryConfig config, const TensorSpec& operand, const Shape& result,
                              CoreCoord grid) {
    if (!is_open(config)) return config;
    if (operand.memory_config.shard_spec) {
        config.shard_spec = stretched_shards(operand, result).shard_spec;
        return config;
    }
    TensorSpec whole = operand;
    whole.shape = result;
    const Shape padded = whole.padded_shape();
    if (padded.rank() != 0 && padded.volume() != 0)
        config.shard_spec = shards_over_all(padded, config.memory_layout, grid);
    return config;
}

std::uint64_t cores_of_shards(const MemoryConfig& config) {
    if (config.shard_spec) return config.shard_spec->grid.num_cores();
    return config.nd_shard_spec ? config.nd_shard_spec->grid.num_cores() : 0;
}

}  // namespace tilemeter
