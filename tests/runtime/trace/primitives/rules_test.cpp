// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Each rule of each primitive, against values alone: derivatives against differences, batches against lanes.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/ir/error.hpp"
#include "capture/ir/verify.hpp"
#include "runtime/trace/calls/evaluate.hpp"
#include "runtime/trace/derivatives/derivatives.hpp"
#include "runtime/trace/derivatives/vmap.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"
#include "tests/runtime/trace/primitives/cases.hpp"

namespace tilemeter::trace {
namespace {

using ir::Constant;
using ir::ElementType;
using ir::Graph;
using ir::Shape;
using ir::TensorType;
using test::all_cases;
using test::Arrays;
using test::Case;
using test::graph_of;
using test::inputs_of;
using test::Numbers;
using test::Operand;

Arrays operator+(Arrays a, const Arrays& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

Arrays last(const Arrays& arrays, std::size_t count) {
    return {arrays.end() - static_cast<std::ptrdiff_t>(count), arrays.end()};
}

// a + factor b
Constant moved(const Constant& a, const Constant& b, double factor) {
    std::vector<double> values;
    for (std::size_t i = 0; i < static_cast<std::size_t>(a.type().shape.elements()); ++i)
        values.push_back(a.double_at(i) + factor * b.double_at(i));
    return Constant::of(a.type().element, a.type().shape, std::span<const double>(values));
}

double inner(const Arrays& a, const Arrays& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t k = 0; k < static_cast<std::size_t>(a[i].type().shape.elements()); ++k)
            sum += a[i].double_at(k) * b[i].double_at(k);
    return sum;
}

void expect_near(const Arrays& found, const Arrays& expected, double tolerance) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_EQ(found[i].type(), expected[i].type());
        for (std::size_t k = 0; k < static_cast<std::size_t>(found[i].type().shape.elements()); ++k)
            ASSERT_NEAR(found[i].double_at(k), expected[i].double_at(k),
                        tolerance * (1 + std::fabs(expected[i].double_at(k))))
                << "result " << i << ", element " << k;
    }
}

/// A function with tangents of its float parameters, and their effect by differences.
struct Direction {
    Graph graph;
    Positions wrt;
    Arrays inputs;
    Arrays tangents;

    [[nodiscard]] Arrays at(double step) const {
        Arrays there = inputs;
        for (std::size_t i = 0; i < wrt.size(); ++i)
            there[wrt[i]] = moved(inputs[wrt[i]], tangents[i], step);
        return evaluate(graph, there);
    }

    // The difference of float results.
    [[nodiscard]] Arrays difference() const {
        constexpr double kStep = 1e-5;
        const Arrays after = at(kStep);
        const Arrays before = at(-kStep);
        Arrays all;
        for (std::size_t i = 0; i < after.size(); ++i)
            if (ir::is_float(after[i].type().element)) {
                const Constant both = moved(after[i], before[i], -1);
                all.push_back(moved(both, both, 1 / (2 * kStep) - 1));
            }
        return all;
    }
};

Direction direction_of(const Graph& graph, const Positions& wrt, const Arrays& inputs, Numbers& numbers) {
    Direction direction{graph, wrt, inputs, {}};
    for (const std::size_t position : direction.wrt)
        direction.tangents.push_back(numbers.of(inputs[position].type()));
    return direction;
}

std::string label(const Case& each, std::size_t i) {
    return "case " + std::to_string(i) + ": " + each.primitive;
}

// The functions that have a step where the case's numbers are take no part in differences.
bool has_differences(const Case& each) {
    return each.attributes.find("stop_gradient") == nullptr;
}

TEST(DerivativeRules, tangents_are_those_of_differences) {
    const std::vector<Case> cases = all_cases();
    for (std::size_t i = 0; i < cases.size(); ++i) {
        SCOPED_TRACE(label(cases[i], i));
        Numbers numbers;
        const Graph graph = graph_of(cases[i]);
        const Arrays inputs = inputs_of(cases[i], numbers);
        const Direction f = direction_of(graph, float_params(graph), inputs, numbers);
        const Graph forward = jvp(f.graph, f.wrt);
        ASSERT_EQ(ir::verify(forward, flat_operations()), std::nullopt);
        if (!has_differences(cases[i])) continue;
        const Arrays expected = f.difference();
        expect_near(last(evaluate(forward, f.inputs + f.tangents), expected.size()), expected, 1e-7);
    }
}

TEST(DerivativeRules, transposes_are_dual_to_tangents) {
    const std::vector<Case> cases = all_cases();
    for (std::size_t i = 0; i < cases.size(); ++i) {
        SCOPED_TRACE(label(cases[i], i));
        Numbers numbers;
        const Graph graph = graph_of(cases[i]);
        const Arrays inputs = inputs_of(cases[i], numbers);
        const Direction f = direction_of(graph, float_params(graph), inputs, numbers);
        const Graph backward = vjp(f.graph, f.wrt);
        ASSERT_EQ(ir::verify(backward, flat_operations()), std::nullopt);
        Arrays cotangents;
        for (std::size_t k = inputs.size(); k < backward.params().size(); ++k)
            cotangents.push_back(numbers.of(backward.type(backward.params()[k])));
        const Arrays out = last(evaluate(jvp(f.graph, f.wrt), f.inputs + f.tangents), cotangents.size());
        const Arrays in = last(evaluate(backward, f.inputs + cotangents), f.wrt.size());
        const double left = inner(cotangents, out);
        EXPECT_NEAR(left, inner(in, f.tangents), 1e-11 * (1 + std::fabs(left)));
    }
}

TEST(DerivativeRules, second_derivatives_are_those_of_differences) {
    const std::vector<Case> cases = all_cases();
    for (std::size_t i = 0; i < cases.size(); ++i) {
        SCOPED_TRACE(label(cases[i], i));
        if (!has_differences(cases[i])) continue;
        Numbers numbers;
        const Graph graph = graph_of(cases[i]);
        const Graph backward = vjp(graph, float_params(graph));
        Arrays inputs = inputs_of(cases[i], numbers);
        for (std::size_t k = inputs.size(); k < backward.params().size(); ++k)
            inputs.push_back(numbers.of(backward.type(backward.params()[k])));
        const Direction f = direction_of(backward, float_params(backward), inputs, numbers);
        const Arrays expected = f.difference();
        expect_near(last(evaluate(jvp(f.graph, f.wrt), f.inputs + f.tangents), expected.size()), expected,
                    1e-6);
        const Graph twice = vjp(backward, f.wrt);
        ASSERT_EQ(ir::verify(twice, flat_operations()), std::nullopt);
    }
}

constexpr std::int64_t kLanes = 3;

// One lane of a value whose first axis is mapped.
Constant lane_of(const Constant& all, std::int64_t lane) {
    TensorType type = all.type();
    type.shape = Shape(type.shape.dims().subspan(1));
    const std::size_t bytes = ir::byte_size(type);
    return Constant::copy_of(type, all.bytes().subspan(static_cast<std::size_t>(lane) * bytes, bytes));
}

// An operand of each lane, along the first axis; integers are those of the case, moved by the lane.
Constant operand_lanes(const Operand& operand, Numbers& numbers) {
    TensorType type{operand.element, {kLanes}, {}};
    for (const std::int64_t dim : operand.shape)
        type.shape.push_back(dim);
    if (operand.values.empty()) return numbers.of(type, operand.low, operand.high);
    std::vector<double> values;
    for (std::int64_t lane = 0; lane < kLanes; ++lane)
        for (std::size_t i = 0; i < operand.values.size(); ++i)
            values.push_back(operand.values[(i + static_cast<std::size_t>(lane)) % operand.values.size()] +
                             (operand.element == ElementType::kI32 ? static_cast<double>(lane) : 0.0));
    return Constant::of(type.element, type.shape, std::span<const double>(values));
}

void expect_lanes(const Graph& graph, const Case& each, const Arrays& more, std::uint32_t mapped) {
    Numbers numbers;
    MappedAxes in_axes;
    Arrays inputs;
    for (std::size_t i = 0; i < each.operands.size(); ++i) {
        const bool is_mapped = ((mapped >> i) & 1) != 0;
        in_axes.push_back(is_mapped ? std::optional<std::int64_t>(0) : std::nullopt);
        inputs.push_back(is_mapped ? operand_lanes(each.operands[i], numbers) : numbers.of(each.operands[i]));
    }
    in_axes.resize(in_axes.size() + more.size());
    const Graph all =
        vmap(graph, kLanes, in_axes, MappedAxes(graph.results().size(), std::optional<std::int64_t>(0)));
    ASSERT_EQ(ir::verify(all, flat_operations()), std::nullopt);
    const Arrays found = evaluate(all, inputs + more);
    for (std::int64_t lane = 0; lane < kLanes; ++lane) {
        Arrays one = inputs;
        for (std::size_t i = 0; i < one.size(); ++i)
            if (in_axes[i]) one[i] = lane_of(inputs[i], lane);
        Arrays found_lane;
        for (const Constant& result : found)
            found_lane.push_back(lane_of(result, lane));
        expect_near(found_lane, evaluate(graph, one + more), 1e-12);
    }
}

TEST(DerivativeRules, batches_are_their_lanes) {
    const std::vector<Case> cases = all_cases();
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const Graph graph = graph_of(cases[i]);
        for (std::uint32_t mapped = 0; mapped < (1U << cases[i].operands.size()); ++mapped) {
            SCOPED_TRACE(label(cases[i], i) + ", mapped " + std::to_string(mapped));
            expect_lanes(graph, cases[i], {}, mapped);
        }
    }
}

TEST(DerivativeRules, batches_of_transposes_are_their_lanes) {
    const std::vector<Case> cases = all_cases();
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const Graph graph = graph_of(cases[i]);
        const Graph backward = vjp(graph, float_params(graph));
        Numbers numbers;
        Arrays cotangents;
        for (std::size_t k = cases[i].operands.size(); k < backward.params().size(); ++k)
            cotangents.push_back(numbers.of(backward.type(backward.params()[k])));
        for (std::uint32_t mapped = 1; mapped < (1U << cases[i].operands.size()); ++mapped) {
            SCOPED_TRACE(label(cases[i], i) + ", mapped " + std::to_string(mapped));
            expect_lanes(backward, cases[i], cotangents, mapped);
        }
    }
}

}  // namespace
}  // namespace tilemeter::trace
