// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The common part of passes: each subgraph is looked at once, a graph in which nothing changed stays the same object,
// and the result says how many equations there were and are.

#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "capture/ir/graph.hpp"
#include "capture/ir/operation_set.hpp"
#include "capture/ir/passes/passes.hpp"

namespace tilemeter::ir::internal {

/// The result of a pass that made `to` of `from`.
PassResult pass_result(const Graph& from, Graph to, std::uint64_t changed);

/// A pass that makes a new graph of the equations of each. Recursion goes as deep as graphs nest.
class GraphPass {
public:
    /// Counts and graph, in the order of its operands.
    PassResult result_of(const Graph& graph, const OperationSet& set);

protected:
    GraphPass() = default;
    ~GraphPass() = default;

    /// One graph, whose equations are sorted. Calls change() where the new one is another than the old one.
    virtual Graph run(const Graph& graph) = 0;
    /// The graph that stands for the new subgraph: itself, unless the pass knows an equal one.
    virtual GraphPtr representative_of(GraphPtr graph) { return graph; }

    void change() {
        ++changed_;
        is_same_ = false;
    }
    [[nodiscard]] std::uint64_t changed() const { return changed_; }

    /// The outcome of a subgraph, found once.
    GraphPtr run(const GraphPtr& graph);
    /// The outcomes of the equation's subgraphs, into `subgraphs`.
    void run_subgraphs(const Equation& equation, std::vector<Subgraph>& subgraphs);

private:
    std::uint64_t changed_ = 0;
    bool is_same_ = true;  ///< of the graph that is run now
    std::unordered_map<const Graph*, GraphPtr> known_;
};

}  // namespace tilemeter::ir::internal
