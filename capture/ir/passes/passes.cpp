// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/passes/passes.hpp"

#include <string>
#include <unordered_map>
#include <utility>

#include "capture/ir/copier.hpp"
#include "capture/ir/error.hpp"
#include "capture/ir/passes/internal/graph_pass.hpp"

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

class Rewriter final : public internal::GraphPass {
public:
    Rewriter(const OperationSet& set, const RewriteRule& rule) : set_(set), rule_(rule) {}

private:
    using GraphPass::run;

    Graph run(const Graph& graph) override {
        const auto operations = operations_of(graph, set_);
        Graph to = graph_like(graph);
        GraphCopier copier(graph, to);
        copier.copy_params();
        std::vector<ValueId> operands;
        std::vector<ValueId> results;
        std::vector<Subgraph> subgraphs;
        for (const Equation equation : graph.equations()) {
            run_subgraphs(equation, subgraphs);
            operands.clear();
            for (const ValueId operand : equation.operands())
                operands.push_back(copier(operand));
            results.clear();
            const RewriteSite site{to, equation, operations[equation.operation_number()], operands,
                                   subgraphs};
            if (!rule_(site, results)) {
                copier.copy(equation, subgraphs);
                continue;
            }
            change();
            check_replacement(equation, to, results);
            copier.map_results(equation, results);
        }
        copier.copy_results();
        return to;
    }

    static void check_replacement(const Equation& equation, const Graph& to,
                                  const std::vector<ValueId>& results) {
        if (results.size() != equation.results().size())
            throw Error(ErrorKind::kWrongArity, equation.operation() + ": found " +
                                                    std::to_string(results.size()) +
                                                    " values from a rewriting rule, expected " +
                                                    std::to_string(equation.results().size()));
        for (std::size_t i = 0; i < results.size(); ++i) {
            const TensorType& expected = equation.graph().type(equation.results()[i]);
            if (to.type(results[i]) != expected)
                throw Error(ErrorKind::kWrongType,
                            equation.operation() + ": found " + text_of(to.type(results[i])) +
                                " from a rewriting rule, expected " + text_of(expected));
        }
    }

    const OperationSet& set_;
    const RewriteRule& rule_;
};

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

PassResult rewrite(const Graph& graph, const OperationSet& set, const RewriteRule& rule) {
    return Rewriter(set, rule).result_of(graph, set);
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
