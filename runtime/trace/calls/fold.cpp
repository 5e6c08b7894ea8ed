// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "capture/ir/copier.hpp"
#include "capture/ir/error.hpp"
#include "runtime/trace/calls/call_operations.hpp"
#include "runtime/trace/calls/custom_operation.hpp"
#include "runtime/trace/calls/evaluate.hpp"
#include "runtime/trace/calls/simplify.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"

namespace tilemeter::trace {

namespace {

using ir::Constant;
using ir::Graph;
using ir::RewriteSite;
using ir::ValueId;

// The values of one equation, or none where it has no values on the host.
std::vector<Constant> values_of(const RewriteSite& site, const std::string& operation_set) {
    // A custom operation's computation may have effects, or not be ready: it runs when the graph does.
    const std::string& operation = site.equation.operation();
    if (operation == "custom_call" || find_custom_operation(operation) != nullptr) return {};
    Graph graph("fold", operation_set);
    std::vector<ValueId> operands;
    for (const ValueId operand : site.operands)
        operands.push_back(graph.add_const(*site.to.constant(operand)));
    std::vector<ir::TensorType> types;
    for (std::size_t i = 0; i < site.equation.results().size(); ++i)
        types.push_back(site.equation.graph().type(site.equation.results()[i]));
    const ir::ValueRange results =
        graph.append(site.equation.operation(), operands, types, site.equation.attributes());
    std::vector<ValueId> all;
    for (std::size_t i = 0; i < results.size(); ++i)
        all.push_back(results[i]);
    graph.set_results(all);
    try {
        return evaluate(graph, std::span<const Constant>());
    } catch (const ir::Error&) {
        return {};
    }
}

bool takes_branch(const RewriteSite& site, std::vector<ValueId>& results) {
    const Constant* const choice = site.to.constant(site.operands[0]);
    if (choice == nullptr) return false;
    const auto last = static_cast<std::int64_t>(site.subgraphs.size()) - 1;
    std::int64_t number = choice->integer_at(0);
    if (site.subgraphs[0].name == "then") number = number != 0 ? 0 : 1;
    const Graph& branch =
        *site.subgraphs[static_cast<std::size_t>(std::clamp<std::int64_t>(number, 0, last))].graph;
    ir::GraphCopier copier(branch, site.to);
    for (std::size_t i = 0; i < branch.params().size(); ++i)
        copier.map(branch.params()[i], site.operands[i + 1]);
    for (const ir::Equation equation : branch.equations())
        copier.copy(equation);
    results = copier(branch.results());
    return true;
}

bool is_small(const RewriteSite& site, std::uint64_t most_bytes) {
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < site.equation.results().size(); ++i)
        bytes += ir::byte_size(site.equation.graph().type(site.equation.results()[i]));
    return bytes <= most_bytes;
}

}  // namespace

const ir::OperationSet& operations_for(const Graph& graph) {
    if (graph.operation_set() == kFlat) return flat_operations();
    if (graph.operation_set() == kCall) return call_operations();
    throw ir::Error(ir::ErrorKind::kUnknownOperation, "found a graph of the operation set '" +
                                                          graph.operation_set() + "', expected call or flat");
}

ir::PassResult fold(const Graph& graph, std::uint64_t most_bytes) {
    return rewrite(graph, operations_for(graph), [&](const RewriteSite& site, std::vector<ValueId>& results) {
        if (site.operation == nullptr || site.operation->effects != ir::Effects::kNone) return false;
        if (site.operation->control == ir::Control::kBranch) return takes_branch(site, results);
        const auto is_constant = [&](ValueId operand) { return site.to.constant(operand) != nullptr; };
        if (site.operation->control != ir::Control::kNone ||
            !std::ranges::all_of(site.operands, is_constant) || !is_small(site, most_bytes))
            return false;
        const std::vector<Constant> values = values_of(site, graph.operation_set());
        for (const Constant& value : values)
            results.push_back(site.to.add_const(value));
        return !values.empty();
    });
}

ir::Graph simplify(const Graph& graph, std::vector<ir::PassStep>* steps) {
    const ir::OperationSet& set = operations_for(graph);
    const std::vector<ir::NamedPass> passes = {
        {"fold", [](const Graph& g) { return fold(g); }},
        {"identities", simplify_identities},
        {"common subexpressions", [&](const Graph& g) { return merge_common_subexpressions(g, set); }},
        {"dead code", [&](const Graph& g) { return remove_dead_code(g, set); }}};
    return run_passes(graph, passes, steps);
}

}  // namespace tilemeter::trace
