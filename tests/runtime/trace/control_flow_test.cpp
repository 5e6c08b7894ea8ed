// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/arrays/control_flow.hpp"

#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/ir/passes/passes.hpp"
#include "capture/ir/text.hpp"
#include "capture/ir/verify.hpp"
#include "runtime/trace/arrays/functions.hpp"
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
using test::kNumber;
using test::kVector;
using test::Values;
using test::values_of;
using test::vector;
using Arrays = std::vector<Array>;
using Arguments = std::span<const Array>;

// The function traced and evaluated for these inputs; the graph is verified.
Values traced_values(const Function& function, const Arrays& inputs) {
    std::vector<TensorType> types;
    std::vector<Constant> values;
    for (const Array& input : inputs) {
        types.push_back(input.type());
        values.push_back(input.value());
    }
    const TracedGraph traced = trace("f", function, types);
    const auto error = ir::verify(*traced.graph, call_operations());
    EXPECT_FALSE(error) << error->what();
    return values_of(Array(evaluate(*traced.graph, values)[0]));
}

// Both ways: lazily and traced.
void expect_values(const Function& function, const Arrays& inputs, const Values& expected) {
    EXPECT_EQ(values_of(function(inputs)[0]), expected);
    EXPECT_EQ(traced_values(function, inputs), expected);
}

TEST(ControlFlow, takes_one_of_two_branches) {
    const auto f = [](Arguments x) {
        return cond(
            sum(x[0]) > 0, [](Arguments y) { return Arrays{y[0] * 2.0}; },
            [](Arguments y) { return Arrays{-y[0]}; }, x);
    };
    expect_values(f, {vector({1, 2, 3})}, {2, 4, 6});
    expect_values(f, {vector({1, 2, -7})}, {-1, -2, 7});
}

TEST(ControlFlow, passes_what_bodies_use_from_around_them) {
    const auto f = [](Arguments x) {
        const Array twice = x[0] * 2.0;
        const Array limit = vector({1, 1, 1});
        return cond(
            sum(x[0]) > 0, [&](Arguments y) { return Arrays{y[0] + twice + limit}; },
            [&](Arguments) { return Arrays{limit + x[0]}; }, Arrays{x[0] + 1.0});
    };
    expect_values(f, {vector({1, 2, 3})}, {5, 8, 11});
    expect_values(f, {vector({-1, -2, -3})}, {0, -1, -2});
}

TEST(ControlFlow, captures_through_nested_bodies) {
    const auto f = [](Arguments x) {
        return scan(
            [&](Arguments outer) {
                const Array inner = scan([&](Arguments c) { return Arrays{c[0] + outer[1] * x[0]}; },
                                         Arrays{outer[0]}, {}, {.length = 2})[0];
                return Arrays{inner};
            },
            Arrays{vector({0, 0, 0})}, Arrays{vector({1, 10})});
    };
    expect_values(f, {vector({1, 2, 3})}, {22, 44, 66});
}

TEST(ControlFlow, chooses_by_number) {
    const std::vector<Function> branches = {[](Arguments x) { return Arrays{x[0]}; },
                                            [](Arguments x) { return Arrays{x[0] * 10.0}; },
                                            [](Arguments) { return Arrays{Array(0.5)}; }};
    const auto f = [&](Arguments x) { return switch_case(x[0], branches, x.subspan(1)); };
    const Array three(Constant::scalar(ElementType::kF64, 3.0));
    const auto number = [](int i) { return Array(Constant::scalar(ElementType::kI32, i)); };
    expect_values(f, {number(0), three}, {3});
    expect_values(f, {number(1), three}, {30});
    expect_values(f, {number(9), three}, {0.5});
    expect_values(f, {number(-9), three}, {3});
}

TEST(ControlFlow, loops_until_a_value_says_so) {
    const auto f = [](Arguments x) {
        return while_loop([&](Arguments c) { return Arrays{c[0] < x[0]}; },
                          [](Arguments c) {
                              return Arrays{c[0] * 2.0, c[1] + 1};
                          },
                          Arrays{Array(1.0), Array(0)});
    };
    const Array limit(Constant::scalar(ElementType::kF64, 100.0));
    expect_values(f, {limit}, {128});
    expect_values(f, {Array(Constant::scalar(ElementType::kF64, 0.0))}, {1});
}

TEST(ControlFlow, scans_rows_forwards_and_backwards) {
    for (const bool reverse : {false, true}) {
        const auto f = [&](Arguments x) {
            const Arrays results = scan(
                [](Arguments c) {
                    const Array next = c[0] * 10.0 + c[1];
                    return Arrays{next, next};
                },
                Arrays{Array(0.0)}, x, {.reverse = reverse});
            return Arrays{concat(Arrays{reshape(results[0], {1}), results[1]})};
        };
        expect_values(f, {vector({1, 2, 3})}, reverse ? Values{321, 321, 32, 3} : Values{123, 1, 12, 123});
    }
}

TEST(ControlFlow, carries_literals_as_what_the_body_makes_of_them) {
    const Arrays results =
        scan([](Arguments c) { return Arrays{c[0] + c[1]}; }, Arrays{Array(0)}, Arrays{vector({1, 2, 3.5})});
    EXPECT_EQ(values_of(results[0]), (Values{6.5}));
}

TEST(ControlFlow, traces_a_million_trips_as_fast_as_ten) {
    const auto f = [](std::int64_t trips) {
        return trace(
            "f",
            [&](Arguments x) {
                return scan([](Arguments c) { return Arrays{sin(c[0]) * 0.5}; }, x, {}, {.length = trips});
            },
            std::vector{kNumber});
    };
    const auto ten = f(10);
    const auto million = f(1'000'000);
    EXPECT_EQ(count_equations(*ten.graph), count_equations(*million.graph));
}

TEST(ControlFlow, keeps_calls_and_checkpoints) {
    const auto f = [](Arguments x) {
        const Arrays once = call(
            "square", [](Arguments y) { return Arrays{y[0] * y[0]}; }, x);
        return checkpoint([](Arguments y) { return Arrays{exp(y[0]) * 0.0 + y[0]}; }, once);
    };
    expect_values(f, {vector({1, 2, 3})}, {1, 4, 9});
    const std::string text = ir::print(*trace("f", f, std::vector{kVector}).graph);
    EXPECT_NE(text.find("call("), std::string::npos) << text;
    EXPECT_NE(text.find("checkpoint("), std::string::npos) << text;
}

TEST(ControlFlow, refuses_what_does_not_fit_together) {
    const Array x = vector({1, 2, 3});
    const Function same = [](Arguments y) { return Arrays{y[0]}; };
    EXPECT_EQ(kind_of([&] { cond(x > 0, same, same, Arrays{x}); }, "scalar"),
              TraceErrorKind::kPredicateNotScalar);
    EXPECT_EQ(kind_of([&] { cond(sum(x), same, same, Arrays{x}); }, "f64[]"),
              TraceErrorKind::kPredicateNotBool);
    EXPECT_EQ(kind_of(
                  [&] {
                      cond(
                          true, same, [](Arguments y) { return Arrays{convert(y[0], ElementType::kI32)}; },
                          Arrays{x});
                  },
                  "i32[3]"),
              TraceErrorKind::kBranchTypeMismatch);
    EXPECT_EQ(kind_of(
                  [&] {
                      cond(
                          true, same,
                          [](Arguments y) {
                              return Arrays{y[0], y[0]};
                          },
                          Arrays{x});
                  },
                  "found 2, expected 1"),
              TraceErrorKind::kBranchTypeMismatch);
    EXPECT_EQ(kind_of(
                  [&] {
                      scan(
                          [](Arguments c) {
                              return Arrays{stack(Arrays{c[0], c[0]})};
                          },
                          Arrays{Array(1.0)}, {}, {.length = 2});
                  },
                  "carried value 0: found f64[2] after the body, expected f64[] as before"),
              TraceErrorKind::kCarryTypeChanged);
    EXPECT_EQ(kind_of([&] { scan([](Arguments) { return Arrays{}; }, Arrays{x}, {}, {.length = 2}); },
                      "found 0, expected at least 1"),
              TraceErrorKind::kStructureMismatch);
    EXPECT_EQ(kind_of(
                  [&] {
                      scan(same, Arrays{Array(0.0)}, Arrays{x, vector({1, 2, 3, 4})});
                  },
                  "3 rows and input 1 of 4"),
              TraceErrorKind::kLengthMismatch);
    EXPECT_EQ(kind_of([&] { scan(same, Arrays{x}, {}); }, "length"), TraceErrorKind::kBadArgument);
    EXPECT_EQ(kind_of([&] { while_loop([](Arguments c) { return Arrays{c[0]}; }, same, Arrays{Array(1.0)}); },
                      "f64[]"),
              TraceErrorKind::kPredicateNotBool);
    EXPECT_EQ(kind_of(
                  [&] {
                      cond(
                          true, [](Arguments) { return Arrays{Array()}; }, same, Arrays{x});
                  },
                  "result 0"),
              TraceErrorKind::kBadResult);
}

TEST(ControlFlow, leaves_no_frame_behind_when_a_function_throws) {
    const auto bad = [](Arguments) -> Arrays { throw std::runtime_error("user's own"); };
    EXPECT_THROW(scan(bad, Arrays{Array(1.0)}, {}, {.length = 2}), std::runtime_error);
    EXPECT_FALSE(Frame::is_open());
    EXPECT_THROW(trace(
                     "f", [&](Arguments x) { return call("g", bad, x); }, std::vector{kNumber}),
                 std::runtime_error);
    EXPECT_FALSE(Frame::is_open());
}

}  // namespace
}  // namespace tilemeter::trace
