// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/derivatives/vmap.hpp"

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/ir/control.hpp"
#include "capture/ir/error.hpp"
#include "capture/ir/verify.hpp"
#include "runtime/trace/calls/evaluate.hpp"
#include "runtime/trace/derivatives/derivatives.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"
#include "tests/runtime/trace/values.hpp"

namespace tilemeter::trace {
namespace {

using ir::Constant;
using ir::ElementType;
using ir::Error;
using ir::ErrorKind;
using ir::Graph;
using ir::GraphPtr;
using ir::Integers;
using ir::Shape;
using ir::Subgraph;
using ir::TensorType;
using ir::ValueId;
using test::graph_error_of;
using test::kNumber;

Graph flat(const std::string& name = "main") {
    return Graph(name, std::string(kFlat));
}

ir::ValueRange op(Graph& graph, const std::string& name, std::vector<ValueId> operands,
                  const ir::Attributes& attributes = {}, const std::vector<Subgraph>& subgraphs = {}) {
    return add_op(graph, flat_operations().at(name), operands, attributes, subgraphs);
}

ValueId number(Graph& graph, double value) {
    return graph.add_const(Constant::scalar(ElementType::kF64, value));
}

GraphPtr shared(Graph& graph, const std::vector<ValueId>& results) {
    graph.set_results(results);
    return std::make_shared<const Graph>(graph);
}

Constant tensor(Shape shape, std::vector<double> values) {
    return Constant::of(ElementType::kF64, std::move(shape), std::span<const double>(values));
}

std::vector<double> values_of(const Graph& graph, const std::vector<Constant>& inputs) {
    if (const auto error = ir::verify(graph, flat_operations())) throw *error;
    std::vector<double> values;
    for (const Constant& each : evaluate(graph, inputs))
        for (std::size_t i = 0; i < static_cast<std::size_t>(each.type().shape.elements()); ++i)
            values.push_back(each.double_at(i));
    return values;
}

// A doubled or squared, by the sign of a.
Graph branching_lanes() {
    Graph twice = flat("twice");
    const ValueId a = twice.add_input("a", kNumber);
    Graph square = flat("square");
    const ValueId b = square.add_input("a", kNumber);
    const std::vector<Subgraph> branches{{"then", shared(twice, {op(twice, "add", {a, a})})},
                                         {"else", shared(square, {op(square, "mul", {b, b})})}};
    Graph f = flat();
    const ValueId x = f.add_input("x", kNumber);
    const ValueId predicate = op(f, "compare", {x, number(f, 0)}, {{"direction", std::string("GT")}});
    f.set_results({op(f, "cond", {predicate, x}, {}, branches)});
    return f;
}

TEST(Vmap, lanes_choose_their_branches) {
    const Graph lanes = vmap(branching_lanes(), 3, {0}, {0});
    EXPECT_EQ(values_of(lanes, {tensor({3}, {3, -3, 0})}), (std::vector<double>{6, 9, 0}));
    const Graph slopes = vmap(grad(branching_lanes(), {0}), 3, {0}, {0});
    EXPECT_EQ(values_of(slopes, {tensor({3}, {3, -3, 0})}), (std::vector<double>{2, -6, 0}));
}

TEST(Vmap, lanes_choose_by_number) {
    std::vector<Subgraph> branches;
    for (const double factor : {10, 20, 30}) {
        Graph branch = flat("branch");
        const ValueId a = branch.add_input("a", kNumber);
        const ValueId product = op(branch, "mul", {a, number(branch, factor)});
        branches.push_back({"branch_" + std::to_string(branches.size()), shared(branch, {product})});
    }
    Graph f = flat();
    const ValueId n = f.add_input("n", {ElementType::kI32, {}, {}});
    const ValueId x = f.add_input("x", kNumber);
    f.set_results({op(f, "cond", {n, x}, {}, branches)});
    const Constant choices =
        Constant::of(ElementType::kI32, {5}, std::span<const double>(std::vector<double>{-1, 0, 1, 2, 7}));
    EXPECT_EQ(values_of(vmap(f, 5, {0, std::nullopt}, {0}), {choices, tensor({}, {1})}),
              (std::vector<double>{10, 10, 20, 30, 30}));
}

// x doubled until it is at least `limit`; and how often.
Graph doubling_lanes() {
    Graph cond = flat("cond");
    const ValueId limit = cond.add_input("limit", kNumber);
    const ValueId x = cond.add_input("x", kNumber);
    cond.add_input("i", kNumber);
    const GraphPtr test = shared(cond, {op(cond, "compare", {x, limit}, {{"direction", std::string("LT")}})});
    Graph body = flat("body");
    body.add_input("limit", kNumber);
    const ValueId y = body.add_input("x", kNumber);
    const ValueId i = body.add_input("i", kNumber);
    const GraphPtr step = shared(body, {op(body, "add", {y, y}), op(body, "add", {i, number(body, 1)})});
    Graph f = flat();
    const ValueId end = f.add_input("limit", kNumber);
    const ValueId start = f.add_input("x", kNumber);
    const ir::ValueRange last = op(f, "while", {end, start, number(f, 0)}, {{"n_consts", std::int64_t{1}}},
                                   {{"cond", test}, {"body", step}});
    f.set_results({last[0], last[1]});
    return f;
}

TEST(Vmap, loops_run_until_all_lanes_are_done) {
    const Graph lanes = vmap(doubling_lanes(), 3, {std::nullopt, 0}, {0, 0});
    EXPECT_EQ(values_of(lanes, {tensor({}, {10}), tensor({3}, {1, 11, 4})}),
              (std::vector<double>{16, 11, 16, 4, 0, 2}));
    const Graph limits = vmap(doubling_lanes(), 2, {0, std::nullopt}, {0, 0});
    EXPECT_EQ(values_of(limits, {tensor({2}, {10, 2}), tensor({}, {1})}), (std::vector<double>{16, 2, 4, 1}));
    const Graph tangents = vmap(jvp(doubling_lanes(), {1}), 3, {std::nullopt, 0, std::nullopt}, {0, 0, 0, 0});
    EXPECT_EQ(values_of(tangents, {tensor({}, {10}), tensor({3}, {1, 11, 4}), tensor({}, {1})}),
              (std::vector<double>{16, 11, 16, 4, 0, 2, 16, 1, 4, 0, 0, 0}));
}

// Sums of x, and each of them times w.
Graph sums() {
    Graph body = flat("body");
    const ValueId w = body.add_input("w", kNumber);
    const ValueId sum = body.add_input("sum", kNumber);
    const ValueId x = body.add_input("x", kNumber);
    const ValueId next = op(body, "add", {sum, x});
    const GraphPtr step = shared(body, {next, op(body, "mul", {next, w})});
    Graph f = flat();
    const ValueId factor = f.add_input("w", kNumber);
    const ValueId xs = f.add_input("x", {ElementType::kF64, {2}, {}});
    const ir::ValueRange results =
        op(f, "scan", {factor, number(f, 0), xs},
           {{"n_consts", std::int64_t{1}}, {"n_carry", std::int64_t{1}}, {"length", std::int64_t{2}}},
           {{"body", step}});
    f.set_results({results[0], results[1]});
    return f;
}

TEST(Vmap, loops_carry_what_lanes_make_of_it) {
    const Constant rows = tensor({3, 2}, {1, 2, 3, 4, 5, 6});
    const Constant columns = tensor({2, 3}, {1, 3, 5, 2, 4, 6});
    const std::vector<double> expected{3, 7, 11, 10, 30, 30, 70, 50, 110};
    EXPECT_EQ(values_of(vmap(sums(), 3, {std::nullopt, 0}, {0, 0}), {tensor({}, {10}), rows}), expected);
    EXPECT_EQ(values_of(vmap(sums(), 3, {std::nullopt, -1}, {0, 0}), {tensor({}, {10}), columns}), expected);
    const Graph factors = vmap(sums(), 2, {0, std::nullopt}, {std::nullopt, 1});
    EXPECT_EQ(values_of(factors, {tensor({2}, {10, 100}), tensor({2}, {1, 2})}),
              (std::vector<double>{3, 10, 100, 30, 300}));
}

TEST(Vmap, maps_of_maps_are_maps_of_two_axes) {
    Graph f = flat();
    const ValueId x = f.add_input("x", kNumber);
    const ValueId y = f.add_input("y", kNumber);
    f.set_results({op(f, "mul", {x, y})});
    const Graph outer = vmap(vmap(f, 3, {std::nullopt, 0}, {0}), 2, {0, std::nullopt}, {1});
    EXPECT_EQ(values_of(outer, {tensor({2}, {1, 10}), tensor({3}, {1, 2, 3})}),
              (std::vector<double>{1, 10, 2, 20, 3, 30}));
}

TEST(Vmap, axes_are_checked) {
    const TensorType three{ElementType::kF64, {3}, {}};
    const TensorType four{ElementType::kF64, {2, 4}, {}};
    EXPECT_EQ(lanes_of(std::vector{three, four}, {0, std::nullopt}), 3);
    EXPECT_EQ(lanes_of(std::vector{three, four}, {std::nullopt, -1}), 4);
    EXPECT_EQ(graph_error_of([&] {
                  lanes_of(std::vector{three, four}, {0, 1});
              }),
              ErrorKind::kLengthMismatch);
    EXPECT_EQ(graph_error_of([&] { lanes_of(std::vector{three, four}, {1, 0}); }), ErrorKind::kBadArgument);
    EXPECT_EQ(graph_error_of([&] { lanes_of(std::vector{three}, {std::nullopt}); }), ErrorKind::kBadArgument);
    EXPECT_EQ(graph_error_of([&] { lanes_of(std::vector{three}, {}); }), ErrorKind::kWrongArity);
    EXPECT_EQ(graph_error_of([&] { vmap(branching_lanes(), 3, {0}, {}); }), ErrorKind::kWrongArity);
    EXPECT_EQ(graph_error_of([&] { vmap(branching_lanes(), 3, {2}, {0}); }), ErrorKind::kBadArgument);
    EXPECT_EQ(graph_error_of([&] { vmap(branching_lanes(), 3, {0}, {2}); }), ErrorKind::kBadArgument);
    EXPECT_EQ(graph_error_of([&] { vmap(branching_lanes(), 3, {0}, {std::nullopt}); }),
              ErrorKind::kBadArgument);
}

TEST(Vmap, missing_rules_are_named) {
    Graph graph = flat();
    const ValueId x = graph.add_input("x", kNumber);
    graph.set_results({graph.append("custom_call", std::vector{x}, std::vector{kNumber},
                                    {{"target", std::string("mystery")}})});
    EXPECT_EQ(graph_error_of([&] { vmap(graph, 3, {0}, {0}); }), ErrorKind::kNoRule);
}

}  // namespace
}  // namespace tilemeter::trace
