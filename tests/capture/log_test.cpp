// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/log/log.hpp"

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/matches.hpp"
#include "tests/scratch_folder.hpp"

namespace tilemeter::logging {
namespace {

/// The text that a process writes to stderr that does this while TILEMETER_LOG has this value; null: none.
std::string said(const char* value, const std::function<void()>& work) {
    const test::ScratchFolder scratch;
    const std::filesystem::path path = scratch.path() / "errors";
    const pid_t child = fork();
    if (child == 0) {
        dup2(open(path.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
        value != nullptr ? setenv("TILEMETER_LOG", value, 1) : unsetenv("TILEMETER_LOG");
        work();
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    return test::text_of(path);
}

void one_of_each() {
    error({"e"});
    warn({"w"});
    info({"i"});
    debug({"d"});
    trace({"t"});
}

/// The levels and messages, without time and thread.
std::string messages(std::string text) {
    const char* const head =
        R"([0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3} [0-9]+ tilemeter )";
    for (const auto& found : test::matches(text, head))
        text.erase(text.find(found[0]), found[0].size());
    return text;
}

TEST(Log, without_the_variable_libraries_are_silent) {
    EXPECT_EQ(said(nullptr, one_of_each), "");
    EXPECT_EQ(said("", one_of_each), "");
}

TEST(Log, without_the_variable_programs_warn) {
    const auto program = [] {
        set_default_level(Level::kWarn);
        one_of_each();
    };
    EXPECT_EQ(messages(said(nullptr, program)), "error: e\nwarning: w\n");
    EXPECT_EQ(said("off", program), "");
    EXPECT_EQ(messages(said("error", program)), "error: e\n");
}

TEST(Log, each_level_holds_those_above_it) {
    const std::string all = "error: e\nwarning: w\ninfo: i\ndebug: d\ntrace: t\n";
    EXPECT_EQ(messages(said("trace", one_of_each)), all);
    EXPECT_EQ(messages(said("debug", one_of_each)), all.substr(0, all.find("trace")));
    EXPECT_EQ(messages(said("info", one_of_each)), all.substr(0, all.find("debug")));
    EXPECT_EQ(messages(said("warn", one_of_each)), all.substr(0, all.find("info")));
}

TEST(Log, a_value_that_is_none_is_said_once) {
    const auto twice = [] {
        one_of_each();
        set_default_level(Level::kOff);
        one_of_each();
    };
    EXPECT_EQ(said("loud", twice),
              "tilemeter: TILEMETER_LOG: expected off, error, warn, info, debug or trace, found 'loud'\n");
}

TEST(Log, pieces_are_texts_and_integers) {
    const std::string text = "text";
    EXPECT_EQ(messages(said("info",
                            [&] {
                                info({text, 1U, " ", std::string_view("view"), " ", -1, " ",
                                      std::numeric_limits<std::uint64_t>::max(), " ",
                                      std::numeric_limits<std::int64_t>::min()});
                            })),
              "info: text1 view -1 18446744073709551615 -9223372036854775808\n");
}

TEST(Log, what_is_not_written_need_not_be_looked_for) {
    EXPECT_EQ(messages(said("info",
                            [] {
                                if (enabled(Level::kDebug)) error({"debug"});
                                if (enabled(Level::kInfo)) error({"info"});
                            })),
              "error: info\n");
}

}  // namespace
}  // namespace tilemeter::logging
