// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <limits>

#include "capture/ir/control.hpp"
#include "capture/ir/copier.hpp"
#include "capture/ir/error.hpp"
#include "capture/ir/order.hpp"
#include "capture/ir/passes/passes.hpp"
#include "runtime/trace/calls/lower.hpp"
#include "runtime/trace/derivatives/derivatives.hpp"
#include "runtime/trace/primitives/flat_builder.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"

namespace tilemeter::trace {

namespace {

using ir::Graph;
using ir::GraphPtr;
using ir::Subgraph;
using ir::ValueId;

// The condition in place, of these values.
ValueId holds(const Graph& condition, Graph& to, std::span<const ValueId> values) {
    return ir::append_equations(condition, to, values)[0];
}

// The carry as it is, from consts and the carry.
GraphPtr unchanged(const Graph& body, std::size_t consts) {
    Graph graph("unchanged", std::string(kFlat));
    ir::GraphCopier copier(body, graph);
    copier.copy_params();
    graph.set_results(graph.params().subspan(consts));
    return std::make_shared<const Graph>(std::move(graph));
}

GraphPtr bounded_body(const GraphPtr& condition, const GraphPtr& body, std::size_t consts) {
    Graph graph = graph_like(*body);
    ir::GraphCopier copier(*body, graph);
    copier.copy_params();
    std::vector<ValueId> operands(graph.params().begin(), graph.params().end());
    operands.insert(operands.begin(), holds(*condition, graph, graph.params()));
    const Subgraph branches[] = {{std::string(ir::kThen), body},
                                 {std::string(ir::kElse), unchanged(*body, consts)}};
    const ir::ValueRange range = FlatBuilder(graph).op("cond", operands, {}, branches);
    std::vector<ValueId> results;
    for (std::size_t i = 0; i < range.size(); ++i)
        results.push_back(range[i]);
    graph.set_results(results);
    return std::make_shared<const Graph>(std::move(graph));
}

}  // namespace

Graph bounded_loops(const Graph& function, std::int64_t most_trips) {
    if (most_trips < 0)
        throw ir::Error(ir::ErrorKind::kBadArgument,
                        "found a bound of " + std::to_string(most_trips) + " trips, expected at least 0");
    const auto rule = [most_trips](const ir::RewriteSite& site, std::vector<ValueId>& results) {
        if (site.operation == nullptr || site.operation->control != ir::Control::kWhile) return false;
        const auto parts =
            control_operands(ir::Control::kWhile, site.operands.size(), site.equation.attributes());
        const GraphPtr& condition = site.subgraphs[0].graph;
        const Subgraph body{std::string(ir::kBody),
                            bounded_body(condition, site.subgraphs[1].graph, parts.consts)};
        FlatBuilder to(site.to, site.equation.location());
        const ir::ValueRange last =
            to.op("scan", site.operands,
                  {{std::string(ir::kConstsAttribute), static_cast<std::int64_t>(parts.consts)},
                   {std::string(ir::kCarryAttribute), static_cast<std::int64_t>(parts.carry)},
                   {std::string(ir::kLengthAttribute), most_trips}},
                  std::span(&body, 1));
        std::vector<ValueId> values(site.operands.begin(),
                                    site.operands.begin() + static_cast<std::ptrdiff_t>(parts.consts));
        for (std::size_t i = 0; i < last.size(); ++i)
            values.push_back(last[i]);
        const ValueId goes_on = holds(*condition, site.to, values);
        for (std::size_t i = 0; i < last.size(); ++i) {
            const bool is_float = ir::is_float(to.element(last[i]));
            results.push_back(
                is_float ? to.select(goes_on, to.full_like(last[i], std::numeric_limits<double>::quiet_NaN()),
                                     last[i])
                         : last[i]);
        }
        return true;
    };
    return rewrite(ordered(lower(function), flat_operations()), flat_operations(), rule).graph;
}

}  // namespace tilemeter::trace
