// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The rows of all primitives: each has each column or says why not, and its columns agree with each other.

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/ir/control.hpp"
#include "capture/ir/error.hpp"
#include "runtime/trace/calls/call_operations.hpp"
#include "runtime/trace/calls/evaluate.hpp"
#include "runtime/trace/export/stablehlo.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"
#include "runtime/trace/primitives/internal/primitive.hpp"
#include "tests/paths.hpp"
#include "tests/runtime/trace/primitives/cases.hpp"

namespace tilemeter::trace {
namespace {

using internal::all_primitives;
using internal::Primitive;
using internal::Reason;
using ir::Constant;
using ir::ElementType;
using ir::Graph;
using ir::ValueId;
using test::all_cases;
using test::Case;
using test::graph_of;

std::string reason_of(const internal::Text& text) {
    const auto* const reason = std::get_if<Reason>(&text);
    return reason != nullptr ? std::string(reason->text) : "";
}

// The row's own description, for messages.
template <class Function>
void expect_said(const Primitive& row, const char* column, const internal::Column<Function>& said) {
    EXPECT_NE(static_cast<bool>(said), !said.reason().empty())
        << row.name << ": found column '" << column << "' with reason '" << said.reason()
        << "', expected a function or a reason";
}

TEST(PrimitiveRows, have_each_column_or_a_reason) {
    for (const Primitive* const row : all_primitives()) {
        expect_said(*row, "infer", row->infer);
        expect_said(*row, "compute", row->compute);
        expect_said(*row, "jvp", row->derivative.jvp);
        expect_said(*row, "transpose", row->derivative.transpose);
        expect_said(*row, "batch", row->batch);
        EXPECT_EQ(std::holds_alternative<Reason>(row->text), !reason_of(row->text).empty()) << row->name;
    }
}

TEST(PrimitiveRows, are_found_by_their_names_and_are_the_operations_of_flat_graphs) {
    const auto operations = flat_operations().operations();
    ASSERT_EQ(operations.size(), all_primitives().size());
    for (std::size_t i = 0; i < operations.size(); ++i) {
        const Primitive& row = *all_primitives()[i];
        EXPECT_EQ(internal::find_primitive(row.name), &row);
        EXPECT_EQ(operations[i]->name, row.name);
        EXPECT_EQ(operations[i]->control, row.control) << row.name;
        const bool is_holder = row.control != ir::Control::kNone;
        EXPECT_EQ(
            call_operations().find(is_holder ? std::string(row.name)
                                             : std::string(kFlatPrefix) + std::string(row.name)) != nullptr,
            true)
            << row.name;
        if (is_holder) continue;
        EXPECT_EQ(operations[i]->operands.least, row.operands.least) << row.name;
        EXPECT_EQ(operations[i]->operands.most, row.operands.most) << row.name;
        EXPECT_EQ(operations[i]->attributes.size(), row.attributes.size()) << row.name;
    }
    EXPECT_EQ(internal::find_primitive("no_primitive"), nullptr);
}

// Values, derivatives and lanes of the cases are tried in rules_test.cpp.
TEST(PrimitiveRows, with_values_have_all_rules_and_a_case) {
    std::set<std::string, std::less<>> tried;
    for (const Case& each : all_cases())
        tried.insert(each.primitive);
    for (const Primitive* const row : all_primitives()) {
        const std::string_view why = row->compute.reason();
        const bool has_values = why != internal::kHoldsGraphs.text && why != internal::kRegistered.text;
        EXPECT_EQ(static_cast<bool>(row->compute), has_values) << row->name;
        EXPECT_EQ(static_cast<bool>(row->derivative.jvp), has_values) << row->name;
        EXPECT_EQ(static_cast<bool>(row->batch), has_values) << row->name;
        EXPECT_EQ(tried.contains(row->name), has_values) << row->name;
    }
}

TEST(PrimitiveRows, that_are_linear_have_a_transpose) {
    for (const Primitive* const row : all_primitives()) {
        const auto jvp = row->derivative.jvp.function();
        const bool has_transpose = static_cast<bool>(row->derivative.transpose);
        EXPECT_TRUE(row->derivative.linear == 0 || has_transpose) << row->name;
        EXPECT_TRUE(jvp != internal::linear_jvp || row->derivative.linear != 0) << row->name;
        EXPECT_TRUE(jvp != internal::product_jvp || has_transpose) << row->name;
        EXPECT_TRUE(jvp != internal::zero_jvp || !has_transpose) << row->name;
    }
}

TEST(PrimitiveRows, compute_what_is_inferred) {
    test::Numbers numbers;
    for (const Case& each : all_cases()) {
        const Graph graph = graph_of(each);
        const Primitive& row = *internal::find_primitive(each.primitive);
        EXPECT_TRUE(row.operands.admits(each.operands.size())) << row.name;
        EXPECT_TRUE(row.results.admits(graph.results().size())) << row.name;
        const test::Arrays values = evaluate(graph, inputs_of(each, numbers));
        ASSERT_EQ(values.size(), graph.results().size()) << row.name;
        for (std::size_t i = 0; i < values.size(); ++i)
            EXPECT_EQ(values[i].type(), graph.type(graph.results()[i])) << row.name;
    }
}

// The equation of a primitive on parameters of one type; the last of them is a constant if it is given.
Graph graph_of_one_type(const Primitive& row, const ir::TensorType& type, const Constant* last = nullptr) {
    Graph graph(std::string(row.name), std::string(kFlat));
    std::vector<ValueId> operands;
    for (std::size_t i = 0; i < row.operands.least; ++i)
        operands.push_back(last != nullptr && i + 1 == row.operands.least
                               ? graph.add_const(*last)
                               : graph.add_input("x" + std::to_string(i), type));
    graph.set_results({ValueId(add_op(graph, flat_operations().at(row.name), operands))});
    return graph;
}

TEST(PrimitiveRows, of_one_type_infer_the_type_of_their_operands) {
    for (const Primitive* const row : all_primitives())
        for (const ElementType element :
             {ElementType::kF64, ElementType::kF32, ElementType::kF16, ElementType::kBF16}) {
            if (!row->is_of_one_type) continue;
            const ir::TensorType type{element, {2, 3}, {}};
            const Graph graph = graph_of_one_type(*row, type);
            EXPECT_EQ(graph.type(graph.results()[0]), type) << row->name;
        }
}

TEST(PrimitiveRows, that_take_one_element_for_all_compute_the_same) {
    test::Numbers numbers;
    const ir::TensorType type{ElementType::kF32, {2, 3}, {}};
    const Constant x = numbers.of(type, 0.5, 2);
    const std::vector<double> twos(6, 2);
    const Constant all = Constant::of(ElementType::kF32, {2, 3}, std::span<const double>(twos));
    std::size_t count = 0;
    for (const Primitive* const row : all_primitives()) {
        if (!row->takes_one_element || row->operands.least != 2) continue;
        ++count;
        EXPECT_EQ(evaluate(graph_of_one_type(*row, type, &all), test::Arrays{x})[0],
                  evaluate(graph_of_one_type(*row, type), test::Arrays{x, all})[0])
            << row->name;
    }
    EXPECT_EQ(count, 9U);
}

// The first line of the only function, behind "%0 = ", where that is not a constant; "" for what StableHLO has no formula for.
std::string first_line(const Graph& graph) {
    try {
        std::istringstream lines(to_stablehlo(graph));
        for (std::string line; std::getline(lines, line);)
            if (const std::size_t at = line.find(" = "); at != std::string::npos && line.starts_with("    %"))
                if (graph.params().empty() || !line.substr(at).starts_with(" = stablehlo.constant"))
                    return line.substr(at + 3);
        return "no line";
    } catch (const ir::Error& error) {
        EXPECT_EQ(error.kind(), ir::ErrorKind::kUnknownOperation);
        EXPECT_NE(std::string(error.what()).find("'" + graph.name() + "'"), std::string::npos);
        return "";
    }
}

TEST(PrimitiveRows, print_what_their_column_says) {
    for (Case each : all_cases()) {
        const Primitive& row = *internal::find_primitive(each.primitive);
        const bool is_function = std::holds_alternative<internal::TextFormula>(row.text) ||
                                 std::holds_alternative<internal::TextBody>(row.text);
        // Formulas are polynomials for f32.
        if (is_function)
            for (test::Operand& operand : each.operands)
                if (operand.element == ElementType::kF64) operand.element = ElementType::kF32;
        const std::string line = first_line(graph_of(each));
        if (const auto* const name = std::get_if<const char*>(&row.text))
            EXPECT_TRUE(line.starts_with("stablehlo." + std::string(*name) + " %arg0")) << line;
        else if (is_function)
            EXPECT_TRUE(line.starts_with("func.call @" + each.primitive + "_0(%arg0")) << line;
        else if (std::holds_alternative<Reason>(row.text))
            EXPECT_EQ(line, "") << row.name;
        else
            EXPECT_NE(line.find("stablehlo."), std::string::npos) << row.name << ": " << line;
    }
    EXPECT_EQ(first_line(graph_of({"erf_inv", {{{2}, -0.5, 0.5}}})), "");
}

// The table of the documentation, line by line.
std::string table_of_rows() {
    std::string table = "| primitive | tangent | transpose | StableHLO |\n|---|---|---|---|\n";
    for (const Primitive* const row : all_primitives()) {
        const auto jvp = row->derivative.jvp.function();
        const bool is_holder = row->control != ir::Control::kNone;
        const std::string tangent = is_holder                                          ? "holder"
                                    : jvp == nullptr                                   ? "none"
                                    : jvp == internal::zero_jvp                        ? "zero"
                                    : jvp == internal::product_jvp                     ? "product"
                                    : row->derivative.linear == internal::kAllOperands ? "linear"
                                    : jvp == internal::linear_jvp                      ? "linear in values"
                                                                                       : "formula";
        const bool has_transpose =
            is_holder ? row->control != ir::Control::kWhile : static_cast<bool>(row->derivative.transpose);
        const std::string text = is_holder                                   ? "region"
                                 : std::holds_alternative<Reason>(row->text) ? ""
                                 : std::holds_alternative<internal::TextFormula>(row->text) ||
                                         std::holds_alternative<internal::TextBody>(row->text)
                                     ? "function"
                                     : "operation";
        table += "| " + std::string(row->name) + " | " + tangent + " | " + (has_transpose ? "yes" : "") +
                 " | " + text + " |\n";
    }
    return table;
}

TEST(PrimitiveRows, documentation_has_their_table) {
    const std::string path = tilemeter::test::data_folder() + "/../../runtime/trace/primitives/ROWS.md";
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_NE(text.str().find(table_of_rows()), std::string::npos)
        << "expected this table in " << path << ":\n"
        << table_of_rows();
}

}  // namespace
}  // namespace tilemeter::trace
