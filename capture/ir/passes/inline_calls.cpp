// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <string>
#include <vector>

#include "capture/ir/control.hpp"
#include "capture/ir/copier.hpp"
#include "capture/ir/error.hpp"
#include "capture/ir/passes/internal/graph_pass.hpp"
#include "capture/ir/passes/passes.hpp"

namespace tilemeter::ir {

namespace {

class Inliner final : public internal::GraphPass {
public:
    Inliner(const OperationSet& set, std::uint64_t most) : set_(set), most_(most) {}

private:
    using GraphPass::run;

    Graph run(const Graph& graph) override {
        Graph to = graph_like(graph);
        GraphCopier copier(graph, to);
        copier.copy_params();
        copy_equations(graph, copier, to);
        copier.copy_results();
        return to;
    }

    void copy_equations(const Graph& graph, GraphCopier& copier, Graph& to) {
        const auto operations = operations_of(graph, set_);
        std::vector<Subgraph> subgraphs;
        for (const Equation equation : graph.equations()) {
            // Calls count as well: there may be many of them around few equations.
            if (to.equation_count() + changed() >= most_)
                throw Error(ErrorKind::kTooLarge, "inlining calls: found more than " + std::to_string(most_) +
                                                      " equations, expected no more");
            const Operation* const operation = operations[equation.operation_number()];
            if (operation != nullptr && operation->control == Control::kCall && operation->can_inline) {
                splice(equation, copier, to);
                change();
                continue;
            }
            run_subgraphs(equation, subgraphs);
            copier.copy(equation, subgraphs);
        }
    }

    void splice(const Equation& call, GraphCopier& copier, Graph& to) {
        const Graph& body = *call.subgraph(kBody);
        GraphCopier inner(body, to);
        for (std::size_t i = 0; i < body.params().size(); ++i)
            inner.map(body.params()[i], copier(call.operands()[i]));
        copy_equations(body, inner, to);
        for (std::size_t i = 0; i < body.results().size(); ++i)
            copier.map(call.results()[i], inner(body.results()[i]));
    }

    const OperationSet& set_;
    std::uint64_t most_;
};

}  // namespace

PassResult inline_calls(const Graph& graph, const OperationSet& set, std::uint64_t most_equations) {
    return Inliner(set, most_equations).result_of(graph, set);
}

}  // namespace tilemeter::ir
