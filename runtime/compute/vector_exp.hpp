// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// e^x in float32 as a few instructions without branches, so that a loop around it becomes one of vectors. For sources of
// this folder alone.

#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace tilemeter::compute {

/// x as power * ln(2) + rest, |rest| <= ln(2) / 2.
struct PowerAndRest {
    std::int32_t power;
    float rest;
};

/// REQUIRES: |x| <= 200, or NaN; else the power is any number.
[[gnu::always_inline]] inline PowerAndRest power_and_rest(float x) {
    constexpr float kLog2E = 0x1.715476p0F;
    constexpr float kRound = 0x1.8p23F;  // added, leaves the nearest integer in the lowest bits
    // ln(2) in two parts; the first has so few bits that its product with any n is exact.
    constexpr float kLn2High = 0x1.62ep-1F;
    constexpr float kLn2Low = 0x1.0bfbe8p-15F;
    const float shifted = x * kLog2E + kRound;
    const float n = shifted - kRound;
    return {static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(shifted) -
                                      std::bit_cast<std::uint32_t>(kRound)),
            (x - n * kLn2High) - n * kLn2Low};
}

/// e^r - 1 with an absolute error below 2^-25 but for rounding. REQUIRES: |r| <= ln(2) / 2.
[[gnu::always_inline]] inline float exp_of_rest_less_one(float r) {
    // (e^r - 1 - r) / r^2 by interpolation at Chebyshev's nodes.
    float sum = 0.00139336435225F;
    sum = sum * r + 0.00836317556547F;
    sum = sum * r + 0.0416664649761F;
    sum = sum * r + 0.166665770032F;
    sum = sum * r + 0.5F;
    return sum * (r * r) + r;
}

/// value * 2^n, rounded once, for n from -250 to 250.
[[gnu::always_inline]] inline float times_power_of_two(float value, std::int32_t n) {
    constexpr std::int32_t kBias = 127;
    constexpr int kExponentAt = 23;
    const std::int32_t half = n >> 1;
    return value * std::bit_cast<float>((half + kBias) << kExponentAt) *
           std::bit_cast<float>((n - half + kBias) << kExponentAt);
}

/// e^x within 1.5 units in the last place of a float; of any x. 0 where it is below the least normal float.
[[gnu::always_inline]] inline float exp_of(float x) {
    constexpr float kLeast = -0x1.5d589ep6F,
                    kMost = 0x1.62e42ep6F;  // their e^x are normal floats, and the next not
    constexpr int kExponentAt = 23;
    const auto [power, rest] = power_and_rest(x);
    // Results for other x are replaced.
    const float scaled =
        std::bit_cast<float>(std::bit_cast<std::uint32_t>(1.0F + exp_of_rest_less_one(rest)) +
                             (static_cast<std::uint32_t>(power) << kExponentAt));
    const float not_above = x <= kMost ? scaled : x + std::numeric_limits<float>::infinity();
    return x < kLeast ? 0.0F : not_above;
}

}  // namespace tilemeter::compute
