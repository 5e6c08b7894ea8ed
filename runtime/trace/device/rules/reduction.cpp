// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Reductions and running sums. The gradient of each element is that of what it went into.

#include "runtime/operations/reduction/reduction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/repeat.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/eltwise/where.hpp"
#include "runtime/operations/moreh/moreh_reductions.hpp"
#include "runtime/operations/reduction/accumulation.hpp"
#include "runtime/operations/reduction/losses.hpp"
#include "runtime/trace/device/rules/rule.hpp"
#include "runtime/types/dtype.hpp"
#include "runtime/types/rounding.hpp"

namespace tilemeter::trace::lowering {

namespace {

// In ascending order.
Integers axes_of(const Call& call, const char* argument, std::size_t rank) {
    Integers axes = call.axes(argument, rank);
    std::ranges::sort(axes);
    return axes;
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
    // For no elements it is not a number, as TT-NN's.
    const double divisor = call.flag("correction", true) ? std::max(count - 1, 0.0) : count;
    const ValueId variance = to.div(sum, divisor);
    return {is_root ? ValueId(to.op("sqrt", {variance})) : variance};
}

// Divided by the number of elements with the padding that the input has before it is made tiles, as TT-NN's.
Values spread_hw(const Call& call, bool is_root) {
    FlatBuilder& to = call.to;
    const ValueId x = call.as_float(call[0]);
    const Shape shape = to.shape(x);
    const ValueId centered = to.sub(x, to.broadcast(call.mean(x, {2, 3}), shape));
    const ValueId sum = reduced(call, "reduce_sum", to.mul(centered, centered), {2, 3});
    const auto padded = [&](std::size_t axis, std::uint32_t tile) {
        const auto extent = static_cast<std::uint64_t>(shape[axis]);
        return static_cast<double>(call.is_in_tiles(0) ? round_up(extent, tile) : extent);
    };
    const ValueId variance = to.div(sum, padded(2, kTileHeight) * padded(3, kTileWidth));
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
    const ValueId sum = reduced(call, "reduce_sum", each, rules::all_axes(shape.rank()));
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

// The gradient of a norm, from its result and the gradient of that; 0 where the norm is.
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

Values cumsum(const Call& call) {
    return running_sum(call, call.flag("reverse_order"));
}

}  // namespace

}  // namespace tilemeter::trace::lowering

namespace tilemeter::trace::rules {

namespace {

ReduceDims given_dims(const Call& call) {
    const std::optional<Integers> dims = call.integers("dim");
    if (!dims) return std::nullopt;
    return std::vector<int>(dims->begin(), dims->end());
}

// `gradient`, of 1 along `axes`, repeated to `shape`. expand() would do it in rows: two tensors more, and rows that fill a
// core where they are long; moreh's program repeats tiles, whatever is reduced.
Tensor repeated(const Tensor& gradient, const Shape& shape, const Integers& axes) {
    const bool moreh_takes = gradient.dtype() == DataType::BFLOAT16 && gradient.layout() == Layout::TILE &&
                             !gradient.memory_config().is_sharded();
    if (!moreh_takes) return expand(Expand{.input_tensor = gradient, .output_shape = extents_of(shape)});
    const Tensor room = empty(Empty{.shape = shape,
                                    .dtype = gradient.dtype(),
                                    .layout = Layout::TILE,
                                    .device = gradient.shared_device(),
                                    .memory_config = gradient.memory_config()});
    return moreh_sum_backward(MorehSumBackward{.output_grad = gradient,
                                               .dim = std::vector<int>(axes.begin(), axes.end()),
                                               .keepdim = true,
                                               .input_grad = room});
}

Shape with_ones(Shape shape, const Integers& axes) {
    for (const std::int64_t axis : axes)
        shape.set(axis, 1);
    return shape;
}

void spread(Call& call, bool is_mean) {
    const Shape& shape = call.shape(0);
    const Integers axes = call.axes("dim", shape.rank());
    const Shape kept = with_ones(shape, axes);
    double count = 1;
    for (const std::int64_t axis : axes)
        count *= shape[axis];
    Tensor gradient = call.gradient();
    const double factor = static_cast<double>(call.single("scalar", 1)) / (is_mean ? count : 1);
    if (factor != 1) gradient = multiply(gradient, Scalar(factor));
    gradient = reshaped(gradient, kept);
    if (kept != shape) gradient = repeated(gradient, shape, axes);
    call.give(0, gradient);
}

std::vector<int> as_dims(const Integers& axes) {
    return {axes.begin(), axes.end()};
}

// Elements that equal the extremum share its gradient.
void extremum_back(Call& call) {
    const Integers axes = call.axes("dim", call.shape(0).rank());
    const Shape kept = with_ones(call.shape(0), axes);
    const Tensor is_extremum = eq(call.operand(0), reshaped(call.result(), kept));
    const Tensor count = sum(Sum{.input_tensor = is_extremum, .dim = as_dims(axes), .keepdim = true});
    call.give(0, multiply(is_extremum, divide(reshaped(call.gradient(), kept), count)));
}

// The gradient of a variance 2 * (x - mean) / n, of its root that divided by twice the root; n: less one with the
// correction.
void deviation_back(Call& call, bool is_root) {
    const Tensor x = call.operand(0);
    const Integers axes = call.axes("dim", call.shape(0).rank());
    const Shape kept = with_ones(x.shape(), axes);
    double count = call.flag("correction", true) ? -1 : 0;
    count += static_cast<double>(x.shape().volume()) / static_cast<double>(kept.volume());
    const Tensor gradient = reshaped(call.gradient(), kept);
    Tensor share = multiply(gradient, Scalar((is_root ? 1 : 2) / count));
    if (is_root) {
        // If all elements are equal there is no gradient, as torch has it.
        const Tensor root = reshaped(call.result(), kept);
        share = tilemeter::where(eqz(root), 0.0F, divide(share, root));
    }
    const Tensor middle = mean(Mean{.input_tensor = x, .dim = as_dims(axes), .keepdim = true});
    call.give(0, multiply(subtract(x, middle), share));
}

// The gradient of the difference of the two: of its square, or of its absolute value.
void loss_back(Call& call, bool is_square) {
    const std::size_t reference = call.at("input_reference");
    const std::size_t prediction = call.at("input_prediction");
    const double mode = call.find_number("reduction").value_or(0);
    double factor = is_square ? 2 : 1;
    if (mode == static_cast<double>(LossReductionMode::MEAN))
        factor /= static_cast<double>(call.shape(reference).volume());
    const Tensor difference = subtract(call.operand(prediction), call.operand(reference));
    Tensor gradient = call.gradient();
    if (mode != static_cast<double>(LossReductionMode::NONE)) {
        const Shape one(std::vector<std::uint32_t>(call.shape(reference).rank(), 1));
        gradient = reshaped(gradient, one);
    }
    if (factor != 1) gradient = multiply(gradient, Scalar(factor));
    const Tensor of_prediction = multiply(is_square ? difference : sign(difference), gradient);
    call.give(prediction, of_prediction);
    if (call.wants(reference)) call.give(reference, neg(of_prediction));
}

bool takes_loss(const Call& call) {
    return call.size() == 2 && call.shape(0) == call.shape(1) && call.spec(0).layout == Layout::TILE &&
           is_floating_point(call.spec(0).dtype) && call.spec(0).dtype == call.spec(1).dtype;
}

bool takes_reduction(const Call& call) {
    return is_floating_point(call.spec(0).dtype) && call.spec(0).layout == Layout::TILE && call.size() == 1;
}

bool takes_unscaled(const Call& call) {
    return takes_reduction(call) && call.single("scalar", 1) == 1.0F && !is_block_float(call.spec(0).dtype);
}

bool takes_moreh(const Call& call) {
    return call.spec(0).dtype == DataType::BFLOAT16 && call.size() == 1 && call.result_count() == 1;
}

void moreh_sum_back(Call& call) {
    call.give(0, moreh_sum_backward(MorehSumBackward{.output_grad = call.gradient(),
                                                     .input = call.operand(0),
                                                     .dim = given_dims(call),
                                                     .keepdim = call.flag("keepdim")}));
}

void moreh_mean_back(Call& call) {
    call.give(0, moreh_mean_backward(MorehMeanBackward{.output_grad = call.gradient(),
                                                       .dim = given_dims(call),
                                                       .keepdim = call.flag("keepdim"),
                                                       .input_grad_shape = call.shape(0)}));
}

void moreh_norm_back(Call& call) {
    call.give(0, moreh_norm_backward(MorehNormBackward{.input = call.operand(0),
                                                       .output = call.result(),
                                                       .output_grad = call.gradient(),
                                                       .p = call.single("p", 2),
                                                       .dim = given_dims(call),
                                                       .keepdim = call.flag("keepdim")}));
}

bool takes_moreh_norm(const Call& call) {
    return takes_moreh(call) && std::abs(call.single("p", 2)) < 1e30F;
}

void running_sum_back(Call& call) {
    call.give(0, cumsum(Cumsum{.input = call.gradient(),
                               .dim = call.axis("dim", 0, call.shape(0).rank()),
                               .reverse_order = !call.flag("reverse_order")}));
}

}  // namespace

std::vector<Rule> reduction_rules() {
    const Gradient extremum{"input_tensor result", extremum_back, takes_unscaled};
    std::vector<Rule> rules = {
        {"sum",
         {"input_tensor", with(lowering::reduction, "reduce_sum", false)},
         {"", with(spread, false), takes_reduction}},
        {"mean",
         {"input_tensor", with(lowering::reduction, "reduce_sum", true)},
         {"", with(spread, true), takes_reduction}},
        {"max", {"input_tensor", with(lowering::reduction, "reduce_max", false)}, extremum},
        {"min", {"input_tensor", with(lowering::reduction, "reduce_min", false)}, extremum},
        {"var",
         {"input_tensor", with(lowering::spread, false)},
         {"input_tensor", with(deviation_back, false), takes_unscaled}},
        {"std",
         {"input_tensor", with(lowering::spread, true)},
         {"input_tensor result", with(deviation_back, true), takes_unscaled}},
        {"var_hw", {"input_tensor", with(lowering::spread_hw, false)}},
        {"std_hw", {"input_tensor", with(lowering::spread_hw, true)}},
        {"prod", {"input_tensor", lowering::prod}},
        {"prod_bw", {"grad_tensor input_tensor", lowering::prod_bw}},
        {"argmax", {"input_tensor", lowering::argmax}},
        {"cumsum", {"input", lowering::cumsum}, {"", running_sum_back, takes_reduction}},
        {"cumprod", {"input_tensor", lowering::running_product}},
        {"moreh_cumsum", {"", with(lowering::running_sum, false)}},
        {"moreh_cumsum_backward", {"", with(lowering::running_sum, true)}},
        {"l1_loss",
         {"", with(lowering::loss, false)},
         {"input_reference input_prediction", with(loss_back, false), takes_loss}},
        {"mse_loss",
         {"", with(lowering::loss, true)},
         {"input_reference input_prediction", with(loss_back, true), takes_loss}},
        {"experimental.fast_reduce_nc", {"input", with(lowering::sum_over, "dims")}},
        {"moreh_sum", {"input", with(lowering::sum_over, "dim")}, {"input", moreh_sum_back, takes_moreh}},
        {"moreh_mean",
         {"input", with(lowering::reduction, "reduce_sum", true)},
         {"", moreh_mean_back, takes_moreh}},
        {"moreh_norm", {"input", lowering::moreh_norm}, {"input result", moreh_norm_back, takes_moreh_norm}},
        {"moreh_norm_backward", {"input output output_grad input_grad", lowering::moreh_norm_backward}},
        {"moreh_sum_backward", {"output_grad input", with(lowering::spread_gradient, 1.0)}},
        {"moreh_mean_backward", {"output_grad", with(lowering::spread_gradient, 0.0)}},
    };
    for (Rule& rule : rules)
        rule.lowering.values = [values = std::move(rule.lowering.values)](const lowering::Call& call) {
            return call.with_filled_input(values(call));
        };
    return rules;
}

}  // namespace tilemeter::trace::rules
