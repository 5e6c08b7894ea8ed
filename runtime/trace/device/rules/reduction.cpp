// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Reductions, running sums, order.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "runtime/trace/device/rules/lowering_call.hpp"

namespace tilemeter::trace::lowering {

namespace {

Integers all_axes(std::size_t rank) {
    Integers axes(rank);
    std::iota(axes.begin(), axes.end(), 0);
    return axes;
}

// One, several, or all where none is given.
Integers axes_of(const Call& call, const char* argument, std::size_t rank) {
    const std::optional<Integers> given = call.integers(argument);
    if (!given || given->empty()) return all_axes(rank);
    Integers axes = *given;
    for (std::int64_t& axis : axes)
        if (axis < 0) axis += static_cast<std::int64_t>(rank);
    std::ranges::sort(axes);
    return axes;
}

double count_of(const Shape& shape, const Integers& axes) {
    double count = 1;
    for (const std::int64_t axis : axes)
        count *= static_cast<double>(shape[static_cast<std::size_t>(axis)]);
    return count;
}

ValueId reduced(const Call& call, const char* primitive, ValueId value, const Integers& axes) {
    return call.reshape_to_result(call.to.reduce(primitive, value, axes, false));
}

// times: of the count, for means.
Values reduction(const Call& call, const char* primitive, bool is_mean) {
    const ValueId x = call[0];
    const Shape shape = call.to.shape(x);
    const Integers axes = axes_of(call, "dim", shape.rank());
    ValueId value = reduced(call, primitive, x, axes);
    double factor = call.number("scalar", 1.0);
    if (is_mean) factor /= call.number("divisor", count_of(shape, axes));
    if (factor != 1.0) value = call.to.mul(value, factor);
    return {value};
}

Values spread(const Call& call, bool is_root) {
    FlatBuilder& to = call.to;
    const ValueId x = to.mul(call.as_float(call[0]), call.number("scalar", 1.0));
    const Shape shape = to.shape(x);
    const Integers axes = axes_of(call, "dim", shape.rank());
    const double count = count_of(shape, axes);
    const ValueId centered = to.sub(x, to.broadcast(call.mean(x, axes), shape));
    const ValueId sum = reduced(call, "reduce_sum", to.mul(centered, centered), axes);
    // Of nothing it is not a number, as TT-NN's.
    const double divisor = call.flag("correction", true) ? std::max(count - 1, 0.0) : count;
    const ValueId variance = to.div(sum, divisor);
    return {is_root ? ValueId(to.op("sqrt", {variance})) : variance};
}

Values prod(const Call& call) {
    const Shape shape = call.to.shape(call[0]);
    return {reduced(call, "reduce_prod", call.as_float(call[0]),
                    axes_of(call, call.has("dims") ? "dims" : "dim", shape.rank()))};
}

// As TT-NN: not finite where an element is 0.
Values prod_bw(const Call& call) {
    FlatBuilder& to = call.to;
    const ValueId x = call.as_float(call.tensor("input_tensor"));
    const Shape shape = to.shape(x);
    const ValueId product = to.reduce("reduce_prod", x, axes_of(call, "dim", shape.rank()), true);
    ValueId gradient = call.as_float(call.tensor("grad_tensor"));
    call.require(to.shape(gradient).elements() == to.shape(product).elements(),
                 "its gradient has another shape");
    gradient = to.mul(to.reshape(gradient, to.shape(product)), product);
    return {to.div(to.broadcast(gradient, shape), x)};
}

Values sum_over(const Call& call, const char* argument) {
    return {reduced(call, "reduce_sum", call.as_float(call[0]),
                    axes_of(call, argument, call.to.shape(call[0]).rank()))};
}

Values argmax(const Call& call) {
    FlatBuilder& to = call.to;
    const Shape shape = to.shape(call[0]);
    const bool has_axis = call.has("dim");
    const ValueId x = has_axis ? call[0] : to.reshape(call[0], {shape.elements()});
    const std::int64_t axis = has_axis ? call.axis("dim", 0, shape.rank()) : 0;
    return {call.reshape_to_result(to.op("arg_max", {x}, {{"axis", axis}, {"dtype", call.type().element}}))};
}

Values running_sum(const Call& call, bool is_reversed) {
    const ValueId x = call.as_result(call[0]);
    if (call.shape().rank() == 0) return {x};  // one number, whatever the axis
    const std::int64_t axis = call.axis("dim", 0, call.shape().rank());
    return {call.to.op("cumsum", {x}, {{"axis", axis}, {"reverse", is_reversed}})};
}

// Products of 1, 2, 4 ... elements in a row.
Values running_product(const Call& call) {
    FlatBuilder& to = call.to;
    ValueId x = call.as_result(call[0]);
    const Shape shape = to.shape(x);
    if (shape.rank() == 0) return {x};
    const std::int64_t axis = call.axis("dim", 0, shape.rank());
    const std::int64_t length = shape[static_cast<std::size_t>(axis)];
    const bool is_reversed = call.flag("reverse_order");
    for (std::int64_t step = 1; step < length; step *= 2) {
        Integers low(shape.rank(), 0);
        Integers high(shape.rank(), 0);
        (is_reversed ? high : low)[static_cast<std::size_t>(axis)] = step;
        const ValueId part =
            is_reversed ? call.slice(x, axis, step, length) : call.slice(x, axis, 0, length - step);
        x = to.mul(x, call.pad(part, low, high, 1));
    }
    return {x};
}

Values sort(const Call& call) {
    FlatBuilder& to = call.to;
    const ValueId x = call[0];
    const Shape shape = to.shape(x);
    if (shape.rank() == 0) call.refuse("a tensor of no dimension");
    const std::int64_t axis = call.axis("dim", -1, shape.rank());
    const ValueId numbers = call.count(shape, axis, ElementType::kU32);
    const ir::ValueRange sorted =
        to.op("sort", {x, numbers}, {{"axis", axis}, {"descending", call.flag("descending")}});
    return {sorted[0], sorted[1]};
}

Values topk(const Call& call) {
    FlatBuilder& to = call.to;
    const std::size_t rank = to.shape(call[0]).rank();
    const std::int64_t axis = call.axis("dim", -1, rank);
    const bool is_largest = call.flag("largest", true);
    ValueId x = call.swap(call.as_float(call[0]), axis, -1);
    if (!is_largest) x = to.op("neg", {x});
    const ir::ValueRange found = to.op("top_k", {x}, {{"k", call.shape()[static_cast<std::size_t>(axis)]}});
    ValueId values = found[0];
    if (!is_largest) values = to.op("neg", {values});
    ValueId places = call.swap(found[1], axis, -1);
    if (const auto numbers = call.find("indices_tensor")) places = call.take_along(*numbers, places, axis);
    return {call.swap(values, axis, -1), places};
}

Values loss(const Call& call, bool is_square) {
    FlatBuilder& to = call.to;
    const ValueId difference = to.sub(call.as_float(call[0]), call.as_float(call[1]));
    const ValueId each = is_square ? to.mul(difference, difference) : ValueId(to.op("abs", {difference}));
    const std::string mode = call.text("reduction");
    const std::int64_t number = call.integer("reduction", mode.find("SUM") != std::string::npos    ? 1
                                                          : mode.find("MEAN") != std::string::npos ? 2
                                                                                                   : 0);
    if (number == 0) return {each};
    const Shape shape = to.shape(each);
    const ValueId sum = reduced(call, "reduce_sum", each, all_axes(shape.rank()));
    return {number == 1 ? sum : to.mul(sum, 1.0 / static_cast<double>(shape.elements()))};
}

Values moreh_norm(const Call& call) {
    FlatBuilder& to = call.to;
    const double p = call.number("p");
    const ValueId x = to.op("abs", {call.as_float(call[0])});
    const Integers axes = axes_of(call, "dim", to.shape(x).rank());
    if (p == std::numeric_limits<double>::infinity()) return {reduced(call, "reduce_max", x, axes)};
    if (p == -std::numeric_limits<double>::infinity()) return {reduced(call, "reduce_min", x, axes)};
    if (p == 0.0) {
        const ValueId there = to.convert(to.truth(x), ElementType::kF32);
        return {reduced(call, "reduce_sum", there, axes)};
    }
    const ValueId sum = reduced(call, "reduce_sum", to.op("pow", {x, to.full_like(x, p)}), axes);
    return {to.op("pow", {sum, to.full_like(sum, 1.0 / p)})};
}

// Of the norm's result and its gradient; 0 where the norm is.
Values moreh_norm_backward(const Call& call) {
    FlatBuilder& to = call.to;
    const double p = call.number("p");
    call.require(std::isfinite(p), "its p is not finite");
    const ValueId x = call.as_float(call[0]);
    const Shape shape = to.shape(x);
    Shape kept = shape;
    for (const std::int64_t axis : axes_of(call, "dim", shape.rank()))
        kept[static_cast<std::size_t>(axis)] = 1;
    const auto spread_out = [&](ValueId value) {
        call.require(to.shape(value).elements() == kept.elements(), "its norm has another shape");
        return to.broadcast(to.reshape(call.as_float(value), kept), shape);
    };
    const ValueId norm = spread_out(call[1]);
    const ValueId zero = to.full_like(x, 0);
    const auto power = [&](ValueId value) { return to.op("pow", {value, to.full_like(x, p - 1)}); };
    const ValueId slope = to.div(power(to.op("abs", {x})), power(norm));
    const ValueId signed_slope = to.mul(to.op("sign", {x}), to.mul(slope, spread_out(call[2])));
    const ValueId is_zero = to.op("or", {to.compare("EQ", x, zero), to.compare("EQ", norm, zero)});
    return {to.select(is_zero, zero, signed_slope)};
}

// The gradient spread over what was summed.
Values spread_gradient(const Call& call, double factor) {
    FlatBuilder& to = call.to;
    const Shape shape = call.shape();
    const ValueId gradient = call.as_float(call[0]);
    const Integers axes = axes_of(call, "dim", shape.rank());
    Shape kept = shape;
    for (const std::int64_t axis : axes)
        kept[static_cast<std::size_t>(axis)] = 1;
    call.require(kept.elements() == to.shape(gradient).elements(), "its gradient has another shape");
    const ValueId wide = to.broadcast(to.reshape(gradient, kept), shape);
    return {factor == 1.0 ? wide : to.mul(wide, 1.0 / count_of(shape, axes))};
}

// Reductions over tiles fill their input's padding first, which nothing here can see: a result beside their own is the input.
Values with_filled_input(const Call& call, Values values) {
    if (values.size() < call.result_count() && call.size() == 1) values.push_back(call[0]);
    return values;
}

}  // namespace

std::vector<Rule> reduction_rules() {
    std::vector<Rule> rules = {
        {"sum", "input_tensor", [](const Call& call) { return reduction(call, "reduce_sum", false); }},
        {"mean", "input_tensor", [](const Call& call) { return reduction(call, "reduce_sum", true); }},
        {"max", "input_tensor", [](const Call& call) { return reduction(call, "reduce_max", false); }},
        {"min", "input_tensor", [](const Call& call) { return reduction(call, "reduce_min", false); }},
        {"var", "input_tensor", [](const Call& call) { return spread(call, false); }},
        {"std", "input_tensor", [](const Call& call) { return spread(call, true); }},
        {"prod", "input_tensor", prod},
        {"prod_bw", "grad_tensor input_tensor", prod_bw},
        {"argmax", "input_tensor", argmax},
        {"cumsum", "input", [](const Call& call) { return running_sum(call, call.flag("reverse_order")); }},
        {"cumprod", "input_tensor", running_product},
        {"moreh_cumsum", "", [](const Call& call) { return running_sum(call, false); }},
        {"moreh_cumsum_backward", "", [](const Call& call) { return running_sum(call, true); }},
        {"sort", "input_tensor", sort},
        {"topk", "input_tensor indices_tensor", topk},
        {"l1_loss", "", [](const Call& call) { return loss(call, false); }},
        {"mse_loss", "", [](const Call& call) { return loss(call, true); }},
        {"experimental.fast_reduce_nc", "input", [](const Call& call) { return sum_over(call, "dims"); }},
        {"moreh_sum", "input", [](const Call& call) { return sum_over(call, "dim"); }},
        {"moreh_mean", "input", [](const Call& call) { return reduction(call, "reduce_sum", true); }},
        {"moreh_norm", "input", moreh_norm},
        {"moreh_norm_backward", "input output output_grad input_grad", moreh_norm_backward},
        {"moreh_sum_backward", "output_grad input",
         [](const Call& call) { return spread_gradient(call, 1.0); }},
        {"moreh_mean_backward", "output_grad", [](const Call& call) { return spread_gradient(call, 0.0); }},
    };
    for (Rule& rule : rules)
        rule.lower = [lower = rule.lower](const Call& call) { return with_filled_input(call, lower(call)); };
    return rules;
}

}  // namespace tilemeter::trace::lowering
