// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/unary_loops.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include "runtime/compute/vector_exp.hpp"
#include "runtime/types/vectorized.hpp"

namespace tilemeter::compute {

namespace {

[[gnu::always_inline]] inline float sigmoid_of(float x) {
    return 1.0F / (1.0F + exp_of(-x));
}

[[gnu::always_inline]] inline float tanh_of(float x) {
    constexpr float kSmall = 0.55F;
    const float size = std::fabs(x);
    // By the series about 0, where 1 - 2 / (e^2x + 1) would lose what it subtracts. Interpolated at Chebyshev's nodes.
    const float s = size * size;
    float sum = 0.00252850305234F;
    sum = sum * s - 0.00852793513347F;
    sum = sum * s + 0.0218188747594F;
    sum = sum * s - 0.0539647466583F;
    sum = sum * s + 0.13333324376F;
    sum = sum * s - 0.333333332961F;
    const float small = size + size * (s * sum);
    const float large = 1.0F - 2.0F / (exp_of(2.0F * size) + 1.0F);
    return std::copysign(size < kSmall ? small : large, x);
}

// erfc(z) = t q(t) exp(-z^2) with t = kAt / (kAt + sqrt(2) z), for z >= 0. q by interpolation at Chebyshev's nodes with
// 60 digits; what is left out is below 1e-8 of it.
[[gnu::always_inline]] inline float gelu_of(float x) {
    constexpr float kAt = 2.828125F;  // few bits; about where the fewest terms are needed
    constexpr float kMost = 16.0F;    // gelu(-16) is 0
    const float distance = std::fabs(x) > kMost ? kMost : std::fabs(x);
    const float t = kAt / (kAt + distance);
    const float s = t - 0.5F;
    float q = -0.0348489651733F;
    q = q * s - 0.00277195571377F;
    q = q * s + 0.0693319054844F;
    q = q * s - 0.0167850838593F;
    q = q * s - 0.0840484829949F;
    q = q * s + 0.0545714652458F;
    q = q * s + 0.098900952742F;
    q = q * s - 0.103637254202F;
    q = q * s - 0.172167140735F;
    q = q * s + 0.145581364816F;
    q = q * s + 0.558838842657F;
    q = q * s + 0.687172653028F;
    q = q * s + 0.510836987385F;
    // The square in two parts, the first exact: its rounding alone would be many units of exp().
    constexpr std::uint32_t kUpperBits = 0xfffff000;
    const float upper = std::bit_cast<float>(std::bit_cast<std::uint32_t>(distance) & kUpperBits);
    const float lower = distance - upper;
    const float half_square = 0.5F * upper * upper;
    const auto [power, rest] = power_and_rest(-half_square);
    const float r = rest - 0.5F * lower * (distance + upper);
    const float share = times_power_of_two(t * q + t * q * exp_of_rest_less_one(r), power);
    return 0.5F * x * (x < 0.0F ? share : 2.0F - share);
}

[[gnu::always_inline]] inline float gelu_tanh_of(float x) {
    // x / (1 + e^-2u)
    constexpr float kTwice = 2.0F * static_cast<float>(std::numbers::sqrt2 * std::numbers::inv_sqrtpi);
    const float u = kTwice * (x + 0.044715F * (x * x * x));
    return x * sigmoid_of(u);
}

}  // namespace

// clang-format off
#define TILEMETER_LOOP(name, expression)                                     \
    TILEMETER_VECTORIZED void name(const float* from, std::span<float> to) { \
        float* const each = to.data();                                       \
        const std::size_t count = to.size();                                 \
        for (std::size_t i = 0; i < count; ++i) {                            \
            const float x = from[i];                                         \
            each[i] = expression;                                            \
        }                                                                    \
    }
TILEMETER_LOOP(abs_each, std::fabs(x))
TILEMETER_LOOP(negative_each, -x)
TILEMETER_LOOP(reciprocal_each, 1.0F / x)
TILEMETER_LOOP(relu_each, x > 0.0F ? x : 0.0F)
TILEMETER_LOOP(square_each, x* x)
TILEMETER_LOOP(sqrt_each, std::sqrt(x))
TILEMETER_LOOP(rsqrt_each, 1.0F / std::sqrt(x))
TILEMETER_LOOP(exp_each, exp_of(x))
TILEMETER_LOOP(sigmoid_each, sigmoid_of(x))
TILEMETER_LOOP(silu_each, x* sigmoid_of(x))
TILEMETER_LOOP(tanh_each, tanh_of(x))
TILEMETER_LOOP(gelu_each, gelu_of(x))
TILEMETER_LOOP(gelu_tanh_each, gelu_tanh_of(x))
#undef TILEMETER_LOOP
// clang-format on

}  // namespace tilemeter::compute
