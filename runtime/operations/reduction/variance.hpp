// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Variances and standard deviations, with TT-NN's names, arguments and defaults.
//
// Input: any shape of at least one dimension, TILE, interleaved; BFLOAT16, FLOAT32, BFLOAT8_B. dim: one
// dimension or several, negative ones count from the end; none given: all. keepdim: reduced dimensions stay
// as 1. scalar: factor of the input. correction: divided by one less than the number of elements (Bessel),
// else by their number. memory_config of the result: that of the input unless given; its dtype is the
// input's.
//
// One program does it (Welford's method). A dimension outside the tiles changes its place with the rows
// first; several that are not the last two are moved behind the others.
//
// Throws RuntimeError (dimensions out of range or named twice, layout), OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/operations/reduction/reduction.hpp"

namespace tilemeter {

Tensor var(const Tensor& input_tensor, const ReduceDims& dim = std::nullopt, bool keepdim = false,
           const OptionalMemoryConfig& memory_config = std::nullopt, float scalar = 1.0F,
           bool correction = true);
Tensor std(const Tensor& input_tensor, const ReduceDims& dim = std::nullopt, bool keepdim = false,
           const OptionalMemoryConfig& memory_config = std::nullopt, float scalar = 1.0F,
           bool correction = true);

}  // namespace tilemeter
