// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/internal/text_room.hpp"

#include <cstdlib>
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
    return std::to_string(number) + std::string(1000, static_cast<char>('a' + number % 26));
}

std::vector<std::string_view> keep(TextRoom& room, int from, int to) {
    std::vector<std::string_view> kept;
    for (int i = from; i < to; ++i)
        kept.push_back(room.keep(text(i)));
    return kept;
}

bool are_texts(const std::vector<std::string_view>& kept, int from) {
    for (const std::string_view each : kept) {
        if (each != text(from++)) return false;
    }
    return true;
}

TEST(TextRoom, KeepsNoMoreThanItsLimitInMemory) {
    TextRoom room(kMost);
    const auto kept = keep(room, 0, 1000);
    EXPECT_TRUE(are_texts(kept, 0));
    EXPECT_LE(room.bytes_in_memory(), kMost);
    EXPECT_GT(room.bytes_in_memory(), kMost / 2);
    EXPECT_GT(room.bytes_in_files(), 900 * 1000U);
}

TEST(TextRoom, KeepsTextsThatAreLargerThanWhatItMapsAtOnce) {
    TextRoom room(kMost);
    const std::string large(std::size_t{65} << 20, 'x');
    const std::string_view kept = room.keep(large);
    EXPECT_EQ(room.bytes_in_files(), large.size());
    EXPECT_EQ(room.keep("next"), "next");
    EXPECT_TRUE(kept == large);
}

TEST(TextRoom, ParentAndChildDoNotWriteIntoEachOthersTexts) {
    TextRoom room(kMost);
    const auto before = keep(room, 0, 200);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        const auto here = keep(room, 5000, 5200);
        _exit(are_texts(before, 0) && are_texts(here, 5000) ? 0 : 1);
    }
    const auto after = keep(room, 200, 400);
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(are_texts(before, 0) && are_texts(after, 200));
}

TEST(TextRoom, KeepsTextsInMemoryWhereNoFileCanBeMade) {
    const char* const folder = std::getenv("TMPDIR");
    const std::string former = folder == nullptr ? "/tmp" : folder;
    setenv("TMPDIR", "/no/such/folder", 1);
    TextRoom room(kMost);
    const auto kept = keep(room, 0, 200);
    setenv("TMPDIR", former.c_str(), 1);
    EXPECT_TRUE(are_texts(kept, 0));
    EXPECT_EQ(room.bytes_in_files(), 0U);
}

}  // namespace
}  // namespace tilemeter::record::internal
