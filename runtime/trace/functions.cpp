// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/functions.hpp"

#include <algorithm>
#include <string>

#include "capture/ir/decide.hpp"
#include "capture/ir/dimension.hpp"
#include "runtime/trace/apply.hpp"
#include "runtime/trace/constraints.hpp"
#include "runtime/trace/error.hpp"

namespace tilemeter::trace {

using ir::Attributes;
using ir::Dim;

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

[[noreturn]] void refuse(const std::string& operation, const std::string& what, const Array& x) {
    throw TraceError(TraceErrorKind::kBadArgument, operation + ": " + what,
                     {.operation = operation, .types = {x.type()}, .location = current_location()});
}

Integers extents(const Array& x) {
    const ir::Shape shape = x.shape();
    return {shape.begin(), shape.end()};
}

std::size_t normal_axis(const char* operation, const Array& x, std::int64_t axis, std::size_t rank) {
    const auto count = static_cast<std::int64_t>(rank);
    if (axis < -count || axis >= count)
        refuse(operation,
               "found axis " + std::to_string(axis) + ", expected an axis of rank " + std::to_string(rank),
               x);
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
TILEMETER_BINARY(matmul)
TILEMETER_REDUCTION(sum)
TILEMETER_REDUCTION(mean)
TILEMETER_REDUCTION(max)
TILEMETER_REDUCTION(min)
TILEMETER_REDUCTION(prod)
TILEMETER_REDUCTION(any)
TILEMETER_REDUCTION(all)

namespace {

bool is_bool(const Array& x) {
    return x.element() == ir::ElementType::kBool;
}

Array bits(const char* of_bools, const char* of_integers, const Array& a, const Array& b) {
    return apply_one(operation_named(is_bool(a) && is_bool(b) ? of_bools : of_integers), {&a, &b});
}

}  // namespace

Array bitwise_not(const Array& x) {
    return apply_one(operation_named(is_bool(x) ? "logical_not" : "bitwise_not"), {&x});
}

Array bitwise_and(const Array& a, const Array& b) {
    return bits("logical_and", "bitwise_and", a, b);
}

Array bitwise_or(const Array& a, const Array& b) {
    return bits("logical_or", "bitwise_or", a, b);
}

Array bitwise_xor(const Array& a, const Array& b) {
    return bits("logical_xor", "bitwise_xor", a, b);
}

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
    Integers shape = extents(x);
    const std::size_t at = normal_axis("expand_dims", x, axis, shape.size() + 1);
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(at), 1);
    return reshape(x, shape);
}

Array squeeze(const Array& x, const Axes& axes) {
    const Integers from = extents(x);
    std::vector<bool> goes(from.size());
    for (std::size_t i = 0; !axes && i < from.size(); ++i)
        goes[i] = from[i] == 1;
    if (axes)
        for (const std::int64_t axis : *axes) {
            const std::size_t at = normal_axis("squeeze", x, axis, from.size());
            if (from[at] != 1)
                refuse("squeeze",
                       "found extent " + std::to_string(from[at]) + " of axis " + std::to_string(axis) +
                           ", expected 1",
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

Array flip(const Array& x, const Axes& axes) {
    static const ir::Operation& kOperation = operation_named("flip");
    return apply_one(kOperation, {&x}, axes ? Attributes{{"axes", *axes}} : Attributes{});
}

Array sort(const Array& x, std::int64_t axis) {
    static const ir::Operation& kOperation = operation_named("sort");
    return apply_one(kOperation, {&x}, along(axis));
}

Array gather(const Array& x, const Array& indices, std::int64_t axis) {
    static const ir::Operation& kOperation = operation_named("gather");
    return apply_one(kOperation, {&x, &indices}, along(axis));
}

Array embedding(const Array& indices, const Array& table) {
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

// ---- indices

namespace {

/// What is left of an index when integers, ranges and new axes have been sorted out: a slice, a flip, a shape.
class Indexing {
public:
    explicit Indexing(const Array& x) : x_(x), from_(extents(x)) {}

    Array run(std::span<const Index> parts) {
        std::size_t spoken_of = 0;
        for (const Index& part : parts)
            if (!std::holds_alternative<NewAxis>(part) && !std::holds_alternative<Rest>(part)) ++spoken_of;
        if (spoken_of > from_.size())
            refuse("index",
                   "found " + std::to_string(spoken_of) + " indices, expected at most " +
                       std::to_string(from_.size()),
                   x_);
        const std::size_t rest = from_.size() - spoken_of;
        bool has_rest = false;
        for (const Index& part : parts) {
            if (std::holds_alternative<Rest>(part)) {
                if (has_rest) refuse("index", "found two ellipses, expected one", x_);
                has_rest = true;
                keep(rest);
            } else {
                add(part);
            }
        }
        if (!has_rest) keep(rest);
        return finish();
    }

private:
    void keep(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            add(Range{});
    }

    void add(const Index& part) {
        if (std::holds_alternative<NewAxis>(part)) {
            shape_.push_back(1);
            return;
        }
        const auto axis = static_cast<std::int64_t>(starts_.size());
        const std::int64_t extent = from_[starts_.size()];
        if (const auto* const place = std::get_if<std::int64_t>(&part)) {
            const Dim at = Dim(*place).is_negative_number() ? Dim(*place) + extent : Dim(*place);
            const bool is_inside = is_at_most(0, at) && is_at_most(at + 1, extent);
            if (!is_inside)
                refuse("index",
                       "axis " + std::to_string(axis) + ": found place " + Dim(*place).text() +
                           ", expected one of " + Dim(extent).text(),
                       x_);
            push(at.value(), (at + 1).value(), 1);
        } else if (const auto* const range = std::get_if<Range>(&part)) {
            add_range(*range, axis, extent);
        } else {
            if (gathered_) refuse("index", "found two arrays of indices, expected one", x_);
            gathered_ = std::get<Array>(part);
            gather_axis_ = static_cast<std::int64_t>(shape_.size());
            push(0, extent, 1);
            shape_.push_back(extent);
        }
    }

    void add_range(const Range& range, std::int64_t axis, std::int64_t extent) {
        if (range.step == 0 || !Dim(range.step).is_number())
            refuse("index", "axis " + std::to_string(axis) + ": found step 0, expected another", x_);
        const bool is_forward = range.step > 0;
        const auto clipped = [&](const std::optional<std::int64_t>& at, Dim otherwise) {
            if (!at) return otherwise;
            const Dim place = Dim(*at).is_negative_number() ? Dim(*at) + extent : Dim(*at);
            return is_forward ? at_least(0, at_most(place, extent))
                              : at_least(-1, at_most(place, Dim(extent) - 1));
        };
        const Dim start = clipped(range.start, is_forward ? Dim(0) : Dim(extent) - 1);
        const Dim stop = clipped(range.stop, is_forward ? Dim(extent) : Dim(-1));
        const Dim step(is_forward ? range.step : -range.step);
        const Dim distance = at_least(0, is_forward ? stop - start : start - stop);
        const Dim count = ceildiv(distance, step);
        if (count == Dim(0))
            push(0, 0, 1);
        else if (is_forward)
            push(start.value(), (start + distance).value(), step.value());
        else
            push((start - (count - 1) * step).value(), (start + 1).value(), step.value());
        if (!is_forward && count != Dim(0) && count != Dim(1)) flipped_.push_back(axis);
        shape_.push_back(count.value());
    }

    // Of expressions, as far as it is certain which is smaller; else both stay, in min() or max().
    [[nodiscard]] bool is_at_most(Dim a, Dim b) const { return is_less_equal(a, b, constraints_); }
    [[nodiscard]] Dim at_most(Dim a, Dim b) const {
        if (is_at_most(a, b)) return a;
        return is_at_most(b, a) ? b : min(a, b);
    }
    [[nodiscard]] Dim at_least(Dim a, Dim b) const {
        if (is_at_most(a, b)) return b;
        return is_at_most(b, a) ? a : max(a, b);
    }

    void push(std::int64_t start, std::int64_t limit, std::int64_t stride) {
        is_whole_ = is_whole_ && start == 0 && limit == from_[starts_.size()] && stride == 1;
        starts_.push_back(start);
        limits_.push_back(limit);
        strides_.push_back(stride);
    }

    Array finish() {
        Array result = is_whole_ ? x_ : slice(x_, starts_, limits_, strides_);
        if (!flipped_.empty()) result = flip(result, flipped_);
        if (extents(result) != shape_) result = reshape(result, shape_);
        return gathered_ ? gather(result, *gathered_, gather_axis_) : result;
    }

    const Array& x_;
    const Integers from_;
    const ir::Constraints* const constraints_ = trace::current_constraints();
    Integers starts_, limits_, strides_, shape_, flipped_;
    bool is_whole_ = true;
    std::optional<Array> gathered_;
    std::int64_t gather_axis_ = 0;
};

}  // namespace

Array index(const Array& x, std::span<const Index> parts) {
    return Indexing(x).run(parts);
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
