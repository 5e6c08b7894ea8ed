// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Elementwise arithmetic on the host.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/tensor/shape.hpp"

namespace tilemeter::compute {

/// Comparisons give 1 or 0.
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
    kMinimum
};

/// a (op) b in float32. REQUIRES: out == broadcast_shape(a_shape, b_shape).
std::vector<float> binary(BinaryKind kind, std::span<const float> a, const Shape& a_shape,
                          std::span<const float> b, const Shape& b_shape, const Shape& out);

/// The same in integers; overflow wraps, division truncates towards zero and by zero gives zero.
std::vector<std::int64_t> binary(BinaryKind kind, std::span<const std::int64_t> a, const Shape& a_shape,
                                 std::span<const std::int64_t> b, const Shape& b_shape, const Shape& out);

}  // namespace tilemeter::compute
