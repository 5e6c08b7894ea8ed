// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Work on the cores that a caller names (`sub_core_grids`) instead of the whole grid.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/device/errors.hpp"
#include "runtime/operations/optional_arguments.hpp"
#include "runtime/operations/program_pieces.hpp"

namespace tilemeter {

/// The cores in the order that work is given to them: rectangle by rectangle.
inline std::vector<CoreCoord> listed_cores(const CoreRangeSet& cores, CoreWalk walk) {
    std::vector<CoreCoord> list;
    for (const CoreRange& range : cores.ranges()) {
        const bool along_rows = walk == CoreWalk::kAlongRows;
        const std::uint32_t lines = along_rows ? range.end.y - range.start.y : range.end.x - range.start.x;
        const std::uint32_t line = along_rows ? range.end.x - range.start.x : range.end.y - range.start.y;
        for (std::uint32_t i = 0; i <= lines; ++i) {
            for (std::uint32_t j = 0; j <= line; ++j)
                list.push_back({range.start.x + (along_rows ? j : i), range.start.y + (along_rows ? i : j)});
        }
    }
    return list;
}

/// split_work over `cores`, or over the grid where none are named.
inline WorkSplit split_work(std::uint64_t units, const OptionalCores& cores, CoreCoord grid, CoreWalk walk) {
    if (!cores) return split_work(units, grid, walk);
    std::vector<CoreCoord> list = listed_cores(*cores, walk);
    const std::uint64_t num_cores = std::min<std::uint64_t>(units, list.size());
    if (num_cores == 0) return {};
    if (num_cores == list.size()) return {*cores, num_cores, ceil_div(units, num_cores), units / num_cores};
    list.resize(num_cores);
    return {merge_cores(std::move(list)), num_cores, 1, 1};
}

/// Throws RuntimeError, in TT-NN's words, where the device has not all of the cores.
inline void require_on_grid(const OptionalCores& cores, CoreCoord grid, std::string_view operation) {
    if (!cores) return;
    const CoreRange all{{0, 0}, {grid.x - 1, grid.y - 1}};
    for (const CoreRange& range : cores->ranges()) {
        if (all.contains(range.end)) continue;
        throw RuntimeError(std::string(operation) + " sub_core_grids " + cores->to_string() +
                           " must be contained in device compute grid " + CoreRangeSet(all).to_string());
    }
}

}  // namespace tilemeter
