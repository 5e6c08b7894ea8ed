// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The cut of wide matrices of tiles into square blocks over the cores when they are tilized or untilized.
//
// Rules recorded from TT-NN 0.81.1: a matrix of more than 32 tile columns that is wider than high, or more
// than 32 tiles high as well, goes in blocks if that keeps more cores busy than whole tile rows do.

#pragma once

#include <cstdint>

#include "runtime/operations/work/work_cores.hpp"

namespace tilemeter {

/// A tensor as tiles: `batch` matrices of rows x columns.
struct TileGrid {
    std::uint64_t batch = 1;
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    std::uint64_t all_rows() const { return batch * rows; }
};

bool goes_in_blocks(const TileGrid& tiles, const WorkCores& cores);

/// Cores that take blocks, and those at the right edge, whose blocks are narrower: with the tiles that each has in L1
/// at a time.
struct BlockCores {
    std::uint64_t side = 0;  ///< tiles along a block
    CoreRangeSet full;
    std::uint64_t full_width = 0;
    CoreRangeSet edge;  ///< empty: the width divides
    std::uint64_t edge_width = 0;
};

/// A block lies in L1 row by row. Where rows of `most_tiles` are too short for the blocks of all cores, a block's row
/// is taken in equal parts. Throws RuntimeError where no such blocks are as few as the cores. 0: rows of any length
/// fit.
BlockCores split_in_blocks(const TileGrid& tiles, const WorkCores& cores, std::uint64_t most_tiles);

/// Cores that share whole tile rows evenly: each the same number, the last one the rest.
std::uint64_t cores_for_even_rows(std::uint64_t rows, std::uint64_t num_cores);

}  // namespace tilemeter
