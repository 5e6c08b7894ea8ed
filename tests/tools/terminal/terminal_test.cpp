// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The output of `tilemeter` on a terminal of a certain width, and into a pipe.

#include "tools/tilemeter/terminal.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/paths.hpp"

namespace tilemeter::cli {
namespace {

const std::string kReport = test::data_folder() + "/capture/attention_sdpa.n150.NORMAL.report.json";

struct Output {
    std::vector<std::string> lines;
    int status = -1;

    [[nodiscard]] std::size_t widest() const {
        std::size_t columns = 0;
        for (const std::string& line : lines)
            columns = std::max(columns, columns_of(line));
        return columns;
    }
    [[nodiscard]] bool has(const std::string& text) const {
        for (const std::string& line : lines)
            if (line.find(text) != std::string::npos) return true;
        return false;
    }
};

// columns: of the terminal; 0: a pipe
Output run(std::vector<std::string> arguments, unsigned short columns) {
    std::array<int, 2> ends{-1, -1};
    pid_t child = -1;
    if (columns > 0) {
        const winsize size{24, columns, 0, 0};
        child = ::forkpty(ends.data(), nullptr, nullptr, &size);
    } else if (::pipe(ends.data()) == 0) {
        child = ::fork();
    }
    if (child == 0) {
        if (columns == 0) ::dup2(ends[1], STDOUT_FILENO);
        arguments.insert(arguments.begin(), test::program_folder() + "/tilemeter");
        std::vector<char*> raw;
        for (std::string& argument : arguments)
            raw.push_back(argument.data());
        raw.push_back(nullptr);
        ::execv(raw[0], raw.data());
        ::_exit(127);
    }
    if (columns == 0) ::close(ends[1]);
    std::string text;
    std::array<char, 4096> bytes{};
    while (true) {
        const auto count = ::read(ends[0], bytes.data(), bytes.size());
        if (count <= 0) break;  // of a terminal that is gone: an error
        text.append(bytes.data(), static_cast<std::size_t>(count));
    }
    ::close(ends[0]);
    Output output;
    int status = 0;
    ::waitpid(child, &status, 0);
    output.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        output.lines.push_back(text.substr(at, end - at));
        if (output.lines.back().ends_with('\r')) output.lines.back().pop_back();
        at = end + 1;
    }
    return output;
}

TEST(Terminal, texts_are_aligned_by_columns_not_by_bytes) {
    EXPECT_EQ(right_aligned("é", 3), "  é");
    EXPECT_EQ(right_aligned("abcd", 3), "abcd");
}

TEST(Terminal, rows_lose_their_end_and_sentences_go_on_below_their_text) {
    EXPECT_EQ(fitted("short", 20), "short");
    EXPECT_EQ(fitted("  1,024 B  tensor 7  [2048, 4096]  by ttnn.relu", 30), "  1,024 B  tensor 7  [2048…");
    EXPECT_EQ(fitted("  because the device refused it", 20), "  because the device\n    refused it");
    EXPECT_EQ(fitted("  --top INT  lines to show, at most", 30),
              "  --top INT  lines to show, at\n             most");
    EXPECT_EQ(fitted("            12 far behind blanks", 16),
              "            12\n        far\n        behind\n        blanks");
}

TEST(Terminal, a_verdict_has_a_colour_and_nothing_has_one_where_it_is_not_wanted) {
    ::setenv("TERM", "xterm", 1);
    const std::string clash = test::data_folder() + "/capture/error_clash.n150.NORMAL.report.json";
    EXPECT_TRUE(run({"peak", clash}, 100).lines.at(0).starts_with("\x1b[1;31mfailed\x1b[0m: "));
    EXPECT_TRUE(run({"peak", clash}, 100).has("\x1b[36m█"));
    ::setenv("NO_COLOR", "1", 1);
    EXPECT_FALSE(run({"peak", clash}, 100).has("\x1b"));
    EXPECT_TRUE(run({"peak", clash}, 100).has("█"));
    ::unsetenv("NO_COLOR");
    EXPECT_FALSE(run({"peak", clash}, 0).has("\x1b"));
    EXPECT_FALSE(run({"peak", clash}, 0).has("█"));
}

TEST(Terminal, names_give_it_no_commands) {
    ::setenv("TERM", "xterm", 1);
    std::ifstream file(test::data_folder() + "/capture/error_clash.n150.NORMAL.report.json");
    std::string report{std::istreambuf_iterator<char>(file), {}};
    const std::string name = "MatmulDeviceOperation";
    ASSERT_NE(report.find(name), std::string::npos);
    for (std::size_t at = 0; (at = report.find(name, at)) != std::string::npos;)
        report.replace(at, name.size(), "a\\u001b]0;title\\u0007b\\u009b2Jc\\u007f");
    const std::string path = testing::TempDir() + "terminal_test.json";
    std::ofstream(path) << report;
    for (const unsigned short columns : std::array<unsigned short, 2>{0, 200}) {
        const Output shown = run({"tree", path}, columns);
        EXPECT_EQ(shown.status, 0);
        EXPECT_TRUE(shown.has("a\\x1b]0;title\\x07b\\x9b2Jc\\x7f")) << columns;
        for (const char* const raw : {"\x1b]", "\x07", "\xC2\x9b", "\x7f"})
            EXPECT_FALSE(shown.has(raw)) << columns;
    }
    std::remove(path.c_str());
}

TEST(Terminal, rows_of_the_timeline_fit_and_a_pipe_gets_names_whole) {
    const Output whole = run({"timeline", kReport}, 0);
    ASSERT_EQ(whole.status, 0);
    const std::string name = "ttnn.transformer.scaled_dot_product_attention";
    EXPECT_TRUE(whole.has(name));
    const Output fitted = run({"timeline", kReport}, 120);
    EXPECT_EQ(fitted.status, 0);
    EXPECT_EQ(fitted.lines.size(), whole.lines.size());
    EXPECT_LE(fitted.widest(), 120U);
    EXPECT_FALSE(fitted.has(name));
    EXPECT_TRUE(fitted.has("…"));
    EXPECT_TRUE(fitted.has("product_attention"));
    EXPECT_TRUE(run({"timeline", kReport}, 400).has(name));
}

TEST(Terminal, paths_behind_buffers_lose_their_begin) {
    const Output whole = run({"timeline", "--at", "40", kReport}, 0);
    const Output fitted = run({"timeline", "--at", "40", kReport}, 100);
    ASSERT_EQ(whole.status, 0);
    ASSERT_EQ(fitted.lines.size(), whole.lines.size());
    EXPECT_GT(whole.widest(), 100U);
    EXPECT_LE(fitted.widest(), 100U);
}

TEST(Terminal, survivors_are_the_same_but_for_the_begin_of_their_paths) {
    const Output whole = run({"timeline", "--alive-at-end", kReport}, 0);
    const Output fitted = run({"timeline", "--alive-at-end", kReport}, 110);
    ASSERT_EQ(whole.status, 0);
    ASSERT_EQ(fitted.lines.size(), whole.lines.size());
    EXPECT_LE(fitted.widest(), 110U);
    EXPECT_GT(whole.widest(), 110U);
}

TEST(Terminal, lines_of_configs_fit_and_a_pipe_gets_them_whole) {
    const Output whole = run({"configs", kReport}, 0);
    const Output fitted = run({"configs", kReport}, 80);
    ASSERT_EQ(whole.status, 0);
    EXPECT_GT(whole.widest(), 200U);
    EXPECT_EQ(fitted.widest(), 80U);
    EXPECT_EQ(fitted.lines.size(), whole.lines.size());
    EXPECT_EQ(whole.lines.at(0), "most calls first, of these those whose programs take most memory first");
}

}  // namespace
}  // namespace tilemeter::cli
