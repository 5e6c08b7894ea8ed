// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/types/core_range.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/matches.hpp"
#include "tests/paths.hpp"
#include "tests/property.hpp"

namespace tilemeter {
namespace {

CoreRangeSet parse(const std::string& text) {
    std::vector<CoreRange> ranges;
    for (const auto& match : test::matches(text, R"(\[([0-9]+)-([0-9]+) - ([0-9]+)-([0-9]+)\])")) {
        const auto number = [&](std::size_t group) {
            return static_cast<std::uint32_t>(std::stoul(match[group]));
        };
        ranges.push_back({{number(1), number(2)}, {number(3), number(4)}});
    }
    return CoreRangeSet(std::move(ranges));
}

TEST(CoreRange, counts_and_finds_its_cores) {
    const CoreRange range{{1, 2}, {3, 5}};
    EXPECT_EQ(range.size(), 12U);
    EXPECT_TRUE(range.contains({1, 2}));
    EXPECT_TRUE(range.contains({3, 5}));
    EXPECT_FALSE(range.contains({0, 2}));
    EXPECT_FALSE(range.contains({3, 6}));
    EXPECT_EQ(range.to_string(), "[1-2 - 3-5]");
}

TEST(CoreRangeSet, is_written_as_reports_have_it) {
    EXPECT_EQ(CoreRangeSet().to_string(), "{}");
    EXPECT_EQ(whole_grid({8, 8}).to_string(), "{[0-0 - 7-7]}");
    EXPECT_EQ(whole_grid({0, 8}).to_string(), "{}");
    EXPECT_EQ(first_cores(21, {8, 8}, false).to_string(), "{[0-0 - 2-4], [0-5 - 1-7]}");
    EXPECT_EQ(first_cores(12, {8, 8}, true).to_string(), "{[0-0 - 7-0], [0-1 - 3-1]}");
    EXPECT_EQ(first_cores(64, {8, 8}, false).to_string(), "{[0-0 - 7-7]}");
    EXPECT_EQ(first_cores(3, {8, 8}, false).to_string(), "{[0-0 - 0-2]}");
}

TEST(CoreRangeSet, refuses_rectangles_that_overlap_or_lie_the_wrong_way_round) {
    EXPECT_THROW(CoreRangeSet({{{0, 0}, {2, 2}}, {{2, 2}, {3, 3}}}), std::invalid_argument);
    EXPECT_THROW(CoreRangeSet(std::vector{CoreRange{{2, 0}, {1, 0}}}), std::invalid_argument);
    EXPECT_THROW(first_cores(65, {8, 8}, true), std::invalid_argument);
}

TEST(CoreRangeSet, has_the_box_around_all_rectangles) {
    const CoreRangeSet set({{{3, 1}, {4, 1}}, {{0, 2}, {1, 6}}});
    EXPECT_EQ(set.bounding_box(), (CoreRange{{0, 1}, {4, 6}}));
}

TEST(CoreRangeSet, first_cores_are_those_that_a_walk_over_the_grid_meets_first) {
    EXPECT_TRUE(test::holds_for_random_cases([] {
        const bool row_wise = test::any_bool();
        const CoreCoord grid{test::in_range(1U, 15U), test::in_range(1U, 15U)};
        const auto count = test::in_range<std::uint64_t>(0, std::uint64_t{grid.x} * grid.y + 1);
        std::vector<CoreCoord> walked;
        for (std::uint64_t i = 0; i < count; ++i) {
            walked.push_back(row_wise ? CoreCoord{static_cast<std::uint32_t>(i % grid.x),
                                                  static_cast<std::uint32_t>(i / grid.x)}
                                      : CoreCoord{static_cast<std::uint32_t>(i / grid.y),
                                                  static_cast<std::uint32_t>(i % grid.y)});
        }
        PROPERTY_ASSERT(first_cores(count, grid, row_wise) == merge_cores(walked));
    }));
}

TEST(CoreRangeSet, is_walked_rectangle_by_rectangle) {
    using Cores = std::vector<CoreCoord>;
    const CoreRangeSet set({{{3, 1}, {4, 2}}, {{0, 0}, {0, 1}}});
    EXPECT_EQ(cores_of(set), (Cores{{3, 1}, {4, 1}, {3, 2}, {4, 2}, {0, 0}, {0, 1}}));
    EXPECT_EQ(cores_of(set, false), (Cores{{3, 1}, {3, 2}, {4, 1}, {4, 2}, {0, 0}, {0, 1}}));
    EXPECT_EQ(cores_of(CoreRangeSet()), Cores());
}

TEST(CoreRangeSet, merging_keeps_every_core_once_and_orders_by_row) {
    EXPECT_TRUE(test::holds_for_random_cases([] {
        std::vector<CoreCoord> cores;
        std::set<CoreCoord> distinct;
        for (auto left = test::in_range(0, 101); left > 0; --left)
            distinct.insert({test::in_range(0U, 12U), test::in_range(0U, 9U)});
        cores.assign(distinct.begin(), distinct.end());
        const CoreRangeSet merged = merge_cores(cores);
        std::vector<CoreCoord> kept = cores_of(merged);
        std::sort(kept.begin(), kept.end());
        PROPERTY_ASSERT(kept == cores);
        PROPERTY_ASSERT(merged.num_cores() == cores.size());
        PROPERTY_ASSERT(
            std::is_sorted(merged.ranges().begin(), merged.ranges().end(),
                           [](const CoreRange& a, const CoreRange& b) { return a.start.y < b.start.y; }));
    }));
}

TEST(CoreRangeSet, intersects_exactly_when_a_core_is_in_both) {
    EXPECT_TRUE(test::holds_for_random_cases([] {
        const auto any_set = [] {
            return first_cores(test::in_range<std::uint64_t>(0, 13), {6, 5}, test::any_bool());
        };
        const auto shift = [](const CoreRangeSet& set, std::uint32_t dx, std::uint32_t dy) {
            std::vector<CoreRange> ranges(set.ranges().begin(), set.ranges().end());
            for (CoreRange& range : ranges)
                range = {{range.start.x + dx, range.start.y + dy}, {range.end.x + dx, range.end.y + dy}};
            return CoreRangeSet(std::move(ranges));
        };
        const CoreRangeSet a = any_set();
        const CoreRangeSet b = shift(any_set(), test::in_range(0U, 6U), test::in_range(0U, 5U));
        const std::vector<CoreCoord> cores = cores_of(a);
        const bool expected =
            std::any_of(cores.begin(), cores.end(), [&](const CoreCoord& core) { return b.contains(core); });
        PROPERTY_ASSERT(a.intersects(b) == expected);
        PROPERTY_ASSERT(b.intersects(a) == expected);
    }));
}

// A program may list rectangles as it likes; this one lists the two cores of its two groups apart.
const std::string kListedApart = "{[0-0 - 0-0], [0-1 - 0-1]}";

TEST(CoreRangeSet, writes_the_cores_of_recorded_programs_as_they_were_written) {
    const std::filesystem::path facts = std::filesystem::path(test::shared_folder()) / "facts";
    if (!std::filesystem::exists(facts)) GTEST_SKIP() << "no shared facts beside the repository";
    std::set<std::string> texts;
    for (const char* file :
         {"oracle_n150.jsonl", "oracle_p150.jsonl", "oracle_random_n150.jsonl", "oracle_random_p150.jsonl"}) {
        std::ifstream in(facts / file);
        for (std::string line; std::getline(in, line);) {
            const auto row = nlohmann::json::parse(line);
            if (!row.contains("no_dispatch")) continue;
            for (const auto& program : row.at("no_dispatch").at("programs")) {
                for (const char* kind : {"cbs", "dfbs", "scratchpads"}) {
                    for (const auto& piece : program.value(kind, nlohmann::json::array()))
                        texts.insert(piece.at("cores").get<std::string>());
                }
            }
        }
    }
    ASSERT_GT(texts.size(), 100U);
    for (const std::string& text : texts) {
        const CoreRangeSet set = parse(text);
        EXPECT_EQ(set.to_string(), text);
        if (text == kListedApart) continue;
        EXPECT_EQ(merge_cores(cores_of(set)).to_string(), text);
    }
}

}  // namespace
}  // namespace tilemeter
