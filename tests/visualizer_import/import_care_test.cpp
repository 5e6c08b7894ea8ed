// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The changes that an import makes to the files around it, also when it goes wrong.
#include <algorithm>
#include <cstdlib>
#include <random>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cases.hpp"
#include "tests/paths.hpp"
#include "tests/visualizer_import/imported.hpp"

namespace tilemeter::visualizer_import {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
}

bool is_sound(const fs::path& database) {
    return rows_of(database, "PRAGMA integrity_check") == std::vector<std::string>{"ok"};
}

// Starts the program in a process of its own.
pid_t start_import(const fs::path& report, const fs::path& output, rlim_t most_file_bytes = RLIM_INFINITY) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    const rlimit limit{most_file_bytes, most_file_bytes};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    ::signal(SIGXFSZ, SIG_IGN);
    const int nowhere = ::open("/dev/null", O_RDWR);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    ::execl((test::program_folder() + "/graph_report").c_str(), "graph_report", report.c_str(),
            output.c_str(), nullptr);
    std::_Exit(127);
}

int exit_code_of(pid_t child) {
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(ImportCare, a_missing_path_is_an_error_and_makes_no_folder) {
    const ScratchFolder scratch;
    const auto imported = import_reports(scratch.path() / "nothing.json", scratch.path() / "out", {});
    ASSERT_FALSE(imported.ok());
    EXPECT_NE(imported.error().message().find("nothing.json"), std::string::npos);
    EXPECT_FALSE(fs::exists(scratch.path() / "out"));
}

TEST(ImportCare, a_folder_without_reports_is_an_error) {
    const ScratchFolder scratch;
    scratch.write("in/config.json", "{}");
    EXPECT_FALSE(import_reports(scratch.path() / "in", scratch.path() / "out", {}).ok());
}

TEST(ImportCare, what_is_imported_is_never_replaced_by_the_database) {
    const ScratchFolder scratch;
    const std::string text = test::text_of(report_path("add_pages"));
    const fs::path report = scratch.write("report.json", text);
    scratch.write("report.python_io.json", "[]");
    fs::create_hard_link(report, scratch.path() / "db.sqlite");
    const auto names = [&] {
        return std::distance(fs::directory_iterator(scratch.path()), fs::directory_iterator());
    };
    for (const fs::path& given : {report, scratch.path()})
        for (const char* name : {"report.json", "report.python_io.json", "db.sqlite"}) {
            ImportOptions options;
            options.db_name = name;
            const auto imported = import_reports(given, scratch.path() / ".", options);
            ASSERT_FALSE(imported.ok()) << given << " " << name;
            EXPECT_TRUE(imported.error().wrong_usage) << imported.error().message();
            EXPECT_NE(imported.error().message().find("expected a file to write that is no input"),
                      std::string::npos);
            EXPECT_EQ(names(), 3) << given << " " << name;
            EXPECT_TRUE(test::text_of(report) == text);
        }
}

TEST(ImportCare, a_failed_import_leaves_the_previous_database_and_nothing_else) {
    const ScratchFolder scratch;
    const fs::path out = scratch.path() / "out";
    ASSERT_TRUE(import_reports(report_path("add_pages"), out, {}).ok());
    const std::string before = test::text_of(out / "db.sqlite");
    const auto names = names_in(out);
    const std::string text = test::text_of(report_path("add_pages"));
    const fs::path truncated =
        scratch.write("truncated.json", std::string_view(text).substr(0, text.size() - 100));
    const auto imported = import_reports(truncated, out, {});
    ASSERT_FALSE(imported.ok());
    EXPECT_TRUE(before == test::text_of(out / "db.sqlite"));
    EXPECT_EQ(names_in(out), names);
}

TEST(ImportCare, a_failed_import_removes_the_folders_it_made) {
    const ScratchFolder scratch;
    const fs::path broken = scratch.write("broken.json", "{\"graph\": [}");
    ASSERT_FALSE(import_reports(broken, scratch.path() / "a" / "b", {}).ok());
    EXPECT_FALSE(fs::exists(scratch.path() / "a"));
}

TEST(ImportCare, an_unusable_output_folder_is_an_error) {
    const ScratchFolder scratch;
    const fs::path file = scratch.write("file", "");
    const auto imported = import_reports(report_path("add_pages"), file / "out", {});
    ASSERT_FALSE(imported.ok());
    EXPECT_EQ(imported.error().message().find('\n'), std::string::npos);
}

TEST(ImportCare, results_beside_the_report_are_not_taken_for_reports_the_next_time) {
    const ScratchFolder scratch;
    scratch.write("report.json", test::text_of(report_path("add_pages")));
    scratch.write("report.tensor_lifetime.json", "[]");
    ASSERT_TRUE(import_reports(scratch.path(), scratch.path(), {}).ok());
    EXPECT_TRUE(import_reports(scratch.path(), scratch.path(), {}).ok());
}

TEST(ImportCare, of_a_folder_the_sound_reports_are_imported_only_when_asked_leniently) {
    const ScratchFolder scratch;
    scratch.write("in/a.json", test::text_of(report_path("add_pages")));
    scratch.write("in/b.json", "{\"graph\": ");
    ASSERT_FALSE(import_reports(scratch.path() / "in", scratch.path() / "out", {}).ok());
    ImportOptions lenient;
    lenient.lenient = true;
    const auto imported = import_reports(scratch.path() / "in", scratch.path() / "out", lenient);
    ASSERT_TRUE(imported.ok()) << imported.error().message();
    EXPECT_EQ(imported.value().skipped.size(), 1U);
    EXPECT_EQ(rows_of(scratch.path() / "out/db.sqlite", "SELECT operation_name, error_type FROM errors"),
              std::vector<std::string>{"b.json|skipped_report"});
    EXPECT_EQ(rows_of(scratch.path() / "out/db.sqlite", "SELECT count(*) FROM operations"),
              std::vector<std::string>{"3"});
}

TEST(ImportCare, two_imports_at_once_leave_one_sound_database) {
    const ScratchFolder scratch;
    for (int round = 0; round < 5; ++round) {
        std::thread other(
            [&] { EXPECT_TRUE(import_reports(report_path("add_pages"), scratch.path() / "out", {}).ok()); });
        EXPECT_TRUE(import_reports(largest_report(), scratch.path() / "out", {}).ok());
        other.join();
        EXPECT_TRUE(is_sound(scratch.path() / "out/db.sqlite"));
        EXPECT_EQ(names_in(scratch.path() / "out"),
                  (std::vector<std::string>{"cluster_descriptor.yaml", "db.sqlite"}));
    }
}

// The process that a killed import left to rename its database may need a moment for it.
std::vector<std::string> names_left_in(const fs::path& folder) {
    auto names = names_in(folder);
    for (int i = 0; i < 1000 && names.size() > 2; ++i, names = names_in(folder))
        ::usleep(10000);
    return names;
}

TEST(ImportCare, a_killed_import_leaves_the_previous_database_and_nothing_else) {
    const ScratchFolder scratch;
    const fs::path out = scratch.path() / "out";
    ASSERT_EQ(exit_code_of(start_import(report_path("add_pages"), out)), 0);
    const std::string before = test::text_of(out / "db.sqlite");
    const std::uint32_t kills = test::cases(30);
    std::mt19937 random(7);
    int interrupted = 0;
    for (std::uint32_t i = 0; i < kills; ++i) {
        const pid_t child = start_import(largest_report(), out);
        ::usleep(static_cast<useconds_t>(random() % 20000));
        ::kill(child, SIGKILL);
        if (exit_code_of(child) != 0) ++interrupted;
        ASSERT_TRUE(is_sound(out / "db.sqlite"));
        EXPECT_EQ(names_left_in(out), (std::vector<std::string>{"cluster_descriptor.yaml", "db.sqlite"}))
            << "kill " << i;
    }
    EXPECT_GT(interrupted, 0);
    ASSERT_EQ(exit_code_of(start_import(report_path("add_pages"), out)), 0);
    EXPECT_TRUE(before == test::text_of(out / "db.sqlite"));
}

TEST(ImportCare, a_file_that_cannot_grow_leaves_the_previous_database_and_nothing_else) {
    const ScratchFolder scratch;
    const fs::path out = scratch.path() / "out";
    ASSERT_EQ(exit_code_of(start_import(report_path("add_pages"), out)), 0);
    const std::string before = test::text_of(out / "db.sqlite");
    for (const rlim_t bytes : {rlim_t{1}, rlim_t{4096}, rlim_t{50000}, rlim_t{150000}}) {
        EXPECT_EQ(exit_code_of(start_import(largest_report(), out, bytes)), 1) << bytes;
        EXPECT_TRUE(before == test::text_of(out / "db.sqlite"));
        EXPECT_EQ(names_in(out), (std::vector<std::string>{"cluster_descriptor.yaml", "db.sqlite"}));
    }
}

constexpr int kNoRights = 77;

// In a process of its own: a disk of so many bytes, on which the second import finds too little room. The
// exit code says what was wrong.
int import_on_a_full_disk(const fs::path& out, std::uintmax_t disk_bytes) {
    const std::string size = "size=" + std::to_string(disk_bytes);
    if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("tmpfs", out.c_str(), "tmpfs", 0, size.c_str()) != 0)
        return kNoRights;
    if (!import_reports(report_path("add_pages"), out, {})) return 1;
    const std::string before = test::text_of(out / "db.sqlite");
    const auto imported = import_reports(largest_report(), out, {});
    if (imported) return 2;
    const std::string message = imported.error().message();
    if (message.find("full") == std::string::npos || message.find('\n') != std::string::npos) return 3;
    if (before != test::text_of(out / "db.sqlite") || !is_sound(out / "db.sqlite")) return 4;
    if (names_in(out) != std::vector<std::string>{"cluster_descriptor.yaml", "db.sqlite"}) return 5;
    return 0;
}

TEST(ImportCare, a_full_disk_leaves_the_previous_database_and_nothing_else) {
    const ScratchFolder scratch;
    const fs::path out = scratch.path() / "out";
    ASSERT_TRUE(import_reports(report_path("add_pages"), out, {}).ok());
    const std::uintmax_t used =
        fs::file_size(out / "db.sqlite") + 4096;  // and the description of the cluster
    for (const std::uintmax_t free : {8192, 65536, 200000}) {
        const pid_t child = ::fork();
        if (child == 0) std::_Exit(import_on_a_full_disk(out, used + free));
        const int code = exit_code_of(child);
        if (code == kNoRights) GTEST_SKIP() << "nobody may mount a disk here";
        EXPECT_EQ(code, 0) << free << " bytes free";
    }
}

}  // namespace
}  // namespace tilemeter::visualizer_import
