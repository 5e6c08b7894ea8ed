// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/python_text.hpp"

#include <gtest/gtest.h>

#include "report/markup.hpp"
#include "report/text.hpp"

namespace tilemeter::report {
namespace {

std::string dumps(std::string_view written) {
    JsonDocument document;
    auto value = document.parse(written);
    EXPECT_TRUE(value.ok()) << written;
    std::string text;
    EXPECT_TRUE(append_json_dumps(text, *value).ok());
    return text;
}

std::string str(std::string_view written) {
    JsonDocument document;
    auto value = document.parse(written);
    EXPECT_TRUE(value.ok()) << written;
    std::string text;
    append_python_str(text, *value);
    return text;
}

// Expected texts are what CPython 3.12 prints.
TEST(PythonText, dumps_separates_and_escapes_as_python_does) {
    EXPECT_EQ(dumps(R"({"b":[1,2,{}],"a":"é😀\u0001\"/\\"})"),
              R"({"b": [1, 2, {}], "a": "\u00e9\ud83d\ude00\u0001\"/\\"})");
    EXPECT_EQ(dumps("[null,true,false,\"\\u007f\\b\\f\\n\\r\\t\"]"),
              "[null, true, false, \"\x7f\\b\\f\\n\\r\\t\"]");
}

// Long texts are looked at in blocks: an escape is found wherever in them it is.
TEST(PythonText, dumps_finds_every_escape_in_texts_of_any_length) {
    for (std::size_t size = 1; size < 50; ++size)
        for (std::size_t at = 0; at < size; ++at)
            for (const char odd : {'"', '\\', '\n', '\x01', '\x1F', ' ', '\x7F', '~'}) {
                std::string text(size, 'a');
                text[at] = odd;
                std::string expected = "\"" + text + "\"";
                const std::string escape = odd == '"'      ? "\\\""
                                           : odd == '\\'   ? "\\\\"
                                           : odd == '\n'   ? "\\n"
                                           : odd == '\x01' ? "\\u0001"
                                           : odd == '\x1F' ? "\\u001f"
                                                           : std::string(1, odd);
                expected.replace(at + 1, 1, escape);
                std::string written = "x";
                append_json_dumps(written, text);
                ASSERT_EQ(written, "x" + expected) << size << ", " << at;
                text.replace(at, 1, "\u00e9");
                expected = "\"" + text + "\"";
                expected.replace(at + 1, 2, "\\u00e9");
                written.clear();
                append_json_dumps(written, text);
                ASSERT_EQ(written, expected) << size << ", " << at;
            }
}

TEST(PythonText, numbers_are_written_by_repr) {
    EXPECT_EQ(dumps("[0, -0, 1.0, 0.1, 1e5, 1e15, 1e16, 123456789012345680.0, 1e-4, 0.00001, 1.5e-7, "
                    "-2.5E+22, 1e300, "
                    "0.9998999834060669, 9007199254740993, 18446744073709551615, -0.0, 5e-324]"),
              "[0, 0, 1.0, 0.1, 100000.0, 1000000000000000.0, 1e+16, 1.2345678901234568e+17, 0.0001, 1e-05, "
              "1.5e-07, -2.5e+22, 1e+300, 0.9998999834060669, 9007199254740993, 18446744073709551615, -0.0, "
              "5e-324]");
}

TEST(PythonText, str_prints_values_as_python_does) {
    EXPECT_EQ(str("true"), "True");
    EXPECT_EQ(str("null"), "None");
    EXPECT_EQ(str("\"a'b\""), "a'b");
    EXPECT_EQ(str(R"({"a": 1, "b": ["x", null, 1.0], "c": {"d": "it's"}})"),
              R"({'a': 1, 'b': ['x', None, 1.0], 'c': {'d': "it's"}})");
    EXPECT_EQ(str(R"(["a\"b'c", "\n\u0000\u00a0\u200bé"])"), R"(['a"b\'c', '\n\x00\xa0\u200bé'])");
}

TEST(PythonText, a_key_twice_is_refused) {
    JsonDocument document;
    auto value = document.parse(R"({"a": 1, "b": 2, "a": 3})");
    ASSERT_TRUE(value.ok());
    std::string text;
    EXPECT_FALSE(append_json_dumps(text, *value).ok());
}

TEST(Text, malformed_bytes_become_replacement_characters) {
    EXPECT_EQ(to_valid_utf8("a\xFFz"), "a\xEF\xBF\xBDz");
    EXPECT_EQ(to_valid_utf8("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // an encoded surrogate
    EXPECT_EQ(to_valid_utf8("\xC0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD");                  // overlong
    EXPECT_TRUE(is_valid_utf8(to_valid_utf8("\xF0\x9F\x98")));
}

TEST(Text, what_markup_forbids_becomes_blanks_and_replacement_characters) {
    EXPECT_EQ(markup_text("<a&\"b\">"), "&lt;a&amp;&quot;b&quot;&gt;");
    EXPECT_EQ(markup_text("a\x1b\nb"), "a  b");
    EXPECT_EQ(markup_text("\xEF\xBF\xBE|\xEF\xBF\xBF|\xEF\xBF\xBD"),
              "\xEF\xBF\xBD|\xEF\xBF\xBD|\xEF\xBF\xBD");
    EXPECT_EQ(markup_text("\xEF\xBF\xAE"), "\xEF\xBF\xAE");  // another of its neighbours
}

}  // namespace
}  // namespace tilemeter::report
