// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/types/tensor_spec.hpp"

#include <gtest/gtest.h>

#include "runtime/device/buffer_geometry.hpp"
#include "runtime/device/errors.hpp"

namespace tilemeter {
namespace {

MemoryConfig sharded(TensorMemoryLayout::Value layout, CoreRange grid, std::array<std::uint32_t, 2> shape) {
    return {layout, BufferType::L1, ShardSpec{CoreRangeSet(grid), shape, ShardOrientation::ROW_MAJOR}};
}

TEST(BufferGeometry, of_interleaved_tiles_fills_banks_in_turn) {
    const DeviceDescription n150 = load_device_description("n150");
    const BufferGeometry geometry =
        buffer_geometry({{1, 1, 100, 70}, bfloat16, TILE_LAYOUT, DRAM_MEMORY_CONFIG}, n150);
    EXPECT_EQ(geometry, (BufferGeometry{12 * 2048, 2048, 12, 2048, 0}));
}

TEST(BufferGeometry, of_rows_aligns_pages_in_banks_only) {
    const DeviceDescription n150 = load_device_description("n150");
    const BufferGeometry geometry =
        buffer_geometry({{1, 1, 50, 70}, bfloat16, ROW_MAJOR_LAYOUT, DRAM_MEMORY_CONFIG}, n150);
    EXPECT_EQ(geometry, (BufferGeometry{7000, 140, 50, 5 * 160, 0}));
}

// Recorded: resnet_block, tensor [1, 1, 3136, 16] and the halo table in L1_SMALL.
TEST(BufferGeometry, of_shards_takes_a_whole_shard_in_every_bank) {
    const DeviceDescription n150 = load_device_description("n150");
    MemoryConfig config{TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
                        ShardSpec{CoreRangeSet({{{0, 0}, {7, 5}}, {{0, 6}, {0, 6}}}), {64, 16}, {}}};
    const BufferGeometry rows = buffer_geometry({{1, 1, 3136, 16}, bfloat16, ROW_MAJOR_LAYOUT, config}, n150);
    EXPECT_EQ(rows, (BufferGeometry{100352, 32, 3136, 2048, 49}));
    config.buffer_type = BufferType::L1_SMALL;
    config.shard_spec->shape = {1, 6};
    const BufferGeometry small = buffer_geometry({{49, 6}, uint16, ROW_MAJOR_LAYOUT, config}, n150);
    EXPECT_EQ(small, (BufferGeometry{588, 12, 49, 16, 49}));
}

TEST(BufferGeometry, of_more_shards_than_cores_says_so) {
    const DeviceDescription n150 = load_device_description("n150");
    const MemoryConfig config = sharded(TensorMemoryLayout::HEIGHT_SHARDED, {{0, 0}, {1, 0}}, {32, 64});
    EXPECT_THROW(buffer_geometry({{1, 1, 96, 64}, bfloat16, TILE_LAYOUT, config}, n150), RuntimeError);
}

TEST(BufferGeometry, of_a_tiled_shard_that_cuts_tiles_says_so) {
    const DeviceDescription n150 = load_device_description("n150");
    const MemoryConfig config = sharded(TensorMemoryLayout::HEIGHT_SHARDED, {{0, 0}, {1, 0}}, {48, 64});
    EXPECT_THROW(buffer_geometry({{1, 1, 96, 64}, bfloat16, TILE_LAYOUT, config}, n150), RuntimeError);
}

TEST(BufferGeometry, of_a_block_format_without_tiles_says_so) {
    const DeviceDescription n150 = load_device_description("n150");
    EXPECT_THROW(buffer_geometry({{32, 32}, bfloat8_b, ROW_MAJOR_LAYOUT, DRAM_MEMORY_CONFIG}, n150),
                 RuntimeError);
}

// The expected texts are those of recorded reports.
TEST(MemoryConfigText, is_that_of_the_reports) {
    EXPECT_EQ(
        L1_MEMORY_CONFIG.to_string(),
        "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)");
    const MemoryConfig block = sharded(TensorMemoryLayout::BLOCK_SHARDED, {{0, 0}, {3, 3}}, {128, 128});
    EXPECT_EQ(
        block.to_string(true),
        "MemoryConfig(memory_layout=TensorMemoryLayout::BLOCK_SHARDED,buffer_type=BufferType::L1,shard_spec=ShardSpec{grid=[{\"start\":{\"x\":0,\"y\":0},\"end\":{\"x\":3,\"y\":3}], "
        "shape=[128, 128], "
        "orientation=ShardOrientation::ROW_MAJOR},nd_shard_spec={\"shard_shape\":[128, "
        "128],\"grid\":[{\"start\":{\"x\":0,\"y\":0},\"end\":{\"x\":3,\"y\":3}}],\"orientation\":\"ShardOrientation::ROW_MAJOR\",\"shard_distribution_strategy\":\"ShardDistributionStrategy::GRID_2D\"},created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)");
}

TEST(Shape, folds_and_fills_leading_dimensions) {
    EXPECT_EQ((Shape{2, 3, 4}).to_rank(2), (Shape{6, 4}));
    EXPECT_EQ((Shape{5}).to_rank(3), (Shape{1, 1, 5}));
    EXPECT_THROW((Shape{2, 3})[2], RuntimeError);
    EXPECT_EQ((Shape{2, 3})[-1], 3U);
}

}  // namespace
}  // namespace tilemeter
