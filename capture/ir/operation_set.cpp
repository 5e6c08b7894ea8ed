// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/operation_set.hpp"

#include <algorithm>
#include <stdexcept>

#include "capture/ir/control.hpp"
#include "capture/ir/error.hpp"

namespace tilemeter::ir {

namespace {

void check_attributes(const Operation& operation, const Attributes& attributes) {
    const auto rule_of = [&](std::string_view name) {
        return std::ranges::find(operation.attributes, name, &AttributeRule::name);
    };
    for (const auto& [name, value] : attributes.entries()) {
        const auto rule = rule_of(name);
        if (rule == operation.attributes.end()) {
            if (operation.any_attributes) continue;
            throw Error(ErrorKind::kWrongAttribute,
                        operation.name + ": found attribute '" + name + "', expected none of this name");
        }
        if (rule->kind != kind_of(value))
            throw Error(ErrorKind::kWrongAttribute, operation.name + ": attribute '" + name + "': found " +
                                                        std::string(name_of(kind_of(value))) + ", expected " +
                                                        std::string(name_of(rule->kind)));
    }
    for (const AttributeRule& rule : operation.attributes)
        if (rule.required && attributes.find(rule.name) == nullptr)
            throw Error(ErrorKind::kWrongAttribute, operation.name + ": found no attribute '" + rule.name +
                                                        "', expected " + std::string(name_of(rule.kind)));
}

}  // namespace

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

void check_use(const Operation& operation, const OperationUse& use) {
    if (!operation.operands.admits(use.size()))
        throw Error(ErrorKind::kWrongArity, operation.name + ": found " + std::to_string(use.size()) +
                                                " operands, expected " + text_of(operation.operands));
    check_attributes(operation, use.attributes);
    check_subgraph_names(operation, use.subgraphs);
}

void infer(const Operation& operation, const OperationUse& use, std::vector<TensorType>& types) {
    const std::size_t before = types.size();
    if (operation.infer)
        operation.infer(use, types);
    else
        infer_control(operation, use, types);
    if (!operation.results.admits(types.size() - before))
        throw Error(ErrorKind::kWrongArity, operation.name + ": found " +
                                                std::to_string(types.size() - before) +
                                                " results, expected " + text_of(operation.results));
}

ValueRange add_op(Graph& graph, const Operation& operation, std::span<const ValueId> operands,
                  const Attributes& attributes, std::span<const Subgraph> subgraphs,
                  const Location& location) {
    for (const ValueId operand : operands)
        if (!graph.has(operand))
            throw Error(ErrorKind::kUndefinedValue, operation.name + ": found operand " +
                                                        std::to_string(index_of(operand)) +
                                                        ", expected a value of this graph, which has " +
                                                        std::to_string(graph.value_count()));
    const OperationUse use{graph, operands, attributes, subgraphs};
    check_use(operation, use);
    std::vector<TensorType> types;
    infer(operation, use, types);
    return graph.append(operation.name, operands, types, attributes, subgraphs, location);
}

ValueRange add_op(Graph& graph, const OperationSet& set, std::string_view operation,
                  std::initializer_list<ValueId> operands, const Attributes& attributes,
                  std::span<const Subgraph> subgraphs, const Location& location) {
    return add_op(graph, set.at(operation), std::span(operands.begin(), operands.size()), attributes,
                  subgraphs, location);
}

}  // namespace tilemeter::ir
