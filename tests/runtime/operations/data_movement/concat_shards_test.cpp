// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tensors in shards joined: values against the definition. That the programs are TT-NN's is held by the recorded rows
// (tests/data/oracle).

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/concat.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

MemoryConfig in_shards(TensorMemoryLayout::Value layout, std::uint32_t rows, std::uint32_t columns) {
    return {layout, BufferType::L1, ShardSpec{CoreRange{{0, 0}, {1, 0}}, {rows, columns}}};
}

// Counts from `first` on.
Tensor counted(const Shape& shape, float first, Layout layout, const MemoryConfig& config,
               const test::OpenDevice& device) {
    std::vector<float> values;
    for (std::uint64_t i = 0; i < shape.volume(); ++i)
        values.push_back(first + static_cast<float>(i % 256));
    return to_memory_config(from_vector(values, shape, DataType::FLOAT32, layout, device.get()), config);
}

class ConcatOfShards : public testing::TestWithParam<Layout> {
protected:
    Tensor beside(std::uint32_t width, float first) const {
        return counted({1, 1, 64, width}, first, GetParam(),
                       in_shards(TensorMemoryLayout::HEIGHT_SHARDED, 32, width), device_);
    }
    const test::OpenDevice device_;
};

TEST_P(ConcatOfShards, takes_parts_of_both_in_turn) {
    const Tensor a = beside(64, 0), b = beside(128, 1000);
    const std::vector<float> from_a = a.to_vector<float>(), from_b = b.to_vector<float>();
    for (const std::uint32_t groups : {1U, 2U, 4U}) {
        const MemoryConfig config = in_shards(TensorMemoryLayout::HEIGHT_SHARDED, 32, 192);
        const Tensor result =
            concat({.tensors = {a, b}, .dim = -1, .memory_config = config, .groups = groups});
        ASSERT_EQ(result.shape(), (Shape{1, 1, 64, 192}));
        EXPECT_EQ(result.memory_config(), config);
        const std::vector<float> values = result.to_vector<float>();
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::size_t row = i / 192, group = i % 192 / (192 / groups), column = i % (192 / groups);
            const std::size_t of_a = 64 / groups, of_b = 128 / groups;
            ASSERT_EQ(values[i], column < of_a ? from_a[row * 64 + group * of_a + column]
                                               : from_b[row * 128 + group * of_b + column - of_a])
                << groups << " " << i;
        }
    }
}

TEST_P(ConcatOfShards, goes_to_interleaved_memory_by_way_of_shards) {
    const Tensor a = beside(64, 0), b = beside(64, 1000), c = beside(32, 2000);
    const Tensor result = concat({a, b, c}, 3);
    EXPECT_EQ(result.memory_config(), DRAM_MEMORY_CONFIG);
    const std::vector<float> values = result.to_vector<float>(), from_b = b.to_vector<float>();
    ASSERT_EQ(result.shape(), (Shape{1, 1, 64, 160}));
    for (std::size_t i = 0; i < from_b.size(); ++i)
        ASSERT_EQ(values[i / 64 * 160 + 64 + i % 64], from_b[i]) << i;
}

TEST_P(ConcatOfShards, stands_one_below_the_other) {
    const MemoryConfig half = in_shards(TensorMemoryLayout::WIDTH_SHARDED, 32, 32);
    const Tensor a = counted({1, 1, 32, 64}, 0, GetParam(), half, device_);
    const Tensor b = counted({1, 1, 32, 64}, 1000, GetParam(), half, device_);
    const Tensor result = concat({a, b}, 2, in_shards(TensorMemoryLayout::WIDTH_SHARDED, 64, 32));
    std::vector<float> expected = a.to_vector<float>();
    const std::vector<float> below = b.to_vector<float>();
    expected.insert(expected.end(), below.begin(), below.end());
    EXPECT_EQ(result.to_vector<float>(), expected);
}

TEST_P(ConcatOfShards, leaves_its_shards_to_be_joined_across_them) {
    const Tensor a = beside(64, 0), b = beside(64, 1000);
    std::vector<float> expected = a.to_vector<float>();
    const std::vector<float> below = b.to_vector<float>();
    expected.insert(expected.end(), below.begin(), below.end());
    EXPECT_EQ(concat({a, b}, 2).to_vector<float>(), expected);
}

TEST_P(ConcatOfShards, that_can_not_be_says_what_was_expected) {
    const Tensor a = beside(64, 0), b = beside(128, 1000);
    const MemoryConfig config = in_shards(TensorMemoryLayout::HEIGHT_SHARDED, 32, 192);
    const auto joined = [&](std::int64_t groups) {
        return test::message_of([&] {
            concat({.tensors = {a, b}, .dim = 3, .memory_config = config, .groups = groups});
        });
    };
    EXPECT_EQ(joined(3), "Input tensor 0 columns must be evenly divisible by groups (W=64, groups=3)");
    EXPECT_EQ(joined(0), "concat: groups: expected at least 1, got 0");
    if (GetParam() == Layout::TILE) {
        EXPECT_EQ(joined(8), "Group size must be at least 16 for input0 (was 8)");
    }
    EXPECT_EQ(test::message_of([&] {
                  concat({a, a}, 2, in_shards(TensorMemoryLayout::HEIGHT_SHARDED, 64, 64));
              }),
              "Only support height concat on width-sharded or block-sharded tensors.");
}

INSTANTIATE_TEST_SUITE_P(Layouts, ConcatOfShards, testing::Values(Layout::ROW_MAJOR, Layout::TILE),
                         [](const auto& layout) { return std::string(name_of(layout.param)); });

}  // namespace
}  // namespace tilemeter
