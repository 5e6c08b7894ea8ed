// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Softmax, with TT-NN's names, arguments and defaults.
//
// Any shape; BFLOAT16, FLOAT32 or BFLOAT8_B; TILE layout. The result has the input's shape and dtype.
// memory_config: that of the input unless given. numeric_stable: subtract the maximum first (values here are
// computed so in any case; the program's memory differs). Throws RuntimeError (dimension out of range, dtype,
// layout), OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/optional_arguments.hpp"

namespace tilemeter {

Tensor softmax(const Tensor& input_tensor, int dim = -1,
               const OptionalMemoryConfig& memory_config = std::nullopt, bool numeric_stable = true);

/// Written over the input, which is returned; four dimensions, along the last.
Tensor softmax_in_place(const Tensor& input_tensor, int dim = -1, bool numeric_stable = true);

}  // namespace tilemeter
