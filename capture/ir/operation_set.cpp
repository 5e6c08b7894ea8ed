// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/operation_set.hpp"

#include <stdexcept>

#include "capture/ir/error.hpp"

namespace tilemeter::ir {

std::string text_of(const Arity& arity) {
    if (arity.least == arity.most) return std::to_string(arity.least);
    if (arity.most == Arity::kAny) return "at least " + std::to_string(arity.least);
    return std::to_string(arity.least) + " to " + std::to_string(arity.most);
}

const Graph* OperationUse::subgraph(std::string_view name) const {
    for (const Subgraph& each : subgraphs)
        if (each.name == name) return each.graph.get();
    return nullptr;
}

const Operation& OperationSet::add(Operation operation) {
    if (find(operation.name) != nullptr)
        throw std::invalid_argument("operation set '" + name_ + "' has '" + operation.name + "' already");
    operations_.push_back(std::make_unique<const Operation>(std::move(operation)));
    by_name_.emplace(operations_.back()->name, operations_.back().get());
    return *operations_.back();
}

const Operation* OperationSet::find(std::string_view name) const {
    const auto found = by_name_.find(name);
    if (found != by_name_.end()) return found->second;
    return more_ ? more_(name) : nullptr;
}

const Operation& OperationSet::at(std::string_view name) const {
    if (const Operation* const found = find(name)) return *found;
    throw Error(ErrorKind::kUnknownOperation,
                "found operation '" + std::string(name) + "', expected one of the set '" + name_ + "'");
}

std::vector<const Operation*> operations_of(const Graph& graph, const OperationSet& set) {
    std::vector<const Operation*> found;
    found.reserve(graph.operations().size());
    for (const std::string& name : graph.operations())
        found.push_back(set.find(name));
    return found;
}

}  // namespace tilemeter::ir
