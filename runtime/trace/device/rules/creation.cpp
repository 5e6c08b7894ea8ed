// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Operations that make tensors out of numbers. A tensor of empty() is zero: TT-NN says nothing of its values.

#include <vector>

#include "runtime/trace/device/rules/rule.hpp"

namespace tilemeter::trace::lowering {

namespace {

Values filled(const Call& call, double value) {
    return {call.to.full(call.type(), value)};
}

Values full(const Call& call) {
    return filled(call, call.number("fill_value"));
}

Values arange(const Call& call) {
    FlatBuilder& to = call.to;
    const Shape shape = call.shape();
    const std::int64_t count = shape.elements();
    const ValueId numbers = call.count({count}, 0, ElementType::kF32);
    const ValueId values = to.add(to.mul(numbers, call.number("step", 1.0)), call.number("start", 0.0));
    return {to.reshape(call.as_result(values), shape)};
}

}  // namespace

}  // namespace tilemeter::trace::lowering

namespace tilemeter::trace::rules {

std::vector<Rule> creation_rules() {
    const Lowering zeros{"", with(lowering::filled, 0.0)};
    const Lowering ones{"", with(lowering::filled, 1.0)};
    const Lowering full{"", lowering::full};
    const Lowering arange{"", lowering::arange};
    return {
        {"zeros", zeros},     {"zeros_like", zeros, no_slope()},
        {"empty", zeros},     {"empty_like", zeros},
        {"ones", ones},       {"ones_like", ones, no_slope()},
        {"full", full},       {"full_like", full, no_slope()},
        {"moreh_full", full}, {"moreh_full_like", full, no_slope()},
        {"arange", arange},   {"moreh_arange", arange},
    };
}

}  // namespace tilemeter::trace::rules
