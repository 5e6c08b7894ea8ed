// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/arrays/functions.hpp"

#include <algorithm>
#include <string>

#include "capture/ir/dimension.hpp"
#include "runtime/trace/arrays/apply.hpp"
#include "runtime/trace/arrays/internal/array_state.hpp"
#include "runtime/trace/primitives/error.hpp"

namespace tilemeter::trace {

using internal::extents_of;
using internal::refuse_argument;
using ir::Attributes;

// An operation is looked up once, at the first call.
#define TILEMETER_UNARY(name)                                            \
    Array name(const Array& x) {                                         \
        static const ir::Operation& kOperation = operation_named(#name); \
        return apply_one(kOperation, {&x});                              \
    }
#define TILEMETER_BINARY(name)                                           \
    Array name(const Array& a, const Array& b) {                         \
        static const ir::Operation& kOperation = operation_named(#name); \
        return apply_one(kOperation, {&a, &b});                          \
    }
#define TILEMETER_REDUCTION(name)                                        \
    Array name(const Array& x, const Axes& axes, bool keepdims) {        \
        static const ir::Operation& kOperation = operation_named(#name); \
        return apply_one(kOperation, {&x}, reduction(axes, keepdims));   \
    }

namespace {

Attributes reduction(const Axes& axes, bool keepdims) {
    Attributes attributes;
    if (axes) attributes.set("axes", *axes);
    if (keepdims) attributes.set("keepdims", true);
    return attributes;
}

Attributes along(const std::optional<std::int64_t>& axis) {
    return axis ? Attributes{{"axis", *axis}} : Attributes{};
}

std::vector<const Array*> pointers_to(std::span<const Array> arrays) {
    std::vector<const Array*> pointers;
    for (const Array& array : arrays)
        pointers.push_back(&array);
    return pointers;
}

std::size_t normal_axis(const char* operation, const Array& x, std::int64_t axis, std::size_t rank) {
    const auto count = static_cast<std::int64_t>(rank);
    if (axis < -count || axis >= count)
        refuse_argument(
            operation,
            "found axis " + std::to_string(axis) + ", expected an axis of rank " + std::to_string(rank), x,
            Exception::kAxis);
    return static_cast<std::size_t>(axis < 0 ? axis + count : axis);
}

}  // namespace

TILEMETER_UNARY(exp)
TILEMETER_UNARY(expm1)
TILEMETER_UNARY(log)
TILEMETER_UNARY(log1p)
TILEMETER_UNARY(sqrt)
TILEMETER_UNARY(rsqrt)
TILEMETER_UNARY(cbrt)
TILEMETER_UNARY(sin)
TILEMETER_UNARY(cos)
TILEMETER_UNARY(tan)
TILEMETER_UNARY(tanh)
TILEMETER_UNARY(erf)
TILEMETER_UNARY(erf_inv)
TILEMETER_UNARY(lgamma)
TILEMETER_UNARY(digamma)
TILEMETER_UNARY(sigmoid)
TILEMETER_UNARY(silu)
TILEMETER_UNARY(softplus)
TILEMETER_UNARY(reciprocal)
TILEMETER_UNARY(neg)
TILEMETER_UNARY(abs)
TILEMETER_UNARY(square)
TILEMETER_UNARY(sign)
TILEMETER_UNARY(floor)
TILEMETER_UNARY(ceil)
TILEMETER_UNARY(round)
TILEMETER_UNARY(relu)
TILEMETER_UNARY(identity)
TILEMETER_UNARY(stop_gradient)
TILEMETER_UNARY(logical_not)
TILEMETER_UNARY(bitwise_not)
TILEMETER_UNARY(exp2)
TILEMETER_UNARY(log2)
TILEMETER_UNARY(log10)
TILEMETER_UNARY(sinh)
TILEMETER_UNARY(cosh)
TILEMETER_UNARY(arcsin)
TILEMETER_UNARY(arccos)
TILEMETER_UNARY(arctan)
TILEMETER_UNARY(arcsinh)
TILEMETER_UNARY(arccosh)
TILEMETER_UNARY(arctanh)
TILEMETER_UNARY(degrees)
TILEMETER_UNARY(radians)
TILEMETER_UNARY(trunc)
TILEMETER_UNARY(isfinite)
TILEMETER_UNARY(isnan)
TILEMETER_UNARY(isinf)
TILEMETER_UNARY(signbit)
TILEMETER_UNARY(spacing)
TILEMETER_UNARY(bitwise_count)
TILEMETER_BINARY(add)
TILEMETER_BINARY(sub)
TILEMETER_BINARY(mul)
TILEMETER_BINARY(div)
TILEMETER_BINARY(pow)
TILEMETER_BINARY(atan2)
TILEMETER_BINARY(mod)
TILEMETER_BINARY(floor_divide)
TILEMETER_BINARY(maximum)
TILEMETER_BINARY(minimum)
TILEMETER_BINARY(eq)
TILEMETER_BINARY(ne)
TILEMETER_BINARY(lt)
TILEMETER_BINARY(le)
TILEMETER_BINARY(gt)
TILEMETER_BINARY(ge)
TILEMETER_BINARY(logical_and)
TILEMETER_BINARY(logical_or)
TILEMETER_BINARY(logical_xor)
TILEMETER_BINARY(left_shift)
TILEMETER_BINARY(right_shift)
TILEMETER_BINARY(bitwise_and)
TILEMETER_BINARY(bitwise_or)
TILEMETER_BINARY(bitwise_xor)
TILEMETER_BINARY(logaddexp)
TILEMETER_BINARY(logaddexp2)
TILEMETER_BINARY(hypot)
TILEMETER_BINARY(heaviside)
TILEMETER_BINARY(fmax)
TILEMETER_BINARY(fmin)
TILEMETER_BINARY(fmod)
TILEMETER_BINARY(copysign)
TILEMETER_BINARY(ldexp)
TILEMETER_BINARY(nextafter)
TILEMETER_BINARY(matmul)
TILEMETER_REDUCTION(sum)
TILEMETER_REDUCTION(mean)
TILEMETER_REDUCTION(max)
TILEMETER_REDUCTION(min)
TILEMETER_REDUCTION(prod)
TILEMETER_REDUCTION(any)
TILEMETER_REDUCTION(all)

#undef TILEMETER_UNARY
#undef TILEMETER_BINARY
#undef TILEMETER_REDUCTION

Array gelu(const Array& x, std::string_view approximate) {
    static const ir::Operation& kOperation = operation_named("gelu");
    return apply_one(kOperation, {&x}, {{"approximate", std::string(approximate)}});
}

Array convert(const Array& x, ir::ElementType element) {
    static const ir::Operation& kOperation = operation_named("convert");
    return apply_one(kOperation, {&x}, {{"dtype", element}});
}

Array where(const Array& mask, const Array& a, const Array& b) {
    static const ir::Operation& kOperation = operation_named("where");
    return apply_one(kOperation, {&mask, &a, &b});
}

Array argmax(const Array& x, std::optional<std::int64_t> axis) {
    static const ir::Operation& kOperation = operation_named("argmax");
    return apply_one(kOperation, {&x}, along(axis));
}

Array argmin(const Array& x, std::optional<std::int64_t> axis) {
    static const ir::Operation& kOperation = operation_named("argmin");
    return apply_one(kOperation, {&x}, along(axis));
}

Array cumsum(const Array& x, std::int64_t axis) {
    static const ir::Operation& kOperation = operation_named("cumsum");
    return apply_one(kOperation, {&x}, along(axis));
}

Array softmax(const Array& x, std::int64_t axis) {
    static const ir::Operation& kOperation = operation_named("softmax");
    return apply_one(kOperation, {&x}, along(axis));
}

Array log_softmax(const Array& x, std::int64_t axis) {
    static const ir::Operation& kOperation = operation_named("log_softmax");
    return apply_one(kOperation, {&x}, along(axis));
}

Array layer_norm(const Array& x, double eps) {
    static const ir::Operation& kOperation = operation_named("layer_norm");
    return apply_one(kOperation, {&x}, {{"eps", eps}});
}

Array layer_norm(const Array& x, const Array& weight, double eps) {
    static const ir::Operation& kOperation = operation_named("layer_norm");
    return apply_one(kOperation, {&x, &weight}, {{"eps", eps}});
}

Array layer_norm(const Array& x, const Array& weight, const Array& bias, double eps) {
    static const ir::Operation& kOperation = operation_named("layer_norm");
    return apply_one(kOperation, {&x, &weight, &bias}, {{"eps", eps}});
}

Array reshape(const Array& x, const Integers& shape) {
    static const ir::Operation& kOperation = operation_named("reshape");
    return apply_one(kOperation, {&x}, {{"shape", shape}});
}

Array transpose(const Array& x) {
    static const ir::Operation& kOperation = operation_named("transpose");
    return apply_one(kOperation, {&x});
}

Array transpose(const Array& x, const Integers& perm) {
    static const ir::Operation& kOperation = operation_named("transpose");
    return apply_one(kOperation, {&x}, {{"perm", perm}});
}

Array broadcast_to(const Array& x, const Integers& shape) {
    static const ir::Operation& kOperation = operation_named("broadcast_to");
    return apply_one(kOperation, {&x}, {{"shape", shape}});
}

Array expand_dims(const Array& x, std::int64_t axis) {
    Integers shape = extents_of(x);
    const std::size_t at = normal_axis("expand_dims", x, axis, shape.size() + 1);
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(at), 1);
    return reshape(x, shape);
}

Array squeeze(const Array& x, const Axes& axes) {
    const Integers from = extents_of(x);
    std::vector<bool> goes(from.size());
    for (std::size_t i = 0; !axes && i < from.size(); ++i)
        goes[i] = from[i] == 1;
    if (axes)
        for (const std::int64_t axis : *axes) {
            const std::size_t at = normal_axis("squeeze", x, axis, from.size());
            if (from[at] != 1)
                refuse_argument("squeeze",
                                "found extent " + std::to_string(from[at]) + " of axis " +
                                    std::to_string(axis) + ", expected 1",
                                x);
            goes[at] = true;
        }
    Integers shape;
    for (std::size_t i = 0; i < from.size(); ++i)
        if (!goes[i]) shape.push_back(from[i]);
    return reshape(x, shape);
}

Array concat(std::span<const Array> parts, std::int64_t axis) {
    static const ir::Operation& kOperation = operation_named("concat");
    return apply_one(kOperation, pointers_to(parts), along(axis));
}

Array stack(std::span<const Array> parts, std::int64_t axis) {
    std::vector<Array> raised;
    for (const Array& part : parts)
        raised.push_back(expand_dims(part, axis));
    return concat(raised, axis);
}

Array slice(const Array& x, const Integers& starts, const Integers& limits, const Integers& strides) {
    static const ir::Operation& kOperation = operation_named("slice");
    Attributes attributes{{"starts", starts}, {"limits", limits}};
    if (!strides.empty()) attributes.set("strides", strides);
    return apply_one(kOperation, {&x}, attributes);
}

Array pad(const Array& x, const Integers& low, const Integers& high, double value) {
    static const ir::Operation& kOperation = operation_named("pad");
    return apply_one(kOperation, {&x}, {{"low", low}, {"high", high}, {"value", value}});
}

Array pad_with(const Array& x, const Integers& low, const Integers& high, const Array& value) {
    static const ir::Operation& kOperation = operation_named("flat.pad");
    const Array filling = full({}, value, x.element());
    return apply_one(kOperation, {&x, &filling}, {{"low", low}, {"high", high}});
}

Array flip(const Array& x, const Axes& axes) {
    static const ir::Operation& kOperation = operation_named("flip");
    return apply_one(kOperation, {&x}, axes ? Attributes{{"axes", *axes}} : Attributes{});
}

Array sort(const Array& x, std::int64_t axis) {
    static const ir::Operation& kOperation = operation_named("sort");
    return apply_one(kOperation, {&x}, along(axis));
}

Array gather(const Array& x, const Array& indices, std::int64_t axis) {
    internal::require_inside("gather", x, indices, axis);
    static const ir::Operation& kOperation = operation_named("gather");
    return apply_one(kOperation, {&x, &indices}, {{"axis", axis}, {"from_end", true}});
}

Array embedding(const Array& indices, const Array& table) {
    internal::require_inside("embedding", table, indices, 0);
    static const ir::Operation& kOperation = operation_named("embedding");
    return apply_one(kOperation, {&indices, &table});
}

Array dynamic_slice(const Array& x, std::span<const Array> starts, const Integers& sizes) {
    static const ir::Operation& kOperation = operation_named("dynamic_slice");
    std::vector<const Array*> operands = pointers_to(starts);
    operands.insert(operands.begin(), &x);
    return apply_one(kOperation, operands, {{"sizes", sizes}});
}

Array dynamic_update(const Array& x, const Array& update, std::span<const Array> starts) {
    static const ir::Operation& kOperation = operation_named("dynamic_update");
    std::vector<const Array*> operands = pointers_to(starts);
    operands.insert(operands.begin(), {&x, &update});
    return apply_one(kOperation, operands);
}

Array one_hot(const Array& indices, std::int64_t depth, ir::ElementType element) {
    static const ir::Operation& kOperation = operation_named("one_hot");
    return apply_one(kOperation, {&indices}, {{"depth", depth}, {"dtype", element}});
}

Array full(const Integers& shape, double value, ir::ElementType element) {
    static const ir::Operation& kOperation = operation_named("full");
    return apply_one(kOperation, std::initializer_list<const Array*>{},
                     {{"shape", shape}, {"value", value}, {"dtype", element}});
}

ir::Constant scalar_of(const Array& value, ir::ElementType element) {
    const double number = value.to_float();
    const bool is_real = internal::ArrayAccess::number_type(value) == ir::ElementType::kF64;
    const bool is_outside = is_real && ir::is_integer(element)
                                ? !(number > internal::limit_of(element, true).double_at(0) - 1 &&
                                    number < internal::limit_of(element, false).double_at(0) + 1)
                                : !internal::ArrayAccess::fits(value, element);
    if (is_outside)
        refuse_argument("full",
                        "found " + std::string(is_real ? "" : "integer ") +
                            internal::ArrayAccess::text_of_literal(value) + " out of bounds for " +
                            internal::numpy_name(element),
                        value, Exception::kOverflow);
    return internal::ArrayAccess::literal(value, element);
}

Array full(const Integers& shape, const Array& value, ir::ElementType element) {
    if (value.rank() != 0)
        refuse_argument("full", "found a value of type " + ir::text_of(value.type()) + ", expected a scalar",
                        value);
    if (value.state() != Array::State::kLiteral) return broadcast_to(convert(value, element), shape);
    const ir::Constant exact = scalar_of(value, element);
    const double number = value.to_float();
    constexpr double kExact = 9007199254740992;  // integers up to here are numbers of a double
    const bool is_real = internal::ArrayAccess::number_type(value) == ir::ElementType::kF64;
    if (is_real || (number > -kExact && number < kExact)) return full(shape, number, element);
    return broadcast_to(Array(exact), shape);
}

Array dimension(ir::Dim dim, ir::ElementType element) {
    if (dim.is_number()) return Array(ir::Constant::scalar(element, static_cast<double>(dim.value())));
    static const ir::Operation& kOperation = operation_named("dimension");
    return apply_one(kOperation, std::initializer_list<const Array*>{},
                     {{"of", dim.value()}, {"dtype", element}});
}

Array arange(std::int64_t n, ir::ElementType element) {
    static const ir::Operation& kOperation = operation_named("iota");
    return apply_one(kOperation, std::initializer_list<const Array*>{}, {{"n", n}, {"dtype", element}});
}

// ---- operators

Array operator+(const Array& a, const Array& b) {
    return add(a, b);
}

Array operator-(const Array& a, const Array& b) {
    return sub(a, b);
}

Array operator*(const Array& a, const Array& b) {
    return mul(a, b);
}

Array operator/(const Array& a, const Array& b) {
    return div(a, b);
}

Array operator%(const Array& a, const Array& b) {
    return mod(a, b);
}

Array operator==(const Array& a, const Array& b) {
    return eq(a, b);
}

Array operator!=(const Array& a, const Array& b) {
    return ne(a, b);
}

Array operator<(const Array& a, const Array& b) {
    return lt(a, b);
}

Array operator<=(const Array& a, const Array& b) {
    return le(a, b);
}

Array operator>(const Array& a, const Array& b) {
    return gt(a, b);
}

Array operator>=(const Array& a, const Array& b) {
    return ge(a, b);
}

Array operator-(const Array& a) {
    return neg(a);
}

Array operator!(const Array& a) {
    return logical_not(a);
}

}  // namespace tilemeter::trace
