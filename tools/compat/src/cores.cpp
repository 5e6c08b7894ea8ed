// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "tilemeter_ttnn/core_coord.hpp"
#include "tools/compat/src/model.hpp"

namespace tt {

std::string xy_pair::str() const {
    return "(x=" + std::to_string(x) + ",y=" + std::to_string(y) + ")";
}

std::ostream& operator<<(std::ostream& out, const xy_pair& core) {
    return out << core.str();
}

namespace tt_metal {

std::string RelativeCoreCoord::str() const {
    return "(x=" + std::to_string(x) + ",y=" + std::to_string(y) + ")";
}

CoreRange::CoreRange(const CoreCoord& start, const CoreCoord& end) : start_coord(start), end_coord(end) {
    if (end.x < start.x || end.y < start.y)
        throw std::runtime_error("Invalid core range for start_coord: " + start.str() +
                                 ", end_coord: " + end.str());
}

bool CoreRange::intersects(const CoreRange& other) const {
    return start_coord.x <= other.end_coord.x && other.start_coord.x <= end_coord.x &&
           start_coord.y <= other.end_coord.y && other.start_coord.y <= end_coord.y;
}

std::optional<CoreRange> CoreRange::intersection(const CoreRange& other) const {
    if (!intersects(other)) return std::nullopt;
    return CoreRange(
        {std::max(start_coord.x, other.start_coord.x), std::max(start_coord.y, other.start_coord.y)},
        {std::min(end_coord.x, other.end_coord.x), std::min(end_coord.y, other.end_coord.y)});
}

bool CoreRange::adjacent(const CoreRange& other) const {
    const auto touch = [](std::size_t a_begin, std::size_t a_end, std::size_t b_begin, std::size_t b_end) {
        return a_end + 1 == b_begin || b_end + 1 == a_begin;
    };
    const bool share_rows = start_coord.y <= other.end_coord.y && other.start_coord.y <= end_coord.y;
    const bool share_columns = start_coord.x <= other.end_coord.x && other.start_coord.x <= end_coord.x;
    return (share_rows && touch(start_coord.x, end_coord.x, other.start_coord.x, other.end_coord.x)) ||
           (share_columns && touch(start_coord.y, end_coord.y, other.start_coord.y, other.end_coord.y));
}

bool CoreRange::contains(const CoreRange& other) const {
    return contains(other.start_coord) && contains(other.end_coord);
}

bool CoreRange::contains(const CoreCoord& core) const {
    return core.x >= start_coord.x && core.x <= end_coord.x && core.y >= start_coord.y &&
           core.y <= end_coord.y;
}

std::optional<CoreRange> CoreRange::merge(const CoreRange& other) const {
    if (!intersects(other) && !adjacent(other)) return std::nullopt;
    const bool same_rows = start_coord.y == other.start_coord.y && end_coord.y == other.end_coord.y;
    const bool same_columns = start_coord.x == other.start_coord.x && end_coord.x == other.end_coord.x;
    if (same_rows || same_columns)
        return CoreRange(
            {std::min(start_coord.x, other.start_coord.x), std::min(start_coord.y, other.start_coord.y)},
            {std::max(end_coord.x, other.end_coord.x), std::max(end_coord.y, other.end_coord.y)});
    if (contains(other)) return *this;
    if (other.contains(*this)) return other;
    return std::nullopt;
}

std::string CoreRange::str() const {
    return "[" + start_coord.str() + " - " + end_coord.str() + "]";
}

CoreRange::CoreIterator& CoreRange::CoreIterator::operator++() {
    if (current_.x < range_->end_coord.x)
        ++current_.x;
    else
        current_ = {range_->start_coord.x, current_.y + 1};
    return *this;
}

namespace {

void require_disjoint(const std::vector<CoreRange>& ranges) {
    for (std::size_t i = 0; i < ranges.size(); ++i)
        for (std::size_t j = i + 1; j < ranges.size(); ++j)
            if (ranges[i].intersects(ranges[j]))
                throw std::runtime_error(
                    "Cannot create CoreRangeSet with specified core ranges because core ranges " +
                    ranges[i].str() + " and " + ranges[j].str() + " overlap!");
}

tilemeter::CoreRangeSet cores_of_model(const CoreRangeSet& cores) {
    return tilemeter::compat::to_model(cores);
}

// Rectangles that are neighbours along a whole side as one, until there are none.
std::vector<CoreRange> merged(std::vector<CoreRange> ranges) {
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < ranges.size() && !changed; ++i)
            for (std::size_t j = i + 1; j < ranges.size() && !changed; ++j)
                if (const auto both = ranges[i].merge(ranges[j])) {
                    ranges[i] = *both;
                    ranges.erase(ranges.begin() + static_cast<std::ptrdiff_t>(j));
                    changed = true;
                }
    }
    return ranges;
}

// `range` without `hole`, as up to four rectangles.
std::vector<CoreRange> without(const CoreRange& range, const CoreRange& hole) {
    const auto cut = range.intersection(hole);
    if (!cut) return {range};
    std::vector<CoreRange> rest;
    if (cut->start_coord.y > range.start_coord.y)
        rest.emplace_back(range.start_coord, CoreCoord(range.end_coord.x, cut->start_coord.y - 1));
    if (cut->start_coord.x > range.start_coord.x)
        rest.emplace_back(CoreCoord(range.start_coord.x, cut->start_coord.y),
                          CoreCoord(cut->start_coord.x - 1, cut->end_coord.y));
    if (cut->end_coord.x < range.end_coord.x)
        rest.emplace_back(CoreCoord(cut->end_coord.x + 1, cut->start_coord.y),
                          CoreCoord(range.end_coord.x, cut->end_coord.y));
    if (cut->end_coord.y < range.end_coord.y)
        rest.emplace_back(CoreCoord(range.start_coord.x, cut->end_coord.y + 1), range.end_coord);
    return rest;
}

}  // namespace

CoreRangeSet::CoreRangeSet(std::span<const CoreRange> ranges) : ranges_(ranges.begin(), ranges.end()) {
    require_disjoint(ranges_);
}

CoreRangeSet::CoreRangeSet(const std::set<CoreRange>& ranges) : ranges_(ranges.begin(), ranges.end()) {
    require_disjoint(ranges_);
}

CoreRangeSet::CoreRangeSet(std::vector<CoreRange>&& ranges) : ranges_(std::move(ranges)) {
    require_disjoint(ranges_);
}

CoreRangeSet::CoreRangeSet(std::span<const CoreCoord> cores) {
    std::vector<tilemeter::CoreCoord> model;
    for (const CoreCoord& each : cores)
        model.push_back(tilemeter::compat::to_model(each));
    *this = tilemeter::compat::from_model(tilemeter::merge_cores(std::move(model)));
}

std::uint32_t CoreRangeSet::num_cores() const {
    std::size_t count = 0;
    for (const CoreRange& each : ranges_)
        count += each.size();
    return static_cast<std::uint32_t>(count);
}

CoreRange CoreRangeSet::bounding_box() const {
    if (ranges_.empty()) throw std::runtime_error("Cannot get bounding_box of an empty CoreRangeSet!");
    CoreRange box = ranges_.front();
    for (const CoreRange& each : ranges_) {
        box.start_coord = {std::min(box.start_coord.x, each.start_coord.x),
                           std::min(box.start_coord.y, each.start_coord.y)};
        box.end_coord = {std::max(box.end_coord.x, each.end_coord.x),
                         std::max(box.end_coord.y, each.end_coord.y)};
    }
    return box;
}

bool CoreRangeSet::contains(const CoreCoord& core) const {
    return std::ranges::any_of(ranges_, [&](const CoreRange& each) { return each.contains(core); });
}

bool CoreRangeSet::contains(const CoreRange& range) const {
    return CoreRangeSet(range).subtract(*this).empty();
}

bool CoreRangeSet::contains(const CoreRangeSet& other) const {
    return other.subtract(*this).empty();
}

bool CoreRangeSet::intersects(const CoreRange& range) const {
    return std::ranges::any_of(ranges_, [&](const CoreRange& each) { return each.intersects(range); });
}

bool CoreRangeSet::intersects(const CoreRangeSet& other) const {
    return std::ranges::any_of(other.ranges_, [&](const CoreRange& each) { return intersects(each); });
}

CoreRangeSet CoreRangeSet::intersection(const CoreRangeSet& other) const {
    std::vector<CoreRange> both;
    for (const CoreRange& mine : ranges_)
        for (const CoreRange& theirs : other.ranges_)
            if (const auto common = mine.intersection(theirs)) both.push_back(*common);
    return CoreRangeSet(std::move(both));
}

CoreRangeSet CoreRangeSet::subtract(const CoreRangeSet& other) const {
    std::vector<CoreRange> rest = ranges_;
    for (const CoreRange& hole : other.ranges_) {
        std::vector<CoreRange> next;
        for (const CoreRange& each : rest)
            for (const CoreRange& part : without(each, hole))
                next.push_back(part);
        rest = std::move(next);
    }
    return CoreRangeSet(std::move(rest));
}

CoreRangeSet CoreRangeSet::merge(const CoreRangeSet& other) const {
    std::vector<CoreRange> all = ranges_;
    for (const CoreRange& each : other.subtract(*this).ranges_)
        all.push_back(each);
    return CoreRangeSet(merged(std::move(all)));
}

std::string CoreRangeSet::str() const {
    std::string text = "{";
    for (const CoreRange& each : ranges_)
        text += (text.size() > 1 ? ", " : "") + each.str();
    return text + "}";
}

bool operator==(const CoreRangeSet& a, const CoreRangeSet& b) {
    return a.ranges_ == b.ranges_ || (a.num_cores() == b.num_cores() && a.contains(b));
}

std::ostream& operator<<(std::ostream& out, const CoreRangeSet& cores) {
    return out << cores.str();
}

std::vector<CoreCoord> corerange_to_cores(const CoreRangeSet& cores, std::optional<std::uint32_t> max_cores,
                                          bool row_wise) {
    std::vector<CoreCoord> all;
    for (const CoreRange& range : cores.ranges())
        for (const tilemeter::CoreCoord& each : tilemeter::cores_of(cores_of_model(range), row_wise)) {
            if (max_cores && all.size() == *max_cores) return all;
            all.emplace_back(each.x, each.y);
        }
    return all;
}

std::vector<CoreCoord> grid_to_cores(std::uint32_t num_cores, std::uint32_t grid_size_x,
                                     std::uint32_t grid_size_y, bool row_wise) {
    if (num_cores > std::uint64_t{grid_size_x} * grid_size_y)
        throw std::runtime_error("Number of cores " + std::to_string(num_cores) + " exceeds grid size " +
                                 std::to_string(grid_size_x) + "x" + std::to_string(grid_size_y));
    std::vector<CoreCoord> cores;
    for (std::uint32_t i = 0; i < num_cores; ++i)
        cores.push_back(row_wise ? CoreCoord(i % grid_size_x, i / grid_size_x)
                                 : CoreCoord(i / grid_size_y, i % grid_size_y));
    return cores;
}

CoreRangeSet num_cores_to_corerangeset(std::uint32_t target_num_cores, CoreCoord grid_size, bool row_wise) {
    return tilemeter::compat::from_model(
        tilemeter::first_cores(target_num_cores, tilemeter::compat::to_model(grid_size), row_wise));
}

CoreRangeSet select_from_corerangeset(const CoreRangeSet& cores, std::uint32_t start_index,
                                      std::uint32_t end_index, bool row_wise) {
    const std::vector<CoreCoord> all = corerange_to_cores(cores, end_index + 1, row_wise);
    if (start_index > end_index || end_index >= all.size())
        throw std::runtime_error("expected numbers of cores below " + std::to_string(all.size()) +
                                 " in order, found " + std::to_string(start_index) + " to " +
                                 std::to_string(end_index));
    return CoreRangeSet(std::span(all).subspan(start_index, end_index - start_index + 1));
}

}  // namespace tt_metal
}  // namespace tt
