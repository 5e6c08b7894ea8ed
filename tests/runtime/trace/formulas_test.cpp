// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/primitives/internal/formulas.hpp"

#include <gtest/gtest.h>

#include "capture/ir/verify.hpp"
#include "runtime/trace/calls/evaluate.hpp"
#include "runtime/trace/calls/lower.hpp"
#include "runtime/trace/primitives/flat_builder.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"
#include "tests/runtime/trace/values.hpp"

namespace tilemeter::trace::internal {
namespace {

using ir::Constant;
using ir::ElementType;
using ir::Graph;
using ir::TensorType;
using ir::ValueId;
using test::kNumber;

/// 2 x y + 1, by a rule that counts how often it is asked.
class Rule {
public:
    explicit Rule(Graph& graph) : graph_(graph), formulas_(graph) {}

    ValueId operator()(ValueId x, ValueId y, std::uint32_t line = 1) {
        const ir::Location location{"f.py", line, ""};
        formulas_.begin({7});
        formulas_.take(x);
        formulas_.take(y);
        return *formulas_.end(location, [&](std::vector<Formulas::Value>& made) {
            ++asked;
            FlatBuilder to(graph_, location);
            made.push_back(to.add(to.mul(to.mul(x, y), to.scalar(to.element(x), 2)), to.full_like(x, 1)));
        })[0];
    }

    int asked = 0;

private:
    Graph& graph_;
    Formulas formulas_;
};

TEST(Formulas, are_asked_for_once_and_appended_for_other_values) {
    Graph graph("main", std::string(kFlat));
    const ValueId x = graph.add_input("x", kNumber);
    const ValueId y = graph.add_input("y", kNumber);
    Rule rule(graph);
    const ValueId first = rule(x, y, 3);
    const ValueId second = rule(y, first, 4);
    graph.set_results({first, second});
    EXPECT_EQ(rule.asked, 1);
    EXPECT_FALSE(ir::verify(graph, flat_operations()));
    EXPECT_EQ(graph.equation(0).location().line, 3U);
    EXPECT_EQ(graph.equation(graph.equation_count() - 1).location().line, 4U);
    const auto values = evaluate(graph, std::vector{test::number(3).value(), test::number(5).value()});
    EXPECT_EQ(values[0].double_at(0), 31);
    EXPECT_EQ(values[1].double_at(0), 311);
}

TEST(Formulas, tell_equal_operands_constants_and_types_apart) {
    Graph graph("main", std::string(kFlat));
    const ValueId x = graph.add_input("x", kNumber);
    const ValueId y = graph.add_input("y", kNumber);
    const ValueId two = graph.add_const(Constant::scalar(ElementType::kF64, 2));
    const ValueId four = graph.add_const(Constant::scalar(ElementType::kF64, 4));
    const ValueId narrow = graph.add_input("z", {ElementType::kF32, {}, {}});
    Rule rule(graph);
    std::vector<ValueId> results{rule(x, x), rule(x, y), rule(y, two), rule(y, four), rule(narrow, narrow)};
    EXPECT_EQ(rule.asked, 5);
    results.push_back(rule(y, y));
    results.push_back(rule(x, two));
    EXPECT_EQ(rule.asked, 5);
    graph.set_results(results);
    const auto values = evaluate(graph, std::vector{test::number(3).value(), test::number(5).value(),
                                                    Constant::scalar(ElementType::kF32, 7.0)});
    const std::vector<double> expected{19, 31, 21, 41, 99, 51, 13};
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_EQ(values[i].double_at(0), expected[i]) << i;
}

// An equation that depends on no value stands in the graph once.
TEST(Formulas, share_what_depends_on_nothing) {
    Graph graph("main", std::string(kFlat));
    const ValueId x = graph.add_input("x", {ElementType::kF64, {3}, {}});
    Formulas formulas(graph);
    ValueId last = x;
    for (int i = 0; i < 4; ++i) {
        formulas.begin({});
        formulas.take(last);
        last = *formulas.end(ir::Location(), [&](std::vector<Formulas::Value>& made) {
            FlatBuilder to(graph);
            made.push_back(to.add(last, 1));
        })[0];
    }
    graph.set_results({last});
    EXPECT_EQ(graph.equation_count(), 5U);
    EXPECT_EQ(test::values_of(evaluate(graph, std::vector{test::vector({1, 2, 3}).value()})[0]),
              (test::Values{5, 6, 7}));
}

// A graph that holds graphs is not taken apart: the rule is asked each time.
TEST(Formulas, ask_again_for_what_holds_graphs) {
    Graph graph("main", std::string(kFlat));
    ValueId x = graph.add_input("x", kNumber);
    Graph body("body", std::string(kFlat));
    body.set_results({body.add_input("x", kNumber)});
    const ir::Subgraph subgraph{"body", std::make_shared<const Graph>(body)};
    Formulas formulas(graph);
    int asked = 0;
    for (int i = 0; i < 3; ++i) {
        formulas.begin({});
        formulas.take(x);
        x = *formulas.end(ir::Location(), [&](std::vector<Formulas::Value>& made) {
            ++asked;
            made.push_back(
                ValueId(FlatBuilder(graph).op("call", std::vector{x}, {}, std::span(&subgraph, 1))));
        })[0];
    }
    EXPECT_EQ(asked, 3);
}

}  // namespace
}  // namespace tilemeter::trace::internal
