// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Uses of operations: checked, their types inferred, added to a graph.

#include <algorithm>

#include "capture/ir/control.hpp"
#include "capture/ir/error.hpp"
#include "capture/ir/operation_set.hpp"

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
