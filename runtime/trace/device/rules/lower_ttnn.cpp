// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/rules/lower_ttnn.hpp"

#include <algorithm>
#include <unordered_map>

#include "capture/ir/error.hpp"
#include "runtime/trace/device/rules/rule.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"

namespace tilemeter::trace {

namespace {

ir::TensorType flat_type(const ir::TensorType& type) {
    return {lowering::flat_element(type.element), type.shape, {}};
}

ir::Constant flat_constant(const ir::Constant& constant) {
    const ir::TensorType type = flat_type(constant.type());
    if (type == constant.type()) return constant;
    const auto count = static_cast<std::size_t>(type.shape.elements());
    if (type.element == ir::ElementType::kF32) {
        std::vector<float> values(count);
        for (std::size_t i = 0; i < count; ++i)
            values[i] = static_cast<float>(constant.double_at(i));
        return ir::Constant::of<float>(type.element, type.shape, values);
    }
    if (type.element == ir::ElementType::kU32) {
        std::vector<std::uint32_t> values(count);
        for (std::size_t i = 0; i < count; ++i)
            values[i] = static_cast<std::uint32_t>(constant.integer_at(i));
        return ir::Constant::of<std::uint32_t>(type.element, type.shape, values);
    }
    return {type, constant.storage()};
}

class Lowerer {
public:
    explicit Lowerer(const ir::Graph& from) : from_(from), to_(from.name(), std::string(kFlat)) {}

    ir::Graph run() {
        for (const ir::ValueId each : from_.params())
            values_[each] = to_.add_input(from_.name_of(each), flat_type(from_.type(each)));
        for (const ir::Equation equation : from_.equations())
            lower_call(equation);
        std::vector<ir::ValueId> results;
        for (const ir::ValueId each : from_.results())
            results.push_back(value(each));
        to_.set_results(results);
        return std::move(to_);
    }

private:
    ir::ValueId value(ir::ValueId from) {
        const auto [known, is_new] = values_.try_emplace(from);
        if (is_new) known->second = to_.add_const(flat_constant(*from_.constant(from)));
        return known->second;
    }

    void lower_call(const ir::Equation& equation) {
        const rules::Rule* const rule = rules::find_rule(equation.operation());
        if (rule == nullptr || !rule->lowering.values)
            throw ir::Error(ir::ErrorKind::kNoRule, equation.operation() + ": no lower rule");
        std::vector<ir::ValueId> operands;
        for (const ir::ValueId each : equation.operands())
            operands.push_back(value(each));
        FlatBuilder builder(to_, equation.location());
        const lowering::Call call(builder, equation, rule->lowering.tensors, std::move(operands));
        const lowering::Values lowered = rule->lowering.values(call);
        if (lowered.size() < call.result_count())
            call.refuse("found " + std::to_string(call.result_count()) + " results, the lowering has " +
                        std::to_string(lowered.size()));
        for (std::size_t i = 0; i < call.result_count(); ++i) {
            const ir::ValueId made = call.as_result(lowered[i], i);
            if (to_.type(made) != call.type(i))
                call.refuse("found a result of " + text_of(call.type(i)) + ", the lowering has " +
                            text_of(to_.type(made)));
            values_[equation.results()[i]] = made;
        }
    }

    const ir::Graph& from_;
    ir::Graph to_;
    std::unordered_map<ir::ValueId, ir::ValueId> values_;
};

}  // namespace

ir::Graph lower_ttnn(const ir::Graph& calls) {
    return Lowerer(calls).run();
}

bool has_lowering(std::string_view operation) {
    const rules::Rule* const rule = rules::find_rule(operation);
    return rule != nullptr && rule->lowering.values;
}

std::vector<std::string> without_lowering(const ir::Graph& calls) {
    std::vector<std::string> missing;
    for (const ir::Equation each : calls.equations())
        if (!has_lowering(each.operation()) && std::ranges::find(missing, each.operation()) == missing.end())
            missing.push_back(each.operation());
    return missing;
}

}  // namespace tilemeter::trace
