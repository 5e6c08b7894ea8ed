// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/internal/definition_table.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "capture/record/placement.hpp"
#include "capture/record/tensor_info.hpp"

namespace tilemeter::record::internal {
namespace {

constexpr std::uint32_t kMany = 30'000;

TensorInfo tensor_info(std::uint32_t number) {
    TensorInfo info;
    info.shape.assign(number % 9, number);
    info.shape.push_back(number);
    info.dtype = TextId{1 + number % 3};
    info.layout = TextId{4};
    info.on_device = number % 2 == 0;
    info.size_bytes = std::uint64_t{number} << 20U;
    info.buffer_size_bytes = info.size_bytes + 1;
    info.memory = MemoryType::kL1;
    info.buffer_layout = BufferLayout::kHeightSharded;
    info.memory_config = TextId{5};
    info.argument_text = TextId{number};
    return info;
}

ShardPlacement placement(std::uint32_t number) {
    ShardPlacement made;
    for (std::uint16_t i = 0; i < number % 64; ++i)
        made.cores.push_back({i, static_cast<std::uint16_t>(number % 8)});
    made.page_rows = number;
    made.page_columns = 2;
    made.shard_page_rows = 3;
    made.shard_page_columns = 4;
    made.shards_per_row = 5;
    return made;
}

template <typename Info, typename Id>
void expect_kept(DefinitionKind kind, Info (*make)(std::uint32_t)) {
    EncodedTable<Info, Id> table(kind);
    std::size_t most_in_memory = 0;
    for (std::uint32_t i = 0; i < kMany; ++i) {
        ASSERT_EQ(table.intern(make(i)), Id{i + 1});
        if (i == kMany / 2) most_in_memory = table.table().bytes_in_memory();
    }
    EXPECT_EQ(table.table().bytes_in_memory(), most_in_memory);
    EXPECT_LE(most_in_memory, std::size_t{1} << 20U);
    for (std::uint32_t i = 0; i < kMany; ++i) {
        ASSERT_EQ(table.of(Id{i + 1}), make(i));
        ASSERT_EQ(table.intern(make(i)), Id{i + 1});
    }
    EXPECT_EQ(table.table().count(), kMany);
    EXPECT_EQ(table.of(Id{}), Info());
}

TEST(DefinitionTable, KeepsTensorTypesInMemoryThatHasAnEnd) {
    expect_kept<TensorInfo, TensorSpecId>(DefinitionKind::kTensor, tensor_info);
}

TEST(DefinitionTable, KeepsPlacementsInMemoryThatHasAnEnd) {
    expect_kept<ShardPlacement, PlacementId>(DefinitionKind::kPlacement, placement);
}

}  // namespace
}  // namespace tilemeter::record::internal
