// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/calls/evaluate.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/ir/control.hpp"
#include "capture/ir/error.hpp"
#include "capture/ir/verify.hpp"
#include "runtime/trace/calls/call_operations.hpp"
#include "runtime/trace/calls/lower.hpp"
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
using ir::Shape;
using ir::TensorType;
using ir::ValueId;
using test::kCount;
using test::kNumber;
using test::values_of;

Constant tensor(ElementType element, Shape shape, std::vector<double> values) {
    return Constant::of(element, std::move(shape), std::span<const double>(values));
}

// The result of one operation on constants.
Constant result_of(const ir::OperationSet& set, const std::string& operation,
                   const std::vector<Constant>& operands, const Attributes& attributes = {}) {
    Graph graph("main", set.name());
    std::vector<ValueId> inputs;
    for (std::size_t i = 0; i < operands.size(); ++i)
        inputs.push_back(graph.add_input("x" + std::to_string(i), operands[i].type()));
    graph.set_results({add_op(graph, set.at(operation), inputs, attributes)});
    return evaluate(graph, operands)[0];
}

Constant call(const std::string& operation, const std::vector<Constant>& operands,
              const Attributes& attributes = {}) {
    return result_of(call_operations(), operation, operands, attributes);
}

Constant flat(const std::string& operation, const std::vector<Constant>& operands,
              const Attributes& attributes = {}) {
    return result_of(flat_operations(), operation, operands, attributes);
}

GraphPtr shared(Graph graph) {
    return std::make_shared<const Graph>(std::move(graph));
}

// A loop over (i, x) that adds 1 to i until it is the limit.
Graph counting_loop(double limit) {
    Graph cond("cond", std::string(kCall));
    const ValueId i = cond.add_input("i", kCount);
    cond.add_input("x", kNumber);
    const ValueId end = cond.add_const(Constant::scalar(ElementType::kI32, limit));
    cond.set_results({add_op(cond, call_operations(), "lt", {i, end})});
    Graph body("body", std::string(kCall));
    const ValueId count = body.add_input("i", kCount);
    const ValueId x = body.add_input("x", kNumber);
    const ValueId one = body.add_const(Constant::scalar(ElementType::kI32, 1));
    const ValueId half = body.add_const(Constant::scalar(ElementType::kF64, 0.5));
    body.set_results({add_op(body, call_operations(), "add", {count, one}),
                      add_op(body, call_operations(), "add", {x, half})});
    Graph graph("main", std::string(kCall));
    const ValueId start = graph.add_input("i", kCount);
    const ValueId value = graph.add_input("x", kNumber);
    const std::vector<ir::Subgraph> subgraphs{{"cond", shared(cond)}, {"body", shared(body)}};
    const ir::ValueRange results =
        add_op(graph, call_operations(), "while", {start, value}, {{"n_consts", std::int64_t{0}}}, subgraphs);
    graph.set_results({results[0], results[1]});
    return graph;
}

TEST(Evaluate, runs_a_million_trips) {
    const auto results = evaluate(counting_loop(1e6), std::vector{Constant::scalar(ElementType::kI32, 0),
                                                                  Constant::scalar(ElementType::kF64, 1.0)});
    EXPECT_EQ(results[0].integer_at(0), 1'000'000);
    EXPECT_EQ(results[1].double_at(0), 500'001.0);
}

TEST(Evaluate, runs_only_the_branch_that_is_taken) {
    // The other one never ends.
    Graph endless("else", std::string(kCall));
    {
        const ValueId x = endless.add_input("x", kNumber);
        Graph cond("cond", std::string(kCall));
        cond.add_input("x", kNumber);
        cond.set_results({cond.add_const(Constant::scalar(true))});
        Graph body("body", std::string(kCall));
        body.set_results({body.add_input("x", kNumber)});
        const std::vector<ir::Subgraph> subgraphs{{"cond", shared(cond)}, {"body", shared(body)}};
        endless.set_results(
            {add_op(endless, call_operations(), "while", {x}, {{"n_consts", std::int64_t{0}}}, subgraphs)});
    }
    Graph taken("then", std::string(kCall));
    taken.set_results({add_op(taken, call_operations(), "neg", {taken.add_input("x", kNumber)})});
    Graph graph("main", std::string(kCall));
    const ValueId predicate = graph.add_input("p", {ElementType::kBool, {}, {}});
    const ValueId x = graph.add_input("x", kNumber);
    const std::vector<ir::Subgraph> subgraphs{{"then", shared(taken)}, {"else", shared(endless)}};
    graph.set_results({add_op(graph, call_operations(), "cond", {predicate, x}, {}, subgraphs)});
    const auto results =
        evaluate(graph, std::vector{Constant::scalar(true), Constant::scalar(ElementType::kF64, 2.0)});
    EXPECT_EQ(results[0].double_at(0), -2.0);
}

TEST(Evaluate, refuses_wrong_inputs_by_name) {
    Evaluator evaluator(counting_loop(3));
    const auto kind_of = [&](const std::map<std::string, Constant, std::less<>>& inputs,
                             const std::string& word) {
        try {
            evaluator.run(inputs);
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("'" + word + "'"), std::string::npos) << error.what();
            return error.kind();
        }
        return ErrorKind::kCount;
    };
    const Constant i = Constant::scalar(ElementType::kI32, 0);
    const Constant x = Constant::scalar(ElementType::kF64, 0.0);
    EXPECT_EQ(kind_of({{"i", i}}, "x"), ErrorKind::kWrongName);
    EXPECT_EQ(kind_of({{"i", i}, {"x", x}, {"y", x}}, "y"), ErrorKind::kWrongName);
    EXPECT_EQ(kind_of({{"i", x}, {"x", x}}, "i"), ErrorKind::kElementTypeMismatch);
    EXPECT_EQ(kind_of({{"i", i}, {"x", tensor(ElementType::kF64, {1}, {0})}}, "x"),
              ErrorKind::kShapeMismatch);
    EXPECT_EQ(evaluator.run({{"i", i}, {"x", x}})[0].integer_at(0), 3);
}

TEST(Evaluate, refuses_what_has_no_values) {
    Graph graph("main", std::string(kFlat));
    const ValueId x = graph.add_input("x", kNumber);
    const std::vector<TensorType> types{kNumber};
    graph.set_results(
        {graph.append("custom_call", std::vector{x}, types, {{"target", std::string("mine")}})});
    EXPECT_THROW(Evaluator{graph}, Error);
}

TEST(Calls, promote_element_types_as_numpy_does) {
    EXPECT_EQ(promoted(ElementType::kBool, ElementType::kI8), ElementType::kI8);
    EXPECT_EQ(promoted(ElementType::kI64, ElementType::kF32), ElementType::kF64);
    EXPECT_EQ(promoted(ElementType::kF32, ElementType::kI16), ElementType::kF32);
    EXPECT_EQ(promoted(ElementType::kU8, ElementType::kF16), ElementType::kF16);
    EXPECT_EQ(promoted(ElementType::kF16, ElementType::kU16), ElementType::kF32);
    EXPECT_EQ(promoted(ElementType::kU64, ElementType::kI8), ElementType::kF64);
    EXPECT_EQ(promoted(ElementType::kI64, ElementType::kBF16), ElementType::kBF16);
    EXPECT_EQ(promoted(ElementType::kI32, ElementType::kU32), ElementType::kI64);
    EXPECT_EQ(promoted(ElementType::kF16, ElementType::kBF16), ElementType::kF32);
    const Constant sum =
        call("add", {tensor(ElementType::kI32, {2, 1}, {1, 2}), tensor(ElementType::kF64, {3}, {1, 2, 3})});
    EXPECT_EQ(sum, tensor(ElementType::kF64, {2, 3}, {2, 3, 4, 3, 4, 5}));
    EXPECT_EQ(call("div", {Constant::scalar(ElementType::kI32, 1), Constant::scalar(ElementType::kI32, 2)}),
              Constant::scalar(ElementType::kF64, 0.5));
}

TEST(Calls, refuse_operands_with_the_kind_of_error) {
    const auto kind_of = [](const std::string& operation, const std::vector<Constant>& operands,
                            const Attributes& attributes) {
        try {
            call(operation, operands, attributes);
        } catch (const Error& error) {
            EXPECT_EQ(std::string(error.what()).find(operation + ": "), 0U) << error.what();
            return error.kind();
        }
        return ErrorKind::kCount;
    };
    const Constant x = tensor(ElementType::kF32, {2, 3}, {1, 2, 3, 4, 5, 6});
    const Constant y = tensor(ElementType::kF32, {2, 4}, std::vector<double>(8, 1));
    EXPECT_EQ(kind_of("matmul", {x, x}, {}), ErrorKind::kShapeMismatch);
    EXPECT_EQ(kind_of("add", {x, y}, {}), ErrorKind::kShapeMismatch);
    EXPECT_EQ(kind_of("concat", {x, y}, {{"axis", 0}}), ErrorKind::kShapeMismatch);
    EXPECT_EQ(kind_of("sum", {x}, {{"axes", Integers{2}}}), ErrorKind::kBadArgument);
    EXPECT_EQ(kind_of("transpose", {x}, {{"perm", Integers{0, 0}}}), ErrorKind::kBadArgument);
    EXPECT_EQ(kind_of("reshape", {x}, {{"shape", Integers{4}}}), ErrorKind::kShapeMismatch);
    EXPECT_EQ(kind_of("gather", {x, x}, {{"axis", 0}}), ErrorKind::kElementTypeMismatch);
    EXPECT_EQ(kind_of("softmax", {x}, {{"axis", -3}}), ErrorKind::kBadArgument);
    EXPECT_EQ(kind_of("slice", {x}, {{"starts", Integers{0, 0}}, {"limits", Integers{2, 4}}}),
              ErrorKind::kBadArgument);
}

TEST(Calls, reduce_what_has_no_elements) {
    const Constant none = tensor(ElementType::kF64, {2, 0}, {});
    EXPECT_EQ(call("sum", {none}, {{"axes", Integers{1}}}), tensor(ElementType::kF64, {2}, {0, 0}));
    EXPECT_EQ(call("concat", {none, none}, {{"axis", 0}}), tensor(ElementType::kF64, {4, 0}, {}));
    EXPECT_EQ(call("matmul", {none, tensor(ElementType::kF64, {0, 2}, {})}),
              tensor(ElementType::kF64, {2, 2}, {0, 0, 0, 0}));
}

TEST(Flat, rounds_narrow_floats_after_each_primitive) {
    // 1 + 2^-8 lies between neighbours of bf16 and goes to the even one.
    const Constant one = Constant::scalar(ElementType::kBF16, 1.0);
    const Constant little = Constant::scalar(ElementType::kBF16, std::ldexp(1.0, -8));
    EXPECT_EQ(flat("add", {one, little}).double_at(0), 1.0);
    EXPECT_EQ(flat("add", {one, Constant::scalar(ElementType::kBF16, std::ldexp(1.0, -7))}).double_at(0),
              1.0078125);
}

TEST(Flat, wraps_integers_around) {
    const auto number = [](ElementType element, double value) { return Constant::scalar(element, value); };
    EXPECT_EQ(
        flat("add", {number(ElementType::kI32, 2147483647), number(ElementType::kI32, 1)}).integer_at(0),
        -2147483648LL);
    EXPECT_EQ(flat("sub", {number(ElementType::kU8, 0), number(ElementType::kU8, 1)}).integer_at(0), 255);
    EXPECT_EQ(flat("div", {number(ElementType::kI32, 7), number(ElementType::kI32, 0)}).integer_at(0), -1);
    EXPECT_EQ(flat("shift_right_arithmetic", {number(ElementType::kI8, -128), number(ElementType::kI8, 3)})
                  .integer_at(0),
              -16);
    EXPECT_EQ(flat("shift_left", {number(ElementType::kI32, 1), number(ElementType::kI32, 32)}).integer_at(0),
              0);
    EXPECT_EQ(flat("popcnt", {number(ElementType::kI16, -1)}).integer_at(0), 16);
    EXPECT_EQ(flat("reduce_max", {tensor(ElementType::kI8, {0}, {})}, {{"axes", Integers{0}}}).integer_at(0),
              -128);
}

TEST(Flat, keeps_nans_in_maxima) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Constant x = tensor(ElementType::kF64, {3}, {1, nan, 3});
    EXPECT_TRUE(std::isnan(flat("reduce_max", {x}, {{"axes", Integers{0}}}).double_at(0)));
    EXPECT_EQ(flat("arg_max", {x}, {{"axis", 0}, {"dtype", ElementType::kI32}}).integer_at(0), 1);
    EXPECT_TRUE(std::isnan(flat("maximum", {x, tensor(ElementType::kF64, {3}, {2, 2, 2})}).double_at(1)));
}

TEST(Flat, draws_threefry_as_published) {
    // Known answers of the authors' Random123, 20 rounds.
    const auto word = [](std::uint32_t value) {
        return Constant::scalar(ElementType::kU32, std::int64_t{value});
    };
    Graph graph("main", std::string(kFlat));
    std::vector<ValueId> inputs;
    for (const char* name : {"k0", "k1", "x0", "x1"})
        inputs.push_back(graph.add_input(name, {ElementType::kU32, {}, {}}));
    const ir::ValueRange words = add_op(graph, flat_operations().at("threefry2x32"), inputs);
    graph.set_results({words[0], words[1]});
    const auto draw = [&](std::uint32_t k0, std::uint32_t k1, std::uint32_t x0, std::uint32_t x1) {
        const auto drawn = evaluate(graph, std::vector{word(k0), word(k1), word(x0), word(x1)});
        return std::vector<std::int64_t>{drawn[0].integer_at(0), drawn[1].integer_at(0)};
    };
    EXPECT_EQ(draw(0, 0, 0, 0), (std::vector<std::int64_t>{0x6b200159, 0x99ba4efe}));
    EXPECT_EQ(draw(0x13198a2e, 0x03707344, 0x243f6a88, 0x85a308d3),
              (std::vector<std::int64_t>{0xc4923a9c, 0x483df7a0}));
}

TEST(Flat, moves_windows) {
    const Constant x = tensor(ElementType::kF32, {1, 1, 4}, {1, 2, 3, 4});
    const Constant w = tensor(ElementType::kF32, {1, 1, 2}, {1, 10});
    EXPECT_EQ(values_of(flat("convolution", {x, w}, {{"low", Integers{1}}})),
              (std::vector<double>{10, 21, 32, 43}));
    const Attributes window{{"window", Integers{1, 1, 2}}, {"strides", Integers{1, 1, 2}}};
    EXPECT_EQ(values_of(flat("reduce_window_max", {x}, window)), (std::vector<double>{2, 4}));
    EXPECT_EQ(values_of(flat("reduce_window_sum", {x}, window)), (std::vector<double>{3, 7}));
    const Constant source = tensor(ElementType::kF32, {1, 1, 2}, {5, 6});
    EXPECT_EQ(values_of(flat("select_and_scatter_add", {x, source}, window)),
              (std::vector<double>{0, 5, 0, 6}));
    EXPECT_EQ(
        values_of(flat(
            "pad", {x, Constant::scalar(ElementType::kF32, 9.0)},
            {{"low", Integers{0, 0, -1}}, {"high", Integers{0, 0, 1}}, {"interior", Integers{0, 0, 1}}})),
        (std::vector<double>{9, 2, 9, 3, 9, 4, 9}));
}

TEST(Flat, scatters_and_sorts) {
    const Constant x = tensor(ElementType::kF32, {4}, {1, 1, 1, 1});
    const Constant indices = tensor(ElementType::kI32, {3, 1}, {2, 2, 7});
    const Constant updates = tensor(ElementType::kF32, {3}, {10, 20, 30});
    const Attributes dims{{"update_window_dims", Integers{}},
                          {"inserted_window_dims", Integers{0}},
                          {"scatter_dims_to_operand_dims", Integers{0}},
                          {"index_vector_dim", 1}};
    EXPECT_EQ(values_of(flat("scatter_add", {x, indices, updates}, dims)),
              (std::vector<double>{1, 1, 31, 1}));
    EXPECT_EQ(values_of(flat("scatter", {x, indices, updates}, dims)), (std::vector<double>{1, 1, 20, 1}));
    const Constant y = tensor(ElementType::kF32, {2, 3}, {3, 1, 2, 6, 5, 4});
    EXPECT_EQ(values_of(flat("sort", {y}, {{"axis", 1}})), (std::vector<double>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(values_of(flat("cumsum", {y}, {{"axis", 1}, {"reverse", true}})),
              (std::vector<double>{6, 3, 2, 15, 9, 4}));
}

TEST(Lower, keeps_shared_bodies_shared) {
    Graph body("body", std::string(kCall));
    body.set_results({add_op(body, call_operations(), "silu", {body.add_input("x", kNumber)})});
    const std::vector<ir::Subgraph> subgraphs{{"body", shared(body)}};
    Graph graph("main", std::string(kCall));
    ValueId x = graph.add_input("x", kNumber);
    for (int i = 0; i < 2; ++i)
        x = add_op(graph, call_operations(), "call", {x}, {}, subgraphs);
    graph.set_results({x});
    const Graph lowered = lower(graph);
    EXPECT_EQ(ir::verify(lowered, flat_operations()), std::nullopt);
    EXPECT_EQ(lowered.equation(0).subgraphs()[0].graph, lowered.equation(1).subgraphs()[0].graph);
    EXPECT_EQ(lowered.equation(0).subgraphs()[0].graph->equation_count(), 2U);
}

}  // namespace
}  // namespace tilemeter::trace
