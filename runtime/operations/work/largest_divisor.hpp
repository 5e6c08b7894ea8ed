// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Largest divisors: block sizes and core counts that divide the work without a remainder.

#pragma once

#include <algorithm>
#include <cstdint>

namespace tilemeter {

/// The largest divisor of `number` that is at most `most`; 1 where either is 0.
constexpr std::uint64_t largest_divisor(std::uint64_t number, std::uint64_t most) {
    std::uint64_t divisor = std::max<std::uint64_t>(std::min(number, most), 1);
    while (number % divisor != 0)
        --divisor;
    return divisor;
}

}  // namespace tilemeter
