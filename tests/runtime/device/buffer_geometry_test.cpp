// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The number of cores that a buffer occupies.

#include "runtime/device/buffer_geometry.hpp"

#include <array>
#include <cstdint>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/device/device_description.hpp"
#include "runtime/types/tensor_spec.hpp"

namespace tilemeter {
namespace {

// A grid may have more cores than the tensor has shards: only those with a shard count.
TEST(BufferGeometry, cores_without_a_shard_do_not_count) {
    const DeviceDescription device = load_device_description("n150");
    const auto cores_of = [&](TensorMemoryLayout::Value layout, std::array<std::uint32_t, 2> shard) {
        const TensorSpec spec{{1, 1, 64, 64},
                              bfloat16,
                              Layout::TILE,
                              {layout, BufferType::L1, ShardSpec{whole_grid({4, 4}), shard}}};
        return buffer_geometry(spec, device).num_cores;
    };
    EXPECT_EQ(cores_of(TensorMemoryLayout::HEIGHT_SHARDED, {32, 64}), 2U);
    EXPECT_EQ(cores_of(TensorMemoryLayout::WIDTH_SHARDED, {64, 32}), 2U);
    EXPECT_EQ(cores_of(TensorMemoryLayout::BLOCK_SHARDED, {32, 32}), 4U);
}

}  // namespace
}  // namespace tilemeter
