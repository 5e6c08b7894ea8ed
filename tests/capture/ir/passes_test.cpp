// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/passes/passes.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capture/ir/error.hpp"
#include "capture/ir/order.hpp"
#include "capture/ir/passes/compare.hpp"
#include "capture/ir/verify.hpp"
#include "tests/capture/ir/operations.hpp"
#include "tests/paths.hpp"

namespace tilemeter::ir {
namespace {

using nlohmann::json;
using test::kScalar;
using test::operations;

// ---- graphs in the format of the tracing oracles

TensorType type_in(const json& value) {
    TensorType type{*element_type_of(value.at("dtype").get<std::string>()), {}, {}};
    for (const json& dim : value.at("shape"))
        type.shape.push_back(dim.get<std::int64_t>());
    return type;
}

Attributes attributes_in(const json& equation) {
    Attributes attributes;
    const json given = equation.value("attrs", json::object());
    for (const auto& [name, value] : given.items()) {
        if (value.is_boolean())
            attributes.set(name, value.get<bool>());
        else if (value.is_number_integer())
            attributes.set(name, value.get<std::int64_t>());
        else if (value.is_number())
            attributes.set(name, value.get<double>());
        else if (value.is_string())
            attributes.set(name, *element_type_of(value.get<std::string>()));
        else if (value.is_array())
            attributes.set(name, value.get<Integers>());
    }
    return attributes;
}

GraphPtr graph_in(const json& from) {
    Graph graph;
    std::map<std::string, ValueId> values;
    for (const json& param : from.at("params"))
        values[param.at("name")] = graph.add_input(param.at("name").get<std::string>(), type_in(param));
    const auto value_in = [&](const json& operand) {
        if (operand.is_string()) return values.at(operand.get<std::string>());
        return graph.add_const(Constant::scalar(type_in(operand).element, operand.at("lit").get<double>()));
    };
    for (const json& equation : from.at("eqns")) {
        std::vector<ValueId> operands;
        for (const json& operand : equation.at("in"))
            operands.push_back(value_in(operand));
        std::vector<Subgraph> subgraphs;
        const json held = equation.value("subgraphs", json::object());
        for (const auto& [name, subgraph] : held.items())
            subgraphs.push_back({name, graph_in(subgraph)});
        const ValueRange results = add_op(graph, operations().at(equation.at("op").get<std::string>()),
                                          operands, attributes_in(equation), subgraphs);
        for (std::size_t i = 0; i < results.size(); ++i)
            values[equation.at("out").at(i)] = results[i];
    }
    std::vector<ValueId> results;
    for (const json& result : from.at("results"))
        results.push_back(value_in(result));
    graph.set_results(results);
    return std::make_shared<const Graph>(std::move(graph));
}

/// Holds dead code and common subexpressions to the counts of a file in the format of the tracing oracles. Returns
/// how many cases are about them.
std::size_t expect_counts(const std::string& path) {
    std::ifstream file(path);
    const json recorded = json::parse(file);
    std::size_t checked = 0;
    for (const json& each : recorded.at("cases")) {
        const std::string name = each.at("name");
        SCOPED_TRACE(name);
        const bool is_dce = each.at("expect").contains("dce");
        const bool is_cse = each.at("expect").contains("cse");
        const bool is_order = name == "order_fold_before_dce";  // without folding: what can be reached
        if (!is_dce && !is_cse && !is_order) continue;
        std::vector<std::size_t> used;
        for (std::size_t i = 0; i < each.at("results_used").size(); ++i)
            if (each.at("results_used")[i].get<bool>()) used.push_back(i);
        const Graph graph = with_results(*graph_in(each.at("graph")), used);
        EXPECT_EQ(verify(graph, operations()), std::nullopt);
        const PassResult result =
            is_cse ? merge_common_subexpressions(graph, operations()) : remove_dead_code(graph, operations());
        const auto expected = is_dce   ? each.at("expect").at("dce")
                              : is_cse ? each.at("expect").at("cse")
                                       : each.at("plain_reachability");
        EXPECT_EQ(result.after, expected.get<std::uint64_t>());
        EXPECT_EQ(result.after, count_equations(result.graph));
        EXPECT_EQ(result.graph.params().size(), graph.params().size());
        EXPECT_EQ(verify(result.graph, operations()), std::nullopt);
        ++checked;
    }
    return checked;
}

TEST(Passes, leave_as_many_equations_as_counted_by_hand) {
    EXPECT_EQ(expect_counts(test::data_folder() + "/trace/passes.json"), 3U);
}

TEST(Passes, leave_as_many_equations_as_the_oracles_count) {
    const std::string path = test::shared_folder() + "/tracing-oracles/passes.json";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "needs the folder shared/";
    EXPECT_EQ(expect_counts(path), 19U);
}

// ---- by hand

Graph unary_body(std::initializer_list<const char*> names) {
    Graph body;
    ValueId value = body.add_input("x", kScalar);
    for (const char* name : names)
        value = add_op(body, operations(), name, {value});
    body.set_results({value});
    return body;
}

GraphPtr shared(Graph graph) {
    return std::make_shared<const Graph>(std::move(graph));
}

TEST(DeadCode, keeps_effects_and_what_they_use) {
    Graph graph;
    const ValueId x = graph.add_input("x", kScalar);
    const ValueId shown = add_op(graph, operations(), "exp", {x});
    add_op(graph, operations(), "print", {shown});
    add_op(graph, operations(), "sin", {x});
    graph.set_results({x});
    const PassResult result = remove_dead_code(graph, operations());
    EXPECT_EQ(result.after, 2U);
    EXPECT_EQ(result.changed, 1U);
}

TEST(DeadCode, keeps_a_call_whose_body_has_an_effect_and_drops_its_results) {
    Graph body;
    const ValueId inner = body.add_input("x", kScalar);
    body.add_input("unused", kScalar);
    add_op(body, operations(), "print", {inner});
    body.set_results({add_op(body, operations(), "exp", {inner})});

    Graph graph;
    const ValueId x = graph.add_input("x", kScalar);
    const std::vector<Subgraph> subgraphs{{"body", shared(body)}};
    add_op(graph, operations(), "call", {x, add_op(graph, operations(), "sin", {x})}, {}, subgraphs);
    graph.set_results({x});
    const PassResult result = remove_dead_code(graph, operations());
    EXPECT_EQ(result.after, 2U);  // the call and its print
    EXPECT_EQ(result.graph.equation(0).results().size(), 0U);
    EXPECT_EQ(result.graph.equation(0).operands().size(), 1U);
    EXPECT_EQ(verify(result.graph, operations()), std::nullopt);
}

TEST(DeadCode, prunes_branches_alike) {
    // then: (a + b, exp a), else: (a, sin b); only result 0 is needed, which needs b in one branch.
    const auto branch = [](const char* first, const char* second) {
        Graph graph;
        const ValueId a = graph.add_input("a", kScalar);
        const ValueId b = graph.add_input("b", kScalar);
        graph.add_input("c", kScalar);
        const ValueId result = first == std::string("add") ? add_op(graph, operations(), "add", {a, b}) : a;
        graph.set_results({result, add_op(graph, operations(), second, {a})});
        return shared(graph);
    };
    Graph graph;
    const ValueId predicate = graph.add_input("p", {ElementType::kBool, {}, {}});
    const ValueId x = graph.add_input("x", kScalar);
    const std::vector<Subgraph> subgraphs{{"then", branch("add", "exp")}, {"else", branch("", "sin")}};
    const ValueRange results = add_op(graph, operations(), "cond", {predicate, x, x, x}, {}, subgraphs);
    graph.set_results({results[0]});
    const PassResult result = remove_dead_code(graph, operations());
    EXPECT_EQ(verify(result.graph, operations()), std::nullopt);
    EXPECT_EQ(result.after, 2U);
    EXPECT_EQ(result.graph.equation(0).operands().size(), 3U);  // predicate, a, b
    EXPECT_EQ(remove_dead_code(result.graph, operations()).changed, 0U);
}

TEST(DeadCode, keeps_what_the_condition_of_a_loop_depends_on) {
    // carry (i, x, y, z): the condition reads i; i becomes i + y; x becomes exp(x), z is not needed.
    Graph cond;
    const ValueId limit = cond.add_input("limit", kScalar);
    const ValueId i = cond.add_input("i", kScalar);
    for (const char* name : {"x", "y", "z"})
        cond.add_input(name, kScalar);
    cond.set_results({add_op(cond, operations(), "lt", {i, limit})});
    Graph body;
    body.add_input("limit", kScalar);
    const ValueId count = body.add_input("i", kScalar);
    const ValueId x = body.add_input("x", kScalar);
    const ValueId y = body.add_input("y", kScalar);
    const ValueId z = body.add_input("z", kScalar);
    const ValueId next = add_op(body, operations(), "add", {count, y});
    const ValueId exp = add_op(body, operations(), "exp", {x});
    const ValueId sin = add_op(body, operations(), "sin", {z});
    body.set_results({next, exp, y, sin});

    Graph graph;
    const ValueId start = graph.add_input("start", kScalar);
    const std::vector<Subgraph> subgraphs{{"cond", shared(cond)}, {"body", shared(body)}};
    const Attributes attributes{{"n_consts", 1}};
    const ValueRange results =
        add_op(graph, operations(), "while", {start, start, start, start, start}, attributes, subgraphs);
    graph.set_results({results[1]});
    const PassResult result = remove_dead_code(graph, operations());
    ASSERT_EQ(verify(result.graph, operations()), std::nullopt);
    const Equation loop = result.graph.equation(0);
    EXPECT_EQ(loop.results().size(), 3U);   // i, x, y
    EXPECT_EQ(loop.operands().size(), 4U);  // limit as well
    EXPECT_EQ(result.after, 4U);            // while, lt, add, exp
}

TEST(DeadCode, keeps_shared_bodies_shared) {
    const GraphPtr body = shared(unary_body({"exp", "sin"}));
    Graph graph;
    ValueId x = graph.add_input("x", kScalar);
    for (int i = 0; i < 3; ++i) {
        const std::vector<Subgraph> subgraphs{{"body", body}};
        x = add_op(graph, operations(), "call", {x}, {}, subgraphs);
    }
    graph.set_results({x});
    const PassResult result = remove_dead_code(graph, operations());
    EXPECT_EQ(result.before, 9U);
    EXPECT_EQ(result.after, 9U);
    for (const Equation equation : result.graph.equations())
        EXPECT_EQ(equation.subgraphs()[0].graph, body);
}

TEST(CommonSubexpressions, merge_calls_with_equal_bodies_but_no_effects) {
    Graph graph;
    const ValueId x = graph.add_input("x", kScalar);
    const auto call = [&](const GraphPtr& body) {
        const std::vector<Subgraph> subgraphs{{"body", body}};
        return ValueId(add_op(graph, operations(), "call", {x}, {}, subgraphs));
    };
    const ValueId a = call(shared(unary_body({"exp"})));
    const ValueId b = call(shared(unary_body({"exp"})));
    const ValueId c = call(shared(unary_body({"sin"})));
    for (const ValueId value : {a, b})
        add_op(graph, operations(), "print", {value});
    graph.set_results({a, b, c});
    const PassResult result = merge_common_subexpressions(graph, operations());
    EXPECT_EQ(result.changed, 1U);
    EXPECT_EQ(result.graph.equation_count(), 4U);
    EXPECT_EQ(result.graph.results()[0], result.graph.results()[1]);
    EXPECT_NE(result.graph.results()[0], result.graph.results()[2]);
}

TEST(CommonSubexpressions, merge_constants_with_equal_bytes) {
    Graph graph;
    std::vector<ValueId> results;
    for (int i = 0; i < 2; ++i) {
        const std::vector<double> values(50, 1.5);
        const ValueId constant = graph.add_const(Constant::of(ElementType::kF64, {50}, std::span(values)));
        results.push_back(add_op(graph, operations(), "exp", {constant}));
    }
    graph.set_results(results);
    EXPECT_EQ(graph.constants().size(), 2U);
    const PassResult result = merge_common_subexpressions(graph, operations());
    EXPECT_EQ(result.graph.constants().size(), 1U);
    EXPECT_EQ(result.after, 1U);
}

TEST(InlineCalls, puts_bodies_in_their_place) {
    Graph outer = unary_body({"sin"});
    const std::vector<Subgraph> inner{{"body", shared(unary_body({"exp", "cos"}))}};
    const ValueId called = add_op(outer, operations(), "call", {outer.results()[0]}, {}, inner);
    outer.set_results({add_op(outer, operations(), "tan", {called})});
    Graph graph;
    const ValueId x = graph.add_input("x", kScalar);
    const std::vector<Subgraph> subgraphs{{"body", shared(outer)}};
    const ValueId first = add_op(graph, operations(), "call", {x}, {}, subgraphs);
    graph.set_results({add_op(graph, operations(), "call", {first}, {}, subgraphs)});

    const PassResult result = inline_calls(graph, operations());
    std::string names;
    for (const Equation equation : result.graph.equations())
        names += equation.operation() + " ";
    EXPECT_EQ(names, "sin exp cos tan sin exp cos tan ");
    EXPECT_EQ(verify(result.graph, operations()), std::nullopt);
    EXPECT_THROW(inline_calls(graph, operations(), 6), Error);
}

TEST(InlineCalls, leaves_checkpoints) {
    Graph graph;
    const ValueId x = graph.add_input("x", kScalar);
    const std::vector<Subgraph> subgraphs{{"body", shared(unary_body({"exp"}))}};
    graph.set_results({add_op(graph, operations(), "checkpoint", {x}, {}, subgraphs)});
    EXPECT_EQ(inline_calls(graph, operations()).changed, 0U);
}

TEST(InlineCalls, refuses_calls_that_double_without_end) {
    Graph leaf;
    leaf.set_results({leaf.add_input("x", kScalar)});
    GraphPtr body = shared(leaf);
    for (std::uint32_t depth = 2; depth <= Graph::kMaxDepth; ++depth) {
        Graph graph;
        ValueId x = graph.add_input("x", kScalar);
        const std::vector<Subgraph> subgraphs{{"body", body}};
        for (int i = 0; i < 2; ++i)
            x = add_op(graph, operations(), "call", {x}, {}, subgraphs);
        graph.set_results({x});
        body = shared(graph);
    }
    EXPECT_EQ(count_equations(*body), ~std::uint64_t{0} - 1);
    EXPECT_THROW(inline_calls(*body, operations(), 100'000), Error);
    EXPECT_EQ(remove_dead_code(*body, operations()).changed, 0U);
    EXPECT_EQ(merge_common_subexpressions(*body, operations()).changed, 0U);
    EXPECT_TRUE(equal(*body, Graph(*body)));
}

TEST(Rewrite, lets_a_rule_put_values_in_place_of_results) {
    // mul(x, 1.0) is x, also in the body of a call.
    const auto by_one = [](const char* last) {
        Graph graph;
        const ValueId x = graph.add_input("x", kScalar);
        const ValueId one = graph.add_const(Constant::scalar(ElementType::kF64, 1.0));
        const ValueId product = add_op(graph, operations(), "mul", {x, one});
        graph.set_results({add_op(graph, operations(), last, {product})});
        return graph;
    };
    Graph graph = by_one("exp");
    const std::vector<Subgraph> subgraphs{{"body", shared(by_one("sin"))}};
    graph.set_results({add_op(graph, operations(), "call", {graph.results()[0]}, {}, subgraphs)});
    const auto rule = [](const RewriteSite& site, std::vector<ValueId>& results) {
        if (site.equation.operation() != "mul") return false;
        const Constant* const factor = site.to.constant(site.operands[1]);
        if (factor == nullptr || factor->double_at(0) != 1.0) return false;
        results.push_back(site.operands[0]);
        return true;
    };
    const PassResult result = rewrite(graph, operations(), rule);
    EXPECT_EQ(result.changed, 2U);
    EXPECT_EQ(result.before, 5U);
    EXPECT_EQ(result.after, 3U);
    EXPECT_EQ(verify(result.graph, operations()), std::nullopt);

    const auto no_value = [](const RewriteSite&, std::vector<ValueId>&) { return true; };
    EXPECT_THROW(rewrite(graph, operations(), no_value), Error);
    const auto other_type = [](const RewriteSite& site, std::vector<ValueId>& results) {
        results.push_back(site.to.add_const(Constant::scalar(true)));
        return true;
    };
    EXPECT_THROW(rewrite(graph, operations(), other_type), Error);
}

TEST(Passes, run_until_nothing_changes) {
    // Merging the two sums leaves nothing dead; the unused sine goes in the first round.
    Graph graph;
    const ValueId x = graph.add_input("x", kScalar);
    const ValueId a = add_op(graph, operations(), "exp", {x});
    const ValueId b = add_op(graph, operations(), "exp", {x});
    add_op(graph, operations(), "sin", {b});
    graph.set_results({add_op(graph, operations(), "add", {a, b})});
    const std::vector<NamedPass> passes{
        {"cse", [](const Graph& from) { return merge_common_subexpressions(from, operations()); }},
        {"dce", [](const Graph& from) { return remove_dead_code(from, operations()); }}};
    std::vector<PassStep> steps;
    const Graph result = run_passes(graph, passes, &steps);
    EXPECT_EQ(result.equation_count(), 2U);
    ASSERT_EQ(steps.size(), 4U);
    EXPECT_EQ(steps[0].after, 3U);
    EXPECT_EQ(steps[1].after, 2U);
    EXPECT_EQ(steps[3].changed, 0U);
}

// ---- size

// A chain in which each equation uses the one before and one scalar constant.
Graph chain(std::size_t length) {
    const Operation& add = operations().at("add");
    Graph graph;
    ValueId x = graph.add_input("x", kScalar);
    const ValueId one = graph.add_const(Constant::scalar(ElementType::kF64, 1.0));
    for (std::size_t i = 0; i < length; ++i) {
        const std::vector<ValueId> operands{x, one};
        x = add_op(graph, add, operands);
    }
    graph.set_results({x});
    return graph;
}

TEST(Passes, take_a_million_equations) {
    constexpr std::size_t kLength =
        1'000'000;  // work that grows with its square does not end within a test's time
    const Graph graph = chain(kLength);
    EXPECT_EQ(verify(graph, operations()), std::nullopt);
    EXPECT_EQ(remove_dead_code(graph, operations()).after, kLength);
    EXPECT_EQ(merge_common_subexpressions(graph, operations()).after, kLength);
    EXPECT_EQ(inline_calls(graph, operations()).after, kLength);
}

TEST(Order, sorts_a_million_equations_given_backwards) {
    // Equation i uses the result of equation i + 1: only the last one can come first.
    constexpr std::size_t kLength = 1'000'000;
    Graph graph;
    const ValueId x = graph.add_input("x", kScalar);
    const std::vector<TensorType> types{kScalar};
    const std::vector<ValueId> operands{kUndefined};
    for (std::size_t i = 0; i < kLength; ++i)
        graph.append("exp", operands, types);
    for (std::size_t i = 0; i < kLength; ++i)
        graph.set_operand(i, 0, i + 1 < kLength ? ValueId{static_cast<std::uint32_t>(i + 2)} : x);
    graph.set_results({graph.equation(0).results()[0]});
    EXPECT_FALSE(is_ordered(graph));
    EXPECT_EQ(verify(graph, operations()), std::nullopt);
    const auto order = topological_order(graph);
    EXPECT_EQ(order.front(), kLength - 1);
    EXPECT_EQ(order.back(), 0U);
    EXPECT_TRUE(is_ordered(ordered(graph, operations())));
    graph.set_operand(kLength - 1, 0, ValueId{1});
    EXPECT_EQ(find_cycle(graph).size(), kLength);
    EXPECT_EQ(verify(graph)->kind(), ErrorKind::kCycle);
}

TEST(Order, keeps_the_order_of_effects) {
    Graph graph;
    const ValueId x = graph.add_input("x", kScalar);
    add_op(graph, operations(), "print", {x});
    const ValueId first = add_op(graph, operations(), "exp", {x});
    add_op(graph, operations(), "print", {first});
    const ValueId last = add_op(graph, operations(), "sin", {x});
    graph.set_operand(0, 0, last);
    EXPECT_EQ(topological_order(graph, operations()), (std::vector<std::uint32_t>{1, 3, 0, 2}));
    EXPECT_EQ(topological_order(graph), (std::vector<std::uint32_t>{1, 2, 3, 0}));
}

}  // namespace
}  // namespace tilemeter::ir
