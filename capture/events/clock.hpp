// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The recorder's clock: the processor's time stamp counter where it runs at a constant rate, else the
// monotonic clock. Events carry raw ticks; a recording carries two readings of both clocks, and whoever reads
// it converts. Reading the counter costs about a third of clock_gettime, which is most of what recording an
// event costs.

#pragma once

#include <cstdint>

namespace tilemeter::record {

std::uint64_t monotonic_ns();

namespace internal {
extern const bool kConstantRateCounter;
}

inline std::uint64_t now_ticks() {
#if defined(__x86_64__)
    if (internal::kConstantRateCounter) [[likely]]
        return __builtin_ia32_rdtsc();  // no header: <x86intrin.h> has 40,000 lines
#endif
    return monotonic_ns();
}

/// Both clocks read together.
struct ClockReading {
    std::uint64_t ticks;
    std::uint64_t ns;
};
ClockReading read_clocks();

/// Converts ticks to nanoseconds of the monotonic clock.
class TickConversion {
public:
    TickConversion() = default;
    /// REQUIRES: `later` was taken after `earlier`. The longer apart, the better: an error of the readings of
    /// 50 ns over 100 us is 0.05 %.
    TickConversion(ClockReading earlier, ClockReading later);
    std::uint64_t to_ns(std::uint64_t ticks) const {
        const auto since =
            static_cast<double>(static_cast<std::int64_t>(ticks - origin_.ticks)) * ns_per_tick_;
        return origin_.ns + static_cast<std::uint64_t>(static_cast<std::int64_t>(since));
    }

private:
    ClockReading origin_{0, 0};
    double ns_per_tick_ = 1.0;
};

/// The reading taken when the process loaded this library.
ClockReading process_start_reading();

}  // namespace tilemeter::record
