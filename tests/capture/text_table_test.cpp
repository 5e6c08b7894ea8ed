// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/internal/text_table.hpp"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilemeter::record::internal {
namespace {

constexpr std::size_t kMost = 64 << 10;

std::string text(int number) {
    return std::to_string(number) + std::string(100, static_cast<char>('a' + number % 26));
}

std::uint32_t intern(TextTable& table, std::string_view each) {
    return table.intern(each, TextTable::hash_of(each)).number;
}

/// The numbers of text(from) to text(to - 1).
std::vector<std::uint32_t> intern(TextTable& table, int from, int to) {
    std::vector<std::uint32_t> numbers;
    for (int i = from; i < to; ++i)
        numbers.push_back(intern(table, text(i)));
    return numbers;
}

bool are_texts(const TextTable& table, const std::vector<std::uint32_t>& numbers, int from) {
    std::string room;
    for (const std::uint32_t number : numbers) {
        if (table.text_of(number) != text(from) || table.copy_of(number, room) != text(from)) return false;
        ++from;
    }
    return true;
}

std::size_t resident_bytes() {
    std::ifstream file("/proc/self/statm");
    std::size_t pages = 0;
    std::size_t resident = 0;
    file >> pages >> resident;
    return resident * static_cast<std::size_t>(getpagesize());
}

TEST(TextTable, NumbersTextsFromOneInTheOrderInWhichTheyCame) {
    TextTable table(kMost);
    const auto numbers = intern(table, 0, 5000);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        EXPECT_EQ(numbers[i], i + 1);
    EXPECT_EQ(table.count(), 5000U);
    EXPECT_TRUE(are_texts(table, numbers, 0));
}

TEST(TextTable, EqualTextsHaveOneNumberWhereverTheyLie) {
    TextTable table(kMost);
    const auto numbers = intern(table, 0, 5000);
    const std::uint64_t written = table.bytes_in_file();
    EXPECT_GT(written, 4000 * 100U);
    EXPECT_EQ(intern(table, 0, 5000), numbers);
    const std::string newest = text(4999);
    EXPECT_EQ(table.find_in_memory(newest, TextTable::hash_of(newest)), 5000U);
    EXPECT_EQ(table.bytes_in_file(), written);
    EXPECT_EQ(table.count(), 5000U);
}

TEST(TextTable, TellsTextsOfOneHashApart) {
    TextTable table(0);
    std::vector<std::uint32_t> numbers;
    for (int i = 0; i < 20; ++i)
        numbers.push_back(table.intern(text(i), 7).number);
    for (int i = 0; i < 20; ++i)
        EXPECT_EQ(table.intern(text(i), 7).number, numbers[static_cast<std::size_t>(i)]);
    EXPECT_EQ(table.count(), 20U);
    EXPECT_TRUE(are_texts(table, numbers, 0));
}

TEST(TextTable, KeepsTheMemoryOfItsIndexWithinTheLimit) {
    TextTable table(kMost);
    intern(table, 0, 5000);
    EXPECT_LE(table.bytes_in_memory(), kMost);
    EXPECT_GT(table.bytes_in_memory(), kMost / 2);
}

TEST(TextTable, MemoryIsFlatBeyondTheLimit) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers keep memory of their own for what is freed and written";
#endif
    TextTable table(kMost);
    intern(table, 0, 20'000);
    const std::size_t before = resident_bytes();
    intern(table, 20'000, 320'000);
    // Each text anew: those that lie in the file are found there.
    intern(table, 0, 100'000);
    const std::size_t after = resident_bytes();
    EXPECT_EQ(table.count(), 320'000U);
    EXPECT_LT(after, before + (1U << 20)) << "for 300,000 texts";
}

TEST(TextTable, KeepsTextsThatAreLargerThanWhatItMapsAtOnce) {
    TextTable table(kMost);
    const std::string large(std::size_t{65} << 20, 'x');
    const std::uint32_t number = intern(table, large);
    EXPECT_EQ(table.text_of(intern(table, "next")), "next");
    EXPECT_TRUE(table.text_of(number) == large);
    EXPECT_EQ(intern(table, large), number);
}

TEST(TextTable, ParentAndChildDoNotWriteIntoEachOthersTexts) {
    TextTable table(kMost);
    const auto before = intern(table, 0, 2000);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        const auto here = intern(table, 5000, 7000);
        const bool known = intern(table, 0, 2000) == before && intern(table, 5000, 7000) == here;
        _exit(known && are_texts(table, before, 0) && are_texts(table, here, 5000) ? 0 : 1);
    }
    const auto after = intern(table, 2000, 4000);
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(intern(table, 0, 2000), before);
    EXPECT_EQ(intern(table, 2000, 4000), after);
    EXPECT_TRUE(are_texts(table, before, 0) && are_texts(table, after, 2000));
}

TEST(TextTable, KeepsTextsInMemoryWhereNoFileCanBeMade) {
    const char* const folder = std::getenv("TMPDIR");
    const std::string former = folder == nullptr ? "/tmp" : folder;
    setenv("TMPDIR", "/no/such/folder", 1);
    TextTable table(kMost);
    const auto numbers = intern(table, 0, 2000);
    setenv("TMPDIR", former.c_str(), 1);
    EXPECT_EQ(intern(table, 0, 2000), numbers);
    EXPECT_TRUE(are_texts(table, numbers, 0));
    EXPECT_EQ(table.bytes_in_file(), 0U);
}

}  // namespace
}  // namespace tilemeter::record::internal
