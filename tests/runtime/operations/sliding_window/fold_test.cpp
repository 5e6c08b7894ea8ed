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

}  // namespace
}  // namespace tilemeter
