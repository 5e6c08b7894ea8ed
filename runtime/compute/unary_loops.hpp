// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The functions of one element that models call most, as loops over floats that become loops of vectors. Each in place
// and in the calling thread.
//
// Errors are of the result before it is rounded to a narrower dtype, in units in the last place of a float; results below
// the least normal float may be 0. NaN stays NaN but in relu, where it is 0.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <span>

namespace tilemeter::compute {

// Exact, or rounded once.
void abs_in_place(std::span<float> values);
void relu_in_place(std::span<float> values);
void square_in_place(std::span<float> values);
void sqrt_in_place(std::span<float> values);

// Within 4 units.
void exp_in_place(std::span<float> values);
void sigmoid_in_place(std::span<float> values);
void silu_in_place(std::span<float> values);  ///< x / (1 + e^-x)
void tanh_in_place(std::span<float> values);

/// x (1 + erf(x / sqrt(2))) / 2, within 4 units.
void gelu_in_place(std::span<float> values);
/// x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2. Within 4 units for x >= -2; further down the error of the argument
/// of e^ shows: 2^-17 of the result at -8.
void gelu_tanh_in_place(std::span<float> values);

}  // namespace tilemeter::compute
