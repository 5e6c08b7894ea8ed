// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Reductions: the gradient of each element is that of what it went into.

#include <cmath>

#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/repeat.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/eltwise/where.hpp"
#include "runtime/operations/moreh/moreh_reductions.hpp"
#include "runtime/operations/reduction/accumulation.hpp"
#include "runtime/operations/reduction/losses.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "runtime/trace/device/rules/gradient_call.hpp"

namespace tilemeter::trace::backward {

namespace {

// None: all.
Integers reduced_axes(const Call& call) {
    const std::size_t rank = call.shape(0).rank();
    Integers axes = call.integers("dim").value_or(Integers{});
    if (axes.empty())
        for (std::size_t i = 0; i < rank; ++i)
            axes.push_back(static_cast<std::int64_t>(i));
    for (std::int64_t& axis : axes)
        if (axis < 0) axis += static_cast<std::int64_t>(rank);
    return axes;
}

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

void spread(Call& call, bool is_mean) {
    const Shape& shape = call.shape(0);
    Shape kept = shape;
    double count = 1;
    const Integers axes = reduced_axes(call);
    for (const std::int64_t axis : axes) {
        count *= shape[axis];
        kept.set(axis, 1);
    }
    Tensor gradient = call.gradient();
    const double factor = static_cast<double>(call.number("scalar", 1)) / (is_mean ? count : 1);
    if (factor != 1) gradient = multiply(gradient, Scalar(factor));
    gradient = reshaped(gradient, kept);
    if (kept != shape) gradient = repeated(gradient, shape, axes);
    call.give(0, gradient);
}

std::vector<int> as_dims(const Integers& axes) {
    return {axes.begin(), axes.end()};
}

Shape with_ones(Shape shape, const Integers& axes) {
    for (const std::int64_t axis : axes)
        shape.set(axis, 1);
    return shape;
}

// Elements that equal the extremum share its gradient.
void extremum_back(Call& call) {
    const Integers axes = reduced_axes(call);
    const Shape kept = with_ones(call.shape(0), axes);
    const Tensor is_extremum = eq(call.operand(0), reshaped(call.result(), kept));
    const Tensor count = sum(Sum{.input_tensor = is_extremum, .dim = as_dims(axes), .keepdim = true});
    call.give(0, multiply(is_extremum, divide(reshaped(call.gradient(), kept), count)));
}

// Of a variance 2 * (x - mean) / n, of its root that divided by twice the root; n: less one with the correction.
void deviation_back(Call& call, bool is_root) {
    const Tensor x = call.operand(0);
    const Integers axes = reduced_axes(call);
    const Shape kept = with_ones(x.shape(), axes);
    double count = call.flag("correction", true) ? -1 : 0;
    count += static_cast<double>(x.shape().volume()) / static_cast<double>(kept.volume());
    const Tensor gradient = reshaped(call.gradient(), kept);
    Tensor share = multiply(gradient, Scalar((is_root ? 1 : 2) / count));
    if (is_root) {
        // Where all elements are equal there is none, as torch has it.
        const Tensor root = reshaped(call.result(), kept);
        share = tilemeter::where(eqz(root), 0.0F, divide(share, root));
    }
    const Tensor middle = mean(Mean{.input_tensor = x, .dim = as_dims(axes), .keepdim = true});
    call.give(0, multiply(subtract(x, middle), share));
}

// Of the difference of the two: of its square, or of its absolute value.
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
    return takes_reduction(call) && call.number("scalar", 1) == 1.0F && !is_block_float(call.spec(0).dtype);
}

bool takes_moreh(const Call& call) {
    return call.spec(0).dtype == DataType::BFLOAT16 && call.size() == 1 &&
           call.recorded().results.size() == 1;
}

}  // namespace

std::vector<Rule> reduction_rules() {
    return {
        {"sum", "", [](Call& call) { spread(call, false); }, takes_reduction},
        {"mean", "", [](Call& call) { spread(call, true); }, takes_reduction},
        {"max", "input_tensor result", extremum_back, takes_unscaled},
        {"min", "input_tensor result", extremum_back, takes_unscaled},
        {"var", "input_tensor", [](Call& call) { deviation_back(call, false); }, takes_unscaled},
        {"std", "input_tensor result", [](Call& call) { deviation_back(call, true); }, takes_unscaled},
        {"mse_loss", "input_reference input_prediction", [](Call& call) { loss_back(call, true); },
         takes_loss},
        {"l1_loss", "input_reference input_prediction", [](Call& call) { loss_back(call, false); },
         takes_loss},
        {"moreh_sum", "input",
         [](Call& call) {
             call.give(0, moreh_sum_backward(MorehSumBackward{.output_grad = call.gradient(),
                                                              .input = call.operand(0),
                                                              .dim = given_dims(call),
                                                              .keepdim = call.flag("keepdim")}));
         },
         takes_moreh},
        {"moreh_mean", "",
         [](Call& call) {
             call.give(0, moreh_mean_backward(MorehMeanBackward{.output_grad = call.gradient(),
                                                                .dim = given_dims(call),
                                                                .keepdim = call.flag("keepdim"),
                                                                .input_grad_shape = call.shape(0)}));
         },
         takes_moreh},
        {"moreh_norm", "input result",
         [](Call& call) {
             call.give(0, moreh_norm_backward(MorehNormBackward{.input = call.operand(0),
                                                                .output = call.result(),
                                                                .output_grad = call.gradient(),
                                                                .p = call.number("p", 2),
                                                                .dim = given_dims(call),
                                                                .keepdim = call.flag("keepdim")}));
         },
         [](const Call& call) { return takes_moreh(call) && std::abs(call.number("p", 2)) < 1e30F; }},
        {"cumsum", "",
         [](Call& call) {
             call.give(0, cumsum(Cumsum{.input = call.gradient(),
                                        .dim = call.axis("dim", 0, call.shape(0).rank()),
                                        .reverse_order = !call.flag("reverse_order")}));
         },
         takes_reduction},
    };
}

}  // namespace tilemeter::trace::backward
