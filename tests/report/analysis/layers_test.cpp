// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/answers/layers.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "report/analysis/gate/aligned.hpp"
#include "tests/report/analysis/list_maker.hpp"

namespace tilemeter::analysis {
namespace {

/// "first+length*count" of each layer; a letter is an operation.
std::string layers_of(std::string_view operations) {
    const std::vector<std::uint32_t> kinds(operations.begin(), operations.end());
    std::string text;
    for (const RepeatedLayer& layer : repeated_layers(kinds))
        text += std::to_string(layer.first) + "+" + std::to_string(layer.length) + "*" +
                std::to_string(layer.count) + " ";
    return text;
}

TEST(RepeatedLayers, are_found_between_what_comes_once) {
    EXPECT_EQ(layers_of("xabcabcabcy"), "1+3*3 ");
    EXPECT_EQ(layers_of("xabcabcabcabydededez"), "1+3*3 13+2*3 ");
}

TEST(RepeatedLayers, are_the_shortest_that_cover_as_much) {
    EXPECT_EQ(layers_of("abababab"), "0+2*4 ");
}

TEST(RepeatedLayers, are_not_found_where_nothing_repeats) {
    EXPECT_EQ(layers_of(""), "");
    EXPECT_EQ(layers_of("abcdef"), "");
    EXPECT_EQ(layers_of("abcab"), "") << "not a whole second time";
}

TEST(RepeatedLayers, may_hold_an_operation_several_times) {
    EXPECT_EQ(layers_of("xaabaabaaby"), "1+3*3 ");
}

NodeList list_of(std::string_view operations) {
    ListMaker maker;
    for (const char operation : operations) {
        maker.begin(std::string(1, operation));
        maker.end();
    }
    maker.finish();
    return maker.take();
}

/// "a=a b=- -=c": each row of both.
std::string aligned_text(std::string_view before, std::string_view after) {
    const NodeList first = list_of(before), second = list_of(after);
    const Scopes scopes = find_scopes(first), scopes_after = find_scopes(second);
    std::string text;
    for (const AlignedOperation& row : aligned_operations(first, scopes, second, scopes_after)) {
        text += row.before == kNoIndex ? '-' : before[row.before];
        text += row.after == kNoIndex ? '-' : after[row.after];
        text += ' ';
    }
    return text;
}

TEST(AlignedOperations, keep_the_order_of_both) {
    EXPECT_EQ(aligned_text("abcd", "abxd"), "aa bb c- -x dd ");
    EXPECT_EQ(aligned_text("ab", "ba"), "a- bb -a ");
    EXPECT_EQ(aligned_text("", "a"), "-a ");
    EXPECT_EQ(aligned_text("aa", "a"), "aa a- ");
}

}  // namespace
}  // namespace tilemeter::analysis
