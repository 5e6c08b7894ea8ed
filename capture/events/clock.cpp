// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/events/clock.hpp"

#include <ctime>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace tilemeter::record {

namespace {

bool has_constant_rate_counter() {
#if defined(__x86_64__)
    // Advanced power management, function 0x80000007, register D, bit 8: the counter's rate never changes.
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1U << 8)) != 0;
#else
    return false;
#endif
}

}  // namespace

namespace internal {
const bool kConstantRateCounter = has_constant_rate_counter();
}

namespace {
// Below kConstantRateCounter, on which it depends.
const ClockReading kProcessStart = read_clocks();
}  // namespace

std::uint64_t monotonic_ns() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

ClockReading read_clocks() {
    const std::uint64_t before = now_ticks();
    const std::uint64_t ns = monotonic_ns();
    const std::uint64_t after = now_ticks();
    return {before + (after - before) / 2, ns};
}

TickConversion::TickConversion(ClockReading earlier, ClockReading later) : origin_(earlier) {
    if (later.ticks > earlier.ticks && later.ns > earlier.ns) {
        ns_per_tick_ =
            static_cast<double>(later.ns - earlier.ns) / static_cast<double>(later.ticks - earlier.ticks);
    }
}

ClockReading process_start_reading() {
    return kProcessStart;
}

}  // namespace tilemeter::record
