// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The core ranges of TT-NN's generated programs, which take cores column by column.

#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/device/device_description.hpp"
#include "runtime/types/core_range.hpp"

namespace tilemeter {

/// One core per unit as far as the grid goes: the columns that are taken whole, and the rest of the next one.
inline CoreRangeSet whole_columns_and_rest(std::uint64_t units, CoreCoord grid) {
    const auto count = static_cast<std::uint32_t>(std::min(units, std::uint64_t{grid.x} * grid.y));
    const std::uint32_t whole = count / grid.y;
    const std::uint32_t rest = count % grid.y;
    std::vector<CoreRange> ranges;
    if (whole > 0) ranges.push_back({{0, 0}, {whole - 1, grid.y - 1}});
    if (rest > 0) ranges.push_back({{whole, 0}, {whole, rest - 1}});
    return CoreRangeSet(std::move(ranges));
}
inline CoreRangeSet whole_columns_and_rest(std::uint64_t units, const DeviceDescription& device) {
    return whole_columns_and_rest(units, device.compute_grid);
}

}  // namespace tilemeter
