// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/derivatives/derivatives.hpp"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/ir/control.hpp"
#include "capture/ir/copier.hpp"
#include "capture/ir/error.hpp"
#include "capture/ir/passes/compare.hpp"
#include "capture/ir/passes/passes.hpp"
#include "capture/ir/text.hpp"
#include "capture/ir/verify.hpp"
#include "runtime/trace/calls/call_operations.hpp"
#include "runtime/trace/calls/evaluate.hpp"
#include "runtime/trace/calls/lower.hpp"
#include "runtime/trace/calls/simplify.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"
#include "tests/runtime/trace/values.hpp"

namespace tilemeter::trace {
namespace {

using ir::Attributes;
using ir::Constant;
using ir::ElementType;
using ir::Error;
using ir::ErrorKind;
using ir::Graph;
using ir::GraphPtr;
using ir::Integers;
using ir::Subgraph;
using ir::TensorType;
using ir::ValueId;
using test::graph_error_of;
using test::kCount;
using test::kNumber;

/// A graph of calls that is being written.
class Calls {
public:
    explicit Calls(std::string name = "main") : graph_(std::move(name), std::string(kCall)) {}

    ValueId input(const std::string& name, const TensorType& type = kNumber) {
        return graph_.add_input(name, type);
    }
    ValueId number(double value) { return graph_.add_const(Constant::scalar(ElementType::kF64, value)); }
    ValueId count(int value) { return graph_.add_const(Constant::scalar(ElementType::kI32, value)); }
    ir::ValueRange op(const std::string& name, std::vector<ValueId> operands,
                      const Attributes& attributes = {}, const std::vector<Subgraph>& subgraphs = {}) {
        return add_op(graph_, call_operations().at(name), operands, attributes, subgraphs);
    }
    /// A call of the outcome of a transformation.
    ir::ValueRange call(const Graph& flat, std::vector<ValueId> operands) {
        return op("call", std::move(operands), {}, {{"body", std::make_shared<const Graph>(as_calls(flat))}});
    }
    Graph returning(const std::vector<ValueId>& results) {
        graph_.set_results(results);
        return graph_;
    }
    GraphPtr shared(const std::vector<ValueId>& results) {
        return std::make_shared<const Graph>(returning(results));
    }

private:
    Graph graph_;
};

std::vector<double> values_at(const Graph& graph, const std::vector<double>& inputs) {
    if (const auto error = ir::verify(graph, operations_for(graph))) throw *error;
    std::vector<Constant> constants;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        constants.push_back(Constant::scalar(graph.type(graph.params()[i]).element, inputs[i]));
    std::vector<double> values;
    for (const Constant& each : evaluate(graph, constants))
        for (std::size_t i = 0; i < static_cast<std::size_t>(each.type().shape.elements()); ++i)
            values.push_back(each.double_at(i));
    return values;
}

Graph sine() {
    Calls f;
    return f.returning({f.op("sin", {f.input("x")})});
}

TEST(Derivatives, derivatives_have_derivatives) {
    Graph f = sine();
    const double x = 0.7;
    const double expected[] = {std::cos(x), -std::sin(x), -std::cos(x), std::sin(x)};
    for (const double each : expected) {
        f = grad(f, {0});
        EXPECT_NEAR(values_at(f, {x})[0], each, 1e-14);
        EXPECT_NEAR(values_at(simplify(f), {x})[0], each, 1e-14);
    }
}

TEST(Derivatives, forward_and_reverse_nest_in_any_order) {
    const double x = 0.7;
    const Graph forward = jvp(sine(), {0});
    // d/dx of cos(x) t
    EXPECT_NEAR(values_at(grad(with_results(forward, std::vector<std::size_t>{1}), {0}), {x, 2})[0],
                -2 * std::sin(x), 1e-14);
    EXPECT_NEAR(values_at(jvp(grad(sine(), {0}), {0}), {x, 2})[1], -2 * std::sin(x), 1e-14);
    EXPECT_NEAR(values_at(hvp(sine(), {0}), {x, 2})[0], -2 * std::sin(x), 1e-14);
    EXPECT_NEAR(values_at(jvp(jvp(forward, {0, 1}), {0}), {x, 1, 1, 0, 1}).back(), -std::cos(x), 1e-14);
}

// A function of primitives is reversed without its tangents, one that holds graphs through them.
TEST(Derivatives, are_the_same_within_a_call) {
    const auto function = [](Calls& f, ValueId x, ValueId y) {
        const ValueId square = f.op("mul", {x, x});
        const ValueId power = f.op("pow", {f.op("add", {square, y}), f.number(1.5)});
        const ValueId other = f.op("pow", {f.op("add", {square, x}), f.number(2.5)});
        const ValueId steps = f.op("mul", {f.op("floor", {y}), f.op("mul", {power, f.op("sub", {y, y})})});
        const ValueId ratio = f.op("div", {other, f.op("maximum", {power, y})});
        return f.op("add", {f.op("add", {steps, ratio}), f.op("mul", {f.op("tanh", {x}), power})});
    };
    Calls plain;
    const ValueId x = plain.input("x");
    const ValueId y = plain.input("y");
    const Graph f = plain.returning({function(plain, x, y)});
    Calls inner("inner");
    const ValueId inner_x = inner.input("x");
    const ValueId inner_y = inner.input("y");
    const GraphPtr body = inner.shared({function(inner, inner_x, inner_y)});
    Calls holder;
    const ValueId holder_x = holder.input("x");
    const ValueId holder_y = holder.input("y");
    const Graph held = holder.returning({holder.op("call", {holder_x, holder_y}, {}, {{"body", body}})});
    for (const Positions& wrt : {Positions{0}, Positions{1}, Positions{1, 0}}) {
        for (const auto& transform : {grad, vjp, hvp}) {
            std::vector<double> inputs{0.7, 1.3};
            const Graph found = transform(f, wrt);
            for (std::size_t i = inputs.size(); i < found.params().size(); ++i)
                inputs.push_back(0.5 + static_cast<double>(i));
            const std::vector<double> values = values_at(found, inputs);
            const std::vector<double> expected = values_at(transform(held, wrt), inputs);
            ASSERT_EQ(values.size(), expected.size());
            for (std::size_t i = 0; i < values.size(); ++i)
                EXPECT_NEAR(values[i], expected[i], 1e-12 * std::abs(expected[i]));
        }
    }
}

// d/dx (x d/dy (x + y)): 1, and 2 where both levels are taken for one.
TEST(Derivatives, levels_are_not_confused) {
    Calls inner("inner");
    const ValueId y = inner.input("y");
    const ValueId outer_x = inner.input("x");
    const Graph sum = inner.returning({inner.op("add", {outer_x, y})});
    for (const bool is_forward : {false, true}) {
        Calls outer;
        const ValueId x = outer.input("x");
        const ValueId one = outer.number(1);
        const ValueId slope = is_forward ? outer.call(jvp(sum, {0}), {one, x, one})[1]
                                         : ValueId(outer.call(grad(sum, {0}), {one, x}));
        const Graph f = outer.returning({outer.op("mul", {x, slope})});
        EXPECT_DOUBLE_EQ(values_at(grad(f, {0}), {3})[0], 1);
        EXPECT_DOUBLE_EQ(values_at(jvp(f, {0}), {3, 1})[1], 1);
    }
}

TEST(Derivatives, kinks_have_their_conventions) {
    const auto slope = [](const std::string& call) {
        Calls f;
        return values_at(grad(f.returning({f.op(call, {f.input("x")})}), {0}), {0})[0];
    };
    EXPECT_EQ(slope("relu"), 0);
    EXPECT_EQ(slope("abs"), 1);
    EXPECT_EQ(slope("softplus"), 0.5);
    EXPECT_EQ(slope("stop_gradient"), 0);
    EXPECT_EQ(slope("identity"), 1);
    EXPECT_EQ(slope("sign"), 0);
    Calls f;
    const ValueId a = f.input("a");
    const Graph larger = f.returning({f.op("maximum", {a, f.input("b")})});
    EXPECT_EQ(values_at(grad(larger, {0, 1}), {2, 2}), (std::vector<double>{0.5, 0.5}));
}

TEST(Derivatives, integers_have_no_tangents) {
    Calls f;
    const ValueId x = f.input("x");
    const ValueId n = f.input("n", kCount);
    const Graph function =
        f.returning({f.op("mul", {x, f.op("convert", {n}, {{"dtype", ElementType::kF64}})}),
                     f.op("add", {n, n}), f.op("gt", {x, f.number(0)})});
    EXPECT_EQ(float_params(function), Positions{0});
    const Graph forward = jvp(function, {0});
    EXPECT_EQ(forward.params().size(), 3U);
    EXPECT_EQ(values_at(forward, {2, 3, 1}), (std::vector<double>{6, 6, 1, 3}));
    EXPECT_EQ(values_at(vjp(function, {0}), {2, 3, 1}), (std::vector<double>{6, 6, 1, 3}));
}

TEST(Derivatives, results_are_ordinary_graphs) {
    Calls f;
    const ValueId x = f.input("x", {ElementType::kF64, {2, 3}, {}});
    const ValueId y = f.op("softmax", {x}, {{"axis", std::int64_t{1}}});
    const Graph function = f.returning({f.op("sum", {f.op("mul", {y, y})})});
    for (const Graph& graph : {jvp(function, {0}), vjp(function, {0}), grad(function, {0}),
                               value_and_grad(function, {0}), hvp(function, {0})}) {
        EXPECT_EQ(ir::verify(graph, flat_operations()), std::nullopt);
        EXPECT_TRUE(equal(ir::parse(ir::print(graph)), graph));
        EXPECT_EQ(ir::remove_dead_code(graph, flat_operations()).changed, 0U);
    }
}

TEST(Derivatives, residuals_are_values_of_the_function) {
    Calls f;
    const ValueId x = f.input("x");
    const Graph function = f.returning({f.op("tanh", {f.op("mul", {x, f.input("w")})})});
    const Reversed parts = reverse(function, {0, 1});
    // The result, and both operands of the product; 1 - y^2 is computed on the way back.
    EXPECT_EQ(parts.residuals, 3U);
    EXPECT_EQ(ir::count_equations(parts.forward), 2U);
    const std::vector<double> forward = values_at(parts.forward, {0.5, 2});
    ASSERT_EQ(forward.size(), 4U);
    const double slope = 1 - std::tanh(1) * std::tanh(1);
    const std::vector<double> gradients = values_at(parts.backward, {forward[1], forward[2], forward[3], 1});
    EXPECT_NEAR(gradients[0], 2 * slope, 1e-15);
    EXPECT_NEAR(gradients[1], 0.5 * slope, 1e-15);
}

TEST(Derivatives, the_linear_part_can_be_transposed) {
    Calls f;
    const ValueId x = f.input("x");
    const ValueId y = f.input("y");
    const Graph function = f.returning({f.op("mul", {f.op("sin", {x}), y}), f.op("exp", {y})});
    const Linearized parts = linearize(function, {0, 1});
    std::vector<double> values = values_at(parts.primal, {0.3, 0.4});
    std::vector<double> residuals(values.end() - static_cast<std::ptrdiff_t>(parts.residuals), values.end());
    std::vector<double> tangents = residuals;
    tangents.insert(tangents.end(), {2, 5});
    const std::vector<double> found = values_at(parts.linear, tangents);
    EXPECT_NEAR(found[0], 2 * 0.4 * std::cos(0.3) + 5 * std::sin(0.3), 1e-15);
    EXPECT_NEAR(found[1], 5 * std::exp(0.4), 1e-15);

    const Graph back = transpose(parts.linear, {parts.residuals, parts.residuals + 1});
    std::vector<double> cotangents = residuals;
    cotangents.insert(cotangents.end(), {3, 7});
    const std::vector<double> gradients = values_at(back, cotangents);
    EXPECT_NEAR(gradients[0], 3 * 0.4 * std::cos(0.3), 1e-15);
    EXPECT_NEAR(gradients[1], 3 * std::sin(0.3) + 7 * std::exp(0.4), 1e-15);
}

// ---- control flow

// x -> sin(a x), `length` times; and the sum of all states.
Graph loop(std::int64_t length, bool with_checkpoint = false) {
    Calls body("step");
    const ValueId a = body.input("a");
    const ValueId x = body.input("x");
    ValueId next{};
    if (with_checkpoint) {
        Calls kept("kept");
        const ValueId inner_a = kept.input("a");
        const ValueId inner_x = kept.input("x");
        const GraphPtr graph = kept.shared({kept.op("sin", {kept.op("mul", {inner_a, inner_x})})});
        next = body.op("checkpoint", {a, x}, {}, {{"body", graph}});
    } else {
        next = body.op("sin", {body.op("mul", {a, x})});
    }
    const GraphPtr step = body.shared({next, next});
    Calls f;
    const ValueId outer_a = f.input("a");
    const ir::ValueRange results = f.op(
        "scan", {outer_a, f.input("x")},
        {{"n_consts", std::int64_t{1}}, {"n_carry", std::int64_t{1}}, {"length", length}}, {{"body", step}});
    return f.returning({f.op("add", {results[0], f.op("sum", {results[1]})})});
}

double loop_value(double a, double x, std::int64_t length) {
    double sum = 0;
    for (std::int64_t i = 0; i < length; ++i)
        sum += x = std::sin(a * x);
    return sum + x;
}

TEST(Derivatives, loops_run_backwards) {
    constexpr double kStep = 1e-6;
    const auto slope = [](double a, double x) {
        return (loop_value(a + kStep, x, 5) - loop_value(a - kStep, x, 5)) / (2 * kStep);
    };
    for (const bool with_checkpoint : {false, true}) {
        const Graph f = loop(5, with_checkpoint);
        const std::vector<double> found = values_at(value_and_grad(f, {0, 1}), {1.3, 0.8});
        EXPECT_NEAR(found[0], loop_value(1.3, 0.8, 5), 1e-14);
        EXPECT_NEAR(found[1], slope(1.3, 0.8), 1e-8);
        EXPECT_NEAR(values_at(jvp(f, {0}), {1.3, 0.8, 1})[1], found[1], 1e-14);
        // d2/da2 both ways, and by differences of the gradient
        const double second = values_at(hvp(f, {0}), {1.3, 0.8, 1})[0];
        EXPECT_NEAR(second, values_at(grad(grad(f, {0}), {0}), {1.3, 0.8})[0], 1e-12);
        const double difference =
            values_at(grad(f, {0}), {1.3 + kStep, 0.8})[0] - values_at(grad(f, {0}), {1.3 - kStep, 0.8})[0];
        EXPECT_NEAR(second, difference / (2 * kStep), 1e-7);
    }
}

TEST(Derivatives, a_loop_without_trips_passes_cotangents_on) {
    EXPECT_EQ(values_at(grad(loop(0), {0, 1}), {1.3, 0.8}), (std::vector<double>{0, 1}));
}

TEST(Derivatives, sizes_do_not_grow_with_trips) {
    for (const auto& transform : {grad, jvp, hvp, vjp}) {
        const Graph few = transform(loop(10), {0, 1});
        const Graph many = transform(loop(1'000'000), {0, 1});
        EXPECT_EQ(ir::count_equations(few), ir::count_equations(many));
        EXPECT_LT(ir::print(many).size(), ir::print(few).size() + 500);
    }
}

// The values that a loop keeps: of each trip the state before it and the result, which is the state after.
TEST(Derivatives, loops_keep_values_of_the_function) {
    const auto stacked = [](const Graph& function) {
        std::size_t count = 0;
        const Graph forward = reverse(function, {0, 1}).forward;
        for (const ir::Equation equation : forward.equations())
            if (equation.operation() == "scan")
                for (std::size_t i = 0; i < equation.results().size(); ++i)
                    count += forward.type(equation.results()[i]).shape.rank();
        return count;
    };
    EXPECT_EQ(stacked(loop(10)), 3U);        // the output of the function, a x, x
    EXPECT_EQ(stacked(loop(10, true)), 2U);  // x alone beside it
}

Graph choice() {
    Calls sine("sine");
    const ValueId a = sine.input("a");
    sine.input("b");
    const GraphPtr then = sine.shared({sine.op("sin", {sine.op("mul", {a, a})}), sine.number(1)});
    Calls product("product");
    const ValueId c = product.input("a");
    const ValueId d = product.input("b");
    const ValueId both = product.op("mul", {c, d});
    const GraphPtr otherwise = product.shared({product.op("exp", {both}), both});
    Calls f;
    const ValueId x = f.input("x");
    const ValueId y = f.input("y");
    const ValueId predicate = f.op("gt", {x, f.number(0)});
    const ir::ValueRange results = f.op("cond", {predicate, x, y}, {}, {{"then", then}, {"else", otherwise}});
    return f.returning({f.op("mul", {results[0], results[1]})});
}

TEST(Derivatives, branches_have_equal_residuals) {
    const Graph gradient = grad(choice(), {0, 1});
    const std::vector<double> taken = values_at(gradient, {0.7, 0.4});
    EXPECT_NEAR(taken[0], 2 * 0.7 * std::cos(0.49), 1e-15);
    EXPECT_EQ(taken[1], 0);
    const double product = -0.7 * 0.4;
    const double outer = std::exp(product) * (1 + product);
    const std::vector<double> other = values_at(gradient, {-0.7, 0.4});
    EXPECT_NEAR(other[0], outer * 0.4, 1e-15);
    EXPECT_NEAR(other[1], outer * -0.7, 1e-15);
    EXPECT_NEAR(values_at(jvp(choice(), {0, 1}), {-0.7, 0.4, 1, 2})[1], other[0] + 2 * other[1], 1e-15);
}

// x doubled until it is 100 or more, and the number of trips; x is carried beside a count.
Graph doubling() {
    Calls cond("cond");
    cond.input("i", kCount);
    const ValueId limit = cond.input("x");
    const GraphPtr test = cond.shared({cond.op("lt", {limit, cond.number(100)})});
    Calls body("body");
    const ValueId i = body.input("i", kCount);
    const ValueId x = body.input("x");
    const GraphPtr step =
        body.shared({body.op("add", {i, body.count(1)}), body.op("mul", {x, body.number(2)})});
    Calls f;
    const ValueId start = f.input("x");
    const ir::ValueRange last = f.op("while", {f.count(0), f.op("square", {start})},
                                     {{"n_consts", std::int64_t{0}}}, {{"cond", test}, {"body", step}});
    return f.returning({last[1]});
}

TEST(Derivatives, while_loops_go_forward) {
    // 9, 18, ... 144 = 16 x^2
    EXPECT_EQ(values_at(jvp(doubling(), {0}), {3, 1}), (std::vector<double>{144, 96}));
    EXPECT_EQ(values_at(jvp(jvp(doubling(), {0}), {0}), {3, 1, 1}).back(), 32);
}

TEST(Derivatives, while_loops_are_refused_backwards) {
    std::string text;
    EXPECT_EQ(graph_error_of([] { grad(doubling(), {0}); }, &text), ErrorKind::kNotReversible);
    EXPECT_NE(text.find("while"), std::string::npos);
    EXPECT_NE(text.find("bounded_loops"), std::string::npos);
    EXPECT_EQ(name_of(ErrorKind::kNotReversible), "not_reversible");
}

TEST(Derivatives, while_loops_that_gradients_do_not_need_are_not_refused) {
    Calls f;
    const ValueId x = f.input("x");
    const ValueId end = f.call(lower(doubling()), {x});
    const ValueId is_large = f.op("gt", {end, f.number(120)});
    const Graph function = f.returning({f.op("where", {is_large, f.op("sin", {x}), x})});
    EXPECT_EQ(values_at(grad(function, {0}), {3}), (std::vector<double>{std::cos(3)}));
    EXPECT_EQ(values_at(grad(function, {0}), {2.5}), (std::vector<double>{1}));
}

TEST(Derivatives, while_loops_with_a_bound_go_backwards) {
    const Graph bounded = bounded_loops(doubling(), 6);
    EXPECT_EQ(values_at(bounded, {3}), (std::vector<double>{144}));
    EXPECT_EQ(values_at(grad(bounded, {0}), {3}), (std::vector<double>{96}));
    EXPECT_EQ(values_at(grad(bounded, {0}), {20}), (std::vector<double>{40}));
    EXPECT_TRUE(std::isnan(values_at(bounded_loops(doubling(), 3), {3})[0]));
}

// Bodies that call the next one twice, as deep as graphs go: 2^40 sines, were they not shared.
Graph calls_of_calls(const std::string& call) {
    Calls leaf("leaf");
    GraphPtr body = leaf.shared({leaf.op("sin", {leaf.input("x")})});
    for (int depth = 0; depth < 40; ++depth) {
        Calls twice("twice");
        const ValueId once = twice.op(call, {twice.input("x")}, {}, {{"body", body}});
        body = twice.shared({twice.op(call, {once}, {}, {{"body", body}})});
    }
    return *body;
}

TEST(Derivatives, shared_bodies_stay_shared) {
    EXPECT_EQ(jvp(calls_of_calls("call"), {0}).equation_count(), 2U);
    // A checkpoint keeps nothing of what is inside.
    EXPECT_EQ(grad(calls_of_calls("checkpoint"), {0}).equation_count(), 3U);
}

// ---- refusals

TEST(Derivatives, gradients_need_one_float_scalar) {
    Calls f;
    const ValueId x = f.input("x", {ElementType::kF32, {3}, {}});
    const Graph vector = f.returning({f.op("sin", {x})});
    std::string text;
    EXPECT_EQ(graph_error_of([&] { grad(vector, {0}); }, &text), ErrorKind::kGradNeedsScalar);
    EXPECT_NE(text.find("f32[3]"), std::string::npos);
    EXPECT_EQ(graph_error_of([&] { grad(f.returning({}), {0}); }), ErrorKind::kGradNeedsScalar);
    const Graph number = f.returning({f.count(1)});
    EXPECT_EQ(graph_error_of([&] { grad(number, {0}); }), ErrorKind::kGradNeedsFloat);
}

TEST(Derivatives, parameters_must_be_there_and_float) {
    Calls f;
    const ValueId x = f.input("x");
    f.input("n", kCount);
    const Graph function = f.returning({f.op("sin", {x})});
    std::string text;
    EXPECT_EQ(graph_error_of([&] { grad(function, {1}); }, &text), ErrorKind::kGradNeedsFloat);
    EXPECT_NE(text.find("'n'"), std::string::npos);
    EXPECT_EQ(graph_error_of([&] { jvp(function, {2}); }), ErrorKind::kBadArgument);
    EXPECT_EQ(graph_error_of([&] { vjp(function, {0, 0}); }), ErrorKind::kBadArgument);
}

TEST(Derivatives, missing_rules_are_named) {
    Graph graph("main", std::string(kFlat));
    const ValueId x = graph.add_input("x", kNumber);
    graph.set_results({graph.append("custom_call", std::vector{x}, std::vector{kNumber},
                                    {{"target", std::string("mystery")}})});
    std::string text;
    EXPECT_EQ(graph_error_of([&] { jvp(graph, {0}); }, &text), ErrorKind::kNoRule);
    EXPECT_NE(text.find("custom_call"), std::string::npos);
    EXPECT_NE(text.find("'jvp'"), std::string::npos);
    EXPECT_EQ(graph_error_of([&] { transpose(graph, {0}); }, &text), ErrorKind::kNoRule);
    EXPECT_NE(text.find("'transpose'"), std::string::npos);
    EXPECT_EQ(graph_error_of([&] { transpose(lower(sine()), {0}); }), ErrorKind::kNoRule);
}

TEST(Derivatives, tangents_and_cotangents_have_the_types_of_their_values) {
    Calls f;
    const ValueId x = f.input("x", {ElementType::kF32, {3}, {}});
    const Graph function = f.returning({f.op("sin", {x})});
    const TensorType good{ElementType::kF32, {3}, {}};
    const TensorType other_shape{ElementType::kF32, {2}, {}};
    const TensorType other_type{ElementType::kI32, {3}, {}};
    check_tangents(function, {0}, {{good}});
    check_cotangents(function, {{good}});
    std::string text;
    EXPECT_EQ(graph_error_of([&] { check_cotangents(function, {{other_shape}}); }, &text),
              ErrorKind::kShapeMismatch);
    EXPECT_NE(text.find("f32[2]"), std::string::npos);
    EXPECT_NE(text.find("f32[3]"), std::string::npos);
    EXPECT_EQ(graph_error_of([&] { check_tangents(function, {0}, {{other_type}}); }),
              ErrorKind::kElementTypeMismatch);
    EXPECT_EQ(graph_error_of([&] { check_tangents(function, {0}, {}); }), ErrorKind::kWrongArity);
}

}  // namespace
}  // namespace tilemeter::trace
