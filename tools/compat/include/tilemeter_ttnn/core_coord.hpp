// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Cores and rectangles of them: tt::xy_pair, which is CoreCoord, CoreRange and CoreRangeSet.

#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tt {

struct xy_pair {
    std::size_t x = 0;
    std::size_t y = 0;

    constexpr xy_pair() = default;
    constexpr xy_pair(std::size_t column, std::size_t row) : x(column), y(row) {}

    constexpr auto operator<=>(const xy_pair&) const = default;
    std::string str() const;  ///< "(x=1,y=2)"
};
std::ostream& operator<<(std::ostream& out, const xy_pair& core);

namespace tt_metal {

using CoreCoord = ::tt::xy_pair;

struct RelativeCoreCoord {
    long x = 0;
    long y = 0;
    std::string str() const;  ///< "(x=1,y=-1)"
};

/// A rectangle of cores, both corners in it.
struct CoreRange {
    CoreCoord start_coord{0, 0};
    CoreCoord end_coord{0, 0};

    explicit CoreRange(const CoreCoord& core) : start_coord(core), end_coord(core) {}
    /// Throws std::runtime_error where the end lies before the start.
    CoreRange(const CoreCoord& start, const CoreCoord& end);

    bool intersects(const CoreRange& other) const;
    std::optional<CoreRange> intersection(const CoreRange& other) const;
    bool adjacent(const CoreRange& other) const;
    bool contains(const CoreRange& other) const;
    bool contains(const CoreCoord& core) const;
    std::optional<CoreRange> merge(const CoreRange& other) const;
    std::size_t size() const { return (end_coord.x - start_coord.x + 1) * (end_coord.y - start_coord.y + 1); }
    CoreCoord grid_size() const { return {end_coord.x - start_coord.x + 1, end_coord.y - start_coord.y + 1}; }
    std::string str() const;  ///< "[(x=0,y=0) - (x=7,y=3)]"

    /// All cores, row after row.
    class CoreIterator {
    public:
        CoreIterator(const CoreCoord& current, const CoreRange& range) : current_(current), range_(&range) {}
        CoreCoord& operator*() { return current_; }
        CoreIterator& operator++();
        bool operator==(const CoreIterator& other) const { return current_ == other.current_; }

    private:
        CoreCoord current_;
        const CoreRange* range_;
    };
    CoreIterator begin() const { return {start_coord, *this}; }
    CoreIterator end() const { return {{start_coord.x, end_coord.y + 1}, *this}; }

    constexpr auto operator<=>(const CoreRange&) const = default;
};

/// Rectangles that do not overlap.
class CoreRangeSet {
public:
    CoreRangeSet() = default;
    /// These throw std::runtime_error where two overlap.
    explicit CoreRangeSet(std::span<const CoreRange> ranges);
    explicit CoreRangeSet(const std::set<CoreRange>& ranges);
    explicit CoreRangeSet(std::vector<CoreRange>&& ranges);
    explicit CoreRangeSet(std::span<const CoreCoord> cores);
    CoreRangeSet(const CoreRange& range) : ranges_{range} {}  // NOLINT: a rectangle is a set

    bool empty() const { return ranges_.empty(); }
    std::size_t size() const { return ranges_.size(); }
    const std::vector<CoreRange>& ranges() const { return ranges_; }
    std::uint32_t num_cores() const;
    CoreRange bounding_box() const;  ///< Throws std::runtime_error where it is empty.
    bool contains(const CoreCoord& core) const;
    bool contains(const CoreRange& range) const;
    bool contains(const CoreRangeSet& other) const;
    bool intersects(const CoreCoord& core) const { return contains(core); }
    bool intersects(const CoreRange& range) const;
    bool intersects(const CoreRangeSet& other) const;
    CoreRangeSet intersection(const CoreRangeSet& other) const;
    CoreRangeSet subtract(const CoreRangeSet& other) const;
    /// Both, in as few rectangles as merging of neighbours gives.
    CoreRangeSet merge(const CoreRangeSet& other) const;
    CoreRangeSet merge_ranges() const { return merge({}); }
    std::string str() const;  ///< "{[(x=0,y=0) - (x=7,y=3)], ...}"

    /// Equal where they have the same cores.
    friend bool operator==(const CoreRangeSet& a, const CoreRangeSet& b);

private:
    std::vector<CoreRange> ranges_;
};
std::ostream& operator<<(std::ostream& out, const CoreRangeSet& cores);

std::vector<CoreCoord> corerange_to_cores(const CoreRangeSet& cores,
                                          std::optional<std::uint32_t> max_cores = std::nullopt,
                                          bool row_wise = false);
std::vector<CoreCoord> grid_to_cores(std::uint32_t num_cores, std::uint32_t grid_size_x,
                                     std::uint32_t grid_size_y, bool row_wise = false);
CoreRangeSet num_cores_to_corerangeset(std::uint32_t target_num_cores, CoreCoord grid_size,
                                       bool row_wise = false);
CoreRangeSet select_from_corerangeset(const CoreRangeSet& cores, std::uint32_t start_index,
                                      std::uint32_t end_index, bool row_wise = false);

}  // namespace tt_metal
}  // namespace tt

using CoreCoord =
    tt::tt_metal::CoreCoord;       // NOLINT(google-global-names-in-headers): global in TT-Metalium, too
using tt::tt_metal::CoreRange;     // NOLINT(google-global-names-in-headers)
using tt::tt_metal::CoreRangeSet;  // NOLINT(google-global-names-in-headers)

template <>
struct std::hash<tt::xy_pair> {
    std::size_t operator()(const tt::xy_pair& core) const noexcept { return core.x * 1000003U ^ core.y; }
};
template <>
struct std::hash<tt::tt_metal::CoreRange> {
    std::size_t operator()(const tt::tt_metal::CoreRange& range) const noexcept {
        return std::hash<tt::xy_pair>{}(range.start_coord) * 31 + std::hash<tt::xy_pair>{}(range.end_coord);
    }
};

namespace ttnn {
using tt::tt_metal::CoreCoord;
using tt::tt_metal::CoreRange;
using tt::tt_metal::CoreRangeSet;

namespace types {
/// A grid of cores from the first one: columns x rows.
struct CoreGrid {
    std::size_t x;
    std::size_t y;
    CoreGrid(std::size_t columns, std::size_t rows) : x(columns), y(rows) {}
    tt::tt_metal::CoreCoord to_CoreCoord() const { return {x, y}; }
    bool operator==(const CoreGrid&) const = default;
};
}  // namespace types
using types::CoreGrid;
}  // namespace ttnn
