// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What makes tensors out of numbers. A tensor of empty() is zero: TT-NN says nothing of its values.

#include "runtime/trace/device/rules/lowering_call.hpp"

namespace tilemeter::trace::lowering {

namespace {

Values filled(const Call& call, double value) {
    return {call.to.full(call.type(), value)};
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

std::vector<Rule> creation_rules() {
    std::vector<Rule> rules;
    for (const char* const name : {"zeros", "zeros_like", "empty", "empty_like"})
        rules.push_back({name, "", [](const Call& call) { return filled(call, 0); }});
    for (const char* const name : {"ones", "ones_like"})
        rules.push_back({name, "", [](const Call& call) { return filled(call, 1); }});
    for (const char* const name : {"full", "full_like", "moreh_full", "moreh_full_like"})
        rules.push_back({name, "", [](const Call& call) { return filled(call, call.number("fill_value")); }});
    for (const char* const name : {"arange", "moreh_arange"})
        rules.push_back({name, "", arange});
    return rules;
}

}  // namespace tilemeter::trace::lowering
