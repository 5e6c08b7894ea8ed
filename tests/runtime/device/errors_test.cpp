// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Every text here was recorded from TT-NN 0.81.1, but those of scratchpads: it has none.

#include "runtime/device/errors.hpp"

#include <gtest/gtest.h>

namespace tilemeter {
namespace {

using record::MemoryType;

constexpr CoreRange kGrid{{0, 0}, {7, 7}};
constexpr CoreRange kCorner{{0, 0}, {1, 1}};

TEST(Errors, out_of_memory_says_what_was_asked_and_what_the_bank_holds) {
    const OutOfMemoryError error(MemoryType::kL1, 16777216, 64, 262144, {1393312, 1310720, 82592, 82592});
    EXPECT_STREQ(error.what(),
                 "Out of Memory: Not enough space to allocate 16777216 B L1 buffer across 64 banks, where "
                 "each bank needs to store 262144 B, but bank size is 1393312 B (allocated: 1310720 B, free: "
                 "82592 B, largest free block: 82592 B).");
    EXPECT_EQ(error.bank.largest_free_block, 82592U);
}

TEST(Errors, out_of_memory_in_L1_small_says_how_to_get_more) {
    EXPECT_STREQ(OutOfMemoryError(MemoryType::kL1Small, 32768, 4, 8192, {4096, 0, 4096, 4096}).what(),
                 "Out of Memory: Not enough space to allocate 32768 B L1_SMALL buffer across 4 banks, where "
                 "each bank needs to store 8192 B, but bank size is 4096 B (allocated: 0 B, free: 4096 B, "
                 "largest free block: 4096 B). The L1_SMALL region is sized at device open; increase "
                 "l1_small_size when opening the device.");
}

TEST(Errors, out_of_memory_without_L1_small_says_how_to_get_some) {
    EXPECT_STREQ(
        OutOfMemoryError(MemoryType::kL1Small, 1280, 20, 64, {0, 0, 0, 0}).what(),
        "Out of Memory: Not enough space to allocate 1280 B L1_SMALL buffer across 20 banks, where "
        "each bank needs to store 64 B, but bank size is 0 B (allocated: 0 B, free: 0 B, largest free "
        "block: 0 B). The L1_SMALL region is 0 B because it is reserved at device open; set "
        "l1_small_size large enough for this allocation when opening the device.");
}

TEST(Errors, out_of_memory_in_the_trace_region_names_it) {
    EXPECT_STREQ(OutOfMemoryError(MemoryType::kTrace, 3932160, 12, 327680, {8192, 0, 8192, 8192}).what(),
                 "Out of Memory: Not enough space to allocate 3932160 B TRACE buffer across 12 banks, where "
                 "each bank needs to store 327680 B, but bank size is 8192 B (allocated: 0 B, free: 8192 B, "
                 "largest free block: 8192 B).");
}

TEST(Errors, a_clash_names_the_kind_of_program_memory_and_both_addresses) {
    EXPECT_STREQ(
        ProgramMemoryClashError(ProgramMemoryKind::kDataflowBuffer, 6, kGrid, 761184, 319488).what(),
        "Statically allocated dataflow buffers in program 6 clash with L1 buffers on core range [0-0 - "
        "7-7]. L1 buffer allocated at 319488 and static dataflow buffer region ends at 761184");
    EXPECT_STREQ(
        ProgramMemoryClashError(ProgramMemoryKind::kCircularBuffer, 10, kCorner, 925024, 471040).what(),
        "Statically allocated circular buffers in program 10 clash with L1 buffers on core range [0-0 - "
        "1-1]. L1 buffer allocated at 471040 and static circular buffer region ends at 925024");
    EXPECT_STREQ(
        ProgramMemoryClashError(ProgramMemoryKind::kScratchpad, 2, kGrid, 300, 200).what(),
        "Statically allocated dataflow buffers in program 2 clash with L1 buffers on core range [0-0 - "
        "7-7]. L1 buffer allocated at 200 and static dataflow buffer region ends at 300");
}

TEST(Errors, program_memory_larger_than_L1_says_how_far_it_grows) {
    EXPECT_STREQ(
        ProgramMemoryTooLargeError(ProgramMemoryKind::kCircularBuffer, 4, kCorner, 1744224, 1499136).what(),
        "Statically allocated circular buffers on core range [0-0 - 1-1] grow to 1744224 B which is beyond "
        "max L1 size of 1499136 B");
    EXPECT_STREQ(
        ProgramMemoryTooLargeError(ProgramMemoryKind::kDataflowBuffer, 4, kGrid, 3251552, 1499136).what(),
        "Statically allocated dataflow buffers on core range [0-0 - 7-7] grow to 3251552 B which is beyond "
        "max L1 size of 1499136 B");
}

}  // namespace
}  // namespace tilemeter
