// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Rows of points with lines between neighbouring rows: what crossings and places are found on.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilemeter::drawing::internal {

/// A point is a box, or the bend of an arrow in a row that it passes. Boxes come first, by their numbers.
struct Rows {
    std::vector<std::vector<std::uint32_t>> rows;   ///< points from left to right
    std::vector<std::vector<std::uint32_t>> above;  ///< by point: those of the row above that lines lead to
    std::vector<std::vector<std::uint32_t>> below;
    std::vector<std::int64_t> widths;  ///< by point
    std::size_t box_count = 0;

    [[nodiscard]] bool is_bend(std::uint32_t point) const { return point >= box_count; }
};

/// Sorts the rows for few crossings of lines, and gives their number.
std::size_t reduce_crossings(Rows& rows);

/// Crossings of the lines between all neighbouring rows. Linear in lines but for a logarithm.
std::size_t count_crossings(const Rows& rows);

/// The middle of each point, without overlap, for lines that are short and bends that are straight.
std::vector<std::int64_t> find_places(const Rows& rows);

}  // namespace tilemeter::drawing::internal
