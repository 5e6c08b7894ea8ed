// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <limits>
#include <random>
#include <utility>

#include "report/drawing/internal/rows.hpp"

namespace tilemeter::drawing::internal {
namespace {

constexpr std::size_t kSweeps = 24;
constexpr std::size_t kSweepsWithoutGain = 6;
constexpr std::size_t kExchanges = 12;
constexpr std::size_t kManyPoints = 20'000;  // of which fewer sweeps are affordable
constexpr std::size_t kFewPoints = 1'000;    // of which many starts are
constexpr std::size_t kShuffles = 30;

using Order = std::vector<std::vector<std::uint32_t>>;

std::vector<std::uint32_t> positions_of(const Order& order, std::size_t points) {
    std::vector<std::uint32_t> positions(points, 0);
    for (const auto& row : order)
        for (std::uint32_t at = 0; at < row.size(); ++at)
            positions[row[at]] = at;
    return positions;
}

/// Inversions among the ends of lines that are sorted by their begin.
class Inversions {
public:
    explicit Inversions(std::size_t places) : counts_(places + 1, 0) {}
    /// Of those seen so far, the ones that end right of `end`.
    std::size_t add(std::uint32_t end) {
        std::size_t not_right = 0;
        for (std::size_t at = end + 1; at > 0; at -= at & (~at + 1))
            not_right += counts_[at];
        for (std::size_t at = end + 1; at < counts_.size(); at += at & (~at + 1))
            ++counts_[at];
        return seen_++ - not_right;
    }

private:
    std::vector<std::size_t> counts_;
    std::size_t seen_ = 0;
};

std::size_t crossings_of(const Rows& rows, const Order& order, const std::vector<std::uint32_t>& positions) {
    std::size_t crossings = 0;
    std::vector<std::uint32_t> ends;
    for (std::size_t row = 0; row + 1 < order.size(); ++row) {
        Inversions inversions(order[row + 1].size());
        for (const std::uint32_t point : order[row]) {
            ends.clear();
            for (const std::uint32_t other : rows.below[point])
                ends.push_back(positions[other]);
            std::sort(ends.begin(), ends.end());
            for (const std::uint32_t end : ends)
                crossings += inversions.add(end);
        }
    }
    return crossings;
}

class Sorter {
public:
    Sorter(const Rows& rows, Order start)
        : rows_(rows),
          order_(std::move(start)),
          positions_(positions_of(order_, rows.widths.size())),
          best_(order_),
          fewest_(crossings_of(rows, order_, positions_)) {}

    void run(std::size_t sweeps) {
        std::size_t without_gain = 0;
        for (std::size_t sweep = 0; sweep < sweeps && fewest_ > 0 && without_gain < kSweepsWithoutGain;
             ++sweep) {
            const bool down = sweep % 2 == 0;
            for (std::size_t i = 1; i < order_.size(); ++i)
                sort_row(down ? i : order_.size() - 1 - i, down ? rows_.above : rows_.below);
            if (rows_.widths.size() <= kManyPoints) exchange(sweep % 4 > 1);
            const std::size_t crossings = crossings_of(rows_, order_, positions_);
            ++without_gain;
            if (crossings >= fewest_) continue;
            fewest_ = crossings;
            best_ = order_;
            without_gain = 0;
        }
    }
    [[nodiscard]] std::size_t fewest() const { return fewest_; }
    Order take() { return std::move(best_); }

private:
    /// By the mean of the neighbours' positions; those without neighbours stay where they are.
    void sort_row(std::size_t row, const std::vector<std::vector<std::uint32_t>>& neighbours) {
        std::vector<std::pair<double, std::uint32_t>> sorted;
        for (const std::uint32_t point : order_[row]) {
            double sum = 0;
            for (const std::uint32_t other : neighbours[point])
                sum += positions_[other];
            const auto count = static_cast<double>(neighbours[point].size());
            sorted.emplace_back(count > 0 ? sum / count : static_cast<double>(positions_[point]), point);
        }
        std::stable_sort(sorted.begin(), sorted.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        for (std::uint32_t at = 0; at < sorted.size(); ++at)
            place(row, at, sorted[at].second);
    }

    void place(std::size_t row, std::uint32_t at, std::uint32_t point) {
        order_[row][at] = point;
        positions_[point] = at;
    }

    /// Neighbours in a row change places as long as that saves crossings; `shakes`: at first also where it costs none.
    void exchange(bool shakes) {
        for (std::size_t round = 0; round < kExchanges; ++round) {
            bool changed = shakes && round == 0;
            for (std::size_t row = 0; row < order_.size(); ++row) {
                for (std::uint32_t at = 0; at + 1 < order_[row].size(); ++at) {
                    const std::uint32_t left = order_[row][at], right = order_[row][at + 1];
                    const std::size_t now = crossings_between(left, right),
                                      then = crossings_between(right, left);
                    if (now < then || (now == then && !(shakes && round == 0))) continue;
                    place(row, at, right);
                    place(row, at + 1, left);
                    changed = true;
                }
            }
            if (!changed) return;
        }
    }

    /// Of the lines of two points in one row, the first left of the second.
    [[nodiscard]] std::size_t crossings_between(std::uint32_t left, std::uint32_t right) const {
        std::size_t crossings = 0;
        for (const auto* neighbours : {&rows_.above, &rows_.below})
            for (const std::uint32_t a : (*neighbours)[left])
                for (const std::uint32_t b : (*neighbours)[right])
                    crossings += positions_[a] > positions_[b] ? 1U : 0U;
        return crossings;
    }

    const Rows& rows_;
    Order order_;
    std::vector<std::uint32_t> positions_;
    Order best_;
    std::size_t fewest_;
};

/// Each row in the order in which a walk along the lines meets its points, so that what hangs together stands together.
Order walked(const Rows& rows) {
    std::vector<std::uint32_t> row_of(rows.widths.size(), 0);
    for (std::uint32_t row = 0; row < rows.rows.size(); ++row)
        for (const std::uint32_t point : rows.rows[row])
            row_of[point] = row;
    Order order(rows.rows.size());
    std::vector<char> seen(rows.widths.size(), 0);
    std::vector<std::uint32_t> open;
    for (const auto& row : rows.rows) {
        for (const std::uint32_t start : row) {
            open.push_back(start);
            while (!open.empty()) {
                const std::uint32_t point = open.back();
                open.pop_back();
                if (seen[point] != 0) continue;
                seen[point] = 1;
                order[row_of[point]].push_back(point);
                for (const auto* neighbours : {&rows.above[point], &rows.below[point]})
                    open.insert(open.end(), neighbours->rbegin(), neighbours->rend());
            }
        }
    }
    return order;
}

Order shuffled(Order order, std::mt19937& random) {
    for (auto& row : order)
        for (std::size_t left = row.size(); left > 1; --left)
            std::swap(row[left - 1], row[random() % left]);
    return order;
}

}  // namespace

std::size_t count_crossings(const Rows& rows) {
    return crossings_of(rows, rows.rows, positions_of(rows.rows, rows.widths.size()));
}

std::size_t reduce_crossings(Rows& rows) {
    const std::size_t points = rows.widths.size();
    const std::size_t sweeps = points > kManyPoints ? 4 : kSweeps;
    const std::size_t shuffles = points <= kFewPoints ? kShuffles : 0;
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    Order best;
    const auto try_from = [&](Order start) {
        Sorter sorter(rows, std::move(start));
        sorter.run(sweeps);
        if (sorter.fewest() >= fewest) return;
        fewest = sorter.fewest();
        best = sorter.take();
    };
    try_from(rows.rows);
    if (fewest > 0) try_from(walked(rows));
    std::mt19937 random;  // the same numbers each time, on every machine
    for (std::size_t i = 0; i < shuffles && fewest > 0; ++i)
        try_from(shuffled(rows.rows, random));
    rows.rows = std::move(best);
    return fewest;
}

}  // namespace tilemeter::drawing::internal
