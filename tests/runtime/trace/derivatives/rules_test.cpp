// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Each rule of each primitive, against values alone: derivatives against differences, batches against lanes.

#include "runtime/trace/derivatives/internal/rules.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/ir/error.hpp"
#include "capture/ir/verify.hpp"
#include "runtime/trace/calls/evaluate.hpp"
#include "runtime/trace/derivatives/derivatives.hpp"
#include "runtime/trace/derivatives/vmap.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"
#include "tests/paths.hpp"

namespace tilemeter::trace {
namespace {

using ir::Attributes;
using ir::Constant;
using ir::ElementType;
using ir::Graph;
using ir::Integers;
using ir::Shape;
using ir::TensorType;
using ir::ValueId;
using Arrays = std::vector<Constant>;

/// An operand with numbers between two limits, or with those that are given.
struct Operand {
    Shape shape;
    double low = -2;
    double high = 2;
    ElementType element = ElementType::kF64;
    std::vector<double> values{};
};

Operand integers(Shape shape, std::vector<double> values, ElementType element = ElementType::kI32) {
    return {std::move(shape), 0, 0, element, std::move(values)};
}
Operand integer(double value) {
    return integers({}, {value});
}
Operand truths(Shape shape, std::vector<double> values) {
    return {std::move(shape), 0, 0, ElementType::kBool, std::move(values)};
}

struct Case {
    std::string primitive;
    std::vector<Operand> operands;
    Attributes attributes{};
};

std::vector<Case> unary_cases() {
    std::vector<Case> cases;
    for (const char* const name :
         {"exp", "expm1", "sin", "cos", "tanh", "logistic", "erf", "neg", "copy", "abs", "cbrt", "sign",
          "floor", "ceil", "round_even", "round_away", "is_finite"})
        cases.push_back({name, {{{2, 3}}}});
    for (const char* const name : {"log", "sqrt", "rsqrt", "lgamma", "digamma"})
        cases.push_back({name, {{{2, 3}, 0.2, 4}}});
    cases.push_back({"digamma", {{{4}, -1.8, -1.2}}});
    cases.push_back({"log1p", {{{2, 3}, -0.8, 4}}});
    cases.push_back({"tan", {{{2, 3}, -1.2, 1.2}}});
    cases.push_back({"erf_inv", {{{2, 3}, -0.9, 0.9}}});
    cases.push_back({"copy", {{{2, 3}}}, {{"stop_gradient", true}}});
    cases.push_back({"convert", {{{2, 3}}}, {{"dtype", ElementType::kF64}}});
    cases.push_back({"convert", {integers({3}, {1, 2, 3})}, {{"dtype", ElementType::kF64}}});
    cases.push_back({"convert", {{{3}}}, {{"dtype", ElementType::kI32}}});
    cases.push_back({"bitcast_convert", {{{3}}}, {{"dtype", ElementType::kI64}}});
    cases.push_back({"not", {truths({3}, {1, 0, 1})}});
    cases.push_back({"popcnt", {integers({3}, {1, 2, 7})}});
    return cases;
}

std::vector<Case> elementwise_cases() {
    std::vector<Case> cases = unary_cases();
    for (const char* const name : {"add", "sub", "mul", "atan2", "maximum", "minimum"})
        cases.push_back({name, {{{2, 3}}, {{2, 3}}}});
    cases.push_back({"div", {{{2, 3}}, {{2, 3}, 0.5, 2}}});
    cases.push_back({"rem", {{{2, 3}, 2.1, 2.9}, {{2, 3}, 0.8, 0.95}}});
    cases.push_back({"pow", {{{2, 3}, 0.3, 2}, {{2, 3}}}});
    for (const char* const name : {"and", "or", "xor"})
        cases.push_back({name, {truths({3}, {1, 0, 1}), truths({3}, {1, 1, 0})}});
    for (const char* const name : {"shift_left", "shift_right_logical", "shift_right_arithmetic"})
        cases.push_back({name, {integers({3}, {5, -6, 7}), integers({3}, {1, 2, 0})}});
    for (const char* const direction : {"EQ", "LT"})
        cases.push_back({"compare", {{{3}}, {{3}}}, {{"direction", std::string(direction)}}});
    cases.push_back({"select", {truths({3}, {1, 0, 1}), {{3}}, {{3}}}});
    cases.push_back({"select", {truths({}, {1}), {{2, 3}}, {{2, 3}}}});
    cases.push_back({"select", {truths({}, {0}), {{}}, {{}}}});
    cases.push_back({"clamp", {{{}, -0.6, -0.5}, {{2, 3}}, {{}, 0.5, 0.6}}});
    cases.push_back({"clamp", {{{3}, -0.6, -0.5}, {{3}}, {{3}, 0.5, 0.6}}});
    const Operand word = integers({2}, {12345, 678}, ElementType::kU32);
    cases.push_back({"threefry2x32", {word, word, word, word}});
    return cases;
}

Attributes dot(Integers lhs_batch, Integers rhs_batch, Integers lhs_contract, Integers rhs_contract) {
    return {{"lhs_batch", std::move(lhs_batch)},
            {"rhs_batch", std::move(rhs_batch)},
            {"lhs_contract", std::move(lhs_contract)},
            {"rhs_contract", std::move(rhs_contract)}};
}

std::vector<Case> product_cases() {
    return {
        {"dot_general", {{{2, 3}}, {{3, 4}}}, dot({}, {}, {1}, {0})},
        {"dot_general", {{{3}}, {{3}}}, dot({}, {}, {0}, {0})},
        {"dot_general", {{{2}}, {{3}}}, dot({}, {}, {}, {})},
        {"dot_general", {{{5, 2, 3}}, {{3, 5, 4}}}, dot({0}, {1}, {2}, {0})},
        {"dot_general", {{{2, 3, 4, 2}}, {{3, 2, 5, 2}}}, dot({3}, {1}, {1, 0}, {0, 3})},
        {"convolution", {{{2, 3, 5, 4}}, {{4, 3, 3, 2}}}},
        {"convolution",
         {{{2, 4, 7, 6}}, {{6, 2, 3, 2}}},
         {{"strides", Integers{2, 1}},
          {"low", Integers{1, 0}},
          {"high", Integers{2, 1}},
          {"groups", std::int64_t{2}}}},
        {"convolution",
         {{{1, 2, 8}}, {{2, 2, 3}}},
         {{"strides", Integers{2}},
          {"low", Integers{-1}},
          {"high", Integers{3}},
          {"lhs_dilation", Integers{2}},
          {"rhs_dilation", Integers{3}}}},
    };
}

std::vector<Case> shape_cases() {
    return {
        {"reshape", {{{2, 6}}}, {{"shape", Integers{3, 4}}}},
        {"transpose", {{{2, 3, 4}}}, {{"perm", Integers{2, 0, 1}}}},
        {"broadcast_in_dim", {{{3, 1}}}, {{"shape", Integers{2, 3, 4}}, {"dims", Integers{1, 2}}}},
        {"broadcast_in_dim", {{{4, 3}}}, {{"shape", Integers{3, 2, 4}}, {"dims", Integers{2, 0}}}},
        {"broadcast_in_dim", {{{}}}, {{"shape", Integers{2, 3}}, {"dims", Integers{}}}},
        {"slice",
         {{{7, 5}}},
         {{"starts", Integers{1, 0}}, {"limits", Integers{7, 4}}, {"strides", Integers{3, 1}}}},
        {"slice", {{{4}}}, {{"starts", Integers{2}}, {"limits", Integers{2}}}},
        {"pad",
         {{{2, 3}}, {{}}},
         {{"low", Integers{1, 0}}, {"high", Integers{0, 2}}, {"interior", Integers{2, 0}}}},
        {"pad", {{{5, 3}}, {{}}}, {{"low", Integers{-1, 1}}, {"high", Integers{1, -2}}}},
        {"concatenate", {{{2, 3}}, {{2, 1}}, {{2, 2}}}, {{"axis", std::int64_t{1}}}},
        {"reverse", {{{2, 3}}}, {{"dims", Integers{1}}}},
        {"iota", {}, {{"shape", Integers{3}}, {"dim", std::int64_t{0}}, {"dtype", ElementType::kF64}}},
        {"full", {}, {{"shape", Integers{3}}, {"value", 2.0}, {"dtype", ElementType::kF64}}},
    };
}

Attributes gathering(Integers offsets, Integers collapsed, Integers map, std::int64_t vector,
                     Integers sizes) {
    return {{"offset_dims", std::move(offsets)},
            {"collapsed_slice_dims", std::move(collapsed)},
            {"start_index_map", std::move(map)},
            {"index_vector_dim", vector},
            {"slice_sizes", std::move(sizes)}};
}

Attributes scattering(Integers window, Integers inserted, Integers to_operand, std::int64_t vector) {
    return {{"update_window_dims", std::move(window)},
            {"inserted_window_dims", std::move(inserted)},
            {"scatter_dims_to_operand_dims", std::move(to_operand)},
            {"index_vector_dim", vector}};
}

std::vector<Case> index_cases() {
    std::vector<Case> cases{
        {"dynamic_slice", {{{4, 5}}, integer(1), integer(9)}, {{"sizes", Integers{2, 3}}}},
        {"dynamic_slice", {{{4}}, integer(-2)}, {{"sizes", Integers{3}}}},
        {"dynamic_update_slice", {{{4, 5}}, {{2, 3}}, integer(3), integer(1)}},
        // rows by number, one twice and one outside
        {"gather", {{{4, 3}}, integers({3}, {2, 2, 9})}, gathering({1}, {0}, {0}, 1, {1, 3})},
        // windows [2, 1] by pairs of numbers
        {"gather",
         {{{4, 3}}, integers({2, 3}, {0, 2, 3, 1, 0, 7})},
         gathering({0, 2}, {}, {1, 0}, 0, {2, 1})},
    };
    for (const char* const name : {"scatter", "scatter_add"}) {
        cases.push_back(
            {name, {{{4, 3}}, integers({4}, {2, 0, 2, 9}), {{4, 3}}}, scattering({1}, {0}, {0}, 1)});
        cases.push_back(
            {name, {{{4, 3}}, integers({2, 2}, {0, 2, 2, 1}), {{2, 2}}}, scattering({1}, {1}, {1, 0}, 1)});
    }
    return cases;
}

std::vector<Case> reduction_cases() {
    std::vector<Case> cases;
    for (const char* const name : {"reduce_sum", "reduce_max", "reduce_min", "reduce_prod"})
        for (const Integers& axes : {Integers{0}, Integers{2, 0}, Integers{0, 1, 2}, Integers{}})
            cases.push_back({name, {{{2, 3, 5}}}, {{"axes", axes}}});
    // products with zeros
    cases.push_back(
        {"reduce_prod", {{{5}, 0, 0, ElementType::kF64, {2, 0, 3, 0, 4}}}, {{"axes", Integers{0}}}});
    cases.push_back({"reduce_prod", {{{3}, 0, 0, ElementType::kF64, {2, 0, 3}}}, {{"axes", Integers{0}}}});
    for (const char* const name : {"reduce_and", "reduce_or"})
        cases.push_back({name, {truths({2, 2}, {1, 0, 1, 1})}, {{"axes", Integers{1}}}});
    for (const char* const name : {"arg_max", "arg_min"})
        cases.push_back({name, {{{3, 4}}}, {{"axis", std::int64_t{0}}, {"dtype", ElementType::kI32}}});
    for (const bool reverse : {false, true})
        cases.push_back({"cumsum", {{{3, 4}}}, {{"axis", std::int64_t{1}}, {"reverse", reverse}}});
    cases.push_back({"sort", {{{4, 3}}}, {{"axis", std::int64_t{0}}}});
    cases.push_back({"sort", {{{5}}, {{5}}}, {{"axis", std::int64_t{0}}, {"descending", true}}});
    cases.push_back({"top_k", {{{2, 5}}}, {{"k", std::int64_t{3}}}});
    return cases;
}

std::vector<Case> window_cases() {
    const Attributes plain{{"window", Integers{2, 3}}};
    const Attributes all{{"window", Integers{2, 2}},        {"strides", Integers{2, 1}},
                         {"low", Integers{1, 0}},           {"high", Integers{0, 1}},
                         {"base_dilation", Integers{1, 2}}, {"window_dilation", Integers{2, 1}}};
    std::vector<Case> cases;
    for (const Attributes& attributes : {plain, all})
        for (const char* const name : {"reduce_window_sum", "reduce_window_max"})
            cases.push_back({name, {{{5, 6}}}, attributes});
    cases.push_back({"select_and_scatter_add", {{{5, 6}}, {{4, 4}}}, plain});
    return cases;
}

std::vector<Case> all_cases() {
    std::vector<Case> all;
    for (const auto& cases : {elementwise_cases(), product_cases(), shape_cases(), index_cases(),
                              reduction_cases(), window_cases()})
        all.insert(all.end(), cases.begin(), cases.end());
    return all;
}

Graph graph_of(const Case& each) {
    Graph graph(each.primitive, std::string(kFlat));
    std::vector<ValueId> operands;
    for (const Operand& operand : each.operands)
        operands.push_back(
            graph.add_input("x" + std::to_string(operands.size()), {operand.element, operand.shape, {}}));
    const ir::ValueRange range =
        add_op(graph, flat_operations().at(each.primitive), operands, each.attributes);
    std::vector<ValueId> results;
    for (std::size_t i = 0; i < range.size(); ++i)
        results.push_back(range[i]);
    graph.set_results(results);
    return graph;
}

class Numbers {
public:
    Constant of(const TensorType& type, double low = -1, double high = 1) {
        std::uniform_real_distribution<double> distribution(low, high);
        std::vector<double> values(static_cast<std::size_t>(type.shape.elements()));
        for (double& value : values)
            value = distribution(engine_);
        return Constant::of(type.element, type.shape, std::span<const double>(values));
    }
    Constant of(const Operand& operand) {
        if (!operand.values.empty())
            return Constant::of(operand.element, operand.shape, std::span<const double>(operand.values));
        return of({operand.element, operand.shape, {}}, operand.low, operand.high);
    }

private:
    std::mt19937_64 engine_{7};
};

Arrays inputs_of(const Case& each, Numbers& numbers) {
    Arrays inputs;
    for (const Operand& operand : each.operands)
        inputs.push_back(numbers.of(operand));
    return inputs;
}

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

    // Of float results.
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

TEST(DerivativeRules, every_primitive_has_a_row_and_a_case) {
    std::set<std::string> tried;
    for (const Case& each : all_cases())
        tried.insert(each.primitive);
    for (const auto& operation : flat_operations().operations()) {
        if (operation->control != ir::Control::kNone || operation->name == "custom_call") continue;
        const internal::DerivativeRules* const rules = internal::find_rules(operation->name);
        ASSERT_NE(rules, nullptr) << operation->name;
        EXPECT_NE(rules->jvp, nullptr) << operation->name;
        EXPECT_NE(rules->batch, nullptr) << operation->name;
        if (operation->name == "dimension") continue;  // of no operand, and in graphs of symbolic sizes only
        EXPECT_TRUE(tried.contains(operation->name)) << operation->name;
    }
}

// The table of the documentation, line by line.
std::string table_of_rules() {
    const auto row = [](const std::string& name, const std::string& tangent, bool has_transpose) {
        return "| " + name + " | " + tangent + " | " + (has_transpose ? "yes" : "") + " |\n";
    };
    std::string table = "| primitive | tangent | transpose |\n|---|---|---|\n";
    for (const auto& operation : flat_operations().operations()) {
        const internal::DerivativeRules* const rules = internal::find_rules(operation->name);
        if (operation->name == "while")
            table += row(operation->name, "holder", false);
        else if (operation->control != ir::Control::kNone)
            table += row(operation->name, "holder", true);
        else if (rules == nullptr)
            table += row(operation->name, "none", false);
        else
            table += row(operation->name,
                         rules->jvp == internal::zero_jvp          ? "zero"
                         : rules->jvp == internal::product_jvp     ? "product"
                         : rules->linear == internal::kAllOperands ? "linear"
                         : rules->jvp == internal::linear_jvp      ? "linear in values"
                                                                   : "formula",
                         rules->transpose != nullptr);
    }
    return table;
}

TEST(DerivativeRules, documentation_has_the_table_of_rules) {
    const std::string path = tilemeter::test::data_folder() + "/../../runtime/trace/derivatives/README.md";
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_NE(text.str().find(table_of_rules()), std::string::npos)
        << "expected this table in " << path << ":\n"
        << table_of_rules();
}

}  // namespace
}  // namespace tilemeter::trace
