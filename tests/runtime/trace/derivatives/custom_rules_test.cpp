// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of operations that programs register. Their rules are wrong on purpose: by a factor that shows which one
// was asked.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/trace/arrays/apply.hpp"
#include "runtime/trace/arrays/control_flow.hpp"
#include "runtime/trace/arrays/functions.hpp"
#include "runtime/trace/arrays/jit.hpp"
#include "runtime/trace/calls/custom_operation.hpp"
#include "runtime/trace/calls/evaluate.hpp"
#include "runtime/trace/calls/lower.hpp"
#include "runtime/trace/derivatives/transforms.hpp"
#include "runtime/trace/export/stablehlo.hpp"
#include "runtime/trace/primitives/error.hpp"
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
using test::Values;
using test::values_of;
using test::vector;
using Arrays = std::vector<Array>;
using Arguments = std::span<const Array>;
using Ids = CustomOperation::Ids;

constexpr double kJvpFactor = 10;
constexpr double kVjpFactor = 100;

// x * x, computed on the host.
CustomOperation square(const std::string& name) {
    return {.name = name,
            .operands = {1, 1},
            .infer = [](std::span<const TensorType> x, const Attributes&) { return std::vector{x[0]}; },
            .compute =
                [](std::span<const Constant> x, const Attributes&) {
                    Values values = values_of(x[0]);
                    for (double& each : values)
                        each *= each;
                    return std::vector{Constant::of(x[0].type().element, x[0].type().shape,
                                                    std::span<const double>(values))};
                }};
}

std::vector<ValueId> lowered(FlatBuilder& to, Ids x, const Attributes&) {
    return {to.mul(x[0], x[0])};
}

std::vector<ValueId> pushed(FlatBuilder& to, Ids x, Ids t, const Attributes&) {
    return {to.mul(to.mul(x[0], t[0]), 2 * kJvpFactor)};
}

std::vector<ValueId> pulled(FlatBuilder& to, Ids x, Ids, Ids ct, const Attributes&) {
    return {to.mul(to.mul(x[0], ct[0]), 2 * kVjpFactor)};
}

Function call_of(CustomOperation definition) {
    const std::string name = definition.name;
    register_operation(std::move(definition), true);
    return [name](Arguments x) { return trace::apply(name, x); };
}

double slope(const Function& f, double x) {
    return grad(f)(Arrays{number(x)})[0].to_float();
}
double push(const Function& f, double x) {
    return jvp(f, Arrays{number(x)}, Arrays{number(1)}).tangents[0].to_float();
}

TEST(CustomRules, push_and_pull_by_a_rule_jvp) {
    CustomOperation definition = square("test.pushed");
    definition.jvp = pushed;
    const Function f = call_of(definition);
    EXPECT_EQ(push(f, 3), 6 * kJvpFactor);
    EXPECT_EQ(slope(f, 3), 6 * kJvpFactor);
    EXPECT_EQ(slope(grad(f), 3), 2 * kJvpFactor);
}

TEST(CustomRules, push_and_pull_by_a_rule_vjp) {
    CustomOperation definition = square("test.pulled");
    definition.vjp = pulled;
    const Function f = call_of(definition);
    EXPECT_EQ(push(f, 3), 6 * kVjpFactor);
    EXPECT_EQ(slope(f, 3), 6 * kVjpFactor);
    EXPECT_EQ(slope(grad(f), 3), 2 * kVjpFactor);
    EXPECT_EQ(hvp(f, Arrays{number(3)}, Arrays{number(1)})[0].to_float(), 2 * kVjpFactor);
    const Linearized parts =
        linearize(*trace("f", f, std::vector<TensorType>{{ElementType::kF64, {}, {}}}).graph, {0});
    const std::vector<Constant> values = evaluate(parts.primal, std::vector{number(3).value()});
    std::vector<Constant> inputs(values.begin() + 1, values.end());
    inputs.push_back(number(1).value());
    EXPECT_EQ(evaluate(parts.linear, inputs)[0].double_at(0), 6 * kVjpFactor);
}

TEST(CustomRules, prefer_each_mode_its_own_rule) {
    CustomOperation definition = square("test.both");
    definition.jvp = pushed;
    definition.vjp = pulled;
    const Function f = call_of(definition);
    EXPECT_EQ(push(f, 3), 6 * kJvpFactor);
    EXPECT_EQ(slope(f, 3), 6 * kVjpFactor);
}

// The rule is for derivatives; values and exports go on by the formula, and so does a second derivative's primal part.
TEST(CustomRules, come_before_the_formula) {
    CustomOperation definition = square("test.formula");
    definition.compute = nullptr;
    definition.lower = lowered;
    const Function plain = call_of(definition);
    EXPECT_EQ(slope(plain, 3), 6);
    definition.vjp = pulled;
    const Function f = call_of(definition);
    EXPECT_EQ(f(Arrays{number(3)})[0].to_float(), 9);
    EXPECT_EQ(slope(f, 3), 6 * kVjpFactor);
    const Function both = value_and_grad(f);
    EXPECT_EQ(both(Arrays{number(3)})[0].to_float(), 9);
    const ir::Graph gradient =
        value_and_grad(*trace("f", f, std::vector<TensorType>{{ElementType::kF32, {}, {}}}).graph, {0});
    EXPECT_EQ(to_stablehlo(gradient).find("custom_call"), std::string::npos) << to_stablehlo(gradient);
    const Function nested = [&](Arguments x) { return Arrays{f(x)[0] * grad(f)(x)[0]}; };
    EXPECT_EQ(slope(nested, 3), 6 * kVjpFactor * 6 * kVjpFactor + 9 * 2 * kVjpFactor);
    Jit compiled("f", grad(nested));
    EXPECT_EQ(compiled(Arrays{number(3)})[0].to_float(), slope(nested, 3));
}

TEST(CustomRules, hold_in_bodies) {
    CustomOperation definition = square("test.body");
    definition.vjp = pulled;
    const Function f = call_of(definition);
    const Function inside[] = {
        [&](Arguments x) { return call("f", f, x); }, [&](Arguments x) { return checkpoint(f, x); },
        [&](Arguments x) { return cond(x[0] > 0.0, f, f, x); },
        [&](Arguments x) { return scan([&](Arguments c) { return f(c); }, x, {}, {.length = 1}); }};
    for (const Function& each : inside) {
        EXPECT_EQ(slope(each, 3), 6 * kVjpFactor);
        EXPECT_EQ(push(each, 3), 6 * kVjpFactor);
    }
}

TEST(CustomRules, leave_integers_out) {
    CustomOperation definition{
        .name = "test.scaled",
        .operands = {2, 2},
        .infer =
            [](std::span<const TensorType> x, const Attributes&) {
                return std::vector{x[0], x[1]};
            },
        .compute =
            [](std::span<const Constant> x, const Attributes&) {
                return std::vector{
                    x[0], Constant::scalar(ElementType::kF64,
                                           x[1].double_at(0) * static_cast<double>(x[0].integer_at(0)))};
            },
        .vjp =
            [](FlatBuilder& to, Ids x, Ids, Ids ct, const Attributes&) {
                EXPECT_EQ(ct.size(), 1U);
                return std::vector{to.mul(ct[0], to.convert(x[0], ElementType::kF64))};
            }};
    const Function f = call_of(definition);
    const Array three = Array(Constant::scalar(ElementType::kI32, 3));
    const Pulled way = vjp(f, Arrays{three, number(2)});
    EXPECT_EQ(way.back(Arrays{number(1)})[0].to_float(), 3);
    EXPECT_EQ(jvp(f, Arrays{three, number(2)}, Arrays{number(5)}).tangents[0].to_float(), 15);
}

TEST(CustomRules, map_lanes_by_a_rule_batch_or_the_formula) {
    CustomOperation definition = square("test.lanes");
    const Array lanes = vector({1, 2, 3});
    const Function plain = call_of(definition);
    EXPECT_EQ(kind_of([&] { vmap(plain, {0})(Arrays{lanes}); }, "test.lanes: found no rule 'batch'"),
              TraceErrorKind::kNoRule);
    definition.lower = lowered;
    const Function by_formula = call_of(definition);
    EXPECT_EQ(values_of(vmap(by_formula, {0})(Arrays{lanes})[0]), (Values{1, 4, 9}));
    definition.batch = [](FlatBuilder& to, Ids x, const std::vector<bool>& is_mapped, std::int64_t count,
                          const Attributes&) {
        EXPECT_TRUE(is_mapped[0]);
        EXPECT_EQ(count, 3);
        return std::vector{to.add(to.mul(x[0], x[0]), 1000)};
    };
    const Function f = call_of(definition);
    EXPECT_EQ(values_of(vmap(f, {0})(Arrays{lanes})[0]), (Values{1001, 1004, 1009}));
}

TEST(CustomRules, name_what_is_missing) {
    const Function f = call_of(square("test.neither"));
    EXPECT_EQ(kind_of([&] { slope(f, 1); }, "test.neither: found no rule 'vjp'"), TraceErrorKind::kNoRule);
    EXPECT_EQ(kind_of([&] { push(f, 1); }, "test.neither: found no rule 'jvp'"), TraceErrorKind::kNoRule);
    CustomOperation wrong = square("test.wrong");
    wrong.vjp = [](FlatBuilder&, Ids, Ids, Ids ct, const Attributes&) {
        return std::vector<ValueId>{ct[0], ct[0]};
    };
    const Function g = call_of(wrong);
    EXPECT_EQ(kind_of([&] { slope(g, 1); }, "test.wrong: rule 'vjp': found results (f64[], f64[])"),
              TraceErrorKind::kBadResult);
}

}  // namespace
}  // namespace tilemeter::trace
