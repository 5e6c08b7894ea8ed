// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/calls/custom_operation.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/ir/passes/compare.hpp"
#include "capture/ir/passes/passes.hpp"
#include "capture/ir/text.hpp"
#include "capture/ir/verify.hpp"
#include "runtime/trace/arrays/apply.hpp"
#include "runtime/trace/arrays/control_flow.hpp"
#include "runtime/trace/arrays/functions.hpp"
#include "runtime/trace/arrays/jit.hpp"
#include "runtime/trace/arrays/methods.hpp"
#include "runtime/trace/calls/call_operations.hpp"
#include "runtime/trace/calls/evaluate.hpp"
#include "runtime/trace/calls/lower.hpp"
#include "runtime/trace/calls/simplify.hpp"
#include "runtime/trace/export/stablehlo.hpp"
#include "runtime/trace/primitives/error.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"
#include "tests/runtime/trace/values.hpp"

namespace tilemeter::trace {
namespace {

using ir::Attributes;
using ir::Constant;
using ir::ElementType;
using ir::TensorType;
using ir::ValueId;
using test::kind_of;
using test::number;
using Arrays = std::vector<Array>;
using Arguments = std::span<const Array>;
using Types = std::vector<TensorType>;

std::vector<TensorType> same(std::span<const TensorType> operands, const Attributes&) {
    return {operands[0]};
}

// Computed on the host: x + by.
CustomOperation shift() {
    return {.name = "test.shift",
            .operands = {1, 1},
            .attributes = {{"by", ir::AttributeKind::kFloat}},
            .infer = same,
            .compute = [](std::span<const Constant> x, const Attributes& attributes) {
                return std::vector{
                    Constant::scalar(ElementType::kF64, x[0].double_at(0) + attributes.get<double>("by"))};
            }};
}

// A formula of primitives: its square, and its square once more.
CustomOperation powers() {
    return {.name = "test.powers",
            .operands = {1, 1},
            .infer =
                [](std::span<const TensorType> x, const Attributes&) {
                    return Types{x[0], x[0]};
                },
            .lower =
                [](FlatBuilder& to, std::span<const ValueId> x, const Attributes&) {
                    const ValueId square = to.mul(x[0], x[0]);
                    return std::vector{square, to.mul(square, square)};
                }};
}

TEST(CustomOperation, runs_traced_pending_and_compiled) {
    register_operation(shift(), true);
    const Function f = [](Arguments x) { return trace::apply("test.shift", x, {{"by", 0.5}}); };
    EXPECT_EQ(f(std::vector{number(1)})[0].to_float(), 1.5);
    Jit compiled("f", f);
    EXPECT_EQ(compiled(std::vector{number(2)})[0].to_float(), 2.5);
    const TracedGraph traced = trace("f", f, std::vector<TensorType>{{ElementType::kF64, {}, {}}});
    EXPECT_FALSE(ir::verify(*traced.graph, call_operations()));
    EXPECT_TRUE(equal(ir::parse(ir::print(*traced.graph)), *traced.graph));
    const ir::Graph flat = lower(*traced.graph);
    EXPECT_FALSE(ir::verify(flat, flat_operations()));
    EXPECT_EQ(flat.equation(0).operation(), "custom_call");
    EXPECT_EQ(evaluate(simplify(flat), std::vector{number(3).value()})[0].double_at(0), 3.5);
    EXPECT_NE(to_stablehlo(flat).find("stablehlo.custom_call @test.shift"), std::string::npos)
        << to_stablehlo(flat);
    // In a body of control flow as well.
    EXPECT_EQ(scan(f, Arrays{number(0)}, {}, {.length = 4})[0].to_float(), 2.0);
}

TEST(CustomOperation, is_lowered_by_its_own_formula) {
    register_operation(powers(), true);
    const Arrays results = trace::apply("test.powers", std::vector{number(3)});
    EXPECT_EQ(results[0].to_float(), 9);
    EXPECT_EQ(results[1].to_float(), 81);
    const TracedGraph traced = trace(
        "f", [](Arguments x) { return trace::apply("test.powers", x); },
        std::vector<TensorType>{{ElementType::kF32, {4}, {}}});
    EXPECT_EQ(lower(*traced.graph).equation_count(), 2U);
    EXPECT_EQ(lower(*traced.graph).equation(0).operation(), "mul");
}

TEST(CustomOperation, is_not_folded_and_stays_where_it_has_effects) {
    CustomOperation seen = shift();
    seen.name = "test.seen";
    seen.effects = ir::Effects::kOrdered;
    register_operation(seen, true);
    register_operation(shift(), true);
    const TracedGraph traced = trace(
        "f",
        [](Arguments x) {
            (void)trace::apply("test.seen", x, {{"by", 0.0}});
            return trace::apply("test.shift", Arrays{number(1)}, {{"by", 0.0}});
        },
        std::vector<TensorType>{{ElementType::kF64, {}, {}}});
    EXPECT_EQ(traced.graph->equation_count(), 2U);
    EXPECT_EQ(simplify(*traced.graph).equation_count(), 2U);
}

TEST(CustomOperation, has_its_effects_at_each_run_and_in_order) {
    std::vector<double> seen;
    register_operation({.name = "test.print",
                        .operands = {1, 1},
                        .effects = ir::Effects::kOrdered,
                        .infer = [](std::span<const TensorType>, const Attributes&) { return Types{}; },
                        .compute =
                            [&](std::span<const Constant> x, const Attributes&) {
                                seen.push_back(x[0].double_at(0));
                                return std::vector<Constant>{};
                            }},
                       true);
    const auto print = [](const Array& x) { trace::apply("test.print", Arrays{x}); };
    const Function f = [&](Arguments x) {
        print(x[0]);
        const Arrays last = scan(
            [&](Arguments c) {
                print(c[0] + 1.0);
                return Arrays{c[0] + 1.0};
            },
            x, {}, {.length = 2});
        print(last[0] * 10.0);
        return Arrays{x[0]};
    };
    const std::vector<double> expected{1, 2, 3, 30};
    f(std::vector{number(1)});
    EXPECT_EQ(seen, expected);
    for (const Mode mode : {Mode::kAbstract, Mode::kConcrete}) {
        Jit compiled("f", f, {.mode = mode});
        for (int call = 0; call < 2; ++call) {
            seen.clear();
            compiled(std::vector{number(1)});
            EXPECT_EQ(seen, expected);
        }
    }
    register_operation({.name = "test.print", .operands = {1, 1}, .infer = same}, true);
}

TEST(CustomOperation, may_compute_with_arrays) {
    register_operation(
        {.name = "test.doubled",
         .operands = {1, 1},
         .infer = same,
         .compute = [](std::span<const Constant> x,
                       const Attributes&) { return std::vector{(Array(x[0]) * 2.0).value()}; }},
        true);
    const auto f = trace_concrete(
        "f", [](Arguments x) { return trace::apply("test.doubled", x); }, std::vector{number(4).value()});
    EXPECT_EQ(f.values[0].double_at(0), 8.0);
    EXPECT_EQ(f.graph->equation_count(), 1U);
    EXPECT_EQ(evaluate(*f.graph, std::vector{number(5).value()})[0].double_at(0), 10.0);
}

TEST(CustomOperation, names_the_rule_that_is_missing) {
    register_operation({.name = "test.typed", .operands = {1, 1}, .infer = same}, true);
    const Array x = trace::apply("test.typed", Arrays{number(1)})[0];
    EXPECT_EQ(text_of(x.type()), "f64[]");
    EXPECT_EQ(kind_of([&] { x.eval(); }, "test.typed: found no rule 'compute'"), TraceErrorKind::kNoRule);
    EXPECT_EQ(kind_of([] { register_operation({.name = "test.nothing", .infer = nullptr}); }, "'infer'"),
              TraceErrorKind::kNoRule);
}

TEST(CustomOperation, holds_rules_to_what_was_inferred) {
    CustomOperation wrong = shift();
    wrong.name = "test.wrong";
    wrong.compute = [](std::span<const Constant>, const Attributes&) {
        return std::vector{Constant::scalar(true)};
    };
    register_operation(wrong, true);
    EXPECT_EQ(kind_of(
                  [] {
                      trace::apply("test.wrong", Arrays{number(1)}, {{"by", 1.0}})[0].eval();
                  },
                  "found results (bool[]), expected (f64[])"),
              TraceErrorKind::kBadResult);
    EXPECT_EQ(kind_of([] { trace::apply("test.wrong", Arrays{number(1)}); }, "'by'"),
              TraceErrorKind::kBadArgument);
    EXPECT_EQ(kind_of(
                  [] {
                      trace::apply("test.wrong", Arrays{}, {{"by", 1.0}});
                  },
                  "operands"),
              TraceErrorKind::kBadArgument);
}

TEST(CustomOperation, has_a_name_of_its_own) {
    register_operation(powers(), true);
    EXPECT_EQ(kind_of([] { register_operation(powers()); }, "again"), TraceErrorKind::kBadArgument);
    for (const char* const name : {"tanh", "scan", "flat.add"})
        EXPECT_EQ(kind_of([&] { register_operation({.name = name, .infer = same}); }, "built in"),
                  TraceErrorKind::kBadArgument);
    EXPECT_EQ(kind_of([] { register_operation({.name = "two words", .infer = same}); }, "letters"),
              TraceErrorKind::kBadArgument);
}

TEST(Methods, are_found_by_name) {
    register_operation(powers(), true);
    register_method(
        "test_twice", [](Arguments x, const Attributes&) { return Arrays{x[0] * 2.0}; }, true);
    EXPECT_EQ(number(2).call("test_twice").to_float(), 4);
    EXPECT_EQ(number(2).call("maximum", {3.0}).to_float(), 3);
    EXPECT_EQ(call_method("test.powers", std::vector{number(2)})[1].to_float(), 16);
    EXPECT_EQ(method_names(), std::vector<std::string>{"test_twice"});
    EXPECT_EQ(find_method("test_nothing"), nullptr);
    EXPECT_EQ(kind_of([] { (void)number(2).call("test_nothing"); }, "test_nothing"),
              TraceErrorKind::kBadArgument);
    EXPECT_EQ(kind_of([] { (void)number(2).call("test.powers"); }, "2 results"), TraceErrorKind::kBadResult);
    EXPECT_EQ(kind_of([] { register_method("tanh", {}); }, "again"), TraceErrorKind::kBadArgument);
}

}  // namespace
}  // namespace tilemeter::trace
