// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// slice_write and padded_slice against plain loops.

#include "runtime/operations/sliding_window/slice_write.hpp"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

Tensor numbered_rows(const Shape& shape, float first, const std::shared_ptr<Device>& device) {
    std::vector<float> values(shape.volume());
    std::iota(values.begin(), values.end(), first);
    return from_vector(values, shape, DataType::FLOAT32, Layout::ROW_MAJOR, device);
}

TEST(SliceWrite, writes_every_step_th_element) {
    const test::OpenDevice device;
    const Tensor part = numbered_rows({2, 3, 4}, 1000.0F, device.get());
    const Tensor whole = numbered_rows({3, 8, 13}, 0.0F, device.get());
    experimental::slice_write(part, whole, {1, 1, 2}, {3, 7, 12}, {1, 2, 3});
    const std::vector<float> found = whole.to_vector<float>();
    for (std::size_t i = 0; i < found.size(); ++i) {
        const std::size_t n = i / 104, y = i / 13 % 8, x = i % 13;
        const bool written =
            n >= 1 && y >= 1 && y < 7 && (y - 1) % 2 == 0 && x >= 2 && x < 12 && (x - 2) % 3 == 0;
        const auto expected = written ? 1000 + ((n - 1) * 3 + (y - 1) / 2) * 4 + (x - 2) / 3 : i;
        ASSERT_EQ(found[i], static_cast<float>(expected)) << i;
    }
}

TEST(SliceWrite, refuses_parts_of_another_size_and_tiles) {
    const test::OpenDevice device;
    const Tensor part = numbered_rows({2, 4}, 0.0F, device.get());
    const Tensor whole = numbered_rows({8, 8}, 0.0F, device.get());
    EXPECT_EQ(test::message_of([&] {
                  experimental::slice_write(part, whole, {0, 0}, {3, 4}, {1, 1});
              }),
              "Size of the slice being written 3 should match the size of the input tensor 2 at dim 0");
    const Tensor tiles = ones({8, 8}, DataType::BFLOAT16, Layout::TILE, device.get());
    EXPECT_EQ(test::message_of([&] {
                  experimental::slice_write(part, tiles, {0, 0}, {2, 4}, {1, 1});
              }),
              "slice_write: expected ROW_MAJOR tensors or an input in shards, got ROW_MAJOR into TILE");
}

TEST(PaddedSlice, pads_channels_to_the_width_of_shards) {
    const test::OpenDevice device;
    const Shape shape{2, 6, 5, 3};
    const Tensor images = numbered_rows(shape, 0.0F, device.get());
    const MemoryConfig shards{TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
                              ShardSpec{CoreRange{{0, 0}, {3, 0}}, {8, 8}, ShardOrientation::ROW_MAJOR}};
    const Tensor part = experimental::padded_slice({.input_tensor = images,
                                                    .padded_slice_start = {0, 1, 0, 0},
                                                    .padded_slice_end = {2, 4, 5, 3},
                                                    .memory_config = shards});
    ASSERT_EQ(part.shape(), (Shape{1, 1, 30, 8}));
    const std::vector<float> found = part.to_vector<float>();
    for (std::size_t i = 0; i < found.size(); ++i) {
        const std::size_t pixel = i / 8, channel = i % 8;
        const auto expected = channel < 3 ? (pixel / 15 * 30 + 5 + pixel % 15) * 3 + channel : 0;
        ASSERT_EQ(found[i], static_cast<float>(expected)) << i;
    }
}

}  // namespace
}  // namespace tilemeter
