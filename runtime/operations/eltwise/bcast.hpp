// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The older operation of two tensors, of which the second has one row, one column, or one element.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

enum class BcastOpMath : std::uint8_t { ADD, SUB, MUL };
enum class BcastOpDim : std::uint8_t { H, W, HW };

/// input_b: [..., 1, W] for H, [..., H, 1] for W, [..., 1, 1] for HW; its first two dimensions are those of
/// input_a or both 1. TILE, interleaved, four dimensions. memory_config: that of a unless given. Throws
/// RuntimeError, OutOfMemoryError.
Tensor bcast(const Tensor& input_a, const Tensor& input_b, BcastOpMath math_op, BcastOpDim dim,
             const OptionalMemoryConfig& memory_config = std::nullopt,
             const OptionalTensor& output_tensor = std::nullopt);

namespace unscoped {
Tensor bcast(const Tensor& input_a, const Tensor& input_b, BcastOpMath math_op, BcastOpDim dim,
             const MemoryConfig& memory_config);
}  // namespace unscoped

}  // namespace tilemeter
