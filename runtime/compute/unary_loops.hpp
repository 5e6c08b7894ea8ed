// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The functions of one element that models call most, as loops over floats that become loops of vectors, in the
// calling thread: to[i] becomes the function of x[i]. `x` may be `to.data()`, and shares nothing with `to` else.
//
// Errors are of the result before it is rounded to a narrower dtype, in units in the last place of a float; results below
// the least normal float may be 0. NaN stays NaN but in relu, where it is 0.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <span>

namespace tilemeter::compute {

// Exact, or rounded once.
void abs_each(const float* x, std::span<float> to);
void negative_each(const float* x, std::span<float> to);
void reciprocal_each(const float* x, std::span<float> to);
void relu_each(const float* x, std::span<float> to);
void square_each(const float* x, std::span<float> to);
void sqrt_each(const float* x, std::span<float> to);

// Within 4 units.
void rsqrt_each(const float* x, std::span<float> to);  ///< 1 / sqrt(x)
void exp_each(const float* x, std::span<float> to);
void sigmoid_each(const float* x, std::span<float> to);
void silu_each(const float* x, std::span<float> to);  ///< x / (1 + e^-x)
void tanh_each(const float* x, std::span<float> to);

/// x (1 + erf(x / sqrt(2))) / 2, within 4 units.
void gelu_each(const float* x, std::span<float> to);
/// x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2. Within 4 units for x >= -2; further down the error of the argument
/// of e^ shows: 2^-17 of the result at -8.
void gelu_tanh_each(const float* x, std::span<float> to);

}  // namespace tilemeter::compute
