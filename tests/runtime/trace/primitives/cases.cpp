// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/runtime/trace/primitives/cases.hpp"

#include "runtime/trace/primitives/flat_operations.hpp"

namespace tilemeter::trace::test {

namespace {

using ir::Attributes;
using ir::ElementType;
using ir::Graph;
using ir::Integers;
using ir::Shape;
using ir::ValueId;

Operand integers(Shape shape, std::vector<double> values, ElementType element = ElementType::kI32) {
    return {std::move(shape), 0, 0, element, std::move(values)};
}
Operand integer(double value) {
    return integers({}, {value});
}
Operand truths(Shape shape, std::vector<double> values) {
    return {std::move(shape), 0, 0, ElementType::kBool, std::move(values)};
}

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
    // All bits of the exponents at hand and of the mantissa: rounding has no differences.
    cases.push_back({"reduce_precision",
                     {{{3}}},
                     {{"exponent_bits", std::int64_t{8}}, {"mantissa_bits", std::int64_t{52}}}});
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
        {"dimension", {}, {{"of", std::int64_t{5}}, {"dtype", ElementType::kI32}}},
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

}  // namespace

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

Arrays inputs_of(const Case& each, Numbers& numbers) {
    Arrays inputs;
    for (const Operand& operand : each.operands)
        inputs.push_back(numbers.of(operand));
    return inputs;
}

}  // namespace tilemeter::trace::test
