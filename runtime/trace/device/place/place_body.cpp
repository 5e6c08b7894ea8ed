// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/place/place_body.hpp"

#include <utility>

#include "capture/ir/control.hpp"
#include "capture/ir/order.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"

namespace tilemeter::trace::placement {

namespace {

using ir::Control;
using ir::Graph;

constexpr std::string_view kReshape = "reshape";
constexpr std::string_view kBroadcast = "broadcast_in_dim";
constexpr std::uint32_t kMostDeferred = 32;  // one after the other, since each is made by the next

// Values are released after the last step that needs them, be it for what a deferred step makes of them.
void note_last_uses(Body& body) {
    const Graph& graph = *body.graph;
    std::vector<bool> needed(graph.value_count());
    const auto note = [&](auto&& self, ValueId id, Step* step) -> void {
        if (needed[index_of(id)]) return;
        needed[index_of(id)] = true;
        if (step != nullptr) step->last_used.push_back(id);
        if (const auto deferred = body.deferred[index_of(id)])
            for (const ValueId operand : body.steps[*deferred].equation.operands())
                self(self, operand, step);
    };
    for (const ValueId result : graph.results())
        note(note, result, nullptr);
    for (auto step = body.steps.rbegin(); step != body.steps.rend(); ++step) {
        if (step->is_deferred) continue;
        for (std::size_t i = 0; i < step->equation.results().size(); ++i)
            note(note, step->equation.results()[i], &*step);
        for (const ValueId operand : step->equation.operands())
            note(note, operand, &*step);
    }
}

class StepUse : public Use {
public:
    StepUse(Calls& calls, const Step& step, Slots& slots)
        : Use(calls, step.equation, step.types), operands_(step.equation.operands()), slots_(slots) {}

    Value operator[](std::size_t operand) override { return slots_.whole(operands_[operand]); }
    Value elements(std::size_t operand) override { return slots_.elements(operands_[operand]); }
    Value spread(std::size_t operand) override { return slots_.spread(operands_[operand]); }
    [[nodiscard]] std::optional<double> number(std::size_t operand) const override {
        return slots_.number(operands_[operand]);
    }

private:
    std::span<const ValueId> operands_;
    Slots& slots_;
};

// Bools keep the dtype they have until they leave the graph.
Value fitting(Calls& to, const Value& value, ElementType element) {
    const DataType dtype = element == ElementType::kBool ? value.tensor.dtype() : to.dtype_of(element);
    return to.to_layout(to.typecast(value, dtype), Layout::TILE);
}

}  // namespace

Values run_rule(Calls& to, const Step& step, Slots& slots) {
    StepUse use(to, step, slots);
    Values results;
    step.rule->rule(use, results);
    for (std::size_t i = 0; i < results.size(); ++i)
        results[i] = fitting(to, results[i], step.types[i].element);
    return results;
}

const ir::Equation* Slots::deferred(ValueId id) const {
    const auto step = body_.deferred[index_of(id)];
    return step && !made_[index_of(id)] ? &body_.steps[*step].equation : nullptr;
}

Value Slots::whole(ValueId id) {
    std::optional<Value>& slot = made_[index_of(id)];
    if (const ir::Constant* const constant = body_.graph->constant(id); constant != nullptr && !slot) {
        if (used_ == nullptr) return {body_.constants.at(id), {}};
        slot = to_.constant(*constant);
        used_->emplace(id, Tensor());
        return *slot;
    }
    if (!slot) {
        Value made = run_rule(to_, body_.steps[body_.deferred[index_of(id)].value()], *this).front();
        slot = std::move(made);
    }
    slot = to_.reshape(*slot, device_extents(body_.graph->type(id).shape));
    return *slot;
}

Value Slots::elements(ValueId id) {
    if (const ir::Equation* const equation = deferred(id);
        equation != nullptr && equation->operation() == kReshape)
        return elements(equation->operands()[0]);
    return made_[index_of(id)] ? *made_[index_of(id)] : whole(id);
}

Value Slots::spread(ValueId id) {
    const ir::Equation* const equation = deferred(id);
    if (equation == nullptr || equation->operation() != kBroadcast) return whole(id);
    std::optional<Value>& slot = spread_[index_of(id)];
    if (slot) return *slot;
    const ValueId operand = equation->operands()[0];
    const Value x = keeps_order(equation->attributes()) ? elements(operand) : whole(operand);
    slot = unexpanded(to_, x, body_.graph->type(operand).shape, equation->attributes());
    return *slot;
}

std::optional<double> Slots::number(ValueId id) const {
    const TensorType& type = body_.graph->type(id);
    std::optional<double> number;
    if (const ir::Constant* const constant = body_.graph->constant(id)) {
        if (type.shape.elements() != 1) return std::nullopt;
        number = constant->double_at(0);
    } else if (const auto deferred = body_.deferred[index_of(id)]) {
        const ir::Equation& equation = body_.steps[*deferred].equation;
        if (!equation.operands().empty()) return this->number(equation.operands()[0]);
        number = equation.attributes().get<double>("value");
    }
    // A real number is rounded to float32 beside a tensor as it would be in one.
    if (number && !ir::is_float(type.element) && !is_exact(*number)) return std::nullopt;
    return number;
}

void look_up(const Graph& graph, Body& body) {
    body.graph = &ir::in_order(graph, flat_operations(), body.sorted);
    const Graph& from = *body.graph;
    const auto operations = operations_of(from, flat_operations());
    body.deferred.resize(from.value_count());
    std::vector<std::uint32_t> depths(from.value_count());
    for (const ir::Equation equation : from.equations()) {
        const Control control = operations[equation.operation_number()]->control;
        Step step{equation, control, control == Control::kNone ? find_rule(equation.operation()) : nullptr,
                  {},       {},      false};
        for (std::size_t i = 0; i < equation.results().size(); ++i)
            step.types.push_back(from.type(equation.results()[i]));
        const std::string& name = equation.operation();
        if (name == kReshape || name == kBroadcast || name == "full") {
            const auto operands = equation.operands();
            const std::uint32_t depth = operands.empty() ? 1 : depths[index_of(operands[0])] + 1;
            step.is_deferred = depth <= kMostDeferred;
            if (step.is_deferred) {
                depths[index_of(equation.results())] = depth;
                body.deferred[index_of(equation.results())] = body.steps.size();
            }
        }
        body.steps.push_back(std::move(step));
    }
    note_last_uses(body);
}

}  // namespace tilemeter::trace::placement
