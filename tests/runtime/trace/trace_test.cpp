// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/arrays/trace.hpp"

#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "capture/ir/passes/compare.hpp"
#include "capture/ir/text.hpp"
#include "runtime/trace/arrays/apply.hpp"
#include "runtime/trace/arrays/control_flow.hpp"
#include "runtime/trace/arrays/functions.hpp"
#include "runtime/trace/calls/evaluate.hpp"
#include "runtime/trace/calls/lower.hpp"
#include "runtime/trace/primitives/error.hpp"
#include "tests/runtime/trace/values.hpp"

namespace tilemeter::trace {
namespace {

using ir::Constant;
using ir::ElementType;
using ir::TensorType;
using test::kNumber;
using test::kVector;
using test::vector;
using Arrays = std::vector<Array>;
using Arguments = std::span<const Array>;

Constant constant(double value) {
    return Constant::scalar(ElementType::kF64, value);
}

TracedGraph traced(const std::string& name, const Function& function, std::vector<TensorType> types) {
    return trace(name, function, types);
}

// The user's program: line by line of a file that a test sets.
std::uint32_t g_line = 0;
bool place_in_program(ir::Location& location) {
    if (location.file != "program.py") location.file = "program.py";
    location.line = g_line;
    return true;
}

class Places {
public:
    Places() { set_location_source(place_in_program); }
    ~Places() { set_location_source(nullptr); }
    Places(const Places&) = delete;
    Places& operator=(const Places&) = delete;
};

template <class Call>
TraceError error_of(const Call& call) {
    try {
        call();
    } catch (const TraceError& error) {
        return error;
    }
    ADD_FAILURE() << "no error";
    return {TraceErrorKind::kCount, ""};
}

template <class Call>
void expect_error(const Call& call, TraceErrorKind kind, std::initializer_list<const char*> words) {
    const TraceError error = error_of(call);
    EXPECT_EQ(name_of(error.kind()), name_of(kind)) << error.what();
    for (const char* const word : words)
        EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << word << " in " << error.what();
}

TEST(Trace, keeps_the_path_from_inputs_to_results) {
    // The examples of Ivy's document.
    const auto mean_and_root = traced("f", [](Arguments x) { return Arrays{sqrt(mean(x[0]))}; }, {kVector});
    EXPECT_EQ(mean_and_root.graph->equation_count(), 2U);
    const auto eight = [](Arguments x) {
        const Array y = sum(x[0]);
        const Array z = prod(x[0]);
        return Arrays{round(sin(y)), floor(cos(z)), ceil(tan(z))};
    };
    const auto all = traced("f", eight, {kVector});
    EXPECT_EQ(all.graph->equation_count(), 8U);
    for (const double x : {1.0, 2.0}) {
        const Constant input = vector({x, x, x}).value();
        const auto results = evaluate(*all.graph, std::vector{input});
        EXPECT_EQ(results[0].double_at(0), std::nearbyint(std::sin(3 * x)));
        EXPECT_EQ(results[1].double_at(0), std::floor(std::cos(x * x * x)));
        EXPECT_EQ(results[2].double_at(0), std::ceil(std::tan(x * x * x)));
    }
    // An operation that no result needs is gone; a parameter that nothing uses stays.
    const auto dead = traced("f",
                             [](Arguments x) {
                                 (void)exp(x[0]);
                                 return Arrays{x[0] + 1.0};
                             },
                             {kNumber, kNumber});
    EXPECT_EQ(dead.graph->equation_count(), 1U);
    EXPECT_EQ(dead.graph->params().size(), 2U);
}

TEST(Trace, is_the_same_for_functions_and_operators) {
    const auto f = [](Arguments x) { return Arrays{add(mul(x[0], x[0]), 1.0)}; };
    const auto g = [](Arguments x) { return Arrays{x[0] * x[0] + 1.0}; };
    EXPECT_EQ(ir::print(*traced("f", f, {kVector}).graph), ir::print(*traced("f", g, {kVector}).graph));
}

TEST(Trace, computes_nothing_in_abstract_mode) {
    // 512 GB: nothing of this size could be allocated.
    const TensorType huge{ElementType::kF64, {262'144, 262'144}, {}};
    const auto product = traced("f", [](Arguments x) { return Arrays{matmul(x[0], x[0])}; }, {huge});
    EXPECT_EQ(product.graph->equation_count(), 1U);
}

TEST(Trace, runs_the_function_once_and_freezes_what_it_reads) {
    int calls = 0;
    double outside = 2;
    const auto f = traced("f",
                          [&](Arguments x) {
                              ++calls;
                              return Arrays{x[0] * outside};
                          },
                          {kNumber});
    outside = 5;
    EXPECT_EQ(evaluate(*f.graph, std::vector{constant(1)})[0].double_at(0), 2.0);
    EXPECT_EQ(evaluate(*f.graph, std::vector{constant(3)})[0].double_at(0), 6.0);
    EXPECT_EQ(calls, 1);
}

TEST(Trace, unrolls_loops_of_the_host_language) {
    const auto rows = traced("f",
                             [](Arguments x) {
                                 Array total = 0.0;
                                 for (std::int64_t i = 0; i < x[0].length(); ++i)
                                     total = total + index(x[0], {i});
                                 return Arrays{total};
                             },
                             {kVector});
    EXPECT_EQ(evaluate(*rows.graph, std::vector{vector({1, 2, 4}).value()})[0].double_at(0), 7.0);
}

TEST(Trace, names_inputs_and_places) {
    const Places places;
    Frame frame("f");
    const Array x = frame.add_input("weights", kNumber);
    g_line = 7;
    const Scope encoder("encoder");
    const Scope layer("0");
    const Array y = tanh(x);
    const TracedGraph f = frame.close(std::span(&y, 1));
    EXPECT_EQ(f.graph->equation(0).location(), (ir::Location{"program.py", 7, "encoder/0"}));
    EXPECT_EQ(f.graph->name_of(f.graph->params()[0]), "weights");
}

TEST(Trace, answers_in_concrete_mode_and_guards_the_answers) {
    const auto branch = [](Arguments x) { return Arrays{(x[0] > 0).to_bool() ? x[0] * x[0] : -x[0]}; };
    const auto positive = trace_concrete("f", branch, std::vector{constant(3)});
    EXPECT_EQ(positive.values[0].double_at(0), 9.0);
    ASSERT_EQ(positive.guards.size(), 1U);
    EXPECT_EQ(positive.assumptions.size(), 1U);
    EXPECT_NE(positive.guards[0].text.find("bool of gt"), std::string::npos) << positive.guards[0].text;
    // The question is in the guards' graph only.
    EXPECT_EQ(positive.graph->equation_count(), 1U);
    EXPECT_EQ(first_failed_guard(positive, std::vector{constant(5)}), nullptr);
    EXPECT_EQ(first_failed_guard(positive, std::vector{constant(-3)}), &positive.guards[0]);
    const auto negative = trace_concrete("f", branch, std::vector{constant(-3)});
    EXPECT_EQ(negative.graph->equation(0).operation(), "neg");
    EXPECT_EQ(first_failed_guard(negative, std::vector{constant(-5)}), nullptr);

    const auto counted = trace_concrete(
        "f",
        [](Arguments x) {
            Array y = x[1];
            for (std::int64_t i = x[0].to_int(); i > 0; --i)
                y = y * x[0].to_float();
            return Arrays{y};
        },
        std::vector{constant(3), constant(1)});
    EXPECT_EQ(counted.values[0].double_at(0), 27.0);
    EXPECT_EQ(first_failed_guard(counted, std::vector{constant(3), constant(8)}), nullptr);
    EXPECT_NE(first_failed_guard(counted, std::vector{constant(3.5), constant(8)}), nullptr);

    const auto whole = trace_concrete(
        "f", [](Arguments x) { return Arrays{x[0] * x[0].value().double_at(1)}; },
        std::vector{vector({1, 2}).value()});
    EXPECT_EQ(first_failed_guard(whole, std::vector{vector({1, 2}).value()}), nullptr);
    EXPECT_NE(first_failed_guard(whole, std::vector{vector({1, 3}).value()}), nullptr);
}

TEST(Trace, refuses_questions_about_values_in_abstract_mode) {
    const Places places;
    g_line = 12;
    const auto asks = [](const auto& question) {
        return [&question] {
            traced("f",
                   [&](Arguments x) {
                       question(sum(x[0]) > 0);
                       return Arrays{x[0]};
                   },
                   {kVector});
        };
    };
    expect_error(asks([](const Array& x) { return x.to_bool(); }), TraceErrorKind::kNeedsConcreteBool,
                 {"gt", "'f'", "program.py:12", "cond", "static"});
    expect_error(asks([](const Array& x) { return x.to_int(); }), TraceErrorKind::kNeedsConcreteInt,
                 {"static"});
    expect_error(asks([](const Array& x) { return x.to_float(); }), TraceErrorKind::kNeedsConcreteFloat,
                 {"static"});
    expect_error(asks([](const Array& x) { return x.value(); }), TraceErrorKind::kNeedsConcreteArray,
                 {"bool[]"});
    EXPECT_FALSE(Frame::is_open());
}

TEST(Trace, refuses_values_that_left_their_trace) {
    const Places places;
    Arrays box;
    const auto leak = [&] {
        traced("mul2",
               [&](Arguments x) {
                   g_line = 3;
                   box = {x[0] * 2.0, x[0]};
                   return Arrays{x[0]};
               },
               {kNumber});
        g_line = 9;
    };
    leak();
    expect_error([&] { (void)(box[0] + 1.0); }, TraceErrorKind::kEscapedTracer,
                 {"add", "'mul'", "'mul2'", "program.py:3", "program.py:9"});
    expect_error([&] { (void)tanh(box[1]); }, TraceErrorKind::kEscapedTracer, {"parameter 'x0'", "'mul2'"});
    expect_error([&] { (void)box[0].value(); }, TraceErrorKind::kEscapedTracer, {"'mul2'"});
    expect_error([&] { traced("other", [&](Arguments x) { return Arrays{x[0] + box[0]}; }, {kNumber}); },
                 TraceErrorKind::kEscapedTracer, {"'mul2'"});
    expect_error([&] { traced("other", [&](Arguments) { return Arrays{box[0]}; }, {kNumber}); },
                 TraceErrorKind::kEscapedTracer, {"'mul2'"});
    EXPECT_EQ(box[0].repr().substr(0, 13), "Array(f64[], ");
    const auto leak_body = [&] {
        scan(
            [&](Arguments c) {
                box = {c[0]};
                return Arrays{c[0], c[0]};
            },
            Arrays{1.0}, {}, {.length = 2});
    };
    leak_body();
    expect_error([&] { (void)(box[0] + 1.0); }, TraceErrorKind::kEscapedTracer, {"scan_body"});
}

TEST(Trace, refuses_values_of_another_thread) {
    Frame frame("f");
    const Array x = frame.add_input("x", kNumber);
    std::string text;
    std::thread([&] {
        try {
            (void)(x + 1.0);
        } catch (const TraceError& error) {
            text = error.what();
        }
    }).join();
    EXPECT_NE(text.find("another thread"), std::string::npos) << text;
    EXPECT_TRUE(Frame::is_open());
}

TEST(Trace, refuses_a_value_of_the_trace_around_it) {
    Frame outer("outer");
    const Array x = outer.add_input("x", kNumber);
    expect_error([&] { traced("inner", [&](Arguments y) { return Arrays{x + y[0]}; }, {kNumber}); },
                 TraceErrorKind::kEscapedTracer, {"'outer'", "around"});
    EXPECT_EQ(outer.close(std::vector{x * 2.0}).graph->equation_count(), 1U);
}

TEST(Trace, refuses_what_operations_refuse_at_their_place) {
    const Places places;
    g_line = 5;
    const TensorType matrix{ElementType::kF32, {2, 3}, {}};
    const TensorType wide{ElementType::kF32, {2, 4}, {}};
    const auto refused = [&](const Function& f, std::vector<TensorType> types) {
        return [f, types] { trace("f", f, types); };
    };
    expect_error(refused([](Arguments x) { return Arrays{matmul(x[0], x[1])}; }, {matrix, matrix}),
                 TraceErrorKind::kShapeMismatch, {"matmul", "[2,3]", "contracting", "program.py:5"});
    expect_error(refused([](Arguments x) { return Arrays{concat(x)}; }, {matrix, wide}),
                 TraceErrorKind::kShapeMismatch, {"concat", "axis"});
    expect_error(refused([](Arguments x) { return Arrays{sum(x[0], Integers{2})}; }, {matrix}),
                 TraceErrorKind::kBadArgument, {"axis 2", "rank 2"});
    expect_error(refused([](Arguments) { return Arrays{Array()}; }, {matrix}), TraceErrorKind::kBadResult,
                 {"result 0"});
    expect_error(refused([](Arguments x) { return Arrays{x[0] + Array()}; }, {matrix}),
                 TraceErrorKind::kBadArgument, {"without a value"});
    expect_error([] { (void)apply("no_such_operation", {}); }, TraceErrorKind::kBadArgument,
                 {"no_such_operation"});
    expect_error([] { (void)Array(1.0).length(); }, TraceErrorKind::kBadArgument, {"scalar"});
}

TEST(Trace, refuses_recursion_without_an_end) {
    Function f;
    f = [&](Arguments x) { return call("f", f, x); };
    expect_error([&] { traced("f", f, {kNumber}); }, TraceErrorKind::kRecursion, {"'f'"});
    EXPECT_FALSE(Frame::is_open());
}

TEST(Trace, is_clean_after_an_exception) {
    const auto bad = [](Arguments) -> Arrays { throw std::domain_error("user's own"); };
    EXPECT_THROW(traced("f", bad, {kNumber}), std::domain_error);
    EXPECT_FALSE(Frame::is_open());
    EXPECT_EQ(traced("f", [](Arguments x) { return Arrays{-x[0]}; }, {kNumber}).graph->equation_count(), 1U);
}

TEST(Trace, closes_functions_over_what_they_use) {
    Frame frame("f");
    const Array x = frame.add_input("x", kNumber);
    const Closure closure = trace_closure(
        "g", [&](Arguments y) { return Arrays{y[0] * x}; }, std::vector{kNumber});
    ASSERT_EQ(closure.captured.size(), 1U);
    EXPECT_EQ(closure.graph->params().size(), 2U);
    // A transformation works on flat primitives and comes back among calls.
    const auto flat = std::make_shared<const ir::Graph>(lower(*closure.graph));
    const Arrays results = call_graph(flat, std::vector{Array(2.0), closure.captured[0]});
    const TracedGraph f = frame.close(results);
    EXPECT_EQ(evaluate(*f.graph, std::vector{constant(3)})[0].double_at(0), 6.0);
    EXPECT_TRUE(equal(lower(as_calls(*flat)), *flat));
}

TEST(Trace, is_a_threads_own) {
    std::vector<std::string> texts(4);
    std::vector<std::thread> threads;
    const auto f = [](Arguments x) {
        Array y = x[0];
        for (int i = 0; i < 200; ++i)
            y = cond(
                y > 0, [&](Arguments z) { return Arrays{z[0] + y}; },
                [](Arguments z) { return Arrays{-z[0]}; }, Arrays{y})[0];
        return Arrays{y};
    };
    for (std::string& text : texts)
        threads.emplace_back([&] { text = ir::print(*traced("f", f, {kNumber}).graph); });
    for (std::thread& thread : threads)
        thread.join();
    for (const std::string& text : texts)
        EXPECT_EQ(text, texts[0]);
}

}  // namespace
}  // namespace tilemeter::trace
