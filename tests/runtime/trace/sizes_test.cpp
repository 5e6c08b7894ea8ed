// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions of arrays whose dimensions are expressions of names. What they make of shapes is held to JAX's answers by
// trace_check; here is what that does not ask.

#include "capture/ir/sizes.hpp"

#include <gtest/gtest.h>

#include "capture/ir/text.hpp"
#include "capture/ir/verify.hpp"
#include "runtime/trace/arrays/control_flow.hpp"
#include "runtime/trace/arrays/functions.hpp"
#include "runtime/trace/arrays/jit.hpp"
#include "runtime/trace/arrays/trace.hpp"
#include "runtime/trace/calls/evaluate.hpp"
#include "runtime/trace/calls/lower.hpp"
#include "runtime/trace/calls/simplify.hpp"
#include "runtime/trace/derivatives/transforms.hpp"
#include "runtime/trace/primitives/error.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"

namespace tilemeter::trace {

namespace {

using Arguments = std::span<const Array>;
using Arrays = std::vector<Array>;
using ir::ElementType;

ir::TensorType f64(std::string_view shape) {
    return {ElementType::kF64, ir::parse_shape(shape), {}};
}

ir::ConstraintsPtr where(std::initializer_list<const char*> texts) {
    auto constraints = std::make_shared<ir::Constraints>();
    for (const char* const text : texts)
        constraints->push_back(ir::Constraint::parse(text));
    return constraints;
}

std::string refusal(const Function& function, const std::vector<ir::TensorType>& types,
                    const ir::ConstraintsPtr& constraints = {}) {
    try {
        return "no error: " + ir::print(*trace_sizes("f", function, types, constraints).graph);
    } catch (const TraceError& error) {
        return error.what();
    }
}

// The values of a trace at sizes and of the same function on arrays of these sizes.
void expect_equal_at(const Function& function, const std::vector<ir::TensorType>& types,
                     const std::vector<ir::Sizes>& all, const ir::ConstraintsPtr& constraints = {}) {
    const auto traced = trace_sizes("f", function, types, constraints);
    for (const ir::Sizes& sizes : all) {
        const ir::Graph plain = at(*traced.graph, sizes);
        ASSERT_EQ(ir::verify(plain, operations_for(plain)), std::nullopt) << ir::print(plain);
        std::vector<ir::Constant> inputs;
        Arrays arguments;
        for (const ir::ValueId param : plain.params()) {
            const ir::TensorType& type = plain.type(param);
            std::vector<double> values;
            for (std::int64_t i = 0; i < type.shape.elements(); ++i)
                values.push_back(static_cast<double>(i * 7 % 11) / 8 - 0.5);
            inputs.push_back(ir::Constant::of(type.element, type.shape, std::span<const double>(values)));
            arguments.emplace_back(inputs.back());
        }
        const auto found = evaluate(plain, inputs);
        const Arrays expected = function(arguments);
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            const ir::Constant value = expected[i].value();
            ASSERT_EQ(found[i].type(), value.type());
            for (std::int64_t k = 0; k < value.type().shape.elements(); ++k)
                EXPECT_NEAR(found[i].double_at(static_cast<std::size_t>(k)),
                            value.double_at(static_cast<std::size_t>(k)), 1e-12);
        }
    }
}

std::vector<ir::Sizes> sizes_of_b(std::initializer_list<std::int64_t> sizes) {
    std::vector<ir::Sizes> all;
    for (const std::int64_t size : sizes)
        all.push_back({{"b", size}});
    return all;
}

TEST(Sizes, say_what_would_have_to_hold) {
    const auto sum = [](Arguments x) { return Arrays{x[0] + x[1]}; };
    EXPECT_EQ(
        refusal(sum, {f64("b"), f64("n")}),
        "add: found shapes [b] and [n], expected extents that are equal or 1, counted from the last; b == n "
        "would have to hold for all sizes");
    const auto four = [](Arguments x) { return Arrays{slice(x[0], {0}, {4}, {1})}; };
    EXPECT_NE(refusal(four, {f64("b")}).find("4 <= b would have to hold for all sizes"), std::string::npos);
    EXPECT_EQ(refusal(four, {f64("b")}, where({"b >= 4"})).substr(0, 8), "no error");
    const auto rows = [](Arguments x) { return Arrays{reshape(x[0], {-1, 8})}; };
    EXPECT_NE(refusal(rows, {f64("b")}).find("mod(b, 8) == 0 would have to hold"), std::string::npos);
    EXPECT_EQ(refusal(rows, {f64("b")}, where({"mod(b, 8) == 0"})).substr(0, 8), "no error");
}

TEST(Sizes, are_refused_that_no_call_can_tell) {
    const auto same = [](Arguments x) { return Arrays{x[0]}; };
    EXPECT_EQ(
        refusal(same, {f64("b*n")}),
        "'f': the size of 'b' can't be found from the arguments' shapes: parameter 'x0': dimension 0 is 'b*n', "
        "expected a dimension that is linear in it");
    EXPECT_EQ(refusal(same, {f64("b")}, where({"b >= 4", "b <= 3"})),
              "'f': found constraints that no sizes keep: b >= 4, b <= 3");
    EXPECT_EQ(refusal(same, {f64("b, b*n")}).substr(0, 8), "no error");
    EXPECT_EQ(refusal(same, {f64("b")}, where({"b == 2*n"})).substr(0, 8), "no error");
}

TEST(Sizes, stay_linked_to_the_shape) {
    expect_equal_at(
        [](Arguments x) {
            const ir::Dim rows(x[0].shape()[0]);
            return Arrays{reshape(x[0], {(rows * 2).value(), -1}), x[0] / dimension(rows, ElementType::kF64),
                          arange(rows.value(), ElementType::kF64)};
        },
        {f64("b, 6")}, sizes_of_b({1, 2, 7, 32}));
}

TEST(Sizes, are_clipped_by_indices_as_in_python) {
    const auto part = [](std::optional<std::int64_t> start, std::optional<std::int64_t> stop,
                         std::int64_t step) {
        return [=](Arguments x) {
            const Index range = Range{start, stop, step};
            return Arrays{index(x[0], std::span(&range, 1))};
        };
    };
    for (const std::optional<std::int64_t> start : {std::optional<std::int64_t>(), {0}, {2}, {-3}})
        for (const std::optional<std::int64_t> stop : {std::optional<std::int64_t>(), {4}, {-1}})
            for (const std::int64_t step : {1, 2})
                expect_equal_at(part(start, stop, step), {f64("b, 2")}, sizes_of_b({1, 2, 3, 5, 8}));
    for (const std::int64_t step : {-1, -3})
        expect_equal_at(part({}, {}, step), {f64("b, 2")}, sizes_of_b({1, 2, 3, 5, 8}));
    const Index place = std::int64_t{3};
    EXPECT_NE(refusal([&](Arguments x) { return Arrays{index(x[0], std::span(&place, 1))}; }, {f64("b")})
                  .find("index"),
              std::string::npos);
}

TEST(Sizes, go_through_derivatives_and_loops) {
    const auto loss = [](Arguments x) {
        const Array h = tanh(matmul(x[0], x[1]));
        return Arrays{mean(h * h + softmax(h, -1))};
    };
    expect_equal_at(
        [&](Arguments x) {
            return grad(loss, {0, 1})(x);
        },
        {f64("b, 2*b"), f64("2*b, 5")}, sizes_of_b({1, 2, 5}));
    expect_equal_at(
        [](Arguments x) {
            return grad(
                [](Arguments y) {
                    const Index range = Range{1, std::nullopt, 2};
                    const Arrays both{index(y[0], std::span(&range, 1)), y[0]};
                    return Arrays{sum(square(concat(both, 0)))};
                },
                {0})(x);
        },
        {f64("b + 1, 3")}, sizes_of_b({1, 2, 5}));
    expect_equal_at(
        [](Arguments x) {
            return scan(
                [](Arguments c) {
                    return Arrays{c[0] + c[1], c[0] * c[1]};
                },
                Arrays{x[1]}, Arrays{x[0]});
        },
        {f64("b, 3"), f64("3")}, sizes_of_b({1, 4}));
    expect_equal_at(
        [](Arguments x) { return vmap([](Arguments y) { return Arrays{softmax(y[0], 0)}; }, {0})(x); },
        {f64("b, 3")}, sizes_of_b({1, 4}));
}

TEST(Sizes, of_a_jit_keep_the_constraints_they_were_traced_under) {
    Jit rows("rows", [](Arguments x) { return Arrays{reshape(x[0], {-1, 8})}; });
    const auto call = [&](Arguments x) { return rows(x); };
    EXPECT_EQ(refusal(call, {f64("b")}, where({"mod(b, 8) == 0"})).substr(0, 8), "no error");
    EXPECT_NE(refusal(call, {f64("b")}).find("would have to hold"), std::string::npos);
}

TEST(Sizes, without_a_number_do_not_run) {
    const auto traced = trace_sizes(
        "f", [](Arguments x) { return Arrays{sum(x[0])}; }, std::vector<ir::TensorType>{f64("b")});
    const ir::Constant input =
        ir::Constant::of(ElementType::kF64, {2}, std::span<const double>(std::array{1.0, 2.0}));
    std::string message;
    try {
        evaluate(*traced.graph, std::vector<ir::Constant>{input});
    } catch (const std::exception& error) {
        message = error.what();
    }
    EXPECT_EQ(message, "input 'x0': found f64[2], expected f64[b]");
}

// Lengths that a formula depends on need a number, and say so.
TEST(Sizes, are_refused_where_a_formula_counts_them) {
    EXPECT_NE(
        refusal([](Arguments x) { return grad([](Arguments y) { return Arrays{prod(y[0])}; }, {0})(x); },
                {f64("b")})
            .find("expected a number"),
        std::string::npos);
}

}  // namespace

}  // namespace tilemeter::trace
