// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Operations on sharded tensors give what they give on interleaved ones; only memory differs.

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/buffer_geometry.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/normalization/normalization.hpp"
#include "runtime/operations/normalization/softmax.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

struct Sharded {
    Shape shape;
    MemoryConfig config;
};

// Whole tiles, one shard per core of a rectangle.
Sharded random_shards(std::vector<TensorMemoryLayout::Value> layouts) {
    const auto up_to = [](int most) { return static_cast<std::uint32_t>(test::in_range(1, most + 1)); };
    const auto layout = test::element_of(layouts);
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

template <typename Call>
void expect_as_interleaved(const std::vector<TensorMemoryLayout::Value>& layouts, Call call) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Sharded sharded = random_shards(layouts);
        const std::vector<float> values = test::random_values(sharded.shape, -2, 2);
        const Tensor spread =
            from_vector(values, sharded.shape, bfloat16, TILE_LAYOUT, device.get(), sharded.config);
        const Tensor plain = from_vector(values, sharded.shape, bfloat16, TILE_LAYOUT, device.get());
        const Tensor ours = call(spread), expected = call(plain);
        PROPERTY_ASSERT(ours.shape() == expected.shape());
        PROPERTY_ASSERT(ours.to_vector<float>() == expected.to_vector<float>());
    }));
}

using Layouts = std::vector<TensorMemoryLayout::Value>;
const Layouts kAll = {TensorMemoryLayout::HEIGHT_SHARDED, TensorMemoryLayout::WIDTH_SHARDED,
                      TensorMemoryLayout::BLOCK_SHARDED};
const Layouts kColumns = {TensorMemoryLayout::WIDTH_SHARDED, TensorMemoryLayout::BLOCK_SHARDED};

TEST(Sharded, norms_softmax_and_transposes_compute_the_same) {
    expect_as_interleaved(kColumns, [](const Tensor& x) { return layer_norm(x); });
    expect_as_interleaved(kColumns, [](const Tensor& x) { return rms_norm(x); });
    expect_as_interleaved(kAll, [](const Tensor& x) { return softmax(x, -1); });
    expect_as_interleaved(kAll, [](const Tensor& x) { return transpose(x, -2, -1); });
}

TEST(Sharded, reductions_compute_the_same) {
    for (const int dim : {-1, -2}) {
        expect_as_interleaved(kAll, [=](const Tensor& x) { return sum(x, dim, true); });
        expect_as_interleaved(kAll, [=](const Tensor& x) { return max(x, dim, true); });
    }
}

TEST(Sharded, reductions_over_any_dimensions_compute_the_same) {
    expect_as_interleaved(kAll, [](const Tensor& x) {
        // The same for both of a pair of calls.
        const std::size_t which = x.shape().volume() / 1024;
        const ReduceDims some[] = {ReduceDims(0), ReduceDims(std::vector<int>{1, 2}),
                                   ReduceDims(std::vector<int>{2, 3}), ReduceDims(std::vector<int>{0, 3}),
                                   ReduceDims()};
        const ReduceDims& dims = some[which % std::size(some)];
        return which % 2 == 0 ? mean(x, dims, which % 4 == 0, DRAM_MEMORY_CONFIG)
                              : min(x, dims, which % 4 == 1, DRAM_MEMORY_CONFIG);
    });
}

TEST(Sharded, reshapes_compute_the_same) {
    // Halves of rows, columns of them.
    expect_as_interleaved(kAll, [](const Tensor& x) {
        return x.shape()[2] == 32 ? reshape(x, {x.shape()[2] * 2, x.shape()[3] / 2})
                                  : reshape(x, {x.shape()[3] / 16, x.shape()[2], 16});
    });
}

// Shards are cut anew on the cores that have them; cores that are no rectangle give them up.
TEST(Sharded, reshapes_keep_shards_on_a_rectangle_of_cores) {
    const test::OpenDevice device;
    const auto reshaped = [&](const MemoryConfig& config, const Shape& from, const Shape& to, Layout layout) {
        return reshape(empty(from, bfloat16, layout, device.get(), config), to).memory_config();
    };
    const auto in_rows = [](const CoreRangeSet& cores, std::array<std::uint32_t, 2> shard) {
        return MemoryConfig{TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1, ShardSpec{cores, shard}};
    };
    const MemoryConfig rows =
        reshaped(in_rows(whole_grid({6, 5}), {64, 64}), {1, 2, 960, 64}, {128, 960}, Layout::TILE);
    EXPECT_EQ(rows.shard_spec->shape, (std::array<std::uint32_t, 2>{32, 960}));
    EXPECT_EQ(rows.shard_spec->grid.to_string(), "{[0-0 - 5-4]}");
    const MemoryConfig one =
        reshaped(in_rows(whole_grid({2, 1}), {32, 32}), {1, 1, 64, 32}, {8, 256}, Layout::TILE);
    EXPECT_EQ(one.memory_layout, TensorMemoryLayout::WIDTH_SHARDED);
    EXPECT_FALSE(reshaped(in_rows(first_cores(11, {8, 8}, true), {128, 32}), {1, 1, 1408, 32}, {1024, 22, 2},
                          Layout::TILE)
                     .is_sharded());
    const MemoryConfig blocks{TensorMemoryLayout::BLOCK_SHARDED, BufferType::L1,
                              ShardSpec{whole_grid({7, 6}), {128, 32}}};
    const MemoryConfig cut = reshaped(blocks, {1, 1, 756, 201}, {42, 1, 3618}, Layout::TILE);
    EXPECT_EQ(cut.shard_spec->shape, (std::array<std::uint32_t, 2>{224, 608}));
    EXPECT_EQ(cut.shard_spec->grid.to_string(), "{[0-0 - 5-5]}");
    const MemoryConfig columns = reshaped(MemoryConfig{TensorMemoryLayout::BLOCK_SHARDED, BufferType::L1,
                                                       ShardSpec{whole_grid({6, 3}), {32, 128}}},
                                          {1, 1, 96, 768}, {1152, 64}, Layout::ROW_MAJOR);
    EXPECT_EQ(columns.shard_spec->shape, (std::array<std::uint32_t, 2>{384, 32}));
}

TEST(Sharded, rows_of_shards_become_columns_of_them) {
    const test::OpenDevice device;
    MemoryConfig config{TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
                        ShardSpec{whole_grid({5, 1}), {64, 96}}};
    const Tensor x = empty({1, 1, 320, 96}, bfloat16, TILE_LAYOUT, device.get(), config);
    const MemoryConfig transposed = transpose(x, -2, -1).memory_config();
    EXPECT_EQ(transposed.memory_layout, TensorMemoryLayout::WIDTH_SHARDED);
    EXPECT_EQ(transposed.shard_spec->shape, (std::array<std::uint32_t, 2>{96, 64}));
    const MemoryConfig summed = sum(x, -2, true).memory_config();
    EXPECT_EQ(summed.memory_layout, TensorMemoryLayout::WIDTH_SHARDED);
    EXPECT_EQ(summed.shard_spec->shape, (std::array<std::uint32_t, 2>{32, 96}));
}

TEST(Sharded, softmax_takes_rows_and_gives_tiles) {
    const test::OpenDevice device;
    const std::vector<float> values(2 * 33 * 40, 0.25F);
    const Tensor rows = from_vector(values, {1, 2, 33, 40}, bfloat16, ROW_MAJOR_LAYOUT, device.get());
    const Tensor result = softmax(rows, -1);
    EXPECT_EQ(result.layout(), Layout::TILE);
    for (const float value : result.to_vector<float>())
        EXPECT_NEAR(value, 1.0 / 40, 1.0 / 40 / 128);
}

// A grid may have more cores than the tensor has shards: only those with a shard count.
TEST(Sharded, cores_without_a_shard_do_not_count) {
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
