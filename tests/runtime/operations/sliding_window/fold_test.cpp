// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// fold against a plain loop, over layouts and shards.

#include "runtime/operations/sliding_window/fold.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

TEST(Fold, makes_channels_of_blocks_of_pixels) {
    const test::OpenDevice device;
    const Shape shape{2, 4, 6, 8};
    std::vector<float> values(shape.volume());
    std::iota(values.begin(), values.end(), 0.0F);
    const MemoryConfig shards{TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
                              ShardSpec{CoreRange{{0, 0}, {7, 0}}, {6, 8}, ShardOrientation::ROW_MAJOR}};
    for (const auto& [layout, memory] : {std::pair{Layout::ROW_MAJOR, DRAM_MEMORY_CONFIG},
                                         {Layout::TILE, DRAM_MEMORY_CONFIG},
                                         {Layout::ROW_MAJOR, shards}}) {
        const Tensor x = from_vector(values, shape, DataType::FLOAT32, layout, device.get(), memory);
        const Tensor result = fold(x, 2, 3);
        ASSERT_EQ(result.shape(), (Shape{2, 2, 2, 48}));
        const std::vector<float> folded = result.to_vector<float>();
        for (std::size_t i = 0; i < folded.size(); ++i) {
            const std::size_t channel = i % 8, x_in = i / 8 % 3, y_in = i / 24 % 2, column = i / 48 % 2,
                              row = i / 96;
            ASSERT_EQ(folded[i], values[((row * 2 + y_in) * 6 + column * 3 + x_in) * 8 + channel]) << i;
        }
        EXPECT_EQ(fold({.input = x, .stride_h = 2, .stride_w = 3, .collapse_output = true}).shape(),
                  (Shape{1, 1, 8, 48}));
    }
    const Tensor x = from_vector(values, shape, DataType::FLOAT32, Layout::ROW_MAJOR, device.get());
    EXPECT_EQ(
        fold({.input = x, .stride_h = 3, .stride_w = 4, .padding = std::array<std::uint32_t, 4>{1, 1, 2, 0}})
            .shape(),
        (Shape{2, 2, 2, 96}));
    EXPECT_EQ(test::message_of([&] { fold(x, 3, 3); }),
              "Fold: logical H (4) must be divisible by stride_h (3).");
}

// Images with channels first: the same blocks, with zeros in front and behind where they are shards, else behind.
TEST(Fold, makes_the_same_channels_by_transposing_images) {
    const test::OpenDevice device;
    const Shape shape{2, 3, 32, 32};
    std::vector<float> values(shape.volume());
    std::iota(values.begin(), values.end(), 1.0F);
    const CoreRange row{{0, 0}, {3, 0}};
    const MemoryConfig shards{TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
                              ShardSpec{row, {48, 32}, ShardOrientation::ROW_MAJOR}};
    for (const bool sharded : {true, false}) {
        const std::uint32_t pad = sharded ? 2 : 0;
        const Tensor x = from_vector(values, shape, DataType::FLOAT32, Layout::ROW_MAJOR, device.get(),
                                     sharded ? shards : DRAM_MEMORY_CONFIG);
        const Tensor result = fold({.input = x,
                                    .stride_h = 2,
                                    .stride_w = 4,
                                    .use_transpose_as_fold = true,
                                    .padding = std::array<std::uint32_t, 6>{pad, pad, pad, pad, 0, 1},
                                    .grid_size = CoreRangeSet(row)});
        const std::uint32_t height = (32 + 2 * pad) / 2;
        const std::uint32_t width = (32 + 2 * pad) / 4;
        ASSERT_EQ(result.shape(), (Shape{2, height, width, 32}));
        const std::vector<float> folded = result.to_vector<float>();
        for (std::size_t i = 0; i < folded.size(); ++i) {
            const std::size_t channel = i % 4, image = i / (std::size_t{height} * width * 32);
            const std::size_t y = i / (width * 32) % height * 2 + i / 16 % 2;
            const std::size_t at_x = i / 32 % width * 4 + i / 4 % 4;
            const bool inside = channel < 3 && y >= pad && y < 32 + pad && at_x >= pad && at_x < 32 + pad;
            const float expected =
                inside ? values[((image * 3 + channel) * 32 + y - pad) * 32 + at_x - pad] : 0.0F;
            ASSERT_EQ(folded[i], expected) << "sharded " << sharded << ", element " << i;
        }
        EXPECT_EQ(result.is_sharded(), sharded);
    }
}

}  // namespace
}  // namespace tilemeter
