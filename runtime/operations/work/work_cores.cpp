// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/work/work_cores.hpp"

#include <algorithm>

#include "runtime/device/errors.hpp"

namespace tilemeter {

WorkCores::WorkCores(const OptionalCores& sub_core_grids, CoreCoord grid, CoreWalk walk) {
    const CoreRangeSet all = sub_core_grids.value_or(whole_grid(grid));
    cores_.reserve(all.num_cores());
    for (const CoreRange& range : all.ranges()) {
        const auto [from, to] = range;
        if (walk == CoreWalk::kAlongRows) {
            for (std::uint32_t y = from.y; y <= to.y; ++y) {
                for (std::uint32_t x = from.x; x <= to.x; ++x)
                    cores_.push_back({x, y});
            }
        } else {
            for (std::uint32_t x = from.x; x <= to.x; ++x) {
                for (std::uint32_t y = from.y; y <= to.y; ++y)
                    cores_.push_back({x, y});
            }
        }
    }
}

CoreRangeSet WorkCores::first(std::uint64_t count) const {
    return merge_cores({cores_.begin(), cores_.begin() + static_cast<std::ptrdiff_t>(count)});
}

WorkSplit split_work(std::uint64_t units, const OptionalCores& sub_core_grids, CoreCoord grid,
                     CoreWalk walk) {
    if (!sub_core_grids) return split_work(units, grid, walk);
    const WorkCores cores(sub_core_grids, grid, walk);
    const std::uint64_t count = std::min(units, cores.size());
    if (count == 0) return {};
    const CoreRangeSet used = count == cores.size() ? *sub_core_grids : cores.first(count);
    return {used, count, ceil_div(units, count), units / count};
}

void require_on_grid(const OptionalCores& sub_core_grids, CoreCoord grid, std::string_view operation) {
    if (!sub_core_grids) return;
    const CoreRange all{{0, 0}, {grid.x - 1, grid.y - 1}};
    for (const CoreRange& range : sub_core_grids->ranges()) {
        if (all.contains(range.end)) continue;
        refuse_with(operation, " sub_core_grids ", *sub_core_grids,
                    " must be contained in device compute grid ", CoreRangeSet(all));
    }
}

}  // namespace tilemeter
