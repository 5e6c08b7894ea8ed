// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/arrays/jit.hpp"

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/trace/arrays/apply.hpp"
#include "runtime/trace/arrays/functions.hpp"
#include "runtime/trace/calls/evaluate.hpp"
#include "runtime/trace/primitives/error.hpp"
#include "tests/runtime/trace/values.hpp"

namespace tilemeter::trace {
namespace {

using ir::Constant;
using ir::ElementType;
using test::number;
using Arrays = std::vector<Array>;
using Arguments = std::span<const Array>;

Array ones(ir::Shape shape, ElementType element = ElementType::kF64) {
    const std::vector<double> values(static_cast<std::size_t>(shape.elements()), 1.0);
    return Array(Constant::of(element, shape, std::span<const double>(values)));
}

TEST(Jit, traces_once_for_each_signature) {
    int traces = 0;
    TraceCache cache;
    Jit f(
        "f", [&](Arguments x) { return ++traces, Arrays{x[0] * 2.0}; }, {}, cache);
    const auto calls = [&](const Array& x, const char* statics = "") {
        const int before = traces;
        f(std::vector{x}, statics);
        return traces - before;
    };
    EXPECT_EQ(calls(ones({2})), 1);
    EXPECT_EQ(cache.explain(f.key()), "the function was not called before, or its graphs had to go");
    EXPECT_EQ(calls(ones({2})), 0);
    EXPECT_EQ(calls(ones({2}) * 0.0), 0);
    EXPECT_EQ(calls(ones({3})), 1);
    EXPECT_EQ(cache.explain(f.key()), "argument 0: shape[0] is 3, was 2: f64[3], not f64[2]");
    EXPECT_EQ(calls(ones({3})), 0);
    EXPECT_EQ(calls(ones({3}, ElementType::kF32)), 1);
    EXPECT_EQ(cache.explain(f.key()), "argument 0: element type is f32, was f64: f32[3], not f64[3]");
    EXPECT_EQ(calls(ones({3, 1})), 1);
    EXPECT_NE(cache.explain(f.key()).find("rank is 2, was 1"), std::string::npos) << cache.explain(f.key());
    EXPECT_EQ(calls(ones({3}), "flag=True"), 1);
    EXPECT_EQ(cache.explain(f.key()), "static values are 'flag=True', were ''");
    EXPECT_EQ(calls(ones({3}), ""), 0);
    EXPECT_EQ(calls(ones({3}), "flag=True"), 0);
    f(std::vector{ones({3}), ones({3})});
    EXPECT_EQ(cache.explain(f.key()), "number of arguments is 2, was 1");
    EXPECT_EQ(cache.statistics().entries, 6U);
    EXPECT_EQ(cache.statistics().misses, 6U);
}

TEST(Jit, tells_functions_and_options_apart) {
    TraceCache cache;
    int traces = 0;
    const Function count = [&](Arguments x) { return ++traces, Arrays{x[0]}; };
    Jit f("f", count, {}, cache);
    Jit g("f", count, {}, cache);
    const Arrays x{number(1)};
    f(x), g(x), f(x), g(x);
    EXPECT_EQ(traces, 2);
    cache.call({f.key(), "", "another option"}, "f", count, x);
    EXPECT_EQ(traces, 3);
    EXPECT_EQ(cache.explain(f.key()), "options are 'another option', were 'abstract'");
    cache.drop(f.key());
    EXPECT_EQ(cache.statistics().entries, 1U);
    { const Jit ended("h", count, {}, cache); }
    cache.clear();
    EXPECT_EQ(cache.statistics().held_bytes, 0U);
}

TEST(Jit, traces_again_where_an_answer_differs) {
    int traces = 0;
    TraceCache cache;
    Jit f(
        "f",
        [&](Arguments x) {
            ++traces;
            return Arrays{(x[0] > 0).to_bool() ? x[0] * x[0] : -x[0]};
        },
        {.mode = Mode::kConcrete}, cache);
    const auto value = [&](double x) { return f(std::vector{number(x)})[0].to_float(); };
    EXPECT_EQ(value(3), 9);
    EXPECT_EQ(value(4), 16);
    EXPECT_EQ(traces, 1);
    EXPECT_EQ(value(-3), 3);
    EXPECT_EQ(traces, 2);
    EXPECT_NE(cache.explain(f.key()).find("an answer differs: bool of gt"), std::string::npos)
        << cache.explain(f.key());
    EXPECT_EQ(value(-5), 5);
    EXPECT_EQ(value(5), 25);
    EXPECT_EQ(traces, 2);
}

TEST(Jit, stays_within_its_bytes) {
    constexpr std::uint64_t kMost = 256 << 10;
    TraceCache cache(kMost);
    Jit f(
        "f", [](Arguments x) { return Arrays{x[0] + 1.0}; }, {}, cache);
    for (std::int64_t i = 1; i <= 500; ++i) {
        f(std::vector{ones({i % 50 + 1, i})});
        ASSERT_LE(cache.statistics().held_bytes, kMost);
    }
    EXPECT_LT(cache.statistics().entries, 200U);
    // The function that was called last is there still.
    const std::uint64_t misses = cache.statistics().misses;
    f(std::vector{ones({1, 500})});
    EXPECT_EQ(cache.statistics().misses, misses);
}

TEST(Jit, becomes_a_call_in_another_trace) {
    int traces = 0;
    TraceCache cache;
    Jit inner(
        "inner", [&](Arguments x) { return ++traces, Arrays{x[0] * 3.0}; }, {}, cache);
    Jit outer(
        "outer", [&](Arguments x) { return Arrays{inner(x)[0] + inner(inner(x))[0]}; }, {}, cache);
    EXPECT_EQ(outer(std::vector{number(2)})[0].to_float(), 6 + 18);
    EXPECT_EQ(traces, 1);
    // One that uses what is around it is another function each time.
    Jit scaled(
        "scaled",
        [&](Arguments x) {
            Jit times(
                "times", [&](Arguments y) { return Arrays{y[0] * x[0]}; }, {}, cache);
            return Arrays{times(std::vector{x[0] + 1.0})[0]};
        },
        {}, cache);
    EXPECT_EQ(scaled(std::vector{number(2)})[0].to_float(), 6);
}

TEST(Jit, keeps_nothing_of_a_function_that_throws) {
    TraceCache cache;
    int calls = 0;
    Jit f(
        "f",
        [&](Arguments x) {
            if (++calls == 1) throw std::domain_error("user's own");
            return Arrays{x[0]};
        },
        {}, cache);
    EXPECT_THROW(f(std::vector{number(1)}), std::domain_error);
    EXPECT_EQ(f(std::vector{number(1)})[0].to_float(), 1.0);
    EXPECT_EQ(calls, 2);
}

TEST(Jit, names_the_operation_that_made_a_nan_where_that_is_asked_for) {
    TraceCache cache;
    const Function f = [](Arguments x) { return Arrays{exp(log(x[0]) * 2.0)}; };
    Jit unchecked("f", f, {}, cache);
    EXPECT_TRUE(std::isnan(unchecked(std::vector{number(-1)})[0].to_float()));
    Jit checked("f", f, {.check_nans = true}, cache);
    EXPECT_EQ(checked(std::vector{number(1)})[0].to_float(), 1.0);
    try {
        checked(std::vector{number(-1)});
        FAIL();
    } catch (const TraceError& error) {
        EXPECT_EQ(error.kind(), TraceErrorKind::kOptionalCheck);
        EXPECT_EQ(error.operation(), "log");
    }
}

TEST(Jit, finds_functions_that_depend_on_more_than_arguments_where_that_is_asked_for) {
    TraceCache cache;
    double counter = 0;
    Jit counting(
        "f", [&](Arguments x) { return Arrays{x[0] + counter++}; }, {.strict = true}, cache);
    try {
        counting(std::vector{number(1)});
        FAIL();
    } catch (const TraceError& error) {
        EXPECT_EQ(error.kind(), TraceErrorKind::kOptionalCheck);
        EXPECT_NE(error.hint().find("argument"), std::string::npos);
    }
    Jit pure(
        "f", [](Arguments x) { return Arrays{x[0] + 1.0}; }, {.strict = true}, cache);
    EXPECT_EQ(pure(std::vector{number(1)})[0].to_float(), 2.0);
}

TEST(Jit, may_be_called_from_several_threads) {
    TraceCache cache;
    Jit f(
        "f", [](Arguments x) { return Arrays{x[0] * x[0]}; }, {}, cache);
    std::vector<std::thread> threads;
    std::vector<double> sums(4);
    for (std::size_t i = 0; i < sums.size(); ++i)
        threads.emplace_back([&, i] {
            for (int k = 0; k < 500; ++k)
                sums[i] += f(std::vector{number(static_cast<double>(i))})[0].to_float();
        });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(sums, (std::vector<double>{0, 500, 2000, 4500}));
}

}  // namespace
}  // namespace tilemeter::trace
