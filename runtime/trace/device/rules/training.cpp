// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Steps of optimizers, and gradients that are more than formulas of elements.

#include <cmath>
#include <vector>

#include "runtime/trace/device/rules/rule.hpp"

namespace tilemeter::trace::lowering {

namespace {

Values moreh_sgd(const Call& call) {
    FlatBuilder& to = call.to;
    const ValueId parameters = call.as_float(call.tensor("param_in"));
    ValueId direction = call.as_float(call.tensor("grad"));
    if (const double decay = call.number("weight_decay", 0); decay != 0)
        direction = to.add(direction, to.mul(parameters, decay));
    Values results;
    const double momentum = call.number("momentum", 0);
    if (momentum != 0) {
        ValueId buffer = direction;
        if (call.flag("momentum_initialized")) {
            const ValueId before = call.as_float(call.tensor("momentum_buffer_in"));
            buffer = to.add(to.mul(before, momentum), to.mul(direction, 1 - call.number("dampening", 0)));
        }
        direction = call.flag("nesterov") ? to.add(direction, to.mul(buffer, momentum)) : buffer;
        results.push_back(buffer);
    }
    results.insert(results.begin(), to.sub(parameters, to.mul(direction, call.number("lr", 1e-3))));
    return results;
}

Values moreh_adam(const Call& call, bool decays_apart) {
    FlatBuilder& to = call.to;
    ValueId parameters = call.as_float(call.tensor("param_in"));
    ValueId gradient = call.as_float(call.tensor("grad"));
    const double rate = call.number("lr", 1e-3);
    const double decay = call.number("weight_decay", decays_apart ? 0.01 : 0.0);
    const double beta1 = call.number("beta1", 0.9);
    const double beta2 = call.number("beta2", 0.999);
    const double step = call.number("step", 0);
    if (!decays_apart && decay != 0) gradient = to.add(gradient, to.mul(parameters, decay));
    const ValueId average =
        to.add(to.mul(call.as_float(call.tensor("exp_avg_in")), beta1), to.mul(gradient, 1 - beta1));
    const ValueId square = to.add(to.mul(call.as_float(call.tensor("exp_avg_sq_in")), beta2),
                                  to.mul(to.mul(gradient, gradient), 1 - beta2));
    Values results{average, square};
    ValueId largest = square;
    if (call.flag("amsgrad")) {
        largest = to.op("maximum", {call.as_float(call.tensor("max_exp_avg_sq_in")), square});
        results.push_back(largest);
    }
    const ValueId root = to.op("sqrt", {to.div(largest, 1 - std::pow(beta2, step))});
    const ValueId moved =
        to.div(to.mul(average, rate / (1 - std::pow(beta1, step))), to.add(root, call.number("eps", 1e-8)));
    if (decays_apart) parameters = to.mul(parameters, 1 - rate * decay);
    results.insert(results.begin(), to.sub(parameters, moved));
    return results;
}

Values repeat_bw(const Call& call) {
    const Shape from = call.to.shape(call[0]);
    const Shape wanted = call.shape();
    call.require(from.rank() == wanted.rank(), "its gradient has another rank");
    if (from.elements() == 0) return {call.to.full(call.type(), 0)};
    Integers axes;
    for (std::size_t i = 0; i < from.rank(); ++i) {
        if (from[i] == wanted[i]) continue;
        call.require(wanted[i] == 1, "what it repeats is more than one row");
        axes.push_back(static_cast<std::int64_t>(i));
    }
    return {call.to.reduce("reduce_sum", call.as_float(call[0]), axes, true)};
}

Values moreh_abs_pow(const Call& call) {
    FlatBuilder& to = call.to;
    const ValueId x = to.op("abs", {call.as_float(call[0])});
    return {to.op("pow", {x, to.full_like(x, call.number("p"))})};
}

}  // namespace

}  // namespace tilemeter::trace::lowering

namespace tilemeter::trace::rules {

std::vector<Rule> training_rules() {
    const char* const adam = "param_in grad exp_avg_in exp_avg_sq_in max_exp_avg_sq_in";
    return {
        {"moreh_sgd",
         {"param_in grad momentum_buffer_in param_out momentum_buffer_out", lowering::moreh_sgd}},
        {"moreh_adam", {adam, with(lowering::moreh_adam, false)}},
        {"moreh_adamw", {adam, with(lowering::moreh_adam, true)}},
        {"repeat_bw", {"grad_tensor input_tensor", lowering::repeat_bw}},
        {"moreh_abs_pow", {"input output", lowering::moreh_abs_pow}},
    };
}

}  // namespace tilemeter::trace::rules
