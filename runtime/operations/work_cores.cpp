// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/work_cores.hpp"

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

}  // namespace tilemeter
