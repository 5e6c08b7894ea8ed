// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The peak of a snapshot's memory, counted from its end backwards: what is older than the recording is what is active at the
// end less what the trace did. So it is absolute however late recording began: a trace whose first entries gave way to newer ones
// is one that began late.
//
// Where entries are missing within the trace, or between it and the snapshot, what is left contradicts itself; then a memory counts
// from where the trace has it to where the trace ends it, or at that one entry alone: no more than there was. Of a gap at which
// nothing contradicts (new memory came, and stayed) a snapshot has no trace.
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
    std::uint64_t address = 0, size = 0;
    std::uint32_t stack = 0;
    std::uint64_t freed_by = kNever;  ///< the trace's entry
};

/// Numbers of entries that belong together.
inline constexpr std::uint32_t kNoEntry = ~std::uint32_t{0};
inline constexpr std::uint32_t kAtEnd = kNoEntry - 1;

/// Sizes in bytes, as the program requested them; a memory is active from kAlloc to kFreeCompleted.
struct Figures {
    std::uint64_t entries = 0;
    bool has_trace = false;  ///< false: only what is active at the end is known, no peak
    /// True: entries are missing. The peak is a lower bound, what is older than the recording is not known.
    bool has_gaps = false;
    std::uint64_t peak_bytes = 0;
    std::optional<std::uint64_t> peak_entry;  ///< none: nothing in the trace was above its begin
    std::vector<std::uint64_t> at_peak;       ///< the sizes of what was active then, the largest first
    std::uint64_t awaiting_free_bytes = 0;    ///< of it, what only other streams may still have used
    std::uint64_t older_bytes = 0, older_freed_bytes = 0;  ///< has_gaps: 0
    std::uint64_t end_bytes = 0, live_at_end = 0;
    std::uint64_t reserved_peak_bytes = 0, reserved_end_bytes = 0;
    std::uint64_t out_of_memory = 0;
    std::vector<Older> older;
    /// Of a kAlloc the entry that frees it, kAtEnd, or kNoEntry: nobody knows when; of a kFreeCompleted the kAlloc, or kNoEntry.
    std::vector<std::uint32_t> partner;
    /// has_gaps: what is active at the end and not in the trace, by its place in Memory::blocks.
    std::vector<std::uint32_t> only_at_end;
    bool is_state_unknown = false;  ///< what was allocated and not freed is taken for active at the end
    /// Oddities, counted.
    std::uint64_t allocated_twice = 0;  ///< an address that was active already
    std::uint64_t never_seen = 0;   ///< allocated, never freed, and not active at the end: entries are lost
    std::uint64_t freed_twice = 0;  ///< an address that was free already
    std::uint64_t came_unseen = 0;  ///< active where the trace says that it can't be
    std::uint64_t changed_unseen = 0;  ///< of another size than it was allocated with
    std::uint64_t unexplained_bytes =
        0;  ///< older than the trace by the sums, of no allocation that is known
    std::uint64_t times_back = 0;

    /// Entries that are missing, at least.
    [[nodiscard]] std::uint64_t missing_entries() const {
        return allocated_twice + never_seen + freed_twice + came_unseen + changed_unseen;
    }
};

Figures figures_of(const Memory& memory);

}  // namespace tilemeter::foreign::torch
