// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The last words of a process that dies while it records, as recover_report() reads it.

#include "report/death.hpp"

#include <array>
#include <csignal>
#include <optional>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/recover.hpp"
#include "tests/scratch_folder.hpp"

namespace tilemeter::report {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

class DeathTest : public testing::Test {
protected:
    /// Runs dying_program to its end; its status as of waitpid().
    int run(const std::string& how) {
        const pid_t child = fork();
        if (child == 0) {
            const int errors = open((scratch_.path() / "errors").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
            dup2(errors, STDERR_FILENO);
            execl(TILEMETER_DYING_PROGRAM, "dying_program", how.c_str(), recording().c_str(),
                  TILEMETER_LIBRARY_THAT_CRASHES, static_cast<char*>(nullptr));
            _exit(127);
        }
        int status = 0;
        waitpid(child, &status, 0);
        process_ = static_cast<std::uint64_t>(child);
        return status;
    }

    std::filesystem::path recording() const { return scratch_.path() / "recording"; }
    std::string errors() const { return test::text_of(scratch_.path() / "errors"); }

    Recovered recovered() const {
        auto found = recover_report(recording(), scratch_.path() / "report.json");
        EXPECT_TRUE(found) << found.error().message();
        return found ? found.value() : Recovered{};
    }

    /// Dies so, by this signal, in this function.
    Death expect_death(const std::string& how, const std::string& signal, const std::string& function) {
        const int status = run(how);
        if (!kSanitized) {  // which end the process in their own way
            EXPECT_TRUE(WIFSIGNALED(status)) << status;
            EXPECT_EQ("SIG" + std::string(sigabbrev_np(WTERMSIG(status))), signal);
        }
        const Recovered found = recovered();
        EXPECT_TRUE(found.process_died);
        EXPECT_TRUE(found.death.has_value());
        const Death death = found.death.value_or(Death{});
        EXPECT_EQ(death.signal, signal);
        EXPECT_EQ(death.process, process_);
        if (!death.frames.empty()) {
            EXPECT_EQ(death.frames[death.place].function, function) << to_text(death);
        } else {
            ADD_FAILURE() << "no frames";
        }
        EXPECT_EQ(to_text(death).find('\n'), std::string::npos);
        return death;
    }

    const test::ScratchFolder scratch_;
    std::uint64_t process_ = 0;
};

TEST_F(DeathTest, a_segmentation_fault_is_named_with_its_line) {
    const Death death = expect_death("segfault", "SIGSEGV", "dying::write_nowhere");
    EXPECT_EQ(death.address, 0U);
    EXPECT_FALSE(death.sender);
    EXPECT_FALSE(death.terminate);
    EXPECT_EQ(death.thread, process_);
    EXPECT_EQ(death.place, 0U) << "the instruction itself is first";
    EXPECT_TRUE(death.frames[0].file.ends_with("dying_program.cpp")) << death.frames[0].text;
    EXPECT_EQ(to_text(death).substr(0, 54),
              "SIGSEGV at address 0x0 in dying::write_nowhere at " + death.frames[0].file.substr(0, 4));
    EXPECT_EQ(death.frames.back().function, "_start");
}

TEST_F(DeathTest, an_abort_is_named_by_who_called_it) {
    expect_death("abort", "SIGABRT", "dying::give_up");
}

TEST_F(DeathTest, a_division_by_zero_is_named) {
    expect_death("divide", "SIGFPE", "dying::divide_by_zero");
}

TEST_F(DeathTest, an_exception_that_leaves_main_is_named_by_who_threw_it) {
    const Death death = expect_death("throw", "SIGABRT", "dying::throw_something");
    EXPECT_TRUE(death.terminate);
    EXPECT_EQ(death.exception, "std::runtime_error");
    EXPECT_EQ(death.message, "nobody\nlistens");
    EXPECT_TRUE(
        to_text(death).starts_with("std::terminate, nobody caught std::runtime_error (nobody listens) in "
                                   "dying::throw_something"))
        << to_text(death);
    EXPECT_NE(errors().find("terminate called after throwing"), std::string::npos)
        << "the C++ library's own handler has its say: " << errors();
}

TEST_F(DeathTest, an_exception_that_leaves_a_noexcept_function_is_named) {
    EXPECT_TRUE(expect_death("promise", "SIGABRT", "dying::throw_something").terminate);
}

TEST_F(DeathTest, a_stack_overflow_is_named) {
    expect_death("overflow", "SIGSEGV", "dying::go_deeper");
}

TEST_F(DeathTest, of_another_thread_its_name_is_known) {
    const Death death = expect_death("thread", "SIGSEGV", "dying::write_nowhere");
    EXPECT_EQ(death.thread_name, "worker");
    EXPECT_NE(death.thread, process_);
    EXPECT_TRUE(to_text(death).ends_with("thread " + std::to_string(death.thread) + " (worker)"));
}

TEST_F(DeathTest, a_stack_overflow_of_another_thread_is_named) {
    EXPECT_EQ(expect_death("thread_overflow", "SIGSEGV", "dying::go_deeper").thread_name, "worker");
}

TEST_F(DeathTest, an_exception_of_another_thread_is_named) {
    EXPECT_EQ(expect_death("thread_throw", "SIGABRT", "dying::throw_something").exception,
              "std::runtime_error");
}

TEST_F(DeathTest, a_signal_that_was_sent_ends_the_process) {
    EXPECT_FALSE(expect_death("sent", "SIGSEGV", "dying::raise_and_wait").address);
}

TEST_F(DeathTest, what_was_loaded_while_it_recorded_is_named) {
    const Death death = expect_death("library", "SIGSEGV", "crash_in_library");
    EXPECT_TRUE(death.frames[0].module.ends_with("library_that_crashes.so")) << death.frames[0].text;
}

TEST_F(DeathTest, the_programs_own_handler_runs_and_says_how_it_ends) {
    const int status = run("own_handler");
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 7);
    const std::optional<Death> death = recovered().death;
    ASSERT_TRUE(death);
    EXPECT_EQ(death->frames[death->place].function, "dying::write_nowhere");
}

TEST_F(DeathTest, the_programs_own_terminate_handler_runs) {
    const int status = run("own_terminate");
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 9);
    const std::optional<Death> death = recovered().death;
    ASSERT_TRUE(death);
    EXPECT_EQ(death->signal, "");
    EXPECT_EQ(death->frames[death->place].function, "dying::throw_something");
}

TEST_F(DeathTest, what_a_handler_aborts_for_is_named_and_not_the_abort) {
    const int status = run("aborting_handler");
    ASSERT_TRUE(WIFSIGNALED(status) || kSanitized);
    const std::optional<Death> death = recovered().death;
    ASSERT_TRUE(death);
    EXPECT_EQ(death->signal, "SIGSEGV");
    EXPECT_EQ(death->frames[death->place].function, "dying::write_nowhere");
}

TEST_F(DeathTest, a_handler_that_came_later_passes_on_to_ours) {
    expect_death("later_handler", "SIGSEGV", "dying::write_nowhere");
    EXPECT_TRUE(errors().starts_with("later handler\n")) << errors();
}

TEST_F(DeathTest, a_handler_between_two_recordings_makes_no_circle) {
    const int status = run("late");
    EXPECT_TRUE(WIFSIGNALED(status) || kSanitized) << status;
    EXPECT_TRUE(recovered().death);
}

TEST_F(DeathTest, a_program_that_went_on_died_of_something_else) {
    const int status = run("survives");
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), SIGKILL);
    const Recovered found = recovered();
    EXPECT_TRUE(found.process_died);
    EXPECT_FALSE(found.death);
}

TEST_F(DeathTest, an_ignored_signal_stays_ignored) {
    EXPECT_EQ(run("ignored"), 0);
    const Recovered found = recovered();
    EXPECT_FALSE(found.process_died);
    EXPECT_FALSE(found.death);
}

}  // namespace
}  // namespace tilemeter::report
