// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Passes: functions from a graph to a simpler one that computes the same. Those here need no values, only the
// operation set; rewrite() is the loop for those that ask operations more (folding of constants, identities).
//
// All of them go through subgraphs, look once at a subgraph that several equations share, keep it shared, and are
// linear in equations and operands. A pass leaves parameters and results of the outermost graph as they are.
//
// REQUIRES of all: verify(graph, set) finds nothing. Equations may come in any order; they leave sorted. An
// operation that the set does not have is never removed or merged.
//
// Thread safety: any thread, any time.

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "capture/ir/graph.hpp"
#include "capture/ir/operation_set.hpp"

namespace tilemeter::ir {

/// Equations of the graph and of the graphs they hold, a shared one as often as it is held.
std::uint64_t count_equations(const Graph& graph);

struct PassResult {
    Graph graph;
    std::uint64_t before = 0;  ///< count_equations() of the graph that went in
    std::uint64_t after = 0;   ///< and of the one that came out
    std::uint64_t changed =
        0;  ///< equations removed, trimmed, merged, inlined or replaced; 0: the same graph
};

/// Removes equations whose results nothing needs. A result of an operation that holds subgraphs goes with the results
/// of its branches or body. A value that a loop carries stays only if a result that is needed, the condition or an
/// effect depends on it. Arguments that no subgraph uses any more go as well. A loop without effects goes whether it
/// would end or not.
PassResult remove_dead_code(const Graph& graph, const OperationSet& set);

/// The same graph with these of its results only.
Graph with_results(const Graph& graph, std::span<const std::size_t> results);

/// One equation in place of several that have the same operation, operands, attributes and equal subgraphs. One
/// walk finds all: an equation is looked up after its operands were replaced. Constants with equal bytes are one.
PassResult merge_common_subexpressions(const Graph& graph, const OperationSet& set);

/// Puts bodies in place of the calls that allow it (Operation::can_inline). Throws Error (kTooLarge) if more
/// than `most_equations` would come out.
PassResult inline_calls(const Graph& graph, const OperationSet& set,
                        std::uint64_t most_equations = 100'000'000);

/// One equation on its way into the new graph.
struct RewriteSite {
    Graph& to;                            ///< the graph to which a rule may append equations and constants
    const Equation& equation;             ///< as it was
    const Operation* operation;           ///< null if the set does not have it
    std::span<const ValueId> operands;    ///< in `to`
    std::span<const Subgraph> subgraphs;  ///< rewritten already
};

/// Puts into `results` the values of `site.to` that stand for the equation's results, as many and of the same
/// types, and returns true; or returns false, and the equation is copied. Other values make rewrite() throw Error.
using RewriteRule = std::function<bool(const RewriteSite& site, std::vector<ValueId>& results)>;

/// Offers each equation to the rule, in order; operands are what earlier rewriting has left.
PassResult rewrite(const Graph& graph, const OperationSet& set, const RewriteRule& rule);

struct NamedPass {
    std::string name;
    std::function<PassResult(const Graph& graph)> run;
};

struct PassStep {
    std::string name;
    std::uint64_t before = 0, after = 0, changed = 0;
};

/// Runs the passes one after the other, all of them again until a round changes nothing, `most_rounds` at most.
/// Appends a step for each run to `steps`, if that is not null.
Graph run_passes(Graph graph, std::span<const NamedPass> passes, std::vector<PassStep>* steps = nullptr,
                 std::size_t most_rounds = 100);

}  // namespace tilemeter::ir
