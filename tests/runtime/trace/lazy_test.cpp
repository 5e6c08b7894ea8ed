// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/arrays/lazy.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/trace/arrays/control_flow.hpp"
#include "runtime/trace/arrays/functions.hpp"
#include "runtime/trace/export/tripy.hpp"
#include "runtime/trace/primitives/error.hpp"
#include "tests/runtime/trace/values.hpp"

namespace tilemeter::trace {
namespace {

using ir::Constant;
using ir::ElementType;
using test::number;
using Arrays = std::vector<Array>;

TEST(Lazy, runs_the_program_of_tripys_architecture_document) {
    const LazyStatistics before = lazy_statistics();
    const Array inp = full({2, 3}, 0.5);
    const Array out = tanh(inp);
    const TripyTexts texts = tripy_texts(pending_graph(std::span(&out, 1)), {.device = "gpu:0"});
    EXPECT_EQ(texts.trace_ir,
              "==== Trace IR ====\n"
              "t0 = fill(value=0.5, shape=(2, 3), dtype=float32)\n"
              "t1 = unaryelementwise(t0, kind=Kind.TANH)\n"
              "outputs:\n"
              "    t1: [shape=(2, 3,), dtype=(float32), loc=(gpu:0)]\n");
    EXPECT_EQ(
        texts.flat_ir,
        "==== Flat IR ====\n"
        "t_inter1: [shape=(), dtype=(float32), loc=(gpu:0)] = ConstantOp(data=0.5, dtype=float32, device=gpu:0)\n"
        "t0: [shape=(2, 3,), dtype=(float32), loc=(gpu:0)] = BroadcastOp(t_inter1, broadcast_dim=[])\n"
        "t1: [shape=(2, 3,), dtype=(float32), loc=(gpu:0)] = TanhOp(t0)\n"
        "outputs:\n"
        "    t1: [shape=(2, 3,), dtype=(float32), loc=(gpu:0)]\n");
    EXPECT_EQ(texts.stablehlo_ir,
              "==== StableHLO IR ====\n"
              "1: module {\n"
              "2:   func.func @main() -> tensor<2x3xf32> {\n"
              "3:     %0 = stablehlo.constant dense<5.000000e-01> : tensor<f32>\n"
              "4:     %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x3xf32>\n"
              "5:     %2 = stablehlo.tanh %1 : tensor<2x3xf32>\n"
              "6:     return %2 : tensor<2x3xf32>\n"
              "7:   }\n"
              "8: }\n"
              "9:\n");
    EXPECT_EQ(lazy_statistics().runs, before.runs);
    out.eval();
    EXPECT_EQ(lazy_statistics().runs, before.runs + 1);
    EXPECT_FLOAT_EQ(static_cast<float>(out.value().double_at(5)), 0.46211716F);
    out.eval();
    EXPECT_NE(out.repr().find("0.46211717"), std::string::npos) << out.repr();
    EXPECT_EQ(lazy_statistics().runs, before.runs + 1);
}

TEST(Lazy, evaluates_at_the_first_use_of_each_kind_and_never_again) {
    for (const auto& use : {std::function<void(const Array&)>([](const Array& x) { x.eval(); }),
                            std::function<void(const Array&)>([](const Array& x) { (void)x.value(); }),
                            std::function<void(const Array&)>([](const Array& x) { (void)x.repr(); }),
                            std::function<void(const Array&)>([](const Array& x) { (void)x.to_float(); })}) {
        const Array x = exp(number(0.25)) * 2.0;
        const std::uint64_t runs = lazy_statistics().runs;
        use(x);
        EXPECT_EQ(lazy_statistics().runs, runs + 1);
        use(x);
        EXPECT_EQ(lazy_statistics().runs, runs + 1);
    }
}

TEST(Lazy, leaves_what_is_not_needed_pending) {
    const Array x = number(4);
    const Array shared = sqrt(x);
    const Array used = shared + 1.0;
    const Array unused = shared * exp(x);
    EXPECT_EQ(pending_graph(std::span(&used, 1)).equation_count(), 2U);
    EXPECT_EQ(used.to_float(), 3.0);
    EXPECT_EQ(unused.state(), Array::State::kPending);
    // Two outputs over one input have its operation once.
    const Array first = sin(number(1));
    const Arrays both{first + 1.0, first * 2.0};
    EXPECT_EQ(pending_graph(both).equation_count(), 3U);
    eval(both);
    EXPECT_EQ(both[0].state(), Array::State::kEvaluated);
    EXPECT_EQ(both[1].state(), Array::State::kEvaluated);
}

TEST(Lazy, holds_one_step_of_a_long_program) {
    const std::int64_t before = lazy_statistics().live_nodes;
    Array state = number(1);
    state = (sin(state) + 1.0) / 2.0;
    state.eval();
    const std::uint64_t compiled = lazy_statistics().compiled;
    for (int step = 0; step < 100'000; ++step) {
        state = (sin(state) + 1.0) / 2.0;
        state.eval();
        ASSERT_LE(lazy_statistics().live_nodes, before + 2);
    }
    EXPECT_EQ(lazy_statistics().compiled, compiled);
    state = Array();
    EXPECT_EQ(lazy_statistics().live_nodes, before);
}

TEST(Lazy, forgets_structures_it_has_not_seen_for_long) {
    for (int i = 1; i < 3000; ++i)
        (number(1) * (1.0 / i)).eval();
    EXPECT_LE(lazy_statistics().held_bytes, std::uint64_t{64} << 20);
    clear_lazy_cache();
    EXPECT_EQ(lazy_statistics().held_bytes, 0U);
}

TEST(Lazy, ends_and_evaluates_long_chains_without_recursion) {
    constexpr int kLength = 300'000;
    const std::int64_t before = lazy_statistics().live_nodes;
    {
        Array dropped = number(0);
        for (int i = 0; i < kLength; ++i)
            dropped = dropped + 1.0;
    }
    EXPECT_EQ(lazy_statistics().live_nodes, before);
    Array used = number(0);
    for (int i = 0; i < kLength; ++i)
        used = used + 1.0;
    EXPECT_EQ(used.to_float(), kLength);
    EXPECT_EQ(lazy_statistics().live_nodes, before + 1);
    clear_lazy_cache();
}

TEST(Lazy, refuses_a_wrong_program_where_it_stands) {
    const Array a = full({2, 3}, 1);
    try {
        (void)matmul(a, a);
        FAIL();
    } catch (const TraceError& error) {
        EXPECT_EQ(error.kind(), TraceErrorKind::kShapeMismatch);
        EXPECT_NE(std::string(error.what()).find("[2,3]"), std::string::npos) << error.what();
        EXPECT_EQ(error.operation(), "matmul");
        EXPECT_EQ(error.types().size(), 2U);
    }
}

TEST(Lazy, runs_a_loop_of_one_structure_with_what_it_captured) {
    Array weight = number(0.25) + 0.25;
    std::uint64_t compiled = 0;
    for (int step = 0; step < 3; ++step) {
        weight = scan([&](std::span<const Array> c) { return Arrays{c[0] + weight}; }, Arrays{number(0)}, {},
                      {.length = 4})[0];
        weight.eval();
        if (step == 1) compiled = lazy_statistics().compiled;
    }
    // The first step holds the sum as well.
    EXPECT_EQ(lazy_statistics().compiled, compiled);
    EXPECT_EQ(weight.to_float(), 32.0);
}

}  // namespace
}  // namespace tilemeter::trace
