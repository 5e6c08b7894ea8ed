// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tensors repeated, stacked and rolled, against plain loops.

#include "runtime/operations/data_movement/repeat.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/repeat_interleave.hpp"
#include "runtime/operations/data_movement/roll.hpp"
#include "runtime/operations/data_movement/stack.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/operations/samples.hpp"

namespace tilemeter {
namespace {

using test::message_of;
using test::Sample;
using test::some_sample;
using test::stride_of;

TEST(RepeatInterleave, repeats_each_slice_in_a_row) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Sample sample = some_sample(device, 2);
        const auto dim = static_cast<std::size_t>(test::in_range(0, static_cast<int>(sample.shape.rank())));
        const auto repeats = static_cast<std::uint32_t>(test::in_range(1, 4));
        std::vector<double> expected;
        const std::size_t slice = stride_of(sample.shape, dim);
        for (std::size_t at = 0; at < sample.values.size(); at += slice) {
            for (std::uint32_t i = 0; i < repeats; ++i)
                expected.insert(expected.end(), sample.values.begin() + static_cast<std::ptrdiff_t>(at),
                                sample.values.begin() + static_cast<std::ptrdiff_t>(at + slice));
        }
        test::assert_close(repeat_interleave(sample.tensor, repeats, static_cast<std::int64_t>(dim)),
                           expected, 0.0);
    }));
}

// The places of results, recorded from TT-NN 0.81.1 on its n150 mock board.
TEST(Repeat, of_shards_stays_in_its_cores_or_is_spread_over_all) {
    const test::OpenDevice device;
    using Sides = std::array<std::uint32_t, 2>;
    struct Row {
        Layout layout;
        Shape shape;
        TensorMemoryLayout::Value kind;
        CoreRange grid;
        Sides shard;
        Shape times;
        Sides expected;
        std::uint64_t cores;
    };
    const std::vector<Row> rows = {
        // A shard holds all that is repeated of its columns, or its rows lie side by side.
        {TILE_LAYOUT,
         {1, 64, 256},
         TensorMemoryLayout::WIDTH_SHARDED,
         {{0, 0}, {3, 0}},
         {64, 64},
         {2, 1, 1},
         {128, 64},
         4},
        {TILE_LAYOUT,
         {1, 1, 256, 96},
         TensorMemoryLayout::HEIGHT_SHARDED,
         {{0, 0}, {3, 0}},
         {64, 96},
         {1, 1, 1, 3},
         {64, 288},
         4},
        {ROW_MAJOR_LAYOUT,
         {1, 64, 512},
         TensorMemoryLayout::WIDTH_SHARDED,
         {{0, 0}, {3, 0}},
         {64, 128},
         {3, 1, 1},
         {192, 128},
         4},
        // Spread over 8 x 8 cores: shards that divide the result, shards that don't, rows out of pieces.
        {TILE_LAYOUT,
         {1, 192, 672},
         TensorMemoryLayout::BLOCK_SHARDED,
         {{0, 0}, {6, 1}},
         {96, 96},
         {3, 1, 1},
         {96, 96},
         64},
        {TILE_LAYOUT,
         {1, 672, 384},
         TensorMemoryLayout::BLOCK_SHARDED,
         {{0, 0}, {2, 6}},
         {96, 128},
         {1, 3, 1},
         {256, 64},
         64},
        {ROW_MAJOR_LAYOUT,
         {1, 1, 1472, 32},
         TensorMemoryLayout::HEIGHT_SHARDED,
         {{0, 0}, {1, 1}},
         {368, 32},
         {2, 1, 1, 1},
         {46, 32},
         64},
        {ROW_MAJOR_LAYOUT,
         {1, 1, 32, 1344},
         TensorMemoryLayout::WIDTH_SHARDED,
         {{0, 0}, {6, 1}},
         {32, 96},
         {1, 1, 1, 2},
         {32, 48},
         64}};
    for (const Row& row : rows) {
        const MemoryConfig memory{row.kind, BufferType::L1, ShardSpec{CoreRangeSet(row.grid), row.shard}};
        std::vector<float> values(row.shape.volume());
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<float>(i % 251);
        const Tensor input = from_vector(values, row.shape, bfloat16, row.layout, device.get(), memory);
        const Tensor output = repeat(input, row.times);
        const Tensor plain =
            repeat(from_vector(values, row.shape, bfloat16, row.layout, device.get()), row.times);
        ASSERT_EQ(output.memory_config().memory_layout, row.kind) << row.shape.to_string();
        EXPECT_EQ(output.memory_config().shard_spec->shape, row.expected) << row.shape.to_string();
        EXPECT_EQ(output.memory_config().shard_spec->grid.num_cores(), row.cores) << row.shape.to_string();
        EXPECT_EQ(output.to_vector<float>(), plain.to_vector<float>()) << row.shape.to_string();
    }
}

TEST(Expand, repeats_dimensions_of_one) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const auto columns = static_cast<std::uint32_t>(test::in_range(1, 40));
        const std::vector<float> row = test::random_values(Shape{1, columns}, -2, 2);
        const Layout layout = test::one_of(TILE_LAYOUT, ROW_MAJOR_LAYOUT);
        const Tensor input = from_vector(row, Shape{1, columns}, bfloat16, layout, device.get());
        const std::int64_t rows = test::in_range<std::int64_t>(1, 40), batch = test::in_range(1, 4);
        std::vector<double> expected;
        for (std::int64_t i = 0; i < rows * batch; ++i)
            expected.insert(expected.end(), row.begin(), row.end());
        test::assert_close(expand(input, {batch, rows, -1}), expected, 0.0);
    }));
    const Tensor input = zeros(Shape{3, 32}, bfloat16, TILE_LAYOUT, device.get());
    EXPECT_EQ(message_of([&] {
                  expand(input, {4, 32});
              }),
              "Only size 1 dimensions can be expanded in the output shape: expected -1 or 3 for dimension 0 "
              "of Shape([3, 32]), got 4");
}

TEST(Stack, puts_tensors_along_a_new_dimension) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Sample sample = some_sample(device);
        const auto dim =
            static_cast<std::size_t>(test::in_range(0, static_cast<int>(sample.shape.rank()) + 1));
        const std::size_t slice = dim == 0 ? sample.values.size() : stride_of(sample.shape, dim - 1);
        std::vector<double> expected;
        for (std::size_t at = 0; at < sample.values.size(); at += slice) {
            for (int i = 0; i < 2; ++i)
                expected.insert(expected.end(), sample.values.begin() + static_cast<std::ptrdiff_t>(at),
                                sample.values.begin() + static_cast<std::ptrdiff_t>(at + slice));
        }
        const Tensor result = stack({sample.tensor, sample.tensor}, static_cast<std::int64_t>(dim));
        PROPERTY_ASSERT(result.shape().rank() == sample.shape.rank() + 1);
        test::assert_close(result, expected, 0.0);
    }));
}

TEST(Roll, shifts_what_leaves_at_one_end_in_at_the_other) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Sample sample = some_sample(device, 2);
        const auto dim = static_cast<std::size_t>(test::in_range(0, static_cast<int>(sample.shape.rank())));
        const std::int64_t shift = test::in_range(-50, 50);
        const auto size = static_cast<std::int64_t>(sample.shape.dimensions()[dim]);
        const std::size_t stride = stride_of(sample.shape, dim);
        std::vector<double> expected(sample.values.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const auto at = static_cast<std::int64_t>(i / stride) % size;
            const std::int64_t to = ((at + shift) % size + size) % size;
            expected[i + static_cast<std::size_t>(to - at) * stride] = sample.values[i];
        }
        test::assert_close(roll(sample.tensor, {shift}, {static_cast<std::int64_t>(dim)}), expected, 0.0);
    }));
}

}  // namespace
}  // namespace tilemeter
