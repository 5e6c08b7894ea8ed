// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Heads out of rows that hold queries, keys and values of all heads. That the programs are TT-NN's is held by the
// recorded rows (tests/data/oracle).

#include "runtime/operations/transformer/fused_heads.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/transformer/model_heads.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/operations/transformer/transformer_samples.hpp"

namespace tilemeter {
namespace {

constexpr CoreCoord kGrid{8, 8};

Tensor some_rows(const Shape& shape, const test::OpenDevice& device) {
    return from_vector(test::some_values(shape), shape, DataType::BFLOAT16, TILE_LAYOUT, device.get());
}

/// The element (b, row, column) of rows [b, 1, s, w].
float at(const Tensor& rows, const std::vector<float>& values, std::size_t b, std::size_t row,
         std::size_t column) {
    return values[(b * rows.shape()[2] + row) * rows.shape()[3] + column];
}

/// The heads begin at the columns that `first` says of each head.
template <typename First>
void expect_heads(const Tensor& heads, bool transposed, const Tensor& rows, const First& first) {
    const std::vector<float> from = rows.to_vector<float>(), ours = heads.to_vector<float>();
    const Shape& shape = heads.shape();
    const std::size_t height = shape[2], width = shape[3];
    for (std::size_t i = 0; i < ours.size(); ++i) {
        const std::size_t x = i % width, y = i / width % height, head = i / width / height % shape[1];
        const std::size_t b = i / width / height / shape[1];
        ASSERT_EQ(ours[i], at(rows, from, b, transposed ? x : y, first(head) + (transposed ? y : x))) << i;
    }
}

TEST(FusedHeads, are_thirds_of_the_rows) {
    const test::OpenDevice device;
    const Tensor rows = some_rows({7, 1, 32, 3 * 2 * 64}, device);
    const auto [q, k, v] = experimental::split_query_key_value_and_split_heads(
        {.input_tensor = rows, .compute_with_storage_grid_size = kGrid, .num_heads = 2});
    ASSERT_EQ(q.shape(), (Shape{7, 2, 32, 64}));
    ASSERT_EQ(k.shape(), (Shape{7, 2, 64, 32}));
    ASSERT_EQ(v.shape(), (Shape{7, 2, 32, 64}));
    expect_heads(q, false, rows, [](std::size_t head) { return head * 64; });
    expect_heads(k, true, rows, [](std::size_t head) { return (2 + head) * 64; });
    expect_heads(v, false, rows, [](std::size_t head) { return (4 + head) * 64; });
}

// A core has the queries, the keys and the values of its two heads.
TEST(FusedHeads, of_blocks_are_thirds_of_each_block) {
    const test::OpenDevice device;
    const MemoryConfig blocks{TensorMemoryLayout::BLOCK_SHARDED, BufferType::L1,
                              ShardSpec{CoreRange{{0, 0}, {1, 1}}, {32, 3 * 2 * 64}}};
    const Tensor rows = to_memory_config(some_rows({2, 1, 32, 2 * 3 * 2 * 64}, device), blocks);
    const auto [q, k, v] = experimental::split_query_key_value_and_split_heads(
        {.input_tensor = rows,
         .compute_with_storage_grid_size = kGrid,
         .memory_config = MemoryConfig{TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1, std::nullopt},
         .num_heads = 4});
    ASSERT_EQ(q.shape(), (Shape{2, 4, 32, 64}));
    EXPECT_EQ(q.memory_config().shard_spec->shape, (std::array<std::uint32_t, 2>{64, 64}));
    EXPECT_EQ(k.memory_config().shard_spec->shape, (std::array<std::uint32_t, 2>{128, 32}));
    const auto first = [](std::size_t third) {
        return [third](std::size_t head) { return (head / 2 * 6 + third * 2 + head % 2) * 64; };
    };
    expect_heads(q, false, rows, first(0));
    expect_heads(k, true, rows, first(1));
    expect_heads(v, false, rows, first(2));
}

TEST(FusedHeads, of_segformer_are_columns_of_the_rows) {
    const test::OpenDevice device;
    const Tensor rows = some_rows({2, 1, 40, 3 * 32}, device);
    const auto [heads, second, third] = experimental::nlp_create_qkv_heads_segformer(rows);
    ASSERT_EQ(heads.shape(), (Shape{2, 3, 64, 32}));
    const std::vector<float> from = rows.to_vector<float>(), ours = heads.to_vector<float>();
    for (std::size_t i = 0; i < ours.size(); ++i) {
        const std::size_t row = i / 32 % 64, head = i / 32 / 64 % 3, b = i / 32 / 64 / 3;
        ASSERT_EQ(ours[i], row < 40 ? at(rows, from, b, row, head * 32 + i % 32) : 0.0F) << i;
    }
    EXPECT_EQ(second.shape(), heads.shape());
    EXPECT_EQ(third.shape(), heads.shape());
}

TEST(FusedHeads, that_can_not_be_say_what_was_expected) {
    const test::OpenDevice device;
    const auto split = [&](const Shape& shape, std::uint32_t heads) {
        return test::message_of([&] {
            experimental::split_query_key_value_and_split_heads({.input_tensor = some_rows(shape, device),
                                                                 .compute_with_storage_grid_size = kGrid,
                                                                 .num_heads = heads});
        });
    };
    EXPECT_EQ(split({2, 1, 32, 384}, 2), "Input batch size must be between 7 to 9 for bert large TM ops!");
    EXPECT_EQ(split({8, 1, 384, 384}, 2), "Persistent L1 core 8-0 is outside the worker grid");
    EXPECT_EQ(split({9, 1, 32, 384}, 2), "Kernels cannot be placed on dispatch cores!");
    EXPECT_EQ(
        split({8, 1, 32, 384}, 5),
        "split_query_key_value_and_split_heads: num_heads: expected heads of whole tiles of 32 in three "
        "parts of 384, got 5");
    EXPECT_EQ(test::message_of([&] {
                  experimental::concatenate_heads(some_rows({8, 16, 32, 64}, device), kGrid);
              }),
              "Unsupported input shape");
}

}  // namespace
}  // namespace tilemeter
