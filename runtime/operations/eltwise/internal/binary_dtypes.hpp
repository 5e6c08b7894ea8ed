// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The element types that a binary operation takes, and that of its result (TT-NN 0.81.1, recorded from it).

#pragma once

#include <optional>

#include "runtime/compute/elementwise.hpp"
#include "runtime/operations/core/scalar.hpp"
#include "runtime/types/dtype.hpp"

namespace tilemeter {

/// Throws RuntimeError, in TT-NN's words, unless the kind takes these. `right`: none for a number. Floating
/// point types may differ from each other for some kinds, other types never.
void require_dtypes(compute::BinaryKind kind, DataType left, std::optional<DataType> right);

/// Throws RuntimeError where an integer tensor meets a number that no integer can say.
void require_representable(compute::BinaryKind kind, DataType left, const Scalar& number);

/// That of the left operand; FLOAT32 for quotients of integers.
DataType result_dtype(compute::BinaryKind kind, DataType left);

/// The types that operands are typecast to before the operation: nothing where they stay as they are.
///
///     products and quotients    an integer tensor (INT32, UINT32) beside a floating point operand becomes
///                               floating point: FLOAT32 beside a number that was given as a real number,
///                               the other tensor's dtype beside a tensor (BFLOAT16 for block formats)
///     comparisons               of UINT8: UINT16
struct OperandCasts {
    std::optional<DataType> left;
    std::optional<DataType> right;
};
OperandCasts operand_casts(compute::BinaryKind kind, DataType left, DataType right);
OperandCasts operand_casts(compute::BinaryKind kind, DataType left, const Scalar& number);

}  // namespace tilemeter
