// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/derivatives/transforms.hpp"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/ir/passes/compare.hpp"
#include "capture/ir/text.hpp"
#include "capture/ir/verify.hpp"
#include "runtime/trace/arrays/control_flow.hpp"
#include "runtime/trace/arrays/functions.hpp"
#include "runtime/trace/arrays/jit.hpp"
#include "runtime/trace/arrays/lazy.hpp"
#include "runtime/trace/calls/call_operations.hpp"
#include "runtime/trace/calls/evaluate.hpp"
#include "runtime/trace/primitives/error.hpp"
#include "tests/runtime/trace/values.hpp"

namespace tilemeter::trace {
namespace {

using ir::Constant;
using ir::ElementType;
using ir::TensorType;
using test::kind_of;
using test::number;
using test::Values;
using test::values_of;
using test::vector;
using Arrays = std::vector<Array>;
using Arguments = std::span<const Array>;

Arrays cube(Arguments x) {
    return {x[0] * x[0] * x[0]};
}

Array integers(const std::vector<std::int64_t>& values) {
    return Array(Constant::of(ElementType::kI32, {static_cast<std::int64_t>(values.size())},
                              std::span<const std::int64_t>(values)));
}

double at(const Function& function, double x) {
    return function(Arrays{number(x)})[0].to_float();
}

TEST(Transforms, nest_in_any_order) {
    EXPECT_EQ(at(grad(cube), 2), 12);
    EXPECT_EQ(at(grad(grad(cube)), 2), 12);
    EXPECT_EQ(at(grad(grad(grad(cube))), 2), 6);
    const Function each = vmap(grad(cube), {0});
    EXPECT_EQ(values_of(each(Arrays{vector({1, 2, 3})})[0]), (Values{3, 12, 27}));
    const Function total = [&](Arguments x) { return Arrays{sum(vmap(cube, {0})(x)[0])}; };
    EXPECT_EQ(values_of(grad(total)(Arrays{vector({1, 2, 3})})[0]), (Values{3, 12, 27}));
}

// d/dx of x * (d/dy of x + y): the inner derivative is 1 whatever x is.
TEST(Transforms, do_not_confuse_levels) {
    const Function outer = [](Arguments x) {
        const Function inner = [&](Arguments y) { return Arrays{x[0] + y[0]}; };
        return Arrays{x[0] * grad(inner)(Arrays{number(1)})[0]};
    };
    EXPECT_EQ(at(grad(outer), 3), 1);
    const Function forward = [](Arguments x) {
        const Function inner = [&](Arguments y) { return Arrays{x[0] * y[0]}; };
        return Arrays{jvp(inner, Arrays{number(2)}, Arrays{number(1)}).tangents[0] * x[0]};
    };
    EXPECT_EQ(at(grad(forward), 3), 6);
}

TEST(Transforms, take_arrays_from_around_as_constants) {
    const Array w = vector({1, 2, 3});
    const Function loss = [&](Arguments x) { return Arrays{sum(w * x[0] * x[0])}; };
    EXPECT_EQ(values_of(grad(loss)(Arrays{vector({1, 1, 2})})[0]), (Values{2, 4, 12}));
    Jit compiled("f", grad(loss));
    EXPECT_EQ(values_of(compiled(Arrays{vector({1, 1, 2})})[0]), (Values{2, 4, 12}));
}

TEST(Transforms, are_one_call_of_the_graph_around_them) {
    const TracedGraph traced = trace("f", grad(cube), std::vector<TensorType>{{ElementType::kF64, {}, {}}});
    EXPECT_FALSE(ir::verify(*traced.graph, call_operations()));
    EXPECT_EQ(traced.graph->equation_count(), 1U);
    EXPECT_EQ(traced.graph->equation(0).operation(), "call");
    EXPECT_TRUE(equal(ir::parse(ir::print(*traced.graph)), *traced.graph));
    EXPECT_EQ(evaluate(*traced.graph, std::vector{number(2).value()})[0].double_at(0), 12);
}

TEST(Transforms, hand_further_results_through) {
    const Function f = [](Arguments x) { return Arrays{sum(x[0] * x[1]), x[0] + 1.0}; };
    const Arrays arguments{vector({1, 2}), vector({3, 4})};
    const Arrays results = value_and_grad(f, {1, 0}, Further::kResults)(arguments);
    ASSERT_EQ(results.size(), 4U);
    EXPECT_EQ(results[0].to_float(), 11);
    EXPECT_EQ(values_of(results[1]), (Values{2, 3}));
    EXPECT_EQ(values_of(results[2]), (Values{1, 2}));
    EXPECT_EQ(values_of(results[3]), (Values{3, 4}));
    const Arrays gradients = grad(f, {0}, Further::kResults)(arguments);
    ASSERT_EQ(gradients.size(), 2U);
    EXPECT_EQ(values_of(gradients[0]), (Values{3, 4}));
    EXPECT_EQ(values_of(gradients[1]), (Values{2, 3}));
}

TEST(Transforms, leave_out_what_is_no_float) {
    const Array i = integers({1, 0});
    const Function f = [](Arguments x) { return Arrays{gather(x[1], x[0], 0) * 2.0, x[0]}; };
    const Pushed pushed = jvp(f, Arrays{i, vector({3, 4})}, Arrays{vector({1, 10})});
    ASSERT_EQ(pushed.results.size(), 2U);
    ASSERT_EQ(pushed.tangents.size(), 1U);
    EXPECT_EQ(values_of(pushed.tangents[0]), (Values{20, 2}));
    const Pulled pulled = vjp(f, Arrays{i, vector({3, 4})});
    const Arrays cotangents = pulled.back(Arrays{vector({1, 10})});
    ASSERT_EQ(cotangents.size(), 1U);
    EXPECT_EQ(values_of(cotangents[0]), (Values{20, 2}));
}

TEST(Transforms, go_back_as_often_as_asked) {
    const Pulled pulled = vjp([](Arguments x) { return Arrays{tanh(x[0])}; }, Arrays{vector({0, 1})});
    EXPECT_EQ(values_of(pulled.back(Arrays{vector({1, 0})})[0]), (Values{1, 0}));
    const double slope = 1 - std::tanh(1.0) * std::tanh(1.0);
    EXPECT_NEAR(values_of(pulled.back(Arrays{vector({0, 2})})[0])[1], 2 * slope, 1e-15);
    EXPECT_NEAR(values_of(pulled.results[0])[1], std::tanh(1.0), 1e-15);
}

TEST(Transforms, multiply_second_derivatives_with_vectors) {
    const Function f = [](Arguments x) { return Arrays{sum(x[0] * x[0] * x[1])}; };
    const Arrays products =
        hvp(f, Arrays{vector({1, 2}), vector({3, 4})}, Arrays{vector({1, 0}), vector({0, 1})});
    ASSERT_EQ(products.size(), 2U);
    EXPECT_EQ(values_of(products[0]), (Values{6, 4}));
    EXPECT_EQ(values_of(products[1]), (Values{2, 0}));
}

TEST(Transforms, give_numbers_the_type_they_stand_beside) {
    const Array x = Array(Constant::scalar(ElementType::kF32, 2.0));
    const Pushed pushed = jvp(cube, Arrays{x}, Arrays{1.0});
    EXPECT_EQ(pushed.tangents[0].element(), ElementType::kF32);
    EXPECT_EQ(vjp(cube, Arrays{x}).back(Arrays{1})[0].to_float(), 12);
    EXPECT_EQ(grad(cube)(Arrays{2.0})[0].to_float(), 12);
}

TEST(Transforms, map_lanes_along_any_axis) {
    const Function f = [](Arguments x) { return Arrays{x[0] * x[1], x[1]}; };
    const Array matrix = reshape(vector({1, 2, 3, 4, 5, 6}), {2, 3});
    const Arrays results = vmap(f, {1, std::nullopt}, {-1, std::nullopt})(Arrays{matrix, vector({1, 10})});
    EXPECT_EQ(results[0].shape(), (ir::Shape{2, 3}));
    EXPECT_EQ(values_of(results[0]), (Values{1, 2, 3, 40, 50, 60}));
    EXPECT_EQ(values_of(results[1]), (Values{1, 10}));
}

TEST(Transforms, repeat_checkpoints_and_go_through_control_flow) {
    const Function f = [](Arguments x) {
        const Array y = checkpoint([](Arguments z) { return Arrays{sin(z[0])}; }, x)[0];
        return scan([](Arguments c) { return Arrays{c[0] * c[0]}; }, Arrays{y}, {}, {.length = 3});
    };
    const double s = std::sin(0.5);
    EXPECT_NEAR(at(grad(f), 0.5), 8 * std::pow(s, 7) * std::cos(0.5), 1e-12);
}

TEST(Transforms, refuse_what_has_no_derivative) {
    using enum TraceErrorKind;
    const auto squares = [](Arguments x) { return Arrays{x[0] * x[0]}; };
    const Array three = vector({1, 2, 3});
    EXPECT_EQ(kind_of([&] { grad(squares)(Arrays{three}); }, "f64[3]"), kGradNeedsScalar);
    EXPECT_EQ(kind_of([&] { grad(squares)(Arrays{3}); }, "i64"), kGradNeedsFloat);
    EXPECT_EQ(kind_of([&] { grad([](Arguments x) { return Arrays{x[0] > 0.0}; })(Arrays{1.0}); }, "bool"),
              kGradNeedsFloat);
    EXPECT_EQ(kind_of([&] { grad(squares, {1})(Arrays{1.0}); }, "1"), kBadArgument);
    EXPECT_EQ(kind_of(
                  [&] {
                      vjp(squares, Arrays{three}).back(Arrays{vector({1, 2})});
                  },
                  "f64[2]"),
              kShapeMismatch);
    EXPECT_EQ(kind_of([&] { vjp(squares, Arrays{three}).back({}); }, "found 0"), kStructureMismatch);
    const Array ones = integers({1, 1, 1});
    EXPECT_EQ(kind_of([&] { jvp(squares, Arrays{three}, Arrays{ones}); }, "i32"), kElementTypeMismatch);
    EXPECT_EQ(
        kind_of(
            [&] {
                vmap([](Arguments x) { return Arrays{x[0] * x[1]}; }, {0, 0})(Arrays{three, vector({1, 2})});
            },
            "3 lanes"),
        kLengthMismatch);
    EXPECT_EQ(kind_of([&] { vmap(squares, {1})(Arrays{three}); }, "axis 1"), kBadArgument);
    const Function loop = [](Arguments x) {
        return while_loop([](Arguments c) { return Arrays{c[0] < 10.0}; },
                          [](Arguments c) { return Arrays{c[0] * 2.0}; }, x);
    };
    EXPECT_EQ(kind_of([&] { grad(loop)(Arrays{1.0}); }, "bound"), kNotReversible);
    EXPECT_EQ(jvp(loop, Arrays{1.0}, Arrays{1.0}).tangents[0].to_float(), 16);
}

TEST(Transforms, leave_no_frame_behind_an_exception) {
    const Function broken = [](Arguments) -> Arrays { throw std::runtime_error("user's own"); };
    EXPECT_THROW(grad(broken)(Arrays{1.0}), std::runtime_error);
    EXPECT_FALSE(Frame::is_open());
    EXPECT_EQ(at(grad(cube), 1), 3);
}

TEST(Transforms, hold_nothing_after_many_steps) {
    Array x = number(1);
    const auto before = lazy_statistics().live_nodes;
    for (int i = 0; i < 2'000; ++i) {
        x = x - 0.1 * grad([](Arguments y) { return Arrays{y[0] * y[0]}; })(Arrays{x})[0];
        x.eval();
    }
    EXPECT_LE(lazy_statistics().live_nodes, before + 2);
    EXPECT_NEAR(x.to_float(), 0, 1e-12);
}

}  // namespace
}  // namespace tilemeter::trace
