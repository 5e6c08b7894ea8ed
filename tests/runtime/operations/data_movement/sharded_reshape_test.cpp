// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Reshapes and transposes of sharded tensors: values as of interleaved ones, and the shards of the result.

#include <array>
#include <cstdint>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/operations/shards.hpp"

namespace tilemeter {
namespace {

using test::expect_as_interleaved;

TEST(ShardedTranspose, computes_the_same) {
    expect_as_interleaved(test::kAllShards, [](const Tensor& x) { return transpose(x, -2, -1); });
}

TEST(ShardedReshape, computes_the_same) {
    // Halves of rows, columns of them.
    expect_as_interleaved(test::kAllShards, [](const Tensor& x) {
        return x.shape()[2] == 32 ? reshape(x, {x.shape()[2] * 2, x.shape()[3] / 2})
                                  : reshape(x, {x.shape()[3] / 16, x.shape()[2], 16});
    });
}

// Shards are cut anew on the cores that have them; cores that are no rectangle give them up.
TEST(ShardedReshape, keeps_shards_on_a_rectangle_of_cores) {
    const test::OpenDevice device;
    const auto reshaped = [&](const MemoryConfig& config, const Shape& from, const Shape& to, Layout layout) {
        return reshape(empty(from, bfloat16, layout, device.get(), config), to).memory_config();
    };
    const auto in_rows = [](const CoreRangeSet& cores, std::array<std::uint32_t, 2> shard) {
        return MemoryConfig{TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1, ShardSpec{cores, shard}};
    };
    const MemoryConfig rows =
        reshaped(in_rows(whole_grid({6, 5}), {64, 64}), {1, 2, 960, 64}, {128, 960}, Layout::TILE);
    EXPECT_EQ(rows.shard_spec->shape, (std::array<std::uint32_t, 2>{32, 960}));
    EXPECT_EQ(rows.shard_spec->grid.to_string(), "{[0-0 - 5-4]}");
    const MemoryConfig one =
        reshaped(in_rows(whole_grid({2, 1}), {32, 32}), {1, 1, 64, 32}, {8, 256}, Layout::TILE);
    EXPECT_EQ(one.memory_layout, TensorMemoryLayout::WIDTH_SHARDED);
    EXPECT_FALSE(reshaped(in_rows(first_cores(11, {8, 8}, true), {128, 32}), {1, 1, 1408, 32}, {1024, 22, 2},
                          Layout::TILE)
                     .is_sharded());
    const MemoryConfig blocks{TensorMemoryLayout::BLOCK_SHARDED, BufferType::L1,
                              ShardSpec{whole_grid({7, 6}), {128, 32}}};
    const MemoryConfig cut = reshaped(blocks, {1, 1, 756, 201}, {42, 1, 3618}, Layout::TILE);
    EXPECT_EQ(cut.shard_spec->shape, (std::array<std::uint32_t, 2>{224, 608}));
    EXPECT_EQ(cut.shard_spec->grid.to_string(), "{[0-0 - 5-5]}");
    const MemoryConfig columns = reshaped(MemoryConfig{TensorMemoryLayout::BLOCK_SHARDED, BufferType::L1,
                                                       ShardSpec{whole_grid({6, 3}), {32, 128}}},
                                          {1, 1, 96, 768}, {1152, 64}, Layout::ROW_MAJOR);
    EXPECT_EQ(columns.shard_spec->shape, (std::array<std::uint32_t, 2>{384, 32}));
}

TEST(ShardedTranspose, makes_columns_of_rows_of_shards) {
    const test::OpenDevice device;
    MemoryConfig config{TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
                        ShardSpec{whole_grid({5, 1}), {64, 96}}};
    const Tensor x = empty({1, 1, 320, 96}, bfloat16, TILE_LAYOUT, device.get(), config);
    const MemoryConfig transposed = transpose(x, -2, -1).memory_config();
    EXPECT_EQ(transposed.memory_layout, TensorMemoryLayout::WIDTH_SHARDED);
    EXPECT_EQ(transposed.shard_spec->shape, (std::array<std::uint32_t, 2>{96, 64}));
    const MemoryConfig summed = sum(x, -2, true).memory_config();
    EXPECT_EQ(summed.memory_layout, TensorMemoryLayout::WIDTH_SHARDED);
    EXPECT_EQ(summed.shard_spec->shape, (std::array<std::uint32_t, 2>{32, 96}));
}

// TT-NN 0.81.1's shards on n150: those of the input's kind are scaled, of others made over all cores.
TEST(ShardedTranspose, cuts_shards_that_are_only_named) {
    using Sides = std::array<std::uint32_t, 2>;
    const test::OpenDevice device;
    const MemoryConfig rows{TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1, std::nullopt};
    const MemoryConfig columns{TensorMemoryLayout::WIDTH_SHARDED, BufferType::L1, std::nullopt};
    const auto on = [](std::uint32_t cores, Sides shard) {
        return MemoryConfig{TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
                            ShardSpec{whole_grid({cores, 1}), shard}};
    };
    const auto cut = [&](const Shape& shape, const MemoryConfig& from, int first, int second,
                         const MemoryConfig& wanted, Layout layout = Layout::TILE) {
        const Tensor x = empty(shape, bfloat16, layout, device.get(), from);
        const MemoryConfig config = transpose(x, first, second, wanted).memory_config();
        EXPECT_EQ(config.memory_layout, wanted.memory_layout);
        return config.shard_spec->shape;
    };
    EXPECT_EQ(cut({1, 1, 64, 128}, on(1, {64, 128}), -2, -1, rows), (Sides{128, 64}));
    EXPECT_EQ(cut({1, 1, 64, 128}, on(1, {64, 128}), -2, -1, columns), (Sides{128, 32}));
    EXPECT_EQ(cut({1, 1, 64, 128}, on(1, {64, 128}), 1, 2, rows), (Sides{2048, 128}));
    EXPECT_EQ(cut({1, 1, 128, 64}, on(4, {32, 64}), -2, -1, rows), (Sides{32, 128}));
    EXPECT_EQ(cut({1, 1, 128, 64}, on(4, {32, 64}), 1, 2, columns), (Sides{4096, 32}));
    EXPECT_EQ(cut({4, 1, 32, 64}, on(4, {32, 64}), -2, -1, rows, Layout::ROW_MAJOR), (Sides{64, 32}));
    EXPECT_EQ(cut({4, 1, 32, 64}, on(4, {32, 64}), 0, 1, columns, Layout::ROW_MAJOR), (Sides{128, 32}));
    EXPECT_EQ(cut({2, 3, 64, 96}, L1_MEMORY_CONFIG, -2, -1, rows), (Sides{32, 64}));
    EXPECT_EQ(cut({2, 3, 64, 96}, L1_MEMORY_CONFIG, 1, 2, rows), (Sides{64, 96}));
}

}  // namespace
}  // namespace tilemeter
