// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/answers/contributor_groups.hpp"

#include <gtest/gtest.h>

namespace tilemeter::analysis {
namespace {

using Members = std::vector<std::uint32_t>;

Contributor tensor(std::uint64_t bytes, const char* shape, const char* made_by = "ttnn.from_torch") {
    static int next = 0;
    Contributor it;
    it.share = Share::kPersistent;
    it.bytes = bytes;
    it.name = "tensor " + std::to_string(next++);
    it.node = static_cast<std::uint32_t>(next);
    it.address = 1000 * next;
    it.shape = shape;
    it.made_by = made_by;
    return it;
}

Contributor circular_buffer(std::uint64_t bytes) {
    Contributor it;
    it.kind = ProgramMemoryKind::kCircularBuffer;
    it.bytes = bytes;
    it.name = name_of(it.kind);
    it.made_by = "ttnn.add";
    return it;
}

TEST(ContributorGroups, equal_ones_are_one_and_the_largest_in_all_is_first) {
    const std::vector<Contributor> contributors{
        tensor(5000, "Shape([64, 64])"),
        tensor(3000, "Shape([1024, 3072])"),
        circular_buffer(2048),
        tensor(3000, "Shape([1024, 3072])"),
        circular_buffer(2048),
        tensor(100, "Shape([1])"),
        tensor(3000, "Shape([1024, 3072])"),
    };
    const auto groups = grouped_contributors(contributors);
    ASSERT_EQ(groups.size(), 4U);
    EXPECT_EQ(groups[0].members, (Members{1, 3, 6}));
    EXPECT_EQ(groups[0].bytes, 9000U);
    EXPECT_EQ(title_of(groups[0], contributors), "3 x Shape([1024, 3072])");
    EXPECT_EQ(groups[1].members, (Members{0}));
    EXPECT_EQ(title_of(groups[1], contributors), contributors[0].name + "  Shape([64, 64])");
    EXPECT_EQ(groups[2].members, (Members{2, 4}));
    EXPECT_EQ(groups[2].bytes, 4096U);
    EXPECT_EQ(title_of(groups[2], contributors), "2 x circular buffer");
    EXPECT_EQ(groups[3].bytes, 100U);
    EXPECT_TRUE(grouped_contributors({}).empty());
}

TEST(ContributorGroups, what_differs_in_anything_that_is_told_stays_apart) {
    std::vector<Contributor> contributors(8, tensor(3000, "Shape([32, 32])"));
    contributors[1].bytes = 2999;
    contributors[2].shape = "Shape([32, 64])";
    contributors[3].made_by = "ttnn.add";
    contributors[4].share = Share::kStale;
    contributors[5].memory = MemoryType::kL1Small;
    contributors[6].before_window = true;
    contributors[7].size_origin = SizeOrigin::kComputed;
    const auto groups = grouped_contributors(contributors);
    EXPECT_EQ(groups.size(), 8U);
    EXPECT_EQ(groups.back().members, (Members{1})) << "the smallest";
}

TEST(ContributorGroups, of_unknown_shape_are_called_so) {
    const std::vector<Contributor> contributors(2, tensor(10, ""));
    EXPECT_EQ(title_of(grouped_contributors(contributors)[0], contributors), "2 x buffer of unknown shape");
}

}  // namespace
}  // namespace tilemeter::analysis
