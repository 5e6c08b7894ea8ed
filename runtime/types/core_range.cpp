// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/types/core_range.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tilemeter {

std::uint64_t CoreRange::size() const {
    return (std::uint64_t{end.x} - start.x + 1) * (std::uint64_t{end.y} - start.y + 1);
}

bool CoreRange::contains(CoreCoord core) const {
    return start.x <= core.x && core.x <= end.x && start.y <= core.y && core.y <= end.y;
}

bool CoreRange::intersects(const CoreRange& other) const {
    return start.x <= other.end.x && other.start.x <= end.x && start.y <= other.end.y &&
           other.start.y <= end.y;
}

std::string CoreRange::to_string() const {
    std::string text = "[";
    text += std::to_string(start.x) + '-' + std::to_string(start.y);
    text += " - ";
    text += std::to_string(end.x) + '-' + std::to_string(end.y);
    text += ']';
    return text;
}

CoreRangeSet::CoreRangeSet(std::vector<CoreRange> ranges) : ranges_(std::move(ranges)) {
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
        const CoreRange& range = ranges_[i];
        if (range.end.x < range.start.x || range.end.y < range.start.y) {
            throw std::invalid_argument("core range " + range.to_string() +
                                        ": expected an end at or beyond the start");
        }
        for (std::size_t j = 0; j < i; ++j) {
            if (range.intersects(ranges_[j])) {
                throw std::invalid_argument("core ranges: expected rectangles that do not overlap, found " +
                                            ranges_[j].to_string() + " and " + range.to_string());
            }
        }
    }
}

std::uint64_t CoreRangeSet::num_cores() const {
    std::uint64_t count = 0;
    for (const CoreRange& range : ranges_)
        count += range.size();
    return count;
}

bool CoreRangeSet::contains(CoreCoord core) const {
    return std::any_of(ranges_.begin(), ranges_.end(), [&](const CoreRange& r) { return r.contains(core); });
}

bool CoreRangeSet::intersects(const CoreRangeSet& other) const {
    for (const CoreRange& mine : ranges_) {
        for (const CoreRange& theirs : other.ranges_) {
            if (mine.intersects(theirs)) return true;
        }
    }
    return false;
}

CoreRange CoreRangeSet::bounding_box() const {
    CoreRange box = ranges_.front();
    for (const CoreRange& range : ranges_) {
        box.start.x = std::min(box.start.x, range.start.x);
        box.start.y = std::min(box.start.y, range.start.y);
        box.end.x = std::max(box.end.x, range.end.x);
        box.end.y = std::max(box.end.y, range.end.y);
    }
    return box;
}

std::string CoreRangeSet::to_string() const {
    std::string text = "{";
    for (const CoreRange& range : ranges_) {
        if (text.size() > 1) text += ", ";
        text += range.to_string();
    }
    return text + "}";
}

CoreRangeSet whole_grid(CoreCoord grid) {
    if (grid.x == 0 || grid.y == 0) return {};
    return CoreRange{{0, 0}, {grid.x - 1, grid.y - 1}};
}

CoreRangeSet first_cores(std::uint64_t count, CoreCoord grid, bool row_wise) {
    if (count > std::uint64_t{grid.x} * grid.y) {
        throw std::invalid_argument("first_cores: expected at most " +
                                    std::to_string(std::uint64_t{grid.x} * grid.y) + " cores, found " +
                                    std::to_string(count));
    }
    if (count == 0) return {};
    // A line is a row or a column; `full` lines are taken whole, `rest` cores of one more.
    const std::uint32_t line = row_wise ? grid.x : grid.y;
    const auto full = static_cast<std::uint32_t>(count / line);
    const auto rest = static_cast<std::uint32_t>(count % line);
    std::vector<CoreRange> ranges;
    if (row_wise) {
        if (full > 0) ranges.push_back({{0, 0}, {grid.x - 1, full - 1}});
        if (rest > 0) ranges.push_back({{0, full}, {rest - 1, full}});
    } else {
        // The rows that the last column reaches are one core wider than those below.
        if (rest > 0) ranges.push_back({{0, 0}, {full, rest - 1}});
        if (full > 0) ranges.push_back({{0, rest}, {full - 1, grid.y - 1}});
    }
    return CoreRangeSet(std::move(ranges));
}

CoreRangeSet merge_cores(std::vector<CoreCoord> cores) {
    std::sort(cores.begin(), cores.end(), [](const CoreCoord& a, const CoreCoord& b) {
        return std::pair(a.y, a.x) < std::pair(b.y, b.x);
    });
    std::vector<CoreRange> ranges;
    for (std::size_t i = 0; i < cores.size();) {
        std::size_t last = i;
        while (last + 1 < cores.size() && cores[last + 1].y == cores[i].y &&
               cores[last + 1].x == cores[last].x + 1) {
            ++last;
        }
        const CoreRange extent{cores[i], cores[last]};
        const auto above = std::find_if(ranges.begin(), ranges.end(), [&](const CoreRange& range) {
            return range.start.x == extent.start.x && range.end.x == extent.end.x &&
                   range.end.y + 1 == extent.start.y;
        });
        if (above != ranges.end()) {
            above->end.y = extent.end.y;
        } else {
            ranges.push_back(extent);
        }
        i = last + 1;
    }
    return CoreRangeSet(std::move(ranges));
}

CoreRangeSet merge_cores_by_column(std::vector<CoreCoord> cores) {
    const CoreRangeSet by_rows = merge_cores(std::move(cores));
    std::vector<CoreRange> ranges(by_rows.ranges().begin(), by_rows.ranges().end());
    std::sort(ranges.begin(), ranges.end(),
              [](const CoreRange& a, const CoreRange& b) { return a.start < b.start; });
    return CoreRangeSet(std::move(ranges));
}

std::vector<CoreCoord> cores_of(const CoreRangeSet& set, bool row_wise) {
    std::vector<CoreCoord> cores;
    cores.reserve(set.num_cores());
    for (const auto& [start, end] : set.ranges()) {
        if (row_wise) {
            for (std::uint32_t y = start.y; y <= end.y; ++y)
                for (std::uint32_t x = start.x; x <= end.x; ++x)
                    cores.push_back({x, y});
        } else {
            for (std::uint32_t x = start.x; x <= end.x; ++x)
                for (std::uint32_t y = start.y; y <= end.y; ++y)
                    cores.push_back({x, y});
        }
    }
    return cores;
}

}  // namespace tilemeter
