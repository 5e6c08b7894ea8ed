// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/drawing/layered.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "report/drawing/internal/rows.hpp"

namespace tilemeter::drawing {
namespace {

constexpr std::int64_t kBendWidth = 6;
constexpr std::int64_t kLeastGap = 30;  // between rows
constexpr std::int64_t kMostGap = 90;
constexpr std::int64_t kGapOfLine = 3;     // more for each line between them
constexpr std::int64_t kBetweenEnds = 14;  // of arrows at one side of a box
constexpr std::size_t kMostBends = 1'000'000;
constexpr std::size_t kMostPoints = 200'000;  // of all arrows, each drawn from its box on

/// Arrows as lines from lower to higher numbers, each once.
std::vector<Arrow> lines_of(std::span<const Arrow> arrows) {
    std::vector<Arrow> lines;
    for (const Arrow& arrow : arrows)
        if (arrow.from != arrow.to)
            lines.push_back({std::min(arrow.from, arrow.to), std::max(arrow.from, arrow.to)});
    const auto before = [](const Arrow& a, const Arrow& b) {
        return a.from != b.from ? a.from < b.from : a.to < b.to;
    };
    std::sort(lines.begin(), lines.end(), before);
    const auto same = [](const Arrow& a, const Arrow& b) { return a.from == b.from && a.to == b.to; };
    lines.erase(std::unique(lines.begin(), lines.end(), same), lines.end());
    return lines;
}

/// The row of each box: numbers that may have gaps between them, some below 0.
class Ranks {
public:
    Ranks(std::span<const Size> boxes, const std::vector<Arrow>& lines, std::int64_t row_width)
        : boxes_(boxes),
          row_width_(row_width),
          above_(boxes.size()),
          below_(boxes.size()),
          ranks_(boxes.size(), 0) {
        narrowest_ = std::ranges::min(boxes, {}, &Size::width).width;
        for (const Arrow& line : lines) {
            above_[line.to].push_back(line.from);
            below_[line.from].push_back(line.to);
        }
    }

    std::vector<std::size_t> run() {
        for (std::uint32_t box = 0; box < boxes_.size(); ++box)
            if (!is_source(box)) settle(box, rank_below_others(box), 1);
        shorten();
        for (auto box = static_cast<std::uint32_t>(boxes_.size()); box-- > 0;)
            if (is_source(box)) settle(box, rank_above_users(box), -1);
        return without_gaps();
    }

private:
    [[nodiscard]] bool is_source(std::uint32_t box) const {
        return above_[box].empty() && !below_[box].empty();
    }

    [[nodiscard]] std::int64_t rank_below_others(std::uint32_t box) const {
        std::int64_t rank = 0;
        for (const std::uint32_t other : above_[box])
            if (!is_source(other)) rank = std::max(rank, ranks_[other] + 1);
        return rank;
    }

    /// Boxes go down as long as that makes their longest line shorter and no line to them is the longest of its box:
    /// what is to be used late stands late.
    void shorten() {
        for (bool changed = true; changed;) {
            changed = false;
            for (auto box = static_cast<std::uint32_t>(boxes_.size()); box-- > 0;) {
                if (is_source(box) || below_[box].empty()) continue;
                std::int64_t lowest = rank_above_users(box);
                for (const std::uint32_t other : above_[box])
                    if (!is_source(other)) lowest = std::min(lowest, lowest_user(other, box));
                while (lowest > ranks_[box] && taken_[lowest] > 0 &&
                       taken_[lowest] + boxes_[box].width > row_width_)
                    --lowest;
                if (lowest <= ranks_[box]) continue;
                taken_[ranks_[box]] -= boxes_[box].width;
                taken_[lowest] += boxes_[box].width;
                ranks_[box] = lowest;
                changed = true;
            }
        }
    }

    /// Of the boxes that take from `box` all but `but`.
    [[nodiscard]] std::int64_t lowest_user(std::uint32_t box, std::uint32_t but) const {
        std::int64_t rank = std::numeric_limits<std::int64_t>::min();
        for (const std::uint32_t other : below_[box])
            if (other != but) rank = std::max(rank, ranks_[other]);
        return rank;
    }

    [[nodiscard]] std::int64_t rank_above_users(std::uint32_t box) const {
        std::int64_t rank = std::numeric_limits<std::int64_t>::max();
        for (const std::uint32_t other : below_[box])
            rank = std::min(rank, ranks_[other] - 1);
        return rank;
    }

    /// In the first row from `rank` on, in the direction of `step`, that has room.
    void settle(std::uint32_t box, std::int64_t rank, std::int64_t step) {
        rank = behind_full(rank, step);
        while (taken_[rank] > 0 && taken_[rank] + boxes_[box].width > row_width_)
            rank = behind_full(rank + step, step);
        taken_[rank] += boxes_[box].width;
        ranks_[box] = rank;
    }

    /// The first row from `rank` on in which at least the narrowest box has room; full ones are passed once.
    std::int64_t behind_full(std::int64_t rank, std::int64_t step) {
        std::map<std::int64_t, std::int64_t>& behind = step > 0 ? below_full_ : above_full_;
        std::int64_t free = rank;
        while (taken_[free] > 0 && taken_[free] + narrowest_ > row_width_) {
            const auto known = behind.find(free);
            free = known != behind.end() ? known->second : free + step;
        }
        while (rank != free) {
            std::int64_t& next = behind.try_emplace(rank, rank + step).first->second;
            rank = next;
            next = free;
        }
        return free;
    }

    [[nodiscard]] std::vector<std::size_t> without_gaps() const {
        std::map<std::int64_t, std::size_t> numbers;
        for (const std::int64_t rank : ranks_)
            numbers.try_emplace(rank, 0);
        std::size_t next = 0;
        for (auto& [rank, number] : numbers)
            number = next++;
        std::vector<std::size_t> result;
        for (const std::int64_t rank : ranks_)
            result.push_back(numbers.at(rank));
        return result;
    }

    std::span<const Size> boxes_;
    std::int64_t row_width_;
    std::vector<std::vector<std::uint32_t>> above_, below_;
    std::vector<std::int64_t> ranks_;
    std::map<std::int64_t, std::int64_t> taken_;                    // by row: pixels
    std::map<std::int64_t, std::int64_t> below_full_, above_full_;  // by full row: one further on
    std::int64_t narrowest_ = 0;
};

class Drawing {
public:
    Drawing(std::span<const Size> boxes, std::span<const Arrow> arrows, std::int64_t row_width)
        : boxes_(boxes),
          arrows_(arrows),
          lines_(lines_of(arrows)),
          ranks_(Ranks(boxes, lines_, row_width).run()) {}

    Layout run() {
        Layout layout;
        set_rows();
        layout.direct = is_direct_;
        layout.crossings = internal::reduce_crossings(rows_);
        middles_ = internal::find_places(rows_);
        set_heights(layout);
        set_widths(layout);
        for (std::uint32_t box = 0; box < boxes_.size(); ++box)
            layout.places.push_back({middles_[box] - boxes_[box].width / 2, top_of(box)});
        set_ends();
        const bool whole = points_needed() <= kMostPoints;
        for (const Arrow& arrow : arrows_)
            layout.ways.push_back(way_of(arrow, whole));
        return layout;
    }

private:
    void set_rows() {
        rows_.box_count = boxes_.size();
        for (const Size& box : boxes_)
            rows_.widths.push_back(box.width);
        std::size_t count = 0;
        for (const std::size_t rank : ranks_)
            count = std::max(count, rank + 1);
        rows_.rows.resize(count);
        for (std::uint32_t box = 0; box < boxes_.size(); ++box)
            rows_.rows[ranks_[box]].push_back(box);
        rows_.above.resize(boxes_.size());
        rows_.below.resize(boxes_.size());
        bends_.resize(boxes_.size());
        is_direct_ = bends_needed() > kMostBends;
        for (const Arrow& line : lines_)
            add_line(line);
    }

    [[nodiscard]] std::size_t bends_needed() const {
        std::vector<std::size_t> longest(boxes_.size(), 1);
        for (const Arrow& line : lines_)
            longest[line.from] = std::max(longest[line.from], ranks_[line.to] - ranks_[line.from]);
        std::size_t bends = 0;
        for (const std::size_t rows : longest)
            bends += rows - 1;
        return bends;
    }

    /// Through the bends that the box's longest line has so far, and as many more as it needs.
    void add_line(const Arrow& line) {
        const std::size_t passed = ranks_[line.to] - ranks_[line.from] - 1;
        if (is_direct_ && passed > 0) return;
        std::vector<std::uint32_t>& bends = bends_[line.from];
        while (bends.size() < passed) {
            const auto bend = static_cast<std::uint32_t>(rows_.widths.size());
            rows_.widths.push_back(kBendWidth);
            rows_.above.emplace_back();
            rows_.below.emplace_back();
            rows_.rows[ranks_[line.from] + 1 + bends.size()].push_back(bend);
            join(bends.empty() ? line.from : bends.back(), bend);
            bends.push_back(bend);
        }
        join(passed == 0 ? line.from : bends[passed - 1], line.to);
    }

    void join(std::uint32_t upper, std::uint32_t lower) {
        rows_.below[upper].push_back(lower);
        rows_.above[lower].push_back(upper);
    }

    void set_heights(Layout& layout) {
        std::int64_t at = 0;
        for (std::size_t row = 0; row < rows_.rows.size(); ++row) {
            std::int64_t height = 0;
            std::size_t lines = 0;
            for (const std::uint32_t point : rows_.rows[row]) {
                if (!rows_.is_bend(point)) height = std::max(height, boxes_[point].height);
                lines += rows_.above[point].size();
            }
            if (row > 0) at += std::min(kMostGap, kLeastGap + kGapOfLine * static_cast<std::int64_t>(lines));
            tops_.push_back(at);
            at += height;
            bottoms_.push_back(at);
        }
        layout.size.height = at;
    }

    /// The leftmost point gets the place 0.
    void set_widths(Layout& layout) {
        std::int64_t left = std::numeric_limits<std::int64_t>::max();
        for (std::size_t point = 0; point < middles_.size(); ++point)
            left = std::min(left, middles_[point] - rows_.widths[point] / 2);
        for (std::size_t point = 0; point < middles_.size(); ++point) {
            middles_[point] -= left;
            const std::int64_t right = middles_[point] + (rows_.widths[point] + 1) / 2;
            layout.size.width = std::max(layout.size.width, right);
        }
    }

    [[nodiscard]] std::int64_t top_of(std::uint32_t box) const {
        const std::size_t row = ranks_[box];
        return tops_[row] + (bottoms_[row] - tops_[row] - boxes_[box].height) / 2;
    }
    [[nodiscard]] std::int64_t bottom_of(std::uint32_t box) const { return top_of(box) + boxes_[box].height; }

    /// Where lines meet a box: beside each other, in the order of their other ends.
    void set_ends() {
        for (auto* side : {&rows_.above, &rows_.below}) {
            for (std::uint32_t box = 0; box < boxes_.size(); ++box) {
                std::vector<std::uint32_t>& others = (*side)[box];
                const auto left_of = [this](std::uint32_t a, std::uint32_t b) {
                    return middles_[a] != middles_[b] ? middles_[a] < middles_[b] : a < b;
                };
                std::sort(others.begin(), others.end(), left_of);
            }
        }
    }

    [[nodiscard]] std::int64_t end_at(std::uint32_t box, const std::vector<std::uint32_t>& others,
                                      std::uint32_t other) const {
        const auto count = static_cast<std::int64_t>(others.size());
        const auto found = std::find(others.begin(), others.end(), other);
        if (count < 2 || found == others.end()) return middles_[box];
        const std::int64_t between = std::min(kBetweenEnds, (boxes_[box].width - 16) / count);
        return middles_[box] + (2 * (found - others.begin()) - (count - 1)) * between / 2;
    }

    [[nodiscard]] std::size_t points_needed() const {
        std::size_t points = 0;
        for (const Arrow& line : lines_)
            points += 2 * (ranks_[line.to] - ranks_[line.from] + 1);
        return points;
    }

    /// Not `whole`: without the bends that it shares with the longest arrow of its box.
    [[nodiscard]] std::vector<Point> way_of(const Arrow& arrow, bool whole) const {
        if (arrow.from == arrow.to) return {};
        const std::uint32_t upper = std::min(arrow.from, arrow.to), lower = std::max(arrow.from, arrow.to);
        const std::size_t first = ranks_[upper], last = ranks_[lower];
        const std::size_t passed = is_direct_ ? 0 : last - first - 1;
        const std::vector<std::uint32_t>& bends = bends_[upper];
        const std::int64_t begin = end_at(upper, rows_.below[upper], passed == 0 ? lower : bends[0]);
        const std::int64_t end = end_at(lower, rows_.above[lower], passed == 0 ? upper : bends[passed - 1]);
        const bool is_longest = passed == bends.size();
        std::vector<Point> way;
        if (whole || is_longest || passed == 0) way = {{begin, bottom_of(upper)}, {begin, bottoms_[first]}};
        for (std::size_t i = way.empty() ? passed - 1 : 0; i < passed; ++i) {
            way.push_back({middles_[bends[i]], tops_[first + 1 + i]});
            way.push_back({middles_[bends[i]], bottoms_[first + 1 + i]});
        }
        way.push_back({end, tops_[last]});
        way.push_back({end, top_of(lower)});
        way.erase(std::unique(way.begin(), way.end()), way.end());
        if (arrow.from > arrow.to) std::reverse(way.begin(), way.end());
        return way;
    }

    std::span<const Size> boxes_;
    std::span<const Arrow> arrows_;
    std::vector<Arrow> lines_;
    std::vector<std::size_t> ranks_;
    internal::Rows rows_;
    std::vector<std::vector<std::uint32_t>> bends_;  // by box: of its longest line, from above
    std::vector<std::int64_t> middles_;              // by point
    std::vector<std::int64_t> tops_, bottoms_;       // by row
    bool is_direct_ = false;
};

constexpr std::int64_t kBetweenParts = 40;

/// The boxes that arrows join, as numbers of the boxes; by their first ones.
std::vector<std::vector<std::uint32_t>> parts_of(std::size_t boxes, std::span<const Arrow> arrows) {
    std::vector<std::uint32_t> first(boxes);
    std::iota(first.begin(), first.end(), 0U);
    const auto first_of = [&](std::uint32_t box) {
        while (first[box] != box)
            box = first[box] = first[first[box]];
        return box;
    };
    for (const Arrow& arrow : arrows) {
        const std::uint32_t a = first_of(arrow.from), b = first_of(arrow.to);
        first[std::max(a, b)] = std::min(a, b);
    }
    std::vector<std::vector<std::uint32_t>> parts;
    std::vector<std::uint32_t> part_of(boxes, 0);
    for (std::uint32_t box = 0; box < boxes; ++box) {
        const std::uint32_t joined = first_of(box);
        if (joined == box) {
            part_of[box] = static_cast<std::uint32_t>(parts.size());
            parts.emplace_back();
        }
        parts[part_of[joined]].push_back(box);
    }
    return parts;
}

/// Parts beside each other, in lines like words.
class Packing {
public:
    explicit Packing(std::int64_t width) : width_(width) {}

    Point place(Size part) {
        if (x_ > 0 && x_ + part.width > width_) {
            x_ = 0;
            y_ += height_ + kBetweenParts;
            height_ = 0;
        }
        const Point at{x_, y_};
        x_ += part.width + kBetweenParts;
        height_ = std::max(height_, part.height);
        return at;
    }

private:
    std::int64_t width_, x_ = 0, y_ = 0, height_ = 0;
};

}  // namespace

Layout layered(std::span<const Size> boxes, std::span<const Arrow> arrows, std::int64_t row_width) {
    Layout all;
    all.places.resize(boxes.size());
    all.ways.resize(arrows.size());
    const std::vector<std::vector<std::uint32_t>> parts = parts_of(boxes.size(), arrows);
    std::vector<std::uint32_t> part_of(boxes.size(), 0), number_of(boxes.size(), 0);
    for (std::uint32_t part = 0; part < parts.size(); ++part) {
        for (std::uint32_t i = 0; i < parts[part].size(); ++i) {
            part_of[parts[part][i]] = part;
            number_of[parts[part][i]] = i;
        }
    }
    std::vector<std::vector<std::uint32_t>> arrows_of(parts.size());
    for (std::uint32_t arrow = 0; arrow < arrows.size(); ++arrow)
        arrows_of[part_of[arrows[arrow].from]].push_back(arrow);
    Packing packing(row_width);
    for (std::size_t part = 0; part < parts.size(); ++part) {
        std::vector<Size> own_boxes;
        for (const std::uint32_t box : parts[part])
            own_boxes.push_back(boxes[box]);
        std::vector<Arrow> own_arrows;
        for (const std::uint32_t arrow : arrows_of[part])
            own_arrows.push_back({number_of[arrows[arrow].from], number_of[arrows[arrow].to]});
        Layout layout = Drawing(own_boxes, own_arrows, row_width).run();
        const Point at = packing.place(layout.size);
        const auto moved = [&](Point it) { return Point{it.x + at.x, it.y + at.y}; };
        for (std::size_t i = 0; i < parts[part].size(); ++i)
            all.places[parts[part][i]] = moved(layout.places[i]);
        for (std::size_t i = 0; i < own_arrows.size(); ++i) {
            std::ranges::transform(layout.ways[i], layout.ways[i].begin(), moved);
            all.ways[arrows_of[part][i]] = std::move(layout.ways[i]);
        }
        all.size.width = std::max(all.size.width, at.x + layout.size.width);
        all.size.height = std::max(all.size.height, at.y + layout.size.height);
        all.crossings += layout.crossings;
        all.direct = all.direct || layout.direct;
    }
    return all;
}

}  // namespace tilemeter::drawing
