// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Elementwise arithmetic of two operands on the host.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "runtime/types/shape.hpp"

namespace tilemeter::compute {

/// TT-NN's binary operations. Comparisons and logical kinds return 1 or 0.
enum class BinaryKind : std::uint8_t {
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kEqual,
    kNotEqual,
    kGreater,
    kGreaterOrEqual,
    kLess,
    kLessOrEqual,
    kMaximum,
    kMinimum,
    kReverseSubtract,    ///< b - a
    kSquaredDifference,  ///< (a - b)^2
    kLogicalAnd,
    kLogicalOr,
    kLogicalXor,
    kLogAddExp,   ///< ln(e^a + e^b)
    kLogAddExp2,  ///< log2(2^a + 2^b)
    kLdexp,       ///< a * 2^b
    kBiasGelu,    ///< gelu(a + b), by erf
    kHypot,
    kXlogy,  ///< a * ln(b); 0 where a is 0 and b is a number
    kAtan2,
    kFmod,       ///< with the sign of a
    kRemainder,  ///< with the sign of b
    kPower,
    kNextAfter,
    kIsClose,      ///< |a - b| <= atol + rtol * |b|
    kDivideFloor,  ///< integers
    kDivideTrunc,  ///< integers
    kGcd,          ///< integers
    kLcm,          ///< integers
    kBitwiseAnd,
    kBitwiseOr,
    kBitwiseXor,
    kLeftShift,
    kRightShift,        ///< keeps the sign
    kLogicalRightShift  ///< of 32 bits, fills with zeros
};
inline constexpr std::size_t kNumBinaryKinds = static_cast<std::size_t>(BinaryKind::kLogicalRightShift) + 1;

/// The tolerances of kIsClose.
struct BinaryParameters {
    float rtol = 1e-5F;
    float atol = 1e-8F;
    bool equal_nan = false;  ///< two NaNs are close
    auto key_fields() const { return std::tie(rtol, atol, equal_nan); }
};

/// The name in TT-NN's BinaryOpType: "ADD".
std::string_view name_of(BinaryKind kind);

/// The cost for an element, in additions.
std::uint64_t steps_of(BinaryKind kind);

/// `to` may be `a` or `b`. In the calling thread.
void binary_each(BinaryKind kind, const float* a, const float* b, std::span<float> to,
                 const BinaryParameters& parameters = {});

/// when_false where the condition is 0, else when_true. `to` may be any of the others. In the calling thread.
void choose_each(const float* condition, const float* when_true, const float* when_false,
                 std::span<float> to);

/// a (op) b, rounded to float32. REQUIRES: out == broadcast_shape(a_shape, b_shape).
std::vector<float> binary(BinaryKind kind, std::span<const float> a, const Shape& a_shape,
                          std::span<const float> b, const Shape& b_shape, const Shape& out,
                          const BinaryParameters& parameters = {});

/// The same in integers; overflow wraps, division truncates towards zero; division by zero is 0. Kinds
/// without a meaning for integers (kLogAddExp, ...) are computed in real numbers and truncated.
std::vector<std::int64_t> binary(BinaryKind kind, std::span<const std::int64_t> a, const Shape& a_shape,
                                 std::span<const std::int64_t> b, const Shape& b_shape, const Shape& out,
                                 const BinaryParameters& parameters = {});

}  // namespace tilemeter::compute
