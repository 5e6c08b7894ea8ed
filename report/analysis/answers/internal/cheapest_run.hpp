// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace tilemeter::analysis::internal {

/// A stretch of addresses.
struct Stretch {
    std::uint64_t begin = 0, end = 0;
    std::uint64_t bytes() const { return end - begin; }
};

/// The neighbours among blocks by address that are cheapest to clear so that one hole of `wanted` bytes arises in
/// `free_region`, from the first to behind the last; none where no such hole can arise. Holes beside them count where
/// they are known to be free.
inline std::pair<std::size_t, std::size_t> cheapest_run(const std::vector<Stretch>& blocks,
                                                        std::uint64_t wanted, Stretch free_region,
                                                        bool holes_are_free) {
    const auto lower = [&](std::size_t at) {
        if (!holes_are_free) return blocks[at].begin;
        return at == 0 ? free_region.begin : blocks[at - 1].end;
    };
    const auto upper = [&](std::size_t at) {
        if (!holes_are_free) return blocks[at].end;
        return at + 1 < blocks.size() ? blocks[at + 1].begin : free_region.end;
    };
    std::uint64_t best = std::numeric_limits<std::uint64_t>::max();
    std::pair<std::size_t, std::size_t> best_run{0, 0};
    std::size_t first = 0;
    std::uint64_t bytes = 0;
    for (std::size_t last = 0; last < blocks.size(); ++last) {
        if (!holes_are_free && last > first && blocks[last].begin > blocks[last - 1].end) {
            first = last;
            bytes = 0;
        }
        bytes += blocks[last].bytes();
        // As few as still make room.
        while (first < last && upper(last) >= lower(first + 1) + wanted)
            bytes -= blocks[first++].bytes();
        if (upper(last) < lower(first) + wanted || bytes >= best) continue;
        best = bytes;
        best_run = {first, last + 1};
    }
    return best_run;
}

}  // namespace tilemeter::analysis::internal
