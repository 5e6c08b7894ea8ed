// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/cut_text.hpp"

#include <gtest/gtest.h>

namespace tilemeter::report {
namespace {

using Lines = std::vector<std::string>;

TEST(CutText, columns_are_those_of_a_terminal) {
    EXPECT_EQ(columns_of("aé…"), 3U);
    EXPECT_EQ(columns_of("測試"), 4U);
    EXPECT_EQ(columns_of("e\xcc\x81"), 1U) << "an accent stands on its letter";
    EXPECT_EQ(columns_of("\x1b[1;31mbad\x1b[0m"), 3U);
    EXPECT_EQ(columns_of("\xff\xfe"), 2U) << "bytes that are no text";
}

TEST(CutText, an_end_is_cut_behind_a_word) {
    EXPECT_EQ(with_end_cut("abc", 3), "abc");
    EXPECT_EQ(with_end_cut("abcd", 3), "…");
    EXPECT_EQ(with_end_cut("one two three", 12), "one two…");
    EXPECT_EQ(with_end_cut("ttnn.transformer.scaled_dot_product_attention", 30),
              "ttnn.transformer.scaled_dot_…");
    EXPECT_EQ(with_end_cut("BinaryNgDeviceOperation", 12), "BinaryNg…");
    EXPECT_EQ(with_end_cut("of 1,179,648 B", 9), "of…") << "a number stays whole";
    EXPECT_EQ(with_end_cut("éè êë", 4), "éè…");
    EXPECT_EQ(with_end_cut("abcd", 0), "…");
}

TEST(CutText, a_begin_is_cut_before_a_word) {
    EXPECT_EQ(with_begin_cut("abcd", 4), "abcd");
    EXPECT_EQ(with_begin_cut("abcd", 3), "…");
    EXPECT_EQ(with_begin_cut("ttnn.add > BinaryNgDeviceOperation", 18), "…NgDeviceOperation");
    EXPECT_EQ(with_begin_cut("models/bert/model.py:51", 12), "…model.py:51");
}

TEST(CutText, lines_break_at_blanks_and_words_of_a_name_only_where_they_must) {
    EXPECT_EQ(wrapped("one two three", 7), (Lines{"one two", "three"}));
    EXPECT_EQ(wrapped("one two", 7), (Lines{"one two"}));
    EXPECT_EQ(wrapped("in scaled_dot_product", 12), (Lines{"in", "scaled_dot_", "product"}));
    EXPECT_EQ(wrapped("abcdefgh", 3), (Lines{"abc", "def", "gh"}));
    EXPECT_EQ(wrapped("", 3), (Lines{""}));
    EXPECT_EQ(wrapped("  indented text", 10), (Lines{"  indented", "text"}));
    for (std::size_t columns = 1; columns < 40; ++columns)
        for (const std::string& line :
             wrapped("at 測試.py:51 of 1,234,567 B in ttnn.add > BinaryNgDeviceOperation", columns))
            EXPECT_LE(columns_of(line), std::max<std::size_t>(columns, 2)) << line;
}

}  // namespace
}  // namespace tilemeter::report
