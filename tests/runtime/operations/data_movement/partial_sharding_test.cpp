// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/partial_sharding.hpp"

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

using test::message_of;
using test::OpenDevice;

Tensor counted(const OpenDevice& device, const Shape& shape) {
    std::vector<float> values(shape.volume());
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i);
    return to_device(Tensor::on_host({shape, float32, TILE_LAYOUT, DRAM_MEMORY_CONFIG},
                                     {HostArray::from_floats(values, float32, shape)}),
                     device.get());
}

Tensor slice_of(const Tensor& whole, std::int64_t count, std::int64_t index) {
    return interleaved_to_sharded_partial(whole, CoreCoord{2, 1}, std::array<std::uint32_t, 2>{32, 32}, count,
                                          index, TensorMemoryLayout::HEIGHT_SHARDED,
                                          ShardOrientation::ROW_MAJOR);
}

TEST(PartialSharding, takes_each_slice_of_the_rows_and_puts_it_back) {
    const OpenDevice device;
    const Tensor whole = counted(device, {1, 2, 64, 32});
    const Tensor copy = zeros({1, 2, 64, 32}, float32, TILE_LAYOUT, device.get());
    for (const std::int64_t index : {0, 1}) {
        const Tensor slice = slice_of(whole, 2, index);
        EXPECT_EQ(slice.shape(), (Shape{1, 1, 64, 32}));
        EXPECT_EQ(slice.to_vector<float>().front(), static_cast<float>(64 * 32 * index));
        const Tensor given = sharded_to_interleaved_partial(slice, copy, std::int64_t{2}, index);
        EXPECT_EQ(given.shared_buffer(), copy.shared_buffer());
    }
    EXPECT_EQ(copy.to_vector<float>(), whole.to_vector<float>());
}

// Rows that fill up tiles belong to slices, and get no values.
TEST(PartialSharding, counts_the_rows_of_padding) {
    const OpenDevice device;
    const Tensor whole = counted(device, {1, 2, 20, 30});
    const std::vector<float> second = slice_of(whole, 2, 1).to_vector<float>();
    ASSERT_EQ(second.size(), 32U * 32U);
    EXPECT_EQ(second[0], 600.0F);
    EXPECT_EQ(second[32], 630.0F) << "the row after it, whose columns are filled up";
    EXPECT_EQ(second[30], 0.0F);
    EXPECT_EQ(second[20 * 32], 0.0F);
    const Tensor copy = zeros({1, 2, 20, 30}, float32, TILE_LAYOUT, device.get());
    sharded_to_interleaved_partial(slice_of(whole, 2, 1), copy, std::int64_t{2}, std::int64_t{1});
    EXPECT_EQ(copy.to_vector<float>()[0], 0.0F);
    EXPECT_EQ(copy.to_vector<float>()[1199], 1199.0F);
}

TEST(PartialSharding, says_which_slice_there_is_none_of) {
    const OpenDevice device;
    const Tensor whole = counted(device, {1, 1, 64, 32});
    EXPECT_EQ(message_of([&] { slice_of(whole, 2, 2); }),
              "Slice index and num_slices don't match! Index = 2 num_slices = 2");
    EXPECT_EQ(message_of([&] { slice_of(whole, 3, 0); }),
              "Total height of a tensor must be divisible by num_slices!");
    EXPECT_EQ(message_of([&] {
                  slice_of(counted(device, {1, 1, 128, 32}), 1, 0);
              }),
              "interleaved_to_sharded_partial: grid: expected at least 4 cores, got 2");
    const Tensor other = zeros({1, 1, 96, 32}, float32, TILE_LAYOUT, device.get());
    EXPECT_EQ(
        message_of([&] {
            sharded_to_interleaved_partial(slice_of(whole, 2, 0), other, std::int64_t{1}, std::int64_t{0});
        }),
        "sharded_to_interleaved_partial: cache_tensor: expected INTERLEAVED tiles of which the input is a slice, got "
        "Shape([1, 1, 96, 32]) beside Shape([1, 1, 32, 32])");
}

}  // namespace
}  // namespace tilemeter
