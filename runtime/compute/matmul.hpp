// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Products of matrices on the host, in float32; batches broadcast.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/types/host_array.hpp"
#include "runtime/types/reused_memory.hpp"
#include "runtime/types/shape.hpp"

namespace tilemeter::compute {

struct MatrixOperand {
    std::span<const float> values;
    Shape shape;             ///< as stored; one dimension: a row on the left, a column on the right
    bool transpose = false;  ///< swap the last two dimensions
    std::span<const std::uint16_t> bfloat16{};  ///< in place of `values`
};

/// An array's values where they are, those of integers converted into `room`. The array outlives it.
MatrixOperand matrix_operand(const HostArray& array, bool transpose, FloatBuffer& room);

/// Its values as floats: where they are, those of bfloat16 converted into `room`.
std::span<const float> floats_of(const MatrixOperand& operand, FloatBuffer& room);

/// Shape of the product.
Shape matmul_shape(const MatrixOperand& a, const MatrixOperand& b);

/// Products of bfloat16 are summed in float32. `to`: as many elements as the product's shape has.
void matmul(const MatrixOperand& a, const MatrixOperand& b, std::span<float> to);
std::vector<float> matmul(const MatrixOperand& a, const MatrixOperand& b);

/// The same with a row added to each row of the product, `bias`, or nothing; each element rounded once, to nearest even.
/// False, and nothing written, where an operand is not in bfloat16, or this processor has no products of it.
bool matmul_to_bfloat16(const MatrixOperand& a, const MatrixOperand& b, std::span<const float> bias,
                        std::span<std::uint16_t> to);

/// The same in the calling thread alone, for who computes many of them in parallel.
void matmul_in_thread(const MatrixOperand& a, const MatrixOperand& b, std::span<float> to);

}  // namespace tilemeter::compute
