// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilemeter::compute {
namespace {

constexpr std::uint64_t kManySteps = 1000 * kStepsPerThread;

TEST(ParallelFor, calls_each_part_once_from_many_threads_at_a_time) {
    constexpr std::size_t kCallers = 4, kRounds = 50, kParts = 97;
    std::vector<std::thread> callers;
    std::atomic<int> wrong{0};
    for (std::size_t caller = 0; caller < kCallers; ++caller) {
        callers.emplace_back([&] {
            for (std::size_t round = 0; round < kRounds; ++round) {
                std::vector<std::atomic<int>> calls(kParts);
                parallel_for(kParts, kManySteps, [&](std::size_t i) { ++calls[i]; });
                for (const std::atomic<int>& each : calls)
                    wrong += each == 1 ? 0 : 1;
            }
        });
    }
    for (std::thread& each : callers)
        each.join();
    EXPECT_EQ(wrong, 0);
}

TEST(ParallelFor, leaves_little_work_in_the_calling_thread) {
    const std::thread::id caller = std::this_thread::get_id();
    parallel_for(64, kStepsPerThread - 1,
                 [&](std::size_t) { EXPECT_EQ(std::this_thread::get_id(), caller); });
    EXPECT_EQ(thread_count(kStepsPerThread - 1), 1U);
    EXPECT_EQ(thread_count(kManySteps), thread_limit());
}

TEST(ParallelFor, throws_what_a_part_throws) {
    EXPECT_THROW(parallel_for(100, kManySteps,
                              [](std::size_t i) {
                                  if (i == 40) throw std::out_of_range("40");
                              }),
                 std::out_of_range);
    std::atomic<int> calls{0};
    parallel_for(100, kManySteps, [&](std::size_t) { ++calls; });
    EXPECT_EQ(calls, 100);
}

TEST(ParallelCopy, copies_pieces_of_all_lengths_and_nothing_beside_them) {
    constexpr std::size_t kGap = 5;
    std::vector<std::byte> from, to;
    std::vector<std::size_t> counts = {0, 1, 3, 65'535, 65'536, 65'537, 3'000'001};
    std::size_t size = kGap;
    for (const std::size_t count : counts)
        size += count + kGap;
    for (std::size_t i = 0; i < size; ++i)
        from.push_back(static_cast<std::byte>(i * 31 % 251));
    to.assign(size, std::byte{0xFF});
    std::vector<BytesToCopy> pieces;
    std::vector<std::byte> expected = to;
    std::size_t at = kGap;
    for (const std::size_t count : counts) {
        pieces.push_back({to.data() + at, from.data() + at, count});
        std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(at), count,
                    expected.begin() + static_cast<std::ptrdiff_t>(at));
        at += count + kGap;
    }
    parallel_copy(pieces);
    EXPECT_EQ(to, expected);
}

TEST(ParallelFor, computes_in_a_forked_process_too) {
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "the thread sanitizer allows no new threads after a fork";
#endif
    parallel_for(8, kManySteps, [](std::size_t) {});
    const pid_t child = fork();
    if (child == 0) {
        std::atomic<int> calls{0};
        parallel_for(8, kManySteps, [&](std::size_t) { ++calls; });
        _exit(calls == 8 ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace
}  // namespace tilemeter::compute
