// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Channels first and last: values against the definition. That the programs are TT-NN's is held by the recorded rows
// (tests/data/oracle).

#include "runtime/operations/sliding_window/channel_order.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/operations/images.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

constexpr CoreRange kTwoCores{{0, 0}, {1, 0}};

MemoryConfig in_shards(TensorMemoryLayout::Value layout, std::uint32_t rows, std::uint32_t columns) {
    return {layout, BufferType::L1, ShardSpec{kTwoCores, {rows, columns}}};
}

Tensor channels_last(const Shape& shape, const test::OpenDevice& device) {
    const Tensor x =
        from_vector(test::values_of(shape, 3), shape, DataType::BFLOAT16, TILE_LAYOUT, device.get());
    return to_memory_config(x, in_shards(TensorMemoryLayout::HEIGHT_SHARDED, shape[2] / 2, 32));
}

Tensor channels_first(const Shape& shape, const test::OpenDevice& device) {
    const Tensor x =
        from_vector(test::values_of(shape, 3), shape, DataType::BFLOAT16, ROW_MAJOR_LAYOUT, device.get());
    return to_memory_config(x,
                            in_shards(TensorMemoryLayout::WIDTH_SHARDED, shape[1] * shape[2], shape[3] / 2));
}

TEST(ChannelOrder, channels_come_first) {
    const test::OpenDevice device;
    const Shape shape{1, 1, 128, 3};
    const Tensor x = channels_last(shape, device);
    const Tensor result = experimental::convert_to_chw(x);
    ASSERT_EQ(result.shape(), (Shape{1, 1, 3, 128}));
    EXPECT_EQ(result.layout(), Layout::ROW_MAJOR);
    EXPECT_EQ(result.memory_config(), in_shards(TensorMemoryLayout::WIDTH_SHARDED, 3, 64));
    const std::vector<float> input = x.to_vector<float>(), values = result.to_vector<float>();
    for (std::size_t i = 0; i < values.size(); ++i)
        ASSERT_EQ(values[i], input[i % 128 * 3 + i / 128]) << i;
}

TEST(ChannelOrder, channels_come_last_and_are_filled_up) {
    const test::OpenDevice device;
    const Tensor x = channels_first({1, 2, 3, 128}, device);
    const Tensor result = experimental::convert_to_hwc(x);
    ASSERT_EQ(result.shape(), (Shape{1, 1, 2 * 128, 8}));
    EXPECT_EQ(result.memory_config(), in_shards(TensorMemoryLayout::HEIGHT_SHARDED, 128, 8));
    const std::vector<float> input = x.to_vector<float>(), values = result.to_vector<float>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t channel = i % 8, pixel = i / 8 % 128, image = i / 8 / 128;
        ASSERT_EQ(values[i], channel < 3 ? input[(image * 3 + channel) * 128 + pixel] : 0.0F) << i;
    }
}

TEST(ChannelOrder, other_dtypes_may_be_asked_for) {
    const test::OpenDevice device;
    const Tensor x = channels_last({1, 1, 64, 8}, device);
    const Tensor result = experimental::convert_to_chw(x, DataType::FLOAT32);
    EXPECT_EQ(result.dtype(), DataType::FLOAT32);
    EXPECT_EQ(result.to_vector<float>(), experimental::convert_to_chw(x).to_vector<float>());
}

TEST(ChannelOrder, that_can_not_be_says_what_was_expected) {
    const test::OpenDevice device;
    const Tensor plain = zeros({1, 1, 64, 8}, bfloat16, TILE_LAYOUT, device.get());
    EXPECT_EQ(test::message_of([&] { experimental::convert_to_chw(plain); }),
              "Input tensor must be sharded to infer output memory config");
    EXPECT_EQ(test::message_of([&] {
                  experimental::convert_to_hwc(channels_first({1, 1, 40, 64}, device));
              }),
              "C must be less than or equal to 32 (was 40)");
    EXPECT_EQ(test::message_of([&] {
                  experimental::convert_to_hwc(channels_first({1, 1, 8, 64}, device),
                                               in_shards(TensorMemoryLayout::HEIGHT_SHARDED, 32, 12));
              }),
              "Output shard width must be rounded up to next multiple of 8 to satisfy alignment constraints "
              "(width was 12)");
}

}  // namespace
}  // namespace tilemeter
