// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "capture/ir/control.hpp"
#include "capture/ir/copier.hpp"
#include "capture/ir/error.hpp"
#include "capture/ir/order.hpp"
#include "capture/ir/passes.hpp"

namespace tilemeter::ir {

namespace {

class Inliner {
public:
    Inliner(const OperationSet& set, std::uint64_t most) : set_(set), most_(most) {}

    Graph run(const Graph& graph) {
        bool is_same = true;
        return run(graph, is_same);
    }

    std::uint64_t changed = 0;

private:
    /// Clears `is_same` where a call went.
    Graph run(const Graph& graph, bool& is_same) {
        Graph to = graph_like(graph);
        GraphCopier copier(graph, to);
        copier.copy_params();
        copy_equations(graph, copier, to, is_same);
        copier.copy_results();
        return to;
    }

    // Recursion goes as deep as graphs nest.
    void copy_equations(const Graph& graph, GraphCopier& copier, Graph& to, bool& is_same) {
        const auto operations = operations_of(graph, set_);
        std::vector<Subgraph> subgraphs;
        for (const Equation equation : graph.equations()) {
            // Calls count as well: there may be many of them around few equations.
            if (to.equation_count() + changed >= most_)
                throw Error(ErrorKind::kTooLarge, "inlining calls: found more than " + std::to_string(most_) +
                                                      " equations, expected no more");
            const Operation* const operation = operations[equation.operation_number()];
            if (operation != nullptr && operation->control == Control::kCall && operation->can_inline) {
                splice(equation, copier, to);
                ++changed;
                is_same = false;
                continue;
            }
            subgraphs.clear();
            for (const Subgraph& each : equation.subgraphs()) {
                subgraphs.push_back({each.name, run(each.graph)});
                is_same = is_same && subgraphs.back().graph == each.graph;
            }
            copier.copy(equation, subgraphs);
        }
    }

    void splice(const Equation& call, GraphCopier& copier, Graph& to) {
        const Graph& body = *call.subgraph(kBody);
        GraphCopier inner(body, to);
        for (std::size_t i = 0; i < body.params().size(); ++i)
            inner.map(body.params()[i], copier(call.operands()[i]));
        bool ignored = true;
        copy_equations(body, inner, to, ignored);
        for (std::size_t i = 0; i < body.results().size(); ++i)
            copier.map(call.results()[i], inner(body.results()[i]));
    }

    GraphPtr run(const GraphPtr& graph) {
        if (const auto found = known_.find(graph.get()); found != known_.end()) return found->second;
        bool is_same = true;
        Graph made = run(*graph, is_same);
        GraphPtr result = is_same ? graph : std::make_shared<const Graph>(std::move(made));
        known_.emplace(graph.get(), result);
        return result;
    }

    const OperationSet& set_;
    std::uint64_t most_;
    std::unordered_map<const Graph*, GraphPtr> known_;
};

}  // namespace

PassResult inline_calls(const Graph& graph, const OperationSet& set, std::uint64_t most_equations) {
    Inliner inliner(set, most_equations);
    std::optional<Graph> storage;
    PassResult result{inliner.run(in_order(graph, set, storage))};
    result.before = count_equations(graph);
    result.after = count_equations(result.graph);
    result.changed = inliner.changed;
    return result;
}

}  // namespace tilemeter::ir
