// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/gate/internal/match_names.hpp"

#include <algorithm>

namespace tilemeter::analysis::internal {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
using Names = std::span<const TextRef>;

constexpr std::int64_t kMostDifferences =
    3000;  // the steps back to where they began take 4 bytes each, squared

/// After d differences the furthest point on diagonal k (i - j) lies at i = furthest[k].
class Myers {
public:
    Myers(Names a, Names b) : a_(a), b_(b) {}

    /// False: too many differences.
    bool run(Pairs& pairs) {
        const auto rows = static_cast<std::int64_t>(a_.size());
        const auto cols = static_cast<std::int64_t>(b_.size());
        const std::int64_t most = std::min(rows + cols, kMostDifferences);
        for (std::int64_t d = 0; d <= most; ++d) {
            std::vector<std::int32_t>& now = steps_.emplace_back(static_cast<std::size_t>(d) + 1);
            for (std::int64_t k = -d; k <= d; k += 2) {
                std::int64_t i = start(d, k);
                std::int64_t j = i - k;
                while (i < rows && j < cols && i >= 0 && j >= 0 && equal(i, j)) {
                    ++i;
                    ++j;
                }
                now[slot(d, k)] = static_cast<std::int32_t>(i);
                if (i >= rows && j >= cols) {
                    walk_back(d, k, pairs);
                    return true;
                }
            }
        }
        return false;
    }

private:
    static std::size_t slot(std::int64_t d, std::int64_t k) { return static_cast<std::size_t>((k + d) / 2); }
    bool equal(std::int64_t i, std::int64_t j) const {
        return a_[static_cast<std::size_t>(i)] == b_[static_cast<std::size_t>(j)];
    }
    std::int64_t furthest(std::int64_t d, std::int64_t k) const {
        return steps_[static_cast<std::size_t>(d)][slot(d, k)];
    }
    /// One comes to diagonal k by leaving out one of b (from k + 1) or one of a (from k - 1).
    bool from_above(std::int64_t d, std::int64_t k) const {
        return k == -d || (k != d && furthest(d - 1, k - 1) < furthest(d - 1, k + 1));
    }
    std::int64_t start(std::int64_t d, std::int64_t k) const {
        if (d == 0) return 0;
        return from_above(d, k) ? furthest(d - 1, k + 1) : furthest(d - 1, k - 1) + 1;
    }
    void walk_back(std::int64_t d, std::int64_t k, Pairs& pairs) const {
        const std::size_t first = pairs.size();
        for (; d >= 0; --d) {
            const std::int64_t begin = start(d, k);
            for (std::int64_t i = furthest(d, k); i-- > begin;)
                pairs.emplace_back(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i - k));
            if (d > 0) k += from_above(d, k) ? 1 : -1;
        }
        std::reverse(pairs.begin() + static_cast<std::ptrdiff_t>(first), pairs.end());
    }

    const Names a_, b_;
    std::vector<std::vector<std::int32_t>> steps_;
};

/// Each name with the next equal one, if it is not far.
void match_close_by(Names a, Names b, Pairs& pairs) {
    constexpr std::size_t kFar = 1000;
    std::size_t j = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t found = j;
        const std::size_t end = std::min(b.size(), j + kFar);
        while (found < end && a[i] != b[found])
            ++found;
        if (found >= end) continue;
        pairs.emplace_back(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(found));
        j = found + 1;
    }
}

}  // namespace

std::vector<std::pair<std::uint32_t, std::uint32_t>> match_names(Names a, Names b) {
    Pairs pairs;
    if (!Myers(a, b).run(pairs)) {
        pairs.clear();
        match_close_by(a, b, pairs);
    }
    return pairs;
}

}  // namespace tilemeter::analysis::internal
