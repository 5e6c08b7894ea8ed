// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/calls/lower.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "capture/ir/control.hpp"
#include "capture/ir/copier.hpp"
#include "capture/ir/error.hpp"
#include "capture/ir/order.hpp"
#include "runtime/trace/calls/call_operations.hpp"
#include "runtime/trace/calls/internal/call.hpp"
#include "runtime/trace/calls/internal/custom_call.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"
#include "runtime/trace/primitives/internal/formulas.hpp"

namespace tilemeter::trace {

namespace {

using ir::Control;
using ir::Equation;
using ir::Graph;
using ir::GraphPtr;
using ir::ValueId;

constexpr std::string_view kCustomCall = "flat.custom_call";

/// The lowered subgraphs, each once.
class SubgraphTable {
public:
    template <class Make>
    std::vector<ir::Subgraph> of(const Equation& equation, const Make& make) {
        std::vector<ir::Subgraph> made;
        for (const ir::Subgraph& each : equation.subgraphs()) {
            const auto known = known_.find(each.graph.get());
            GraphPtr graph =
                known != known_.end() ? known->second : std::make_shared<const Graph>(make(*each.graph));
            known_.insert_or_assign(each.graph.get(), graph);
            made.push_back({each.name, std::move(graph)});
        }
        return made;
    }

private:
    std::unordered_map<const Graph*, GraphPtr> known_;
};

/// The graph in another operation set: `each` writes what stands for one equation of `set` and maps its results. It
/// gets the equation's operation, null where the set does not have it.
template <class Each>
Graph translated(const Graph& given, const ir::OperationSet& set, std::string_view to_set, const Each& each) {
    std::optional<Graph> storage;
    const Graph& from = in_order(given, set, storage);
    const auto operations = operations_of(from, set);
    Graph to = graph_like(from);
    to.set_operation_set(to_set);
    ir::GraphCopier copier(from, to);
    copier.copy_params();
    for (const Equation equation : from.equations())
        each(equation, operations[equation.operation_number()], copier, to);
    copier.copy_results();
    return to;
}

bool has_rule(const CustomOperation& custom, Keeps keeps) {
    return custom.lower && (keeps == nullptr || !keeps(custom));
}

std::shared_ptr<const CustomOperation> target_of(const ir::Attributes& attributes) {
    return find_custom_operation(attributes.get_or<std::string>("target", ""));
}

class Lowerer {
public:
    explicit Lowerer(Keeps keeps) : keeps_(keeps) {}

    Graph run(const Graph& given) {
        std::optional<internal::Formulas> formulas;
        std::vector<std::optional<internal::Lowering>> lowerings;  // by the operation's number
        return translated(
            given, call_operations(), kFlat,
            [&](const Equation& equation, const ir::Operation* known, ir::GraphCopier& copier, Graph& to) {
                const ir::Operation& operation =
                    known != nullptr ? *known : call_operations().at(equation.operation());
                const std::uint32_t number = equation.operation_number();
                if (number >= lowerings.size()) lowerings.resize(number + 1);
                if (!lowerings[number]) lowerings[number] = internal::find_lowering(operation.name);
                if (!formulas) formulas.emplace(to);
                if (*lowerings[number] != nullptr)
                    return lower_call(equation, operation, *lowerings[number], copier, *formulas, to);
                if (operation.name.starts_with(kFlatPrefix) && operation.name != kCustomCall)
                    return copy_primitive(equation, copier);
                const std::vector<ValueId> operands = copier(equation.operands());
                if (operation.name == kCustomCall)
                    lower_custom_call(equation, operands, copier, to);
                else if (operation.control != Control::kNone)
                    lower_holder(equation, operation, operands, copier, to);
                else
                    lower_custom(equation, operation, operands, copier, to);
            });
    }

private:
    void lower_call(const Equation& equation, const ir::Operation& operation, internal::Lowering lowering,
                    ir::GraphCopier& copier, internal::Formulas& formulas, Graph& to) {
        const ValueId result = equation.results();
        operands_.clear();
        formulas.begin({equation.operation_number(), equation.attributes_number(),
                        equation.graph().type_number(result)});
        for (const ValueId operand : equation.operands()) {
            operands_.push_back(copier(operand));
            formulas.take(operands_.back());
        }
        const auto& made =
            formulas.end(equation.location(), [&](std::vector<internal::Formulas::Value>& all) {
                check_use(operation, {to, operands_, equation.attributes(), {}});
                FlatBuilder builder(to, equation.location());
                const ir::TensorType type = equation.graph().type(result);
                const ValueId lowered = lowering({builder, operands_, equation.attributes(), type});
                if (to.type(lowered) != type)
                    throw ir::Error(ir::ErrorKind::kWrongType,
                                    equation.operation() + ": found a result of type " +
                                        text_of(to.type(lowered)) + ", expected " + text_of(type));
                all.push_back(lowered);
            });
        copier.map(result, *made[0]);
    }

    void lower_custom(const Equation& equation, const ir::Operation& operation,
                      const std::vector<ValueId>& operands, ir::GraphCopier& copier, Graph& to) {
        check_use(operation, {to, operands, equation.attributes(), {}});
        FlatBuilder builder(to, equation.location());
        const auto custom = find_custom_operation(equation.operation());
        copier.map_results(equation,
                           lowered_custom(*custom, equation, equation.attributes(), operands, builder));
    }

    static void copy_primitive(const Equation& equation, ir::GraphCopier& copier) {
        copier.copy_as(equation, std::string_view(equation.operation()).substr(kFlatPrefix.size()));
    }

    // A graph that was flat before.
    void lower_custom_call(const Equation& equation, const std::vector<ValueId>& operands,
                           ir::GraphCopier& copier, Graph& to) {
        ir::Attributes attributes = equation.attributes();
        const auto custom = target_of(attributes);
        if (custom == nullptr || !custom->lower) return copy_primitive(equation, copier);
        attributes.erase("target");
        FlatBuilder builder(to, equation.location());
        copier.map_results(equation, lowered_custom(*custom, equation, attributes, operands, builder));
    }

    std::vector<ValueId> lowered_custom(const CustomOperation& custom, const Equation& equation,
                                        const ir::Attributes& attributes,
                                        const std::vector<ValueId>& operands, FlatBuilder& builder) {
        return internal::lower_custom(custom, builder, has_rule(custom, keeps_), operands, attributes,
                                      equation.result_types(), equation.location());
    }

    void lower_holder(const Equation& equation, const ir::Operation& operation, std::vector<ValueId> operands,
                      ir::GraphCopier& copier, Graph& to) {
        const std::vector<ir::Subgraph> subgraphs =
            subgraphs_.of(equation, [this](const Graph& graph) { return run(graph); });
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
        copier.map_results(equation, results);
    }

    Keeps keeps_;
    std::vector<ValueId> operands_;  // of the call at hand
    SubgraphTable subgraphs_;
};

class Raiser {
public:
    Graph run(const Graph& given) {
        return translated(
            given, flat_operations(), kCall,
            [this](const Equation& equation, const ir::Operation* known, ir::GraphCopier& copier, Graph& to) {
                const bool is_holder = known != nullptr && known->control != Control::kNone;
                if (!is_holder && equation.subgraphs().empty()) {
                    copier.copy_as(equation, std::string(kFlatPrefix) + equation.operation());
                    return;
                }
                const std::string name = (is_holder ? "" : std::string(kFlatPrefix)) + equation.operation();
                copier.map_results(
                    equation,
                    to.append(name, copier(equation.operands()), equation.result_types(),
                              equation.attributes(),
                              subgraphs_.of(equation, [this](const Graph& graph) { return run(graph); }),
                              equation.location()));
            });
    }

private:
    SubgraphTable subgraphs_;
};

// True if a flat graph has a custom operation with a rule `lower`.
bool can_be_lowered(const Graph& graph, Keeps keeps, std::unordered_set<const Graph*>& seen) {
    if (!seen.insert(&graph).second) return false;
    const std::string_view name = kCustomCall.substr(kFlatPrefix.size());
    const bool has_custom = std::ranges::find(graph.operations(), name) != graph.operations().end();
    for (const Equation equation : graph.equations()) {
        if (has_custom && equation.operation() == name) {
            const auto custom = target_of(equation.attributes());
            if (custom != nullptr && has_rule(*custom, keeps)) return true;
        }
        for (const ir::Subgraph& each : equation.subgraphs())
            if (can_be_lowered(*each.graph, keeps, seen)) return true;
    }
    return false;
}

}  // namespace

ir::Graph lower(const ir::Graph& graph, Keeps keeps) {
    if (graph.operation_set() != kFlat) return Lowerer(keeps).run(graph);
    std::unordered_set<const Graph*> seen;
    return can_be_lowered(graph, keeps, seen) ? Lowerer(keeps).run(as_calls(graph)) : graph;
}

ir::Graph as_calls(const ir::Graph& graph) {
    if (graph.operation_set() != kFlat) return graph;
    return Raiser().run(graph);
}

}  // namespace tilemeter::trace
