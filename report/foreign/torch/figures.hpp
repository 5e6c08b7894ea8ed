// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The peak of a snapshot's memory, counted from its end backwards: what is older than the recording is what is active at the
// end less what the trace did. So it is absolute however late recording began.
//
// Thread safety: values are values; calls are free.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "report/foreign/torch/snapshot.hpp"

namespace tilemeter::foreign::torch {

/// Memory that was there before the trace's first entry.
struct Older {
    static constexpr std::uint64_t kNever = ~std::uint64_t{0};
    std::uint64_t address = 0, size = 0, stack = 0;
    std::uint64_t freed_by = kNever;  ///< the trace's entry
};

/// Sizes in bytes, as the program requested them; a memory is active from kAlloc to kFreeCompleted.
struct Figures {
    bool has_trace = false;  ///< false: only what is active at the end is known, no peak
    std::uint64_t peak_bytes = 0;
    std::optional<std::uint64_t> peak_entry;  ///< none: nothing in the trace was above its begin
    std::vector<std::uint64_t> at_peak;       ///< the sizes of what was active then, the largest first
    std::uint64_t awaiting_free_bytes = 0;    ///< of it, what only other streams may still have used
    std::uint64_t older_bytes = 0, older_freed_bytes = 0;
    std::uint64_t end_bytes = 0, live_at_end = 0;
    std::uint64_t reserved_peak_bytes = 0, reserved_end_bytes = 0;
    std::uint64_t out_of_memory = 0;
    std::vector<Older> older;
    /// Oddities, counted; the figures are those of what is there.
    std::uint64_t allocated_twice = 0;  ///< an address that was active already
    std::uint64_t never_seen = 0;  ///< allocated, never freed, and not active at the end: entries are lost
    std::uint64_t unexplained_bytes =
        0;  ///< older than the trace by the sums, of no allocation that is known
    std::uint64_t times_back = 0;
};

Figures figures_of(const Memory& memory);

}  // namespace tilemeter::foreign::torch
