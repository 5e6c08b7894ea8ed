// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/gate/fit.hpp"

#include <gtest/gtest.h>

#include "tests/report/analysis/list_maker.hpp"

namespace tilemeter::analysis {
namespace {

// Straight to 32, then twice as steep, as where a second tile row begins.
std::optional<std::uint64_t> bent(std::int64_t size) {
    return size <= 32 ? 1000 + 10 * static_cast<std::uint64_t>(size)
                      : 1320 + 20 * static_cast<std::uint64_t>(size - 32);
}

std::optional<std::uint64_t> staircase(std::int64_t size) {
    return 64 * static_cast<std::uint64_t>((size + 31) / 32);
}

TEST(LargestFitting, is_found_by_bisection_in_few_captures) {
    const LargestFit fit = largest_fitting(bent, 1, 100000, 5000);
    EXPECT_EQ(fit.size, 216);
    EXPECT_EQ(fit.peak_bytes, 5000U);
    EXPECT_EQ(fit.first_failing, 217);
    EXPECT_LE(fit.captures, 20U);
}

TEST(LargestFitting, takes_a_workload_that_fails_as_one_that_does_not_fit) {
    const PeakAtSize fails_from_203 = [](std::int64_t size) -> std::optional<std::uint64_t> {
        if (size > 203) return {};
        return static_cast<std::uint64_t>(size);
    };
    EXPECT_EQ(largest_fitting(fails_from_203, 1, 4096, 1'000'000).size, 203);
}

TEST(LargestFitting, says_when_all_or_nothing_fits) {
    EXPECT_EQ(largest_fitting(bent, 1, 10, 1'000'000).size, 10);
    EXPECT_FALSE(largest_fitting(bent, 1, 10, 1'000'000).first_failing);
    EXPECT_FALSE(largest_fitting(bent, 1, 10, 10).size);
}

TEST(PeakFormula, has_one_piece_per_straight_part_and_is_right_at_every_size) {
    const PeakFormula formula = peak_formula(bent, 1, 200);
    ASSERT_TRUE(formula.exact);
    ASSERT_EQ(formula.pieces.size(), 2U);
    EXPECT_EQ(formula.pieces[0].end, 32);
    EXPECT_GT(formula.verified, 0U);
    EXPECT_LT(formula.captures, 60U);
    for (std::int64_t size = 1; size <= 200; ++size)
        EXPECT_EQ(formula.at(size), bent(size)) << size;
    EXPECT_EQ(
        formula.text("batch"),
        "1010 + 10 * (batch - 1)  for 1 <= batch <= 32; 1340 + 20 * (batch - 33)  for 33 <= batch <= 200");
}

TEST(PeakFormula, over_whole_tiles_is_a_line_where_single_sizes_make_stairs) {
    const PeakFormula formula = peak_formula(staircase, 32, 2048, 32);
    ASSERT_EQ(formula.pieces.size(), 1U);
    EXPECT_EQ(formula.at(1024), staircase(1024));
    EXPECT_FALSE(formula.at(1000)) << "between the sizes it was made for it says nothing";
}

TEST(PeakFormula, of_sizes_rounded_up_holds_at_every_size) {
    const PeakFormula formula = rounded_peak_formula(staircase, 5, 1000, 32);
    ASSERT_TRUE(formula.exact);
    ASSERT_EQ(formula.pieces.size(), 1U);
    for (std::int64_t size = 5; size <= 1000; ++size)
        EXPECT_EQ(formula.at(size), staircase(size)) << size;
    EXPECT_FALSE(formula.at(1025));
    EXPECT_EQ(formula.text("n"),
              "64 + 2 * (n' - 32)  for 32 <= n' <= 1024, where n' is n rounded up to a multiple of 32");
}

TEST(PeakFormula, is_not_claimed_where_rounding_hides_a_difference) {
    EXPECT_FALSE(rounded_peak_formula(bent, 1, 1000, 32).exact);
    EXPECT_TRUE(rounded_peak_formula(bent, 1, 1000, 32).pieces.empty());
}

}  // namespace
}  // namespace tilemeter::analysis
