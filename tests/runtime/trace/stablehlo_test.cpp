// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The text alone; whether StableHLO's parser takes it and what it computes is checked where jaxlib is installed
// (runtime/trace/TRACING.md).

#include "runtime/trace/export/stablehlo.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/ir/error.hpp"
#include "runtime/trace/calls/call_operations.hpp"
#include "runtime/trace/calls/lower.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"
#include "tests/runtime/trace/values.hpp"

namespace tilemeter::trace {
namespace {

using ir::Constant;
using ir::ElementType;
using ir::Graph;
using ir::TensorType;
using ir::ValueId;
using test::kMatrix;

// A graph of one call on matrices, or of several, one after the other.
Graph graph_of(const TensorType& type, std::initializer_list<const char*> calls,
               const ir::Attributes& attributes = {}) {
    Graph graph("main", std::string(kCall));
    ValueId x = graph.add_input("x", type);
    for (const char* name : calls)
        x = add_op(graph, call_operations(), name, {x}, attributes);
    graph.set_results({x});
    return graph;
}

std::size_t lines_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

TEST(StableHlo, has_one_line_for_each_equation) {
    EXPECT_EQ(to_stablehlo(graph_of(kMatrix, {"tanh", "neg"})),
              "module @main {\n"
              "  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
              "    %0 = stablehlo.tanh %arg0 : tensor<2x3xf32>\n"
              "    %1 = stablehlo.negate %0 : tensor<2x3xf32>\n"
              "    return %1 : tensor<2x3xf32>\n"
              "  }\n"
              "}\n");
    const Graph graph = graph_of(kMatrix, {"softmax"}, {{"axis", -1}});
    // The numbers that the sum and the maximum begin with are constants of their own.
    EXPECT_EQ(lines_of(to_stablehlo(graph), "\n    %"), lower(graph).equation_count() + 2);
}

TEST(StableHlo, writes_numbers_that_read_back_to_the_same_bits) {
    Graph graph("main", std::string(kFlat));
    const double infinity = std::numeric_limits<double>::infinity();
    const std::vector<double> values = {0.1, -infinity, -0.0};
    const std::vector<double> integers = {1, -2};
    const std::vector<double> none;
    graph.set_results({graph.add_const(Constant::of(ElementType::kF32, {3}, std::span(values))),
                       graph.add_const(Constant::of(ElementType::kI8, {2, 1}, std::span(integers))),
                       graph.add_const(Constant::of(ElementType::kU32, {0}, std::span(none))),
                       graph.add_const(Constant::scalar(true))});
    const std::string text = to_stablehlo(graph);
    EXPECT_NE(text.find("dense<[1.000000e-01, 0xFF800000, -0.000000e+00]> : tensor<3xf32>"),
              std::string::npos);
    EXPECT_NE(text.find("dense<[[1], [-2]]> : tensor<2x1xi8>"), std::string::npos);
    EXPECT_NE(text.find("dense<> : tensor<0xui32>"), std::string::npos);
    EXPECT_NE(text.find("dense<true> : tensor<i1>"), std::string::npos);
}

TEST(StableHlo, has_equal_bodies_and_formulas_once) {
    const std::string text = to_stablehlo(graph_of(kMatrix, {"erf", "erf"}));
    EXPECT_EQ(lines_of(text, "func.call @erf_0"), 2U);
    EXPECT_EQ(lines_of(text, "func.func private"), 1U);
}

TEST(StableHlo, refuses_what_it_has_no_words_for) {
    EXPECT_THROW(to_stablehlo(graph_of(kMatrix, {"lgamma"})), ir::Error);
    EXPECT_THROW(to_stablehlo(graph_of({ElementType::kBfloat8B, {32}, {}}, {"neg"})), ir::Error);
}

}  // namespace
}  // namespace tilemeter::trace
