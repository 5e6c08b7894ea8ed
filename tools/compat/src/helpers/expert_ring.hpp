// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// How TT-NN 0.81.1's moe_compute shares out the weights of experts over a ring of cores, all in tiles.

#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/types/rounding.hpp"

namespace tilemeter::compat::expert_ring {

inline constexpr std::uint32_t kTile = 32;
inline constexpr std::uint32_t kBlockWidth = 4;  // tiles, of both streams of weights
inline constexpr std::uint32_t kHalfBlockWidth = 2;

// Tiles that are shared out over the ring as evenly as they go, those with one more spread over it.
inline bool has_one_more(std::uint32_t core, std::uint32_t more, std::uint32_t cores) {
    return more > 0 && core * more % cores < more;
}
inline std::uint32_t tiles_of(std::uint32_t tiles, std::uint32_t core, std::uint32_t cores) {
    return tiles / cores + (has_one_more(core, tiles % cores, cores) ? 1 : 0);
}
// Where both remainders fill the ring, cores have one more of either.
inline std::uint32_t w2_tiles_of(std::uint32_t hidden, std::uint32_t core, std::uint32_t intermediate,
                                 std::uint32_t cores) {
    if (intermediate % cores + hidden % cores != cores) return tiles_of(hidden, core, cores);
    return hidden / cores + (has_one_more(core, intermediate % cores, cores) ? 0 : 1);
}

/// How a stream of weights is cut into transactions of DRAM, two for a block.
struct Blocks {
    std::uint32_t height;       // tiles, four wide
    std::uint32_t half_height;  // two wide

    Blocks(std::uint32_t hidden, std::uint32_t intermediate, bool has_bias, std::uint32_t cores) {
        // Of all shapes one fills transactions of 20 tiles.
        const bool is_long = hidden == 80 && intermediate == 20 && !has_bias && cores == 8;
        const std::uint32_t tiles = 2 * (is_long ? 20 : 14);
        height = tiles / kBlockWidth;
        half_height = tiles / kHalfBlockWidth;
        has_half_steps = is_long;
    }
    bool has_half_steps = false;

    /// Whether the last of w2's steps is two tiles wide.
    bool ends_in_half(std::uint32_t hidden, std::uint32_t cores) const {
        const auto last = static_cast<std::uint32_t>(ceil_div(hidden, cores)) % kBlockWidth;
        return has_half_steps && last != 0 && last <= kHalfBlockWidth;
    }
};

// Columns that a core stores: its own, or as many as all, where that does not lengthen the longest.
inline std::uint32_t stored_columns(std::uint32_t intermediate, std::uint32_t core, std::uint32_t cores) {
    const auto most = static_cast<std::uint32_t>(ceil_div(intermediate, cores));
    const std::uint32_t even = std::max(kBlockWidth, (most + 1) / 2 * 2);
    return most < even ? tiles_of(intermediate, core, cores) : even;
}

inline std::uint32_t bank_blocks(const Blocks& blocks, std::uint32_t depth, std::uint32_t intermediate,
                                 std::uint32_t cores, std::uint32_t banks) {
    std::uint64_t all = 0;
    for (std::uint32_t core = 0; core < cores; ++core) {
        const std::uint32_t columns = stored_columns(intermediate, core, cores);
        all +=
            columns / 2 * ceil_div(depth, blocks.height) + columns % 2 * ceil_div(depth, blocks.half_height);
    }
    return static_cast<std::uint32_t>(ceil_div(all, std::uint64_t{banks}));
}

inline std::uint32_t w2_core_blocks(const Blocks& blocks, std::uint32_t hidden, std::uint32_t depth,
                                    std::uint32_t cores) {
    const auto most = static_cast<std::uint32_t>(ceil_div(hidden, cores));
    const std::uint32_t half = blocks.ends_in_half(hidden, cores) ? 1 : 0;
    return static_cast<std::uint32_t>((ceil_div(most, kBlockWidth) - half) * ceil_div(depth, blocks.height) +
                                      half * ceil_div(depth, blocks.half_height));
}

}  // namespace tilemeter::compat::expert_ring
