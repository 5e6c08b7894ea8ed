// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/block_split.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "runtime/operations/core/require.hpp"

namespace tilemeter {

namespace {

std::uint64_t blocks_of_side(const TileGrid& tiles, std::uint64_t side) {
    return ceil_div(tiles.columns, side) * ceil_div(tiles.rows, side);
}

// The side of the smallest square block that leaves fewer blocks than cores.
std::uint64_t block_side(const TileGrid& tiles, std::uint64_t num_cores) {
    const std::uint64_t per_core = ceil_div(tiles.rows * tiles.columns, num_cores);
    auto side = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(per_core)));
    if (side * side != per_core) ++side;
    for (; side <= tiles.rows * tiles.columns; ++side) {
        if (blocks_of_side(tiles, side) < num_cores) return side;
    }
    return 1;
}

/// The side of square blocks, and the tiles of a block's row that lie in L1 at a time.
struct BlockSides {
    std::uint64_t side = 0;
    std::uint64_t part = 0;
};

// The sides that are a whole number of parts and leave no more blocks than cores and an edge that fits: the one with
// most blocks, then with fewest and longest parts.
BlockSides sides_in_parts(const TileGrid& tiles, std::uint64_t num_cores, std::uint64_t most_tiles) {
    if (blocks_of_side(tiles, most_tiles) < num_cores) return {most_tiles, most_tiles};
    BlockSides best;
    std::uint64_t most_blocks = 0;
    for (std::uint64_t part = most_tiles - 1; part >= 1; --part) {
        for (std::uint64_t parts = 2; parts <= ceil_div(tiles.columns, part); ++parts) {
            const std::uint64_t side = parts * part;
            const std::uint64_t blocks = blocks_of_side(tiles, side);
            if (blocks > num_cores || tiles.columns % side >= most_tiles) continue;
            const bool fewer_parts = blocks == most_blocks && parts < best.side / best.part;
            if (best.side != 0 && blocks <= most_blocks && !fewer_parts) continue;
            best = {side, part};
            most_blocks = blocks;
        }
    }
    require(best.side != 0, "No solution found for single_block_size");
    return best;
}

// As TT-NN's sets of cores stand where they are neither a rectangle nor one with a rest: by column, then row.
CoreRangeSet ordered(std::vector<CoreCoord> cores) {
    const CoreRangeSet merged = merge_cores(std::move(cores));
    std::vector<CoreRange> ranges(merged.ranges().begin(), merged.ranges().end());
    std::sort(ranges.begin(), ranges.end(),
              [](const CoreRange& a, const CoreRange& b) { return a.start < b.start; });
    return CoreRangeSet(std::move(ranges));
}

}  // namespace

std::uint64_t cores_for_even_rows(std::uint64_t rows, std::uint64_t num_cores) {
    const std::uint64_t per_core = ceil_div(rows, num_cores);
    return per_core == 0 ? 0 : ceil_div(rows, per_core);
}

bool goes_in_blocks(const TileGrid& tiles, const WorkCores& cores) {
    constexpr std::uint64_t kNarrow = 32;
    if (tiles.columns <= kNarrow) return false;
    if (tiles.rows <= kNarrow && tiles.columns <= tiles.rows) return false;
    return cores_for_even_rows(tiles.all_rows(), cores.size()) <
           blocks_of_side(tiles, block_side(tiles, cores.size()));
}

BlockCores split_in_blocks(const TileGrid& tiles, const WorkCores& cores, std::uint64_t most_tiles) {
    BlockSides sides;
    sides.side = sides.part = block_side(tiles, cores.size());
    if (most_tiles != 0 && sides.side > most_tiles) sides = sides_in_parts(tiles, cores.size(), most_tiles);
    BlockCores split;
    split.side = sides.side;
    split.full_width = sides.part;
    split.edge_width = tiles.columns % sides.side;
    const std::uint64_t full_columns = tiles.columns / sides.side;
    std::vector<CoreCoord> full;
    std::vector<CoreCoord> edge;
    std::uint64_t core = 0;
    for (std::uint64_t row = 0; row < ceil_div(tiles.rows, sides.side); ++row) {
        for (std::uint64_t column = 0; column < full_columns; ++column)
            full.push_back(cores[core++]);
        if (split.edge_width != 0) edge.push_back(cores[core++]);
    }
    split.full = ordered(std::move(full));
    split.edge = ordered(std::move(edge));
    return split;
}

}  // namespace tilemeter
