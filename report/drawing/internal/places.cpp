// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>

#include "report/drawing/internal/rows.hpp"

namespace tilemeter::drawing::internal {
namespace {

constexpr std::size_t kRounds = 12;
constexpr std::int64_t kBetweenBoxes = 26;
constexpr std::int64_t kBesideBend = 16;
constexpr std::int64_t kBetweenBends = 8;
// Long arrows are to be straight rather than short.
constexpr double kFromBoxToBox = 1, kFromBoxToBend = 2, kFromBendToBend = 8;
constexpr double kFromEnd = 0.05;  // what has one line alone comes to its other end, not the other end to it
constexpr double kStay = 0.01;     // the pull of the place where a point without neighbours is

class Placer {
public:
    explicit Placer(const Rows& rows) : rows_(rows), middles_(rows.widths.size(), 0) {}

    std::vector<std::int64_t> run() {
        for (const auto& row : rows_.rows) {
            double at = 0;
            for (std::size_t i = 0; i < row.size(); ++i) {
                if (i > 0) at += distance(row[i - 1], row[i]);
                middles_[row[i]] = at;
            }
        }
        for (std::size_t round = 0; round < kRounds; ++round) {
            for (std::size_t row = 1; row < rows_.rows.size(); ++row)
                place_row(row, true, false);
            for (std::size_t row = rows_.rows.size(); row-- > 1;)
                place_row(row - 1, false, true);
        }
        for (std::size_t round = 0; round < kRounds; ++round)
            for (std::size_t row = 0; row < rows_.rows.size(); ++row)
                place_row(row, true, true);
        return rounded();
    }

private:
    [[nodiscard]] double distance(std::uint32_t left, std::uint32_t right) const {
        const bool bends = rows_.is_bend(left) && rows_.is_bend(right);
        const bool boxes = !rows_.is_bend(left) && !rows_.is_bend(right);
        const std::int64_t between = bends ? kBetweenBends : boxes ? kBetweenBoxes : kBesideBend;
        return static_cast<double>(rows_.widths[left] + rows_.widths[right]) / 2 +
               static_cast<double>(between);
    }

    [[nodiscard]] double weight(std::uint32_t a, std::uint32_t b) const {
        if (is_end(a) || is_end(b)) return kFromEnd;
        if (rows_.is_bend(a) && rows_.is_bend(b)) return kFromBendToBend;
        return rows_.is_bend(a) || rows_.is_bend(b) ? kFromBoxToBend : kFromBoxToBox;
    }

    [[nodiscard]] bool is_end(std::uint32_t point) const {
        return rows_.above[point].size() + rows_.below[point].size() == 1;
    }

    /// Points that were pushed together: one place for the first, the others at their distances from it.
    struct Block {
        std::size_t first;
        double weight, weighted_sum;
        [[nodiscard]] double place() const { return weighted_sum / weight; }
    };

    /// The places with the least sum of squared distances from the neighbours' means, in this order and without
    /// overlap: blocks that would run into each other become one, at the mean of what its points want.
    void place_row(std::size_t row, bool by_above, bool by_below) {
        const std::vector<std::uint32_t>& points = rows_.rows[row];
        std::vector<double> offsets(points.size(), 0);
        std::vector<Block> blocks;
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (i > 0) offsets[i] = offsets[i - 1] + distance(points[i - 1], points[i]);
            double sum = 0, weights = 0;
            const auto pull = [&](const std::vector<std::uint32_t>& neighbours) {
                for (const std::uint32_t other : neighbours) {
                    sum += weight(points[i], other) * middles_[other];
                    weights += weight(points[i], other);
                }
            };
            if (by_above) pull(rows_.above[points[i]]);
            if (by_below) pull(rows_.below[points[i]]);
            sum += kStay * middles_[points[i]];
            weights += kStay;
            blocks.push_back({i, weights, sum - weights * offsets[i]});
            while (blocks.size() > 1 && blocks[blocks.size() - 2].place() >= blocks.back().place()) {
                blocks[blocks.size() - 2].weight += blocks.back().weight;
                blocks[blocks.size() - 2].weighted_sum += blocks.back().weighted_sum;
                blocks.pop_back();
            }
        }
        for (std::size_t block = 0; block < blocks.size(); ++block) {
            const std::size_t end = block + 1 < blocks.size() ? blocks[block + 1].first : points.size();
            for (std::size_t i = blocks[block].first; i < end; ++i)
                middles_[points[i]] = blocks[block].place() + offsets[i];
        }
    }

    [[nodiscard]] std::vector<std::int64_t> rounded() const {
        std::vector<std::int64_t> middles(middles_.size(), 0);
        for (const auto& row : rows_.rows) {
            for (std::size_t i = 0; i < row.size(); ++i) {
                middles[row[i]] = std::llround(middles_[row[i]]);
                if (i == 0) continue;
                const auto least = static_cast<std::int64_t>(std::floor(distance(row[i - 1], row[i])));
                middles[row[i]] = std::max(middles[row[i]], middles[row[i - 1]] + least);
            }
        }
        return middles;
    }

    const Rows& rows_;
    std::vector<double> middles_;
};

}  // namespace

std::vector<std::int64_t> find_places(const Rows& rows) {
    return Placer(rows).run();
}

}  // namespace tilemeter::drawing::internal
