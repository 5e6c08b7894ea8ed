// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The operations that come nearest to what the device has: where the next larger size fails first.
//
// Thread safety: const calls are free.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "report/analysis/memory/memory_lifetimes.hpp"

namespace tilemeter::analysis {

struct TightOperation {
    std::uint32_t scope;       ///< outermost
    std::uint64_t peak_bytes;  ///< highest while it was open: per core of L1, per bank of DRAM
    std::optional<std::int64_t> headroom_bytes;  ///< less than 0: more than there is; none: limit not known
};

/// The outermost operations, the fullest first, equal ones in the order of the list. memory: kL1 or kDram.
/// The smallest limit of several devices counts.
std::vector<TightOperation> tightest_operations(const NodeList& list, const MemoryLifetimes& lifetimes,
                                                MemoryType memory);

}  // namespace tilemeter::analysis
