// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions of arrays, one for each call (call_operations.hpp), with NumPy's rules. Numbers stand for arrays.
//
// Thread safety: as Array.

#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "capture/ir/attributes.hpp"
#include "runtime/trace/arrays/array.hpp"

namespace tilemeter::trace {

using ir::Integers;

// ---- elementwise; integers become f64 where fractions come out
Array exp(const Array& x);
Array expm1(const Array& x);
Array log(const Array& x);
Array log1p(const Array& x);
Array sqrt(const Array& x);
Array rsqrt(const Array& x);
Array cbrt(const Array& x);
Array sin(const Array& x);
Array cos(const Array& x);
Array tan(const Array& x);
Array tanh(const Array& x);
Array erf(const Array& x);
Array erf_inv(const Array& x);
Array lgamma(const Array& x);
Array digamma(const Array& x);
Array sigmoid(const Array& x);
Array silu(const Array& x);
Array softplus(const Array& x);
Array gelu(const Array& x, std::string_view approximate = "none");  ///< "none" or "tanh"
Array reciprocal(const Array& x);
Array neg(const Array& x);
Array abs(const Array& x);
Array square(const Array& x);
Array sign(const Array& x);
Array floor(const Array& x);
Array ceil(const Array& x);
Array round(const Array& x);  ///< half to even
Array relu(const Array& x);
Array identity(const Array& x);
Array stop_gradient(const Array& x);
Array logical_not(const Array& x);
Array bitwise_not(const Array& x);  ///< of integers; of bool logical_not(), and so for those of two operands
Array exp2(const Array& x);
Array log2(const Array& x);  ///< whole numbers of powers
Array log10(const Array& x);
Array sinh(const Array& x);
Array cosh(const Array& x);
Array arcsin(const Array& x);
Array arccos(const Array& x);
Array arctan(const Array& x);
Array arcsinh(const Array& x);
Array arccosh(const Array& x);
Array arctanh(const Array& x);
Array degrees(const Array& x);
Array radians(const Array& x);
Array trunc(const Array& x);  ///< towards 0
Array isfinite(const Array& x);
Array isnan(const Array& x);
Array isinf(const Array& x);
Array signbit(const Array& x);        ///< of -0.0 as well
Array spacing(const Array& x);        ///< to the next float away from 0
Array bitwise_count(const Array& x);  ///< u8: the ones of |x|
Array convert(const Array& x, ir::ElementType element);

/// A dimension of a shape as a scalar; a number where it is one.
Array dimension(ir::Dim dim, ir::ElementType element = ir::ElementType::kI64);

// ---- elementwise on two operands, broadcast
Array add(const Array& a, const Array& b);
Array sub(const Array& a, const Array& b);
Array mul(const Array& a, const Array& b);
Array div(const Array& a, const Array& b);
Array pow(const Array& a, const Array& b);
Array atan2(const Array& a, const Array& b);
Array mod(const Array& a, const Array& b);
Array floor_divide(const Array& a, const Array& b);
Array maximum(const Array& a, const Array& b);
Array minimum(const Array& a, const Array& b);
Array eq(const Array& a, const Array& b);
Array ne(const Array& a, const Array& b);
Array lt(const Array& a, const Array& b);
Array le(const Array& a, const Array& b);
Array gt(const Array& a, const Array& b);
Array ge(const Array& a, const Array& b);
Array logical_and(const Array& a, const Array& b);
Array logical_or(const Array& a, const Array& b);
Array logical_xor(const Array& a, const Array& b);
Array bitwise_and(const Array& a, const Array& b);
Array bitwise_or(const Array& a, const Array& b);
Array bitwise_xor(const Array& a, const Array& b);
Array left_shift(const Array& a, const Array& b);  ///< by the width and more: 0
Array right_shift(const Array& a, const Array& b);
Array logaddexp(const Array& a, const Array& b);
Array logaddexp2(const Array& a, const Array& b);
Array hypot(const Array& a, const Array& b);
Array heaviside(const Array& a, const Array& b);
Array fmax(const Array& a, const Array& b);  ///< the other one where one is nan
Array fmin(const Array& a, const Array& b);
Array fmod(const Array& a, const Array& b);  ///< with the sign of a
Array copysign(const Array& a, const Array& b);
Array ldexp(const Array& a, const Array& b);  ///< a * 2**b
Array nextafter(const Array& a, const Array& b);
Array where(const Array& mask, const Array& a, const Array& b);

// ---- products and reductions; no axes: all of them
Array matmul(const Array& a, const Array& b);
using Axes = std::optional<Integers>;
Array sum(const Array& x, const Axes& axes = {}, bool keepdims = false);
Array mean(const Array& x, const Axes& axes = {}, bool keepdims = false);
Array max(const Array& x, const Axes& axes = {}, bool keepdims = false);
Array min(const Array& x, const Axes& axes = {}, bool keepdims = false);
Array prod(const Array& x, const Axes& axes = {}, bool keepdims = false);
Array any(const Array& x, const Axes& axes = {}, bool keepdims = false);
Array all(const Array& x, const Axes& axes = {}, bool keepdims = false);
Array argmax(const Array& x, std::optional<std::int64_t> axis = {});  ///< i32
Array argmin(const Array& x, std::optional<std::int64_t> axis = {});
Array cumsum(const Array& x, std::int64_t axis);
Array softmax(const Array& x, std::int64_t axis = -1);
Array log_softmax(const Array& x, std::int64_t axis = -1);
Array layer_norm(const Array& x, double eps = 1e-5);
Array layer_norm(const Array& x, const Array& weight, double eps = 1e-5);
Array layer_norm(const Array& x, const Array& weight, const Array& bias, double eps = 1e-5);

// ---- shapes
Array reshape(const Array& x, const Integers& shape);  ///< one extent may be -1
Array transpose(const Array& x);                       ///< axes in reverse
Array transpose(const Array& x, const Integers& perm);
Array broadcast_to(const Array& x, const Integers& shape);
Array expand_dims(const Array& x, std::int64_t axis);
Array squeeze(const Array& x, const Axes& axes = {});  ///< no axes: all extents of 1
Array concat(std::span<const Array> parts, std::int64_t axis = 0);
Array stack(std::span<const Array> parts, std::int64_t axis = 0);
Array slice(const Array& x, const Integers& starts, const Integers& limits, const Integers& strides = {});
Array pad(const Array& x, const Integers& low, const Integers& high, double value = 0);
/// Filled with a scalar, in the element type of x. Throws TraceError (kBadArgument) for an integer out of its range.
Array pad_with(const Array& x, const Integers& low, const Integers& high, const Array& value);
Array flip(const Array& x, const Axes& axes = {});
Array sort(const Array& x, std::int64_t axis = -1);

// ---- indices; negative ones count from the end. Known ones outside of the range are refused, others clamped
Array gather(const Array& x, const Array& indices, std::int64_t axis);
Array embedding(const Array& indices, const Array& table);
Array dynamic_slice(const Array& x, std::span<const Array> starts, const Integers& sizes);
Array dynamic_update(const Array& x, const Array& update, std::span<const Array> starts);
Array one_hot(const Array& indices, std::int64_t depth, ir::ElementType element = ir::ElementType::kF32);

/// A range of one dimension, as Python's start:stop:step; it is cut to the extent.
struct Range {
    std::optional<std::int64_t> start{}, stop{};
    std::int64_t step = 1;
};
/// An extent of 1 more.
struct NewAxis {};
/// All dimensions that no other part speaks of.
struct Rest {};
/// An integer takes the dimension away; an array of integers takes its place; a mask that of all its dimensions.
using Index = std::variant<std::int64_t, Range, NewAxis, Rest, Array>;

/// x[parts...] as NumPy has it: several arrays are spread to one shape, arrays of bool are masks whose values have to be
/// known. Throws TraceError (kBadArgument) for a known place outside; one that a run brings is the nearest.
Array index(const Array& x, std::span<const Index> parts);
inline Array index(const Array& x, std::initializer_list<Index> parts) {
    return index(x, std::span(parts.begin(), parts.size()));
}

// ---- sources
Array full(const Integers& shape, double value, ir::ElementType element = ir::ElementType::kF32);
/// A literal as an element. Throws TraceError (kBadArgument) where it is out of the element type's range.
/// REQUIRES: value.state() is kLiteral
ir::Constant scalar_of(const Array& value, ir::ElementType element);
/// An array of any scalar. Throws TraceError (kBadArgument) for an integer out of the element type's range.
Array full(const Integers& shape, const Array& value, ir::ElementType element);
Array arange(std::int64_t n, ir::ElementType element = ir::ElementType::kI64);

}  // namespace tilemeter::trace
