// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/passes/internal/graph_pass.hpp"

#include <memory>
#include <optional>
#include <utility>

#include "capture/ir/order.hpp"

namespace tilemeter::ir::internal {

PassResult pass_result(const Graph& from, Graph to, std::uint64_t changed) {
    const std::uint64_t after = count_equations(to);
    return {std::move(to), count_equations(from), after, changed};
}

PassResult GraphPass::result_of(const Graph& graph, const OperationSet& set) {
    std::optional<Graph> storage;
    Graph to = run(in_order(graph, set, storage));
    return pass_result(graph, std::move(to), changed_);
}

GraphPtr GraphPass::run(const GraphPtr& graph) {
    if (const auto found = known_.find(graph.get()); found != known_.end()) return found->second;
    const bool is_outer_same = std::exchange(is_same_, true);
    Graph made = run(*graph);
    const bool is_same = std::exchange(is_same_, is_outer_same);
    GraphPtr result = representative_of(is_same ? graph : std::make_shared<const Graph>(std::move(made)));
    known_.emplace(graph.get(), result);
    return result;
}

void GraphPass::run_subgraphs(const Equation& equation, std::vector<Subgraph>& subgraphs) {
    subgraphs.clear();
    for (const Subgraph& each : equation.subgraphs()) {
        subgraphs.push_back({each.name, run(each.graph)});
        is_same_ = is_same_ && subgraphs.back().graph == each.graph;
    }
}

}  // namespace tilemeter::ir::internal
