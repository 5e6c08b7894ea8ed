// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/gate/compare.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/report/analysis/list_maker.hpp"

namespace tilemeter::analysis {
namespace {

using DifferenceKind = Difference::Kind;
using Answer = Comparison::Answer;

NodeList whole(ListMaker& maker) {
    maker.finish();
    return maker.take();
}

/// One operation that makes a tensor and runs a program, recorded or not.
NodeList run(MemoryType memory, std::uint64_t bytes, std::uint64_t program_bytes = 0, bool release = false) {
    ListMaker maker;
    maker.begin("op");
    const auto at = maker.buffer({.per_bank = bytes, .address = 1'000'000, .memory = memory});
    maker.deallocate_all();
    if (program_bytes != 0) maker.piece({.size = program_bytes, .address = 105'824});
    maker.execute();
    if (release) maker.free(at, {.per_bank = bytes, .address = 1'000'000, .memory = memory});
    maker.end();
    return whole(maker);
}

TEST(Comparison, tells_a_move_between_memories_as_two_changes) {
    const Comparison it = compare(run(MemoryType::kDram, 176'128, 512), run(MemoryType::kL1, 32'768, 512));
    ASSERT_EQ(it.differences.size(), 2U);
    EXPECT_EQ(it.differences[0].kind, DifferenceKind::kMovedOut);
    EXPECT_EQ(it.differences[0].memory, MemoryType::kDram);
    EXPECT_EQ(it.differences[0].before_bytes, 176'128U);
    EXPECT_EQ(it.differences[0].after_bytes, std::nullopt);
    EXPECT_EQ(it.differences[1].kind, DifferenceKind::kMovedIn);
    EXPECT_EQ(it.differences[1].memory, MemoryType::kL1);
    EXPECT_EQ(it.differences[1].before_bytes, std::nullopt);
    EXPECT_EQ(it.differences[1].after_bytes, 32'768U);
    EXPECT_EQ(it.differences[0].path, it.differences[1].path);
    EXPECT_EQ(it.before.l1.peak_bytes, 512U);
    EXPECT_EQ(it.after.l1.peak_bytes, 33'280U);
    EXPECT_EQ(it.answer(), Answer::kDiffer);

    const auto grown = it.grown(MemoryType::kL1, 5);
    ASSERT_EQ(grown.size(), 1U);
    EXPECT_EQ(grown[0].operation, "op");
    EXPECT_EQ(grown[0].bytes, 32'768);
    EXPECT_TRUE(it.grown(MemoryType::kDram, 5).empty()) << "it shrank there";
}

TEST(Comparison, of_what_one_side_did_not_record_is_no_saving) {
    const Comparison it = compare(run(MemoryType::kL1, 1024, 40'960), run(MemoryType::kL1, 1024));
    ASSERT_EQ(it.differences.size(), 1U);
    EXPECT_EQ(it.differences[0].kind, DifferenceKind::kOnlyRecorded);
    EXPECT_EQ(it.differences[0].before, "recorded");
    EXPECT_EQ(it.differences[0].after, "not recorded");
    EXPECT_EQ(it.before.l1.peak_bytes, 41'984U);
    EXPECT_EQ(it.after.l1.peak_bytes, 1024U);
    EXPECT_EQ(it.after.l1.bound, Bound::kAtLeast);
    EXPECT_FALSE(is_comparable(it.before.l1, it.after.l1));
    EXPECT_EQ(it.answer(), Answer::kUnknown);
    EXPECT_EQ(it.answer(true), Answer::kSame);
    EXPECT_TRUE(it.grown(MemoryType::kL1, 5).empty());
    const auto notes = it.notes();
    EXPECT_NE(std::find(notes.begin(), notes.end(),
                        "the peaks of L1 cannot be subtracted: at least one of them is not known in full"),
              notes.end());
}

TEST(Comparison, of_equal_captures_is_that_they_are_the_same) {
    EXPECT_EQ(compare(run(MemoryType::kL1, 1024, 512), run(MemoryType::kL1, 1024, 512)).answer(),
              Answer::kSame);
    EXPECT_EQ(compare(run(MemoryType::kL1, 1024), run(MemoryType::kL1, 1024)).answer(), Answer::kSame)
        << "the same program in the same operation, recorded on neither side";
}

TEST(Comparison, sees_a_program_that_grew) {
    const Comparison it = compare(run(MemoryType::kL1, 1024, 512), run(MemoryType::kL1, 1024, 768));
    ASSERT_EQ(it.differences.size(), 1U);
    EXPECT_EQ(it.differences[0].kind, DifferenceKind::kChangedProgram);
    EXPECT_EQ(it.differences[0].before_bytes, 512U);
    EXPECT_EQ(it.differences[0].after_bytes, 768U);
    EXPECT_EQ(it.answer(), Answer::kDiffer);
    EXPECT_EQ(it.grown(MemoryType::kL1, 5).at(0).bytes, 256);
}

TEST(Comparison, sees_by_the_peak_what_is_released_later) {
    const auto twice = [](bool release) {
        ListMaker maker;
        for (int i = 0; i < 2; ++i) {
            maker.begin("op");
            const auto at = maker.buffer({.per_bank = 1024, .address = 1'000'000 - i * 1024});
            if (release) maker.free(at, {.per_bank = 1024, .address = 1'000'000 - i * 1024});
            maker.end();
        }
        return whole(maker);
    };
    const Comparison it = compare(twice(true), twice(false));
    EXPECT_TRUE(it.differences.empty());
    EXPECT_EQ(it.before.l1.peak_bytes, 1024U);
    EXPECT_EQ(it.after.l1.peak_bytes, 2048U);
    EXPECT_EQ(it.answer(), Answer::kDiffer);
}

TEST(Comparison, says_what_new_operations_allocate) {
    const auto times = [](int count) {
        ListMaker maker;
        for (int i = 0; i < count; ++i) {
            maker.begin("op");
            maker.buffer({.per_bank = 1024, .address = 1'000'000 + i * 1024, .memory = MemoryType::kDram});
            maker.end();
        }
        return whole(maker);
    };
    const Comparison it = compare(times(1), times(4));
    ASSERT_EQ(it.differences.size(), 2U);
    EXPECT_EQ(it.differences[0].kind, DifferenceKind::kNewOperation);
    EXPECT_EQ(it.differences[0].count, 3U);
    EXPECT_EQ(it.differences[1].kind, DifferenceKind::kNewAllocation);
    EXPECT_EQ(it.differences[1].count, 3U);
    ASSERT_EQ(it.grown(MemoryType::kDram, 5).size(), 1U);
    EXPECT_EQ(it.grown(MemoryType::kDram, 5)[0].bytes, 3072);
}

TEST(Comparison, of_a_damaged_or_empty_list_is_unknown) {
    ListMaker cut;
    cut.begin("op");
    cut.buffer({.per_bank = 1024, .address = 1'000'000});
    cut.end();
    const NodeList whole_list = run(MemoryType::kL1, 1024, 512);
    EXPECT_EQ(compare(cut.take(), whole_list).answer(), Answer::kUnknown);
    ListMaker empty;
    EXPECT_EQ(compare(whole(empty), whole_list).answer(), Answer::kUnknown);
    EXPECT_EQ(compare(NodeList(), whole_list).answer(true), Answer::kDiffer);
}

}  // namespace
}  // namespace tilemeter::analysis
