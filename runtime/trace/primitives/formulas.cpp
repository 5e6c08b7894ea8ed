// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/primitives/internal/formulas.hpp"

#include <algorithm>

#include "capture/ir/copier.hpp"

namespace tilemeter::trace::internal {

using ir::Equation;
using ir::ValueId;

std::uint32_t Formulas::number_of(ValueId value) const {
    return static_cast<std::uint32_t>(std::ranges::find(inputs_, value) - inputs_.begin());
}

// The value of a constant itself is part of the key: a rule may come upon the same one.
void Formulas::take(ValueId value) {
    key_.push_back(graph_->type_number(value));
    key_.push_back(number_of(value));
    if (graph_->constant(value) != nullptr) key_.push_back(static_cast<std::uint32_t>(index_of(value)));
    inputs_.push_back(value);
}

const Formulas::Formula* Formulas::find() const {
    const auto known = known_.find(key_);
    return known == known_.end() || !known->second.can_repeat ? nullptr : &known->second;
}

void Formulas::keep(std::size_t first_equation) {
    const auto [place, is_new] = known_.try_emplace(key_);
    if (!is_new) return;
    Formula& formula = place->second;
    std::vector<ValueId> made;
    std::vector<ValueId> sources;
    const auto reference = [&](ValueId value) {
        if (const auto at = std::ranges::find(inputs_, value); at != inputs_.end())
            return Reference{Reference::Kind::kInput, static_cast<std::uint32_t>(at - inputs_.begin())};
        if (const auto at = std::ranges::find(made, value); at != made.end())
            return Reference{Reference::Kind::kMade, static_cast<std::uint32_t>(at - made.begin())};
        const bool is_source = std::ranges::find(sources, value) != sources.end();
        formula.can_repeat = formula.can_repeat && (is_source || graph_->constant(value) != nullptr);
        return Reference{Reference::Kind::kItself, static_cast<std::uint32_t>(index_of(value))};
    };
    for (std::size_t i = first_equation; i < graph_->equation_count(); ++i) {
        const Equation equation = graph_->equation(i);
        formula.can_repeat = formula.can_repeat && equation.subgraphs().empty();
        // An equation that depends on no value, such as a tensor of ones, serves all uses.
        if (equation.operands().empty()) {
            for (std::size_t k = 0; k < equation.results().size(); ++k)
                sources.push_back(equation.results()[k]);
            continue;
        }
        formula.steps.push_back({i, static_cast<std::uint32_t>(equation.operands().size())});
        for (const ValueId operand : equation.operands())
            formula.operands.push_back(reference(operand));
        for (std::size_t k = 0; k < equation.results().size(); ++k)
            made.push_back(equation.results()[k]);
    }
    for (const Value& result : made_)
        formula.results.push_back(result ? reference(*result) : Reference{});
}

template <class Location>
void Formulas::append(const Formula& formula, const Location& location) {
    const auto value = [this](const Reference& reference) {
        switch (reference.kind) {
            case Reference::Kind::kInput:
                return inputs_[reference.number];
            case Reference::Kind::kMade:
                return steps_[reference.number];
            default:
                return static_cast<ValueId>(reference.number);
        }
    };
    steps_.clear();
    auto next = formula.operands.begin();
    for (const Formula::Step& step : formula.steps) {
        operands_.clear();
        for (std::uint32_t i = 0; i < step.operands; ++i)
            operands_.push_back(value(*next++));
        const ir::ValueRange results = ir::append_again(*graph_, step.equation, operands_, location);
        for (std::size_t k = 0; k < results.size(); ++k)
            steps_.push_back(results[k]);
    }
    made_.clear();
    for (const Reference& result : formula.results)
        made_.push_back(result.kind == Reference::Kind::kNone ? Value() : Value(value(result)));
}

template void Formulas::append(const Formula& formula, const ir::Location& location);
template void Formulas::append(const Formula& formula, const ir::LocationOf& location);

}  // namespace tilemeter::trace::internal
