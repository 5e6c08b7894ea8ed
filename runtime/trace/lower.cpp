// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/lower.hpp"

#include <optional>
#include <unordered_map>

#include "capture/ir/control.hpp"
#include "capture/ir/copier.hpp"
#include "capture/ir/error.hpp"
#include "capture/ir/order.hpp"
#include "runtime/trace/call_operations.hpp"
#include "runtime/trace/flat_operations.hpp"
#include "runtime/trace/internal/call.hpp"

namespace tilemeter::trace {

namespace {

using ir::Control;
using ir::Equation;
using ir::Graph;
using ir::GraphPtr;
using ir::ValueId;

class Lowerer {
public:
    Graph run(const Graph& given) {
        std::optional<Graph> storage;
        const Graph& from = in_order(given, call_operations(), storage);
        const auto operations = operations_of(from, call_operations());
        Graph to = graph_like(from);
        to.set_operation_set(kFlat);
        ir::GraphCopier copier(from, to);
        copier.copy_params();
        for (const Equation equation : from.equations()) {
            const ir::Operation* operation = operations[equation.operation_number()];
            if (operation == nullptr) operation = &call_operations().at(equation.operation());
            const std::vector<ValueId> operands = copier(equation.operands());
            if (operation->control != Control::kNone)
                lower_holder(equation, *operation, operands, copier, to);
            else
                lower_call(equation, *operation, operands, copier, to);
        }
        copier.copy_results();
        return to;
    }

private:
    static void lower_call(const Equation& equation, const ir::Operation& operation,
                           const std::vector<ValueId>& operands, ir::GraphCopier& copier, Graph& to) {
        check_use(operation, {to, operands, equation.attributes(), {}});
        const ValueId result = equation.results();
        const ir::TensorType type = equation.graph().type(result);
        FlatBuilder builder(to, equation.location());
        const ValueId lowered =
            internal::find_lowering(equation.operation())({builder, operands, equation.attributes(), type});
        if (to.type(lowered) != type)
            throw ir::Error(ir::ErrorKind::kWrongType, equation.operation() + ": found a result of type " +
                                                           text_of(to.type(lowered)) + ", expected " +
                                                           text_of(type));
        copier.map(result, lowered);
    }

    void lower_holder(const Equation& equation, const ir::Operation& operation, std::vector<ValueId> operands,
                      ir::GraphCopier& copier, Graph& to) {
        std::vector<ir::Subgraph> subgraphs;
        for (const ir::Subgraph& each : equation.subgraphs())
            subgraphs.push_back({each.name, run(each.graph)});
        FlatBuilder builder(to, equation.location());
        const bool chooses_by_number =
            operation.control == Control::kBranch && !subgraphs.empty() && subgraphs[0].name != ir::kThen;
        if (chooses_by_number) {
            // An index in range, as StableHLO's case wants it.
            const ir::TensorType index = to.type(operands.at(0));
            const auto last = static_cast<double>(subgraphs.size() - 1);
            const ValueId inside = builder.op("clamp", {builder.scalar(index.element, 0), operands[0],
                                                        builder.scalar(index.element, last)});
            operands[0] = builder.convert(inside, ir::ElementType::kI32);
        }
        const std::string name = equation.operation() == "switch" ? "cond" : equation.operation();
        const ir::ValueRange results = builder.op(name, operands, equation.attributes(), subgraphs);
        for (std::size_t i = 0; i < results.size(); ++i)
            copier.map(equation.results()[i], results[i]);
    }

    GraphPtr run(const GraphPtr& graph) {
        GraphPtr& known = known_[graph.get()];
        if (known == nullptr) {
            // run() may make the table grow.
            auto lowered = std::make_shared<const Graph>(run(*graph));
            return known_[graph.get()] = std::move(lowered);
        }
        return known;
    }

    std::unordered_map<const Graph*, GraphPtr> known_;
};

}  // namespace

ir::Graph lower(const ir::Graph& graph) {
    if (graph.operation_set() == kFlat) return graph;
    return Lowerer().run(graph);
}

}  // namespace tilemeter::trace
