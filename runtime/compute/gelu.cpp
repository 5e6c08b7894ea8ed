// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/gelu.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numbers>

#include "runtime/types/vectorized.hpp"

namespace tilemeter::compute {

namespace {

// erfc(z) = t exp(p(2t - 1) - z^2) with t = 2 / (2 + z), for z >= 0. p in Chebyshev polynomials, computed with 60 digits
// as the interpolation of ln(erfc(z) / t) + z^2 at 200 nodes; what is left out is below 5e-10.
constexpr double kChebyshev[] = {
    -0.6513268598908547171,     0.6419697923564902603,       0.019476473204185836312,
    -0.0095615147868086316419,  -0.0009465953444820368663,   0.00036683949785276145187,
    0.000042523324806907771645, -0.000020278578112534243154, -1.6242900046470255135e-6,
    1.3036558355805232018e-6,   1.5626441722066143178e-8,    -8.5238095914926542525e-8,
    6.5290544390988514964e-9,   5.0593434955514689418e-9,    -9.9136415649303308674e-10,
    -2.2736512229318358557e-10};

// By 2^n exp(r), |r| <= ln(2) / 2, exp(r) as its Taylor polynomial. REQUIRES: not above 700
[[gnu::always_inline]] inline double exp_of(double x) {
    constexpr double kLeast = -700.0;    // below that a float is 0
    constexpr double kRound = 0x1.8p52;  // added, leaves the nearest integer in the lowest bits
    constexpr double kLn2High = 0x1.62e42fee00000p-1;
    constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
    const double y = x < kLeast ? kLeast : x;
    const double shifted = y * std::numbers::log2e + kRound;
    const double n = shifted - kRound;
    const double r = (y - n * kLn2High) - n * kLn2Low;
    double sum = 1.0 / 3628800.0;
    sum = sum * r + 1.0 / 362880.0;
    sum = sum * r + 1.0 / 40320.0;
    sum = sum * r + 1.0 / 5040.0;
    sum = sum * r + 1.0 / 720.0;
    sum = sum * r + 1.0 / 120.0;
    sum = sum * r + 1.0 / 24.0;
    sum = sum * r + 1.0 / 6.0;
    sum = sum * r + 0.5;
    sum = sum * r + 1.0;
    sum = sum * r + 1.0;
    constexpr std::uint64_t kExponentBias = 1023;
    constexpr int kExponentAt = 52;
    const std::uint64_t power = (std::bit_cast<std::uint64_t>(shifted) + kExponentBias) << kExponentAt;
    return sum * std::bit_cast<double>(power);
}

}  // namespace

TILEMETER_VECTORIZED void gelu_in_place(std::span<float> values) {
    float* const each = values.data();
    const std::size_t count = values.size();
    for (std::size_t i = 0; i < count; ++i) {
        const auto x = static_cast<double>(each[i]);
        const double z = std::fabs(x) * (1.0 / std::numbers::sqrt2);
        const double t = 2.0 / (2.0 + z);
        const double twice_u = 4.0 * t - 2.0;
        double before = 0.0;
        double sum = 0.0;
#pragma GCC unroll 16
        for (std::size_t k = std::size(kChebyshev) - 1; k > 0; --k) {  // Clenshaw's recurrence
            const double next = twice_u * sum - before + kChebyshev[k];
            before = sum;
            sum = next;
        }
        const double p = 0.5 * twice_u * sum - before + kChebyshev[0];
        const double upper = t * exp_of(p - z * z);
        const double twice_share = x < 0.0 ? upper : 2.0 - upper;
        each[i] = static_cast<float>(0.5 * x * twice_share);
    }
}

}  // namespace tilemeter::compute
