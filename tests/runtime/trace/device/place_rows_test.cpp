// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Devices' calls for primitives, against the rows of the primitives.

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/ir/error.hpp"
#include "runtime/trace/device/place/place_rule.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"
#include "runtime/trace/primitives/internal/primitive.hpp"

namespace tilemeter::trace {
namespace {

using internal::Primitive;
using ir::ElementType;
using placement::NamedRule;

std::vector<NamedRule> all_rules() {
    std::vector<NamedRule> all;
    for (const auto rules : {placement::elementwise_rules(), placement::shape_rules(),
                             placement::reduction_rules(), placement::index_rules()})
        all.insert(all.end(), rules.begin(), rules.end());
    return all;
}

TEST(PlaceRows, are_of_primitives_each_once) {
    std::set<std::string_view> seen;
    for (const NamedRule& rule : all_rules()) {
        const Primitive* const row = internal::find_primitive(rule.primitive);
        ASSERT_NE(row, nullptr) << rule.primitive;
        EXPECT_EQ(row->control, ir::Control::kNone) << rule.primitive;
        EXPECT_TRUE(seen.insert(rule.primitive).second) << rule.primitive;
        EXPECT_EQ(placement::find_rule(rule.primitive)->rule, rule.rule) << rule.primitive;
    }
}

// Those without one are refused by unplaceable().
TEST(PlaceRows, are_there_for_all_primitives_but_these) {
    std::set<std::string> without;
    for (const Primitive* const row : internal::all_primitives())
        if (row->control == ir::Control::kNone && placement::find_rule(row->name) == nullptr)
            without.insert(std::string(row->name));
    EXPECT_EQ(without,
              (std::set<std::string>{"convolution", "custom_call", "dimension", "popcnt", "reduce_precision",
                                     "reduce_window_max", "reduce_window_sum", "select_and_scatter_add"}));
}

// A device computes no element type that the primitive does not have.
TEST(PlaceRows, take_no_element_type_that_inference_refuses) {
    const std::pair<placement::Elements, ElementType> types[] = {{placement::kFloats, ElementType::kF32},
                                                                 {placement::kSigned, ElementType::kI32},
                                                                 {placement::kUnsigned, ElementType::kU32},
                                                                 {placement::kBools, ElementType::kBool}};
    std::size_t tried = 0;
    for (const NamedRule& rule : all_rules()) {
        const Primitive& row = *internal::find_primitive(rule.primitive);
        // Those that need attributes or operands of several types have cases of their own.
        if (!row.attributes.empty() || row.operands.least != row.operands.most || row.operands.least > 2 ||
            row.operands.least == 0)
            continue;
        for (const auto& [bit, element] : types) {
            if ((rule.elements & bit) == 0) continue;
            ir::Graph graph("f", std::string(kFlat));
            std::vector<ir::ValueId> operands;
            for (std::size_t i = 0; i < row.operands.least; ++i)
                operands.push_back(graph.add_input("x" + std::to_string(i), {element, {2}, {}}));
            EXPECT_NO_THROW(add_op(graph, flat_operations().at(row.name), operands))
                << row.name << " of " << ir::name_of(element);
            ++tried;
        }
    }
    EXPECT_GT(tried, 50U);
}

}  // namespace
}  // namespace tilemeter::trace
