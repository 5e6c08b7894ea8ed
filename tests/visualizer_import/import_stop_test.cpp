// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// An import that is asked to stop, wherever it is: it ends at once and leaves what was there before.
#include <atomic>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/paths.hpp"
#include "tests/visualizer_import/imported.hpp"
#include "visualizer_import/database/database.hpp"

namespace tilemeter::visualizer_import {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStopped = "a request to stop";

bool says_stopped(const report::Error& error) {
    const std::string message = error.message();
    return message.find(kStopped) != std::string::npos && message.find('\n') == std::string::npos;
}

// As many functions, each with as many live buffers at its end, and their pages.
std::string report_with_buffers(int functions, int buffers) {
    std::string nodes, live, pages;
    for (int i = 0; i < functions; ++i) {
        const std::string start = std::to_string(2 * i), end = std::to_string(2 * i + 1);
        nodes.append(i > 0 ? ",\n" : "")
            .append(R"({"counter": )" + start +
                    R"(, "node_type": "function_start", "params": {"name": "f"}},)")
            .append(R"({"counter": )" + end + R"(, "node_type": "function_end", "params": {"name": "f"}})");
        live.append(i > 0 ? ",\n" : "").append("\"" + start + "\": [");
        for (int k = 0; k < buffers; ++k)
            live.append(k > 0 ? "," : "")
                .append(R"({"address": )" + std::to_string(64 * (k + 1)) +
                        R"(, "buffer_layout": 0, "buffer_type": 1, "device_id": 0, "max_size_per_bank": )" +
                        std::to_string(64 + i % 7) + "}");
        live += "]";
    }
    for (int k = 0; k < buffers; ++k)
        pages.append(k > 0 ? ",\n" : "")
            .append("\"" + std::to_string(64 * (k + 1)) +
                    R"(": [{"alloc_counter": 0, "pages": [{"address": )" + std::to_string(64 * (k + 1)) +
                    R"(, "buffer_type": 1, "page_size": 64}]}])");
    return R"({"buffer_pages_by_address": {)" + pages + R"(}, "devices": [], "graph": [)" + nodes +
           R"(], "metadata": {"rank": 0}, "per_operation_buffers": {)" + live + R"(}, "version": 1})";
}

TEST(ImportStop, a_statement_that_would_never_end_is_interrupted) {
    const int file = ::memfd_create("database", 0);
    std::atomic<bool> stop = false;
    auto database = Database::create(file, "the file", 4096, &stop);
    ASSERT_TRUE(database.ok()) << database.error().message();
    std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        stop = true;
    });
    const report::Status executed = database->execute(
        "CREATE TABLE t AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
        "SELECT max(i) AS i FROM n");
    other.join();
    ASSERT_FALSE(executed.ok());
    EXPECT_TRUE(says_stopped(executed.error())) << executed.error().message();
    EXPECT_FALSE(database->status().ok());
    ::close(file);
}

// Stopped when so much of the report is read: in each of its sections, by one thread and by two.
TEST(ImportStop, ends_in_every_section_and_leaves_what_was_there) {
    const ScratchFolder scratch;
    const fs::path out = scratch.path() / "out";
    ASSERT_TRUE(import_reports(report_path("add_pages"), out, {}).ok());
    const std::string before = test::text_of(out / "db.sqlite");
    const fs::path report = scratch.write("large.json", report_with_buffers(400, 100));
    for (const bool two_threads : {false, true})
        for (const double part : {0.0, 0.001, 0.005, 0.01, 0.02, 0.2, 0.5, 0.9, 0.99}) {
            std::atomic<bool> stop = false;
            std::atomic<std::uint64_t> seen_after = 0;
            ImportOptions options;
            options.stop = &stop;
            options.materialize = true;
            options.read_window_bytes = 8192;
            options.read_ahead_from_bytes = two_threads ? 0 : UINT64_MAX;
            const auto progress = [&](const std::string&, std::uint64_t done, std::uint64_t all) {
                if (stop) ++seen_after;
                if (static_cast<double>(done) >= part * static_cast<double>(all)) stop = true;
            };
            const auto imported = import_reports(report, out, options, progress);
            ASSERT_FALSE(imported.ok()) << part;
            EXPECT_TRUE(says_stopped(imported.error())) << imported.error().message();
            EXPECT_EQ(seen_after, 0U) << "read on";
            EXPECT_TRUE(before == test::text_of(out / "db.sqlite"));
        }
}

TEST(ImportStop, a_request_before_the_beginning_makes_nothing) {
    const ScratchFolder scratch;
    const std::atomic<bool> stop = true;
    ImportOptions options;
    options.stop = &stop;
    options.lenient = true;
    fs::create_directories(scratch.path() / "in");
    fs::copy_file(report_path("add_pages"), scratch.path() / "in" / "a.json");
    const auto imported = import_reports(scratch.path() / "in", scratch.path() / "out", options);
    ASSERT_FALSE(imported.ok());
    EXPECT_TRUE(says_stopped(imported.error())) << imported.error().message();
    EXPECT_FALSE(fs::exists(scratch.path() / "out"));
}

TEST(ImportStop, a_flag_that_nobody_sets_changes_nothing) {
    const ScratchFolder scratch;
    const std::atomic<bool> stop = false;
    ImportOptions options;
    ASSERT_TRUE(import_reports(largest_report(), scratch.path() / "without", options).ok());
    options.stop = &stop;
    ASSERT_TRUE(import_reports(largest_report(), scratch.path() / "with", options).ok());
    EXPECT_TRUE(test::text_of(scratch.path() / "without/db.sqlite") ==
                test::text_of(scratch.path() / "with/db.sqlite"));
}

// The program: what it made is gone, and its parent learns what ended it.
TEST(ImportStop, an_interrupted_program_leaves_nothing_and_says_so) {
    const ScratchFolder scratch;
    const fs::path report = scratch.write("large.json", report_with_buffers(1000, 300));
    const fs::path out = scratch.path() / "a" / "out";
    int told = 0;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        for (const int wait_ms : {3, 10, 20, 40, 80, 160, 320, 640}) {
            if (wait_ms > 80 && told > 0) continue;  // these are for a busy machine
            const fs::path said = scratch.path() / "said";
            const pid_t child = ::fork();
            if (child == 0) {
                for (const int number : {SIGINT, SIGTERM, SIGHUP})
                    ::signal(number, SIG_DFL);
                if (::freopen(said.c_str(), "w", stderr) == nullptr) std::_Exit(126);
                ::execl((test::program_folder() + "/graph_report").c_str(), "graph_report", "--quiet",
                        "--materialize", report.c_str(), out.c_str(), nullptr);
                std::_Exit(127);
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
            ::kill(child, signal);
            int status = 0;
            ::waitpid(child, &status, 0);
            if (WIFEXITED(status)) {  // faster than the signal
                EXPECT_EQ(WEXITSTATUS(status), 0) << test::text_of(said);
                fs::remove_all(scratch.path() / "a");
                continue;
            }
            ASSERT_TRUE(WIFSIGNALED(status));
            EXPECT_EQ(WTERMSIG(status), signal);
            EXPECT_FALSE(fs::exists(scratch.path() / "a"));
            if (test::text_of(said).find(kStopped) != std::string::npos) ++told;
        }
    EXPECT_GT(told, 0);
}

}  // namespace
}  // namespace tilemeter::visualizer_import
