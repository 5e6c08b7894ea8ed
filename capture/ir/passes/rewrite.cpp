// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <string>
#include <vector>

#include "capture/ir/copier.hpp"
#include "capture/ir/error.hpp"
#include "capture/ir/passes/internal/graph_pass.hpp"

namespace tilemeter::ir {
namespace {

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

PassResult rewrite(const Graph& graph, const OperationSet& set, const RewriteRule& rule) {
    return Rewriter(set, rule).result_of(graph, set);
}

}  // namespace tilemeter::ir
