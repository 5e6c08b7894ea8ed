// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/internal/json_stream.hpp"

#include <fstream>
#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "report/internal/json_scan.hpp"
#include "report/python_text.hpp"

namespace tilemeter::report {
namespace {

namespace fs = std::filesystem;
using internal::JsonStream;

class JsonStreamTest : public testing::Test {
protected:
    JsonStreamTest()
        : path_(fs::temp_directory_path() /
                ("tilemeter_json_stream_" + std::to_string(::getpid()) + ".json")) {}
    ~JsonStreamTest() override { fs::remove(path_); }

    JsonStream open(const std::string& text, std::size_t window_bytes = 64) {
        std::ofstream(path_, std::ios::binary) << text;
        auto stream = JsonStream::open(path_, window_bytes);
        EXPECT_TRUE(stream.ok());
        return std::move(stream).value();
    }
    // The elements of the array, each as json.dumps has it; or the error.
    static Result<std::vector<std::string>> elements_of(JsonStream& stream) {
        std::vector<std::string> texts;
        JsonDocument document;
        if (Status open = stream.expect('[', "an array"); !open) return open.error();
        stream.begin_elements();
        while (true) {
            auto elements = stream.next_elements(document);
            if (!elements) return elements.error();
            if (!elements->has_value()) break;
            for (auto element = (*elements)->children(); element.valid(); element.next())
                if (Status dumped = append_json_dumps(texts.emplace_back(), element.value()); !dumped)
                    return dumped.error();
        }
        if (Status end = stream.expect_end(); !end) return end.error();
        return texts;
    }
    fs::path path_;
};

TEST_F(JsonStreamTest, elements_larger_than_the_window_are_read_whole) {
    const std::string large(5000, 'x');
    auto stream = open("[ \"" + large + "\" , {\"a\": [1, 2, {\"b\": \"]}\"}]} , -1.5e3 ,null ]\n");
    auto elements = elements_of(stream);
    ASSERT_TRUE(elements.ok()) << elements.error().message();
    EXPECT_EQ(*elements, (std::vector<std::string>{"\"" + large + "\"", "{\"a\": [1, 2, {\"b\": \"]}\"}]}",
                                                   "-1500.0", "null"}));
}

TEST_F(JsonStreamTest, an_empty_array_has_no_elements) {
    for (const char* text : {"[]", "[ ]", " [\n\n] "}) {
        auto stream = open(text);
        auto elements = elements_of(stream);
        ASSERT_TRUE(elements.ok());
        EXPECT_TRUE(elements->empty());
    }
}

TEST_F(JsonStreamTest, an_error_names_the_byte_in_the_file) {
    auto stream = open("[1, 2, tru, 4]");
    auto elements = elements_of(stream);
    ASSERT_FALSE(elements.ok());
    EXPECT_NE(elements.error().message().find("byte 1"), std::string::npos) << elements.error().message();
}

TEST_F(JsonStreamTest, where_elements_lie_is_told_for_each) {
    const std::string text =
        R"([ {"n":0}, {"n":1},{"n":"a long text that does not fit the window of 64 bytes at all"}, {"n":3}])";
    auto stream = open(text);
    JsonDocument document;
    ASSERT_TRUE(stream.expect('[', "").ok());
    stream.begin_elements();
    std::vector<std::uint64_t> offsets;
    while (true) {
        auto elements = stream.next_elements(document);
        ASSERT_TRUE(elements.ok());
        if (!elements->has_value()) break;
        for (std::size_t i = 0; i < (*elements)->size(); ++i)
            offsets.push_back(stream.element_offset(i));
    }
    ASSERT_EQ(offsets.size(), 4U);
    for (const std::uint64_t offset : offsets) {
        stream.seek(offset);
        auto value = stream.read_value(document);
        ASSERT_TRUE(value.ok());
        EXPECT_TRUE(value->has("n"));
    }
}

// Against a plain parser, over arrays that a few wrong bytes were put into.
TEST_F(JsonStreamTest, accepts_what_a_plain_parser_accepts_and_reads_the_same) {
    const std::string valid =
        R"([{"a": 1, "b": [true, false, null], "c": "x\"\\\n\u00e9\ud83d\ude00"}, [], {}, "é", -0.5, 1e3, [[[1]]], )"
        R"({"k": {"l": {"m": "\\\\"}}}, 12345678901234, "a", "b", {"z": ["]", "}", "[", "{", ","]}])";
    const std::string tokens = "{}[]\",:\\ 0-1e.tfnu\n";
    std::mt19937 random(3);
    int accepted = 0;
    for (int round = 0; round < 1000; ++round) {
        std::string text = valid;
        for (std::size_t change = random() % 3; change > 0; --change) {
            const std::size_t at = random() % text.size();
            if (random() % 3 == 0) {
                text.erase(at, 1 + random() % 5);
            } else {
                text[at] = tokens[random() % tokens.size()];
            }
        }
        auto stream = open(text, 16 + random() % 100);
        const auto ours = elements_of(stream);
        const auto theirs = nlohmann::json::parse(text, nullptr, false);
        const bool theirs_ok = !theirs.is_discarded() && theirs.is_array();
        if (!ours.ok() && ours.error().message().find("each key once") != std::string::npos)
            continue;  // stricter
        ASSERT_EQ(ours.ok(), theirs_ok) << text << "\n" << (ours.ok() ? "" : ours.error().message());
        if (!ours.ok()) continue;
        ++accepted;
        ASSERT_EQ(ours.value().size(), theirs.size()) << text;
        for (std::size_t i = 0; i < theirs.size(); ++i)
            ASSERT_EQ(nlohmann::json::parse(ours.value()[i]), theirs[i]) << text;
    }
    EXPECT_GT(accepted, 100);
}

TEST(JsonScan, finds_ends_of_elements_across_blocks_with_quotes_and_escapes) {
    std::string text;
    std::vector<std::size_t> expected;
    for (int i = 0; i < 200; ++i) {
        text += "{\"k\": \"" + std::string(static_cast<std::size_t>(i % 70), i % 3 == 0 ? '\\' : ',') +
                (i % 3 == 0 && i % 70 % 2 == 1 ? "\\" : "") + "]}\"}";
        expected.push_back(text.size());
        text += i < 199 ? ',' : ']';
    }
    std::vector<std::size_t> ends;
    const auto scan = internal::scan_elements(text, text.size() + 1, ends);
    EXPECT_TRUE(scan.closed);
    EXPECT_EQ(ends, expected);
}

}  // namespace
}  // namespace tilemeter::report
