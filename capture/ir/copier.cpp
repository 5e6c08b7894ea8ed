// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/copier.hpp"

#include <string>

#include "capture/ir/error.hpp"

namespace tilemeter::ir {

Graph graph_like(const Graph& graph) {
    return Graph(graph.name(), graph.operation_set());
}

GraphCopier::GraphCopier(const Graph& from, Graph& to)
    : from_(&from), to_(&to), map_(from.value_count(), kNone) {}

void GraphCopier::copy_params() {
    for (const ValueId param : from_->params())
        copy_param(param);
}

ValueId GraphCopier::copy_param(ValueId param) {
    return map_[index_of(param)] = to_->add_input(from_->name_of(param), from_->type(param));
}

ValueRange GraphCopier::copy(const Equation& equation) {
    return copy(equation, equation.subgraphs());
}

ValueRange GraphCopier::copy(const Equation& equation, std::span<const Subgraph> subgraphs) {
    operands_.clear();
    for (const ValueId operand : equation.operands())
        operands_.push_back((*this)(operand));
    types_.clear();
    const ValueRange before = equation.results();
    for (std::size_t i = 0; i < before.size(); ++i)
        types_.push_back(from_->type(before[i]));
    const ValueRange after = to_->append(equation.operation(), operands_, types_, equation.attributes(),
                                         subgraphs, equation.location());
    for (std::size_t i = 0; i < before.size(); ++i)
        map(before[i], after[i]);
    return after;
}

void GraphCopier::map(ValueId from, ValueId to) {
    map_[index_of(from)] = to;
    const std::string_view name = from_->name_of(from);
    if (!name.empty() && to_->name_of(to).empty() && to_->definition(to).kind == ValueKind::kResult)
        to_->set_name(to, name);
}

bool GraphCopier::is_mapped(ValueId from) const {
    return map_[index_of(from)] != kNone;
}

ValueId GraphCopier::operator()(ValueId from) {
    ValueId& to = map_[index_of(from)];
    if (to != kNone) return to;
    const Constant* const constant = from_->constant(from);
    if (constant == nullptr)
        throw Error(ErrorKind::kUndefinedValue, "found value " + std::to_string(index_of(from)) +
                                                    " in use before what defines it was copied");
    to = to_->add_const(*constant);
    if (const auto name = from_->name_of(from); !name.empty() && to_->name_of(to).empty())
        to_->set_name(to, name);
    return to;
}

std::vector<ValueId> GraphCopier::operator()(std::span<const ValueId> from) {
    std::vector<ValueId> to;
    to.reserve(from.size());
    for (const ValueId value : from)
        to.push_back((*this)(value));
    return to;
}

void GraphCopier::copy_results() {
    to_->set_results((*this)(from_->results()));
}

}  // namespace tilemeter::ir
