// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Cores, rectangles of cores and sets of rectangles, with TT-NN's names and texts.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tilemeter {

/// A core by its place in the compute grid: x counts columns, y rows, both from 0.
struct CoreCoord {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    friend auto operator<=>(const CoreCoord&, const CoreCoord&) = default;
};

/// A rectangle of cores, both corners inclusive.
struct CoreRange {
    CoreCoord start;
    CoreCoord end;

    std::uint64_t size() const;  ///< number of cores
    bool contains(CoreCoord core) const;
    bool intersects(const CoreRange& other) const;
    std::string to_string() const;  ///< "[0-0 - 7-3]": corners as x-y, as reports have it
    friend bool operator==(const CoreRange&, const CoreRange&) = default;
};

/// Rectangles that do not overlap, in the order given.
class CoreRangeSet {
public:
    CoreRangeSet() = default;
    CoreRangeSet(CoreRange range) : ranges_{range} {}  // NOLINT: a rectangle is a set
    /// Throws std::invalid_argument if two rectangles overlap or one has its corners the wrong way round.
    explicit CoreRangeSet(std::vector<CoreRange> ranges);

    std::span<const CoreRange> ranges() const { return ranges_; }
    bool empty() const { return ranges_.empty(); }
    std::uint64_t num_cores() const;
    bool contains(CoreCoord core) const;
    bool intersects(const CoreRangeSet& other) const;
    CoreRange bounding_box() const;  ///< REQUIRES: not empty

    /// "{[0-0 - 7-3], [0-4 - 2-4]}": corners as x-y, as reports have it; "{}" when empty.
    std::string to_string() const;

    friend bool operator==(const CoreRangeSet&, const CoreRangeSet&) = default;

private:
    std::vector<CoreRange> ranges_;
};

/// The whole grid of `grid.x` columns and `grid.y` rows.
CoreRangeSet whole_grid(CoreCoord grid);

/// The first `count` cores of the grid, going along rows (`row_wise`) or down columns, as rectangles grouped
/// as TT-NN does: cores grouped per row into extents, consecutive rows of equal extent merged, ordered by y.
/// REQUIRES: count <= cores of the grid.
CoreRangeSet first_cores(std::uint64_t count, CoreCoord grid, bool row_wise);

/// The same grouping for any list of distinct cores.
CoreRangeSet merge_cores(std::vector<CoreCoord> cores);

/// The same rectangles ordered by column, then row: TT-NN's set of a list of cores.
CoreRangeSet merge_cores_by_column(std::vector<CoreCoord> cores);

/// The cores of the set, rectangle by rectangle, each along its rows (`row_wise`) or down its columns.
std::vector<CoreCoord> cores_of(const CoreRangeSet& set, bool row_wise = true);

}  // namespace tilemeter
