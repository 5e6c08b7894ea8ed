// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Reports that `tilemeter` and `graph_report` are given through pipes, and compressed.

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "tests/paths.hpp"
#include "tests/report/compressed.hpp"
#include "tests/scratch_folder.hpp"
#include "tests/shell.hpp"

namespace tilemeter {
namespace {

using test::Outcome;
using test::shell;

std::string program(const char* name) {
    return test::shell_word(test::program_folder() + "/" + name) + " ";
}

class StandardInput : public testing::Test {
protected:
    // A recorded report, beside which nothing lies.
    std::string report(const std::string& name, const std::string& as = "r.json") {
        text_ = test::text_of(test::data_folder() + "/capture/" + name + ".report.json");
        return test::shell_word(scratch_.write(as, text_).string());
    }
    std::string packed() { return test::shell_word(scratch_.write("packed", test::gzipped(text_)).string()); }

    test::ScratchFolder scratch_;
    std::string text_;
};

TEST_F(StandardInput, is_read_by_every_verb_as_a_file_is) {
    const std::string plain = report("matmul_linear.n150.NORMAL");
    const std::string packed_report = packed();
    for (const char* const verb :
         {"peak", "explain", "timeline", "figures", "tree", "print", "levelized", "configs", "tightest",
          "perfetto", "fit", "fit --device p150", "svg --dot"}) {
        const std::string call = program("tilemeter") + verb + " ";
        const Outcome expected = shell(call + plain);
        EXPECT_NE(expected.status, 1) << verb << expected.output;
        EXPECT_EQ(shell(call + packed_report), expected) << verb;
        EXPECT_EQ(shell(call + "- < " + plain), expected) << verb;
        EXPECT_EQ(shell("cat " + packed_report + " | " + call + "/dev/stdin"), expected) << verb;
    }
    // These two name their files.
    const std::string check = program("tilemeter") + "check --max-l1 1499136 ";
    const Outcome checked = shell(check + plain);
    EXPECT_EQ(checked.status, 4) << checked.output;
    EXPECT_EQ(shell(check + packed_report).status, 4);
    EXPECT_EQ(shell(check + "- < " + plain).status, 4);
    const Outcome same = shell(program("tilemeter") + "diff --exit-code - " + packed_report + " < " + plain);
    EXPECT_EQ(same.status, shell(program("tilemeter") + "diff --exit-code " + plain + " " + plain).status);
    EXPECT_NE(same.output.find("no difference"), std::string::npos) << same.output;
}

// The summary begins with the file's name and size.
TEST_F(StandardInput, has_the_summary_of_the_file) {
    const std::string plain = report("matmul_linear.n150.NORMAL");
    const std::string summary = program("tilemeter") + "summary ";
    const auto behind_the_head = [](const Outcome& outcome) {
        EXPECT_EQ(outcome.status, 0) << outcome.output;
        return outcome.output.substr(outcome.output.find("captured_graph"));
    };
    const std::string expected = behind_the_head(shell(summary + plain));
    EXPECT_NE(expected.find("executions_without_program_memory"), std::string::npos);
    EXPECT_EQ(behind_the_head(shell("cat " + packed() + " | " + summary + "-")), expected);
    EXPECT_EQ(behind_the_head(shell(summary + packed())), expected);
}

TEST_F(StandardInput, is_taken_once) {
    const std::string add = report("add.n150.NORMAL");
    const Outcome pipe = shell("cat " + add + " | " + program("tilemeter") + "diff - /dev/stdin");
    EXPECT_EQ(pipe.status, 1);
    EXPECT_NE(pipe.output.find(": expected one reader, as it is a pipe, found a second one\n"),
              std::string::npos)
        << pipe.output;
    for (const char* const verb : {"diff - -", "peak - --programs-from -"}) {
        const Outcome file = shell(program("tilemeter") + verb + " < " + add);
        EXPECT_EQ(file.status, 1);
        EXPECT_EQ(file.output,
                  "tilemeter: -: expected one use of it, as it can be read once, found a second\n");
    }
}

TEST_F(StandardInput, without_a_report_is_one_line) {
    report("add.n150.NORMAL");
    const std::string archive = packed();
    for (const std::string& input :
         {std::string("< /dev/null"), "< " + test::shell_word(scratch_.path().string())}) {
        const Outcome outcome = shell(program("tilemeter") + "peak - " + input);
        EXPECT_EQ(outcome.status, 1) << input;
        EXPECT_EQ(outcome.output.find('\n'), outcome.output.size() - 1) << outcome.output;
    }
    const Outcome cut = shell("head -c 1000 " + archive + " | " + program("tilemeter") + "peak -");
    EXPECT_EQ(cut.status, 1);
    EXPECT_EQ(cut.output,
              "tilemeter: standard input: byte 1000 of the compressed file: expected the rest of a gzip "
              "member, found the end\n");
}

TEST_F(StandardInput, is_imported_and_the_file_it_comes_from_is_no_output) {
    const std::string plain = report("add.n150.NORMAL");
    const std::string out = test::shell_word((scratch_.path() / "out").string());
    const Outcome imported = shell("cat " + packed() + " | " + program("graph_report") + "--quiet - " + out);
    EXPECT_EQ(imported, (Outcome{0, ""}));
    EXPECT_TRUE(std::filesystem::exists(scratch_.path() / "out/db.sqlite"));
    EXPECT_NE(shell(program("tilemeter") + "html - -o " + plain + " < " + plain).status, 0);
    EXPECT_EQ(test::text_of(scratch_.path() / "r.json"), text_);
}

}  // namespace
}  // namespace tilemeter
