// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/graph.hpp"

#include <gtest/gtest.h>

#include "capture/ir/error.hpp"
#include "capture/ir/operation_set.hpp"
#include "capture/ir/order.hpp"
#include "capture/ir/verify.hpp"
#include "tests/capture/ir/operations.hpp"

namespace tilemeter::ir {
namespace {

using test::kScalar;
using test::operations;

const TensorType kVector{ElementType::kF64, {3}, {}};

template <class Action>
ErrorKind kind_thrown_by(const Action& action) {
    try {
        action();
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
        return error.kind();
    }
    ADD_FAILURE() << "no error";
    return ErrorKind::kCount;
}

TEST(Graph, is_built_by_hand) {
    Graph graph("f");
    const ValueId x = graph.add_input("x", kVector);
    const ValueId two = graph.add_const(Constant::scalar(ElementType::kF64, 2.0));
    const ValueId y = add_op(graph, operations(), "mul", {x, two});
    const ValueId z = add_op(graph, operations(), "sum", {y}, {{"axes", Integers{0}}, {"keepdims", false}});
    graph.set_results({z});

    EXPECT_EQ(verify(graph, operations()), std::nullopt);
    EXPECT_EQ(graph.equation_count(), 2U);
    EXPECT_EQ(graph.type(y), kVector);
    EXPECT_EQ(graph.type(z), kScalar);
    EXPECT_EQ(graph.equation(1).operation(), "sum");
    EXPECT_EQ(graph.equation(1).attributes().get<Integers>("axes"), Integers{0});
    EXPECT_EQ(graph.definition(z), (Definition{ValueKind::kResult, 1, 0}));
    EXPECT_EQ(graph.constant(two)->double_at(0), 2.0);
    EXPECT_EQ(*graph.find_input("x"), x);
    EXPECT_EQ(graph.find_input("y"), nullptr);
}

TEST(Graph, keeps_a_constant_once) {
    Graph graph;
    const ValueId two = graph.add_const(Constant::scalar(ElementType::kF64, 2.0));
    EXPECT_EQ(graph.add_const(Constant::scalar(ElementType::kF64, 2.0)), two);
    EXPECT_NE(graph.add_const(Constant::scalar(ElementType::kF32, 2.0)), two);
    EXPECT_NE(graph.add_const(Constant::scalar(ElementType::kF64, -2.0)), two);
    const ValueId zero = graph.add_const(Constant::scalar(ElementType::kF64, 0.0));
    EXPECT_NE(graph.add_const(Constant::scalar(ElementType::kF64, -0.0)), zero);

    const std::vector<double> values(100, 0.5);
    const Constant large = Constant::of(ElementType::kF64, {100}, std::span(values));
    const ValueId first = graph.add_const(large);
    EXPECT_EQ(graph.add_const(large), first);
    EXPECT_EQ(graph.constant(first)->storage(), large.storage());
}

TEST(Graph, refuses_what_cannot_be_appended) {
    Graph graph;
    const ValueId x = graph.add_input("x", kVector);
    const ValueId y = graph.add_input("y", {ElementType::kF64, {4}, {}});
    const auto refuses = [&](ErrorKind kind, const auto& action) {
        EXPECT_EQ(kind_thrown_by(action), kind);
        EXPECT_EQ(graph.equation_count(), 0U);
    };
    refuses(ErrorKind::kUndefinedValue, [&] { add_op(graph, operations(), "exp", {ValueId{9}}); });
    refuses(ErrorKind::kWrongArity, [&] { add_op(graph, operations(), "exp", {x, x}); });
    refuses(ErrorKind::kShapeMismatch, [&] { add_op(graph, operations(), "add", {x, y}); });
    refuses(ErrorKind::kUnknownOperation, [&] { add_op(graph, operations(), "nothing", {x}); });
    refuses(ErrorKind::kWrongAttribute, [&] { add_op(graph, operations(), "exp", {x}, {{"axes", true}}); });
    refuses(ErrorKind::kWrongAttribute, [&] { add_op(graph, operations(), "sum", {x}, {{"axes", 1}}); });
    refuses(ErrorKind::kWrongAttribute, [&] { add_op(graph, operations(), "full", {}, {{"value", 1.0}}); });
    refuses(ErrorKind::kWrongSubgraph, [&] { add_op(graph, operations(), "call", {x}); });
    refuses(ErrorKind::kUndefinedValue, [&] { graph.set_results({ValueId{2}}); });
}

TEST(Graph, nests_to_a_depth_that_recursion_bears) {
    GraphPtr body = [] {
        Graph graph;
        graph.set_results({graph.add_input("x", kScalar)});
        return std::make_shared<const Graph>(graph);
    }();
    const auto around = [](const GraphPtr& inner) {
        Graph graph;
        const std::vector<Subgraph> subgraphs{{"body", inner}};
        graph.set_results(
            {add_op(graph, operations(), "call", {graph.add_input("x", kScalar)}, {}, subgraphs)});
        return std::make_shared<const Graph>(graph);
    };
    for (std::uint32_t depth = 1; depth < Graph::kMaxDepth; ++depth)
        body = around(body);
    EXPECT_EQ(body->depth(), Graph::kMaxDepth);
    EXPECT_EQ(verify(*body, operations()), std::nullopt);
    EXPECT_EQ(kind_thrown_by([&] { around(body); }), ErrorKind::kTooDeep);
}

TEST(LastUses, are_those_of_operands_makers_and_results) {
    Graph graph("f");
    const ValueId x = graph.add_input("x", kScalar), unused = graph.add_input("unused", kScalar);
    const ValueId a = add_op(graph, operations(), "add", {x, x});
    const ValueId b = add_op(graph, operations(), "mul", {a, x});
    const ValueId dead = add_op(graph, operations(), "mul", {a, a});
    graph.set_results({b});
    const std::vector<std::uint32_t> last = last_uses(graph);
    EXPECT_EQ(last[index_of(x)], 1U);
    EXPECT_EQ(last[index_of(a)], 2U);
    EXPECT_EQ(last[index_of(dead)], 2U) << "nothing uses it: its own equation";
    EXPECT_EQ(last[index_of(b)], 3U) << "a result stays";
    EXPECT_EQ(last[index_of(unused)], 3U);
}

TEST(Verify, names_the_equations_of_a_cycle) {
    Graph graph;
    const ValueId x = graph.add_input("x", kScalar);
    const ValueId a = add_op(graph, operations(), "exp", {x});
    const ValueId b = add_op(graph, operations(), "add", {a, x});
    const ValueId c = add_op(graph, operations(), "sin", {b});
    add_op(graph, operations(), "cos", {c});
    graph.set_operand(0, 0, c);
    EXPECT_EQ(find_cycle(graph).size(), 3U);
    const auto error = verify(graph);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->kind(), ErrorKind::kCycle);
    EXPECT_STREQ(
        error->what(),
        "found a cycle: equation 0 (exp) uses equation 2 (sin) uses equation 1 (add) uses equation 0");
}

TEST(Verify, finds_what_set_operand_breaks) {
    Graph graph;
    const ValueId x = graph.add_input("x", kVector);
    const ValueId s = graph.add_input("s", kScalar);
    const ValueId y = add_op(graph, operations(), "exp", {x});
    graph.set_results({y});
    graph.set_operand(0, 0, ValueId{77});
    EXPECT_EQ(verify(graph)->kind(), ErrorKind::kUndefinedValue);
    graph.set_operand(0, 0, s);
    EXPECT_EQ(verify(graph), std::nullopt);
    EXPECT_EQ(verify(graph, operations())->kind(), ErrorKind::kWrongType);
    EXPECT_STREQ(verify(graph, operations())->what(),
                 "equation 0 (exp): result 0: found type f64[3], expected f64[]");
}

}  // namespace
}  // namespace tilemeter::ir
