// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/calls/simplify.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/ir/verify.hpp"
#include "runtime/trace/calls/call_operations.hpp"
#include "runtime/trace/calls/evaluate.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"
#include "tests/runtime/trace/values.hpp"

namespace tilemeter::trace {
namespace {

using ir::Constant;
using ir::ElementType;
using ir::Graph;
using ir::Integers;
using ir::Shape;
using ir::TensorType;
using ir::ValueId;
using test::kMatrix;

// The number of equations left of a function of x.
template <class Build>
std::uint64_t left_of(const TensorType& type, Build&& build) {
    Graph graph("main", std::string(kCall));
    const ValueId x = graph.add_input("x", type);
    graph.set_results({build(graph, x)});
    const Graph simple = simplify(graph);
    EXPECT_EQ(ir::verify(simple, call_operations()), std::nullopt);
    return count_equations(simple);
}

ValueId call(Graph& graph, const char* name, std::initializer_list<ValueId> operands,
             const ir::Attributes& attributes = {}) {
    return add_op(graph, call_operations(), name, operands, attributes);
}

TEST(Identities, keep_what_may_change_bits) {
    for (const char* name : {"add", "mul"})
        EXPECT_EQ(
            left_of(kMatrix,
                    [&](Graph& g, ValueId x) {
                        return call(g, name, {x, g.add_const(Constant::scalar(ElementType::kF32, 0.0))});
                    }),
            1U);
    EXPECT_EQ(left_of(kMatrix,
                      [](Graph& g, ValueId x) {
                          return call(g, "sub", {x, g.add_const(Constant::scalar(ElementType::kF32, 0.0))});
                      }),
              0U);
    EXPECT_EQ(left_of(kMatrix,
                      [](Graph& g, ValueId x) {
                          return call(g, "add", {x, g.add_const(Constant::scalar(ElementType::kF32, -0.0))});
                      }),
              0U);
}

TEST(Identities, keep_what_broadcasts_or_promotes) {
    EXPECT_EQ(left_of({ElementType::kF32, {}, {}},
                      [](Graph& g, ValueId x) {
                          const std::vector<double> ones(3, 1.0);
                          return call(
                              g, "mul",
                              {x, g.add_const(Constant::of(ElementType::kF32, {3}, std::span(ones)))});
                      }),
              1U);
    EXPECT_EQ(left_of(kMatrix,
                      [](Graph& g, ValueId x) {
                          return call(g, "mul", {x, g.add_const(Constant::scalar(ElementType::kF64, 1.0))});
                      }),
              1U);
}

TEST(Identities, join_moves) {
    const TensorType type{ElementType::kF32, {2, 3, 4}, {}};
    const auto turned = [](int times) {
        return [times](Graph& g, ValueId x) {
            for (int i = 0; i < times; ++i)
                x = call(g, "transpose", {x}, {{"perm", Integers{1, -1, 0}}});
            return x;
        };
    };
    EXPECT_EQ(left_of(type, turned(2)), 1U);
    EXPECT_EQ(left_of(type, turned(3)), 0U);
    EXPECT_EQ(left_of(type,
                      [](Graph& g, ValueId x) {
                          x = call(g, "reshape", {x}, {{"shape", Integers{24}}});
                          return call(g, "reshape", {x}, {{"shape", Integers{4, -1}}});
                      }),
              1U);
    EXPECT_EQ(left_of(type,
                      [](Graph& g, ValueId x) {
                          x = call(g, "convert", {x}, {{"dtype", ElementType::kF64}});
                          return call(g, "convert", {x}, {{"dtype", ElementType::kF32}});
                      }),
              0U);
    EXPECT_EQ(left_of(type,
                      [](Graph& g, ValueId x) {
                          x = call(g, "convert", {x}, {{"dtype", ElementType::kBF16}});
                          return call(g, "convert", {x}, {{"dtype", ElementType::kF32}});
                      }),
              2U);
}

TEST(Fold, takes_the_branch_of_a_constant_predicate) {
    const TensorType number{ElementType::kF64, {}, {}};
    const auto branch = [&](const char* name) {
        Graph graph(name, std::string(kCall));
        graph.set_results({call(graph, name, {graph.add_input("x", number)})});
        return std::make_shared<const Graph>(std::move(graph));
    };
    Graph graph("main", std::string(kCall));
    const ValueId x = graph.add_input("x", number);
    const ValueId yes = graph.add_const(Constant::scalar(true));
    const std::vector<ir::Subgraph> subgraphs{{"then", branch("sin")}, {"else", branch("cos")}};
    graph.set_results({add_op(graph, call_operations(), "cond", {yes, x}, {}, subgraphs)});
    const Graph simple = simplify(graph);
    ASSERT_EQ(simple.equation_count(), 1U);
    EXPECT_EQ(simple.equation(0).operation(), "sin");
}

TEST(Fold, stops_at_the_size_limit) {
    Graph graph("main", std::string(kFlat));
    const ir::Attributes full{{"shape", Integers{100}}, {"value", 2.0}, {"dtype", ElementType::kF64}};
    const ValueId twos = add_op(graph, flat_operations(), "full", {}, full);
    graph.set_results({add_op(graph, flat_operations(), "exp", {twos})});
    EXPECT_EQ(fold(graph, 799).changed, 0U);
    const ir::PassResult folded = fold(graph, 800);
    EXPECT_EQ(folded.after, 0U);
    EXPECT_EQ(evaluate(folded.graph, std::span<const Constant>())[0],
              evaluate(graph, std::span<const Constant>())[0]);
}

}  // namespace
}  // namespace tilemeter::trace
