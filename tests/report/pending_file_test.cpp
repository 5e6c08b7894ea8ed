// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Files that appear whole or not at all, when the process that writes them is killed at any moment.
#include "report/pending_file.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cases.hpp"
#include "tests/scratch_folder.hpp"

namespace tilemeter::report {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
}

std::string whole_text(int number) {
    return std::string(5000, static_cast<char>('a' + number % 26));
}

bool replace_file(const fs::path& path, std::string_view text) {
    auto file = PendingFile::create(path);
    return file && file->write(text) && file->publish();
}

TEST(PendingFile, appears_when_it_is_published_and_replaces_what_was_there) {
    const test::ScratchFolder scratch;
    const fs::path path = scratch.path() / "a.txt";
    for (int i = 0; i < 2; ++i) {
        auto file = PendingFile::create(path);
        ASSERT_TRUE(file.ok());
        ASSERT_TRUE(file->write(whole_text(i)).ok());
        EXPECT_EQ(test::text_of(path), i == 0 ? "" : whole_text(0));
        ASSERT_TRUE(file->publish().ok());
        EXPECT_EQ(test::text_of(path), whole_text(i));
    }
    EXPECT_EQ(names_in(scratch.path()), std::vector<std::string>{"a.txt"});
}

TEST(PendingFile, a_folder_in_its_place_is_an_error_and_leaves_nothing) {
    const test::ScratchFolder scratch;
    fs::create_directory(scratch.path() / "a.txt");
    auto file = PendingFile::create(scratch.path() / "a.txt");
    ASSERT_TRUE(file.ok());
    const Status published = file->publish();
    ASSERT_FALSE(published.ok());
    EXPECT_EQ(published.error().expected, "a file that can be replaced");
    EXPECT_EQ(names_in(scratch.path()), std::vector<std::string>{"a.txt"});
}

// Each of them looks for what killed writers left, and must not take the others' files for it.
TEST(PendingFile, of_several_writers_each_publishes) {
    const test::ScratchFolder scratch;
    const fs::path path = scratch.path() / "a.txt";
    std::atomic<int> published{0};
    std::vector<std::thread> writers;
    constexpr int kWriters = 4, kEach = 150;
    for (int writer = 0; writer < kWriters; ++writer)
        writers.emplace_back([&, writer] {
            for (int i = 0; i < kEach; ++i)
                published += replace_file(path, whole_text(writer)) ? 1 : 0;
        });
    for (std::thread& writer : writers)
        writer.join();
    EXPECT_EQ(published, kWriters * kEach);
    EXPECT_EQ(names_in(scratch.path()), std::vector<std::string>{"a.txt"});
}

// The child does nothing but replace the file, so that
// a kill often falls between the steps by which the new one gets its name.
TEST(PendingFile, a_process_killed_at_any_moment_leaves_a_whole_file_and_nothing_else) {
    const test::ScratchFolder scratch;
    const fs::path path = scratch.path() / "a.txt";
    ASSERT_TRUE(replace_file(path, whole_text(0)));
    const std::uint32_t kills = test::cases(200);
    std::mt19937 random(11);
    for (std::uint32_t i = 0; i < kills; ++i) {
        const pid_t child = ::fork();
        if (child == 0)
            for (int number = 1;; ++number)
                if (!replace_file(path, whole_text(number))) std::_Exit(1);
        ::usleep(static_cast<useconds_t>(500 + random() % 3000));
        ::kill(child, SIGKILL);
        int status = 0;
        ::waitpid(child, &status, 0);
        ASSERT_TRUE(WIFSIGNALED(status)) << "kill " << i;
        // The process that renames the file goes on for a moment, or begins only now: one look counts.
        std::vector<std::string> names = names_in(scratch.path());
        for (int wait = 0; wait < 1000 && names.size() > 1; ++wait) {
            ::usleep(10000);
            names = names_in(scratch.path());
        }
        ASSERT_EQ(names, std::vector<std::string>{"a.txt"}) << "kill " << i;
        const std::string text = test::text_of(path);
        ASSERT_EQ(text, whole_text(text[0] - 'a'));
    }
    // The last one may not even have begun; the folder goes with the test.
    ::usleep(200000);
}

}  // namespace
}  // namespace tilemeter::report
