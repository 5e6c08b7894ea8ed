// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// When what happened, as far as a list says it: lists have durations of functions and no times.
//
//   recorded   outer 100 ns, in it inner 30 ns
//   drawn      ├─ inner ─┤····················┤     inner begins with outer; what is outer's own time comes
//              0        30                   100    after the functions in it, and memory stays as it is then
//
// - A function begins where what was before it ended; time between outermost functions is not known and is
//   left out.
// - What has no time still is to be seen: functions and states of memory last 1 ns at least. A function may
//   so be drawn a few ns longer than it was recorded.
// - Where no function has a duration (or all have 0), each node takes 1 us.
//
// Thread safety: pure functions.

#pragma once

#include <cstdint>
#include <vector>

#include "report/analysis/memory/memory_lifetimes.hpp"

namespace tilemeter::analysis {

struct TraceSpan {
    std::uint64_t begin_ns = 0;
    std::uint64_t end_ns = 0;  ///< > begin_ns
};

/// The memory of a device from `at_ns` to its next sample.
struct MemorySample {
    std::uint64_t at_ns = 0;
    std::uint16_t device = 0;                     ///< slot in MemoryLifetimes::devices
    std::uint64_t l1_tensor_bytes = 0;            ///< per core
    std::uint64_t l1_program_bytes = 0;           ///< on the fullest core
    std::uint64_t dram_bytes = 0;                 ///< per bank
    bool l1_changed = true, dram_changed = true;  ///< against the device's sample before
};

struct FailureTime {
    std::uint32_t node;  ///< an error node
    std::uint64_t at_ns;
};

struct TraceTimes {
    std::vector<TraceSpan> spans;       ///< by scope; nested, and in the order of their starts
    std::vector<MemorySample> samples;  ///< by time; each device's first at 0 and its last at end_ns
    std::vector<FailureTime> failures;
    std::uint64_t end_ns = 0;
};

/// The highest sample that lasts is the peak (find_peak) of each device and memory.
TraceTimes trace_times(const NodeList& list, const MemoryLifetimes& lifetimes);

}  // namespace tilemeter::analysis
