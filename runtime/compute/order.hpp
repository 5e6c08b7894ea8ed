// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Sorting of rows of values, and the first elements of the sorted rows (sort, topk).
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <vector>

namespace tilemeter::compute {

/// The first elements of each sorted row, and their indices in the row.
struct Ordered {
    std::vector<float> values;
    std::vector<std::int64_t> places;
};

/// The first `count` of each row of `width` elements, smallest first or, `descending`, largest first; of
/// equal ones the one that came first. REQUIRES: count <= width.
Ordered ordered_rows(const std::vector<float>& values, std::uint64_t width, std::uint64_t count,
                     bool descending);

}  // namespace tilemeter::compute
