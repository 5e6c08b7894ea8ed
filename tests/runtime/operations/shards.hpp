// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Random shards, and operations on them compared with the same on interleaved tensors.

#pragma once

#include <vector>

#include <gtest/gtest.h>

#include "runtime/tensor/tensor.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter::test {

using ShardLayouts = std::vector<TensorMemoryLayout::Value>;
inline const ShardLayouts kAllShards = {TensorMemoryLayout::HEIGHT_SHARDED, TensorMemoryLayout::WIDTH_SHARDED,
                                        TensorMemoryLayout::BLOCK_SHARDED};
inline const ShardLayouts kColumnShards = {TensorMemoryLayout::WIDTH_SHARDED,
                                           TensorMemoryLayout::BLOCK_SHARDED};

struct Sharded {
    Shape shape;
    MemoryConfig config;
};

// Whole tiles, one shard per core of a rectangle.
inline Sharded random_shards(const ShardLayouts& layouts) {
    const auto up_to = [](int most) { return static_cast<std::uint32_t>(in_range(1, most + 1)); };
    const auto layout = element_of(layouts);
    const CoreCoord cores{up_to(3), up_to(3)};
    const std::uint32_t height = 32 * up_to(2), width = 32 * up_to(2), count = cores.x * cores.y;
    MemoryConfig config{layout, BufferType::L1, ShardSpec{whole_grid(cores), {height, width}}};
    switch (layout) {
        case TensorMemoryLayout::HEIGHT_SHARDED:
            return {{1, 1, height * count, width}, config};
        case TensorMemoryLayout::WIDTH_SHARDED:
            return {{1, 1, height, width * count}, config};
        default:
            return {{1, 1, height * cores.y, width * cores.x}, config};
    }
}

/// `call` of a tensor in random shards of these layouts has the values of `call` of the same interleaved.
template <typename Call>
void expect_as_interleaved(const ShardLayouts& layouts, Call call) {
    const OpenDevice device;
    EXPECT_TRUE(holds_for_random_cases([&] {
        const Sharded sharded = random_shards(layouts);
        const std::vector<float> values = random_values(sharded.shape, -2, 2);
        const Tensor spread =
            from_vector(values, sharded.shape, bfloat16, TILE_LAYOUT, device.get(), sharded.config);
        const Tensor plain = from_vector(values, sharded.shape, bfloat16, TILE_LAYOUT, device.get());
        const Tensor ours = call(spread), expected = call(plain);
        PROPERTY_ASSERT(ours.shape() == expected.shape());
        PROPERTY_ASSERT(ours.to_vector<float>() == expected.to_vector<float>());
    }));
}

}  // namespace tilemeter::test
