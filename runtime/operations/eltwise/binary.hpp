// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Elementwise operations of two tensors, or of a tensor and a number, with TT-NN's names and arguments.
//
// Shapes: equal, or with dimensions of 1 on either side, which are repeated (as in NumPy; the shorter shape
// is filled up with leading ones). dtype of the result: that of `a` unless given; which dtypes each operation
// takes: binary_dtypes.hpp. Layout: where only one is TILE, the other is tilized first.
// memory_config of the result: that of `a` unless given, or that of `b` where only `b` is sharded.
// output_tensor: written to instead of a new tensor, must have the result's shape. Activations: functions of
// each element, of the result (`activations`) or of an operand before they are combined. sub_core_grids: the
// cores that the program runs on, all unless given. All throw
// RuntimeError (shapes that don't broadcast, different devices, dtypes), OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <string>
#include <vector>

#include "runtime/compute/elementwise.hpp"
#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/operations/core/scalar.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

using Activations = std::vector<UnaryWithParam>;

/// The operations: public name, compute::BinaryKind.
#define TILEMETER_BINARY_OPERATIONS(apply)                                                                  \
    apply(add, kAdd) apply(subtract, kSubtract) apply(multiply, kMultiply) apply(divide, kDivide) apply(    \
        eq, kEqual) apply(ne, kNotEqual) apply(gt, kGreater) apply(ge, kGreaterOrEqual) apply(lt, kLess)    \
        apply(le, kLessOrEqual) apply(rsub, kReverseSubtract) apply(squared_difference, kSquaredDifference) \
            apply(logical_and, kLogicalAnd) apply(logical_or, kLogicalOr) apply(logical_xor, kLogicalXor)   \
                apply(logaddexp, kLogAddExp) apply(logaddexp2, kLogAddExp2) apply(ldexp, kLdexp)            \
                    apply(bias_gelu, kBiasGelu) apply(xlogy, kXlogy) apply(remainder, kRemainder)           \
                        apply(fmod, kFmod) apply(maximum, kMaximum) apply(minimum, kMinimum)                \
                            apply(bitwise_and, kBitwiseAnd) apply(bitwise_or, kBitwiseOr)                   \
                                apply(bitwise_xor, kBitwiseXor) apply(bitwise_left_shift, kLeftShift)       \
                                    apply(bitwise_right_shift, kRightShift)                                 \
                                        apply(logical_left_shift, kLeftShift)                               \
                                            apply(logical_right_shift, kLogicalRightShift)

/// Those of two tensors only.
#define TILEMETER_TENSOR_BINARY_OPERATIONS(apply)                                                            \
    apply(atan2, kAtan2) apply(gcd, kGcd) apply(hypot, kHypot) apply(lcm, kLcm) apply(nextafter, kNextAfter) \
        apply(pow, kPower)

/// Those that write over their first operand: public name, kind, without "_".
#define TILEMETER_IN_PLACE_BINARY_OPERATIONS(apply)                                                         \
    apply(add_, kAdd) apply(subtract_, kSubtract) apply(multiply_, kMultiply) apply(divide_, kDivide)       \
        apply(eq_, kEqual) apply(ne_, kNotEqual) apply(gt_, kGreater) apply(ge_, kGreaterOrEqual)           \
            apply(lt_, kLess) apply(le_, kLessOrEqual) apply(rsub_, kReverseSubtract)                       \
                apply(squared_difference_, kSquaredDifference) apply(logical_and_, kLogicalAnd)             \
                    apply(logical_or_, kLogicalOr) apply(logical_xor_, kLogicalXor)                         \
                        apply(logaddexp_, kLogAddExp) apply(logaddexp2_, kLogAddExp2) apply(ldexp_, kLdexp) \
                            apply(bias_gelu_, kBiasGelu)

#define TILEMETER_DECLARE(name, kind)                                                                    \
    Tensor name(const Tensor& a, const Tensor& b, const OptionalDataType& dtype = std::nullopt,          \
                const OptionalMemoryConfig& memory_config = std::nullopt,                                \
                const OptionalTensor& output_tensor = std::nullopt, const Activations& activations = {}, \
                const Activations& input_tensor_a_activations = {},                                      \
                const Activations& input_tensor_b_activations = {},                                      \
                const OptionalCores& sub_core_grids = std::nullopt);
TILEMETER_BINARY_OPERATIONS(TILEMETER_DECLARE)
TILEMETER_TENSOR_BINARY_OPERATIONS(TILEMETER_DECLARE)
#undef TILEMETER_DECLARE
#define TILEMETER_DECLARE(name, kind)                                                                    \
    Tensor name(const Tensor& a, Scalar b, const OptionalDataType& dtype = std::nullopt,                 \
                const OptionalMemoryConfig& memory_config = std::nullopt,                                \
                const OptionalTensor& output_tensor = std::nullopt, const Activations& activations = {}, \
                const Activations& input_tensor_a_activations = {},                                      \
                const Activations& input_tensor_b_activations = {},                                      \
                const OptionalCores& sub_core_grids = std::nullopt);
TILEMETER_BINARY_OPERATIONS(TILEMETER_DECLARE)
#undef TILEMETER_DECLARE

/// A number first.
#define TILEMETER_NUMBER_FIRST_OPERATIONS(apply) \
    apply(add, kAdd) apply(subtract, kSubtract) apply(multiply, kMultiply) apply(divide, kDivide)
#define TILEMETER_DECLARE(name, kind)                                                                    \
    Tensor name(Scalar a, const Tensor& b, const OptionalDataType& dtype = std::nullopt,                 \
                const OptionalMemoryConfig& memory_config = std::nullopt,                                \
                const OptionalTensor& output_tensor = std::nullopt, const Activations& activations = {}, \
                const Activations& input_tensor_a_activations = {},                                      \
                const Activations& input_tensor_b_activations = {},                                      \
                const OptionalCores& sub_core_grids = std::nullopt);
TILEMETER_NUMBER_FIRST_OPERATIONS(TILEMETER_DECLARE)
#undef TILEMETER_DECLARE

/// The result goes into `a`, which is returned. It must have the result's shape.
#define TILEMETER_DECLARE(name, kind)                                                  \
    Tensor name(const Tensor& a, const Tensor& b, const Activations& activations = {}, \
                const Activations& input_tensor_a_activations = {},                    \
                const Activations& input_tensor_b_activations = {},                    \
                const OptionalCores& sub_core_grids = std::nullopt);                   \
    Tensor name(const Tensor& a, Scalar b, const Activations& activations = {},        \
                const Activations& input_tensor_a_activations = {},                    \
                const Activations& input_tensor_b_activations = {},                    \
                const OptionalCores& sub_core_grids = std::nullopt);
TILEMETER_IN_PLACE_BINARY_OPERATIONS(TILEMETER_DECLARE)
#undef TILEMETER_DECLARE

/// What is left open in a call of one of them.
struct BinaryOptions {
    OptionalDataType dtype{};
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};
    Activations activations{};
    Activations left_activations{};
    Activations right_activations{};
    compute::BinaryParameters parameters{};  ///< of kIsClose
    bool fast = false;                       ///< quotients: times the reciprocal, less exactly
    OptionalCores sub_core_grids{};
};

/// As parts of other operations: without scopes of their own.
namespace unscoped {
Tensor binary(compute::BinaryKind kind, const Tensor& a, const Tensor& b, const BinaryOptions& options = {});
Tensor binary(compute::BinaryKind kind, const Tensor& a, Scalar b, const BinaryOptions& options = {});
Tensor binary(compute::BinaryKind kind, Scalar a, const Tensor& b, const BinaryOptions& options = {});
Tensor add(const Tensor& a, const Tensor& b, const OptionalDataType& dtype = std::nullopt,
           const OptionalMemoryConfig& memory_config = std::nullopt);
Tensor multiply(const Tensor& a, float b, const OptionalMemoryConfig& memory_config = std::nullopt);
}  // namespace unscoped

}  // namespace tilemeter
