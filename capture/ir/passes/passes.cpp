// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/passes/passes.hpp"

#include <unordered_map>
#include <utility>

namespace tilemeter::ir {

namespace {

using Counts = std::unordered_map<const Graph*, std::uint64_t>;

// Saturates: a body that is called twice by one that is called twice and so on has any number of equations.
std::uint64_t count(const Graph& graph, Counts& known) {
    if (const auto found = known.find(&graph); found != known.end()) return found->second;
    std::uint64_t total = graph.equation_count();
    if (graph.depth() > 1)
        for (const Equation equation : graph.equations())
            for (const Subgraph& each : equation.subgraphs())
                if (__builtin_add_overflow(total, count(*each.graph, known), &total))
                    total = ~std::uint64_t{0};
    known.emplace(&graph, total);
    return total;
}

}  // namespace

std::uint64_t count_equations(const Graph& graph) {
    Counts known;
    return count(graph, known);
}

Graph with_results(const Graph& graph, std::span<const std::size_t> results) {
    std::vector<ValueId> kept;
    for (const std::size_t result : results)
        kept.push_back(graph.results()[result]);
    Graph copy = graph;
    copy.set_results(kept);
    return copy;
}

Graph run_passes(Graph graph, std::span<const NamedPass> passes, std::vector<PassStep>* steps,
                 std::size_t most_rounds) {
    bool changed = true;
    for (std::size_t round = 0; round < most_rounds && changed; ++round) {
        changed = false;
        for (const NamedPass& pass : passes) {
            PassResult result = pass.run(graph);
            if (steps != nullptr) steps->push_back({pass.name, result.before, result.after, result.changed});
            changed = changed || result.changed != 0;
            graph = std::move(result.graph);
        }
    }
    return graph;
}

}  // namespace tilemeter::ir
