// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Norms and softmax of sharded tensors are those of interleaved ones; only memory differs.

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/concat.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/data_movement/slice.hpp"
#include "runtime/operations/normalization/distributed_norm.hpp"
#include "runtime/operations/normalization/normalization.hpp"
#include "runtime/operations/normalization/softmax.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/operations/shards.hpp"

namespace tilemeter {
namespace {

using test::expect_as_interleaved;

TEST(ShardedNormalization, computes_the_same) {
    expect_as_interleaved(test::kColumnShards, [](const Tensor& x) { return layer_norm(x); });
    expect_as_interleaved(test::kColumnShards, [](const Tensor& x) { return rms_norm(x); });
    expect_as_interleaved(test::kAllShards, [](const Tensor& x) { return softmax(x, -1); });
}

MemoryConfig side_by_side(CoreCoord first, std::uint32_t cores, std::uint32_t width) {
    const CoreRange row{first, {first.x + cores - 1, first.y}};
    return {TensorMemoryLayout::WIDTH_SHARDED, BufferType::L1, ShardSpec{row, {32, width}}};
}

std::vector<float> some_values(std::size_t count, float step) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = step * (static_cast<float>(i % 29) - 14);
    return values;
}

// Two chips, each with half of every row on four cores: means of both parts, one behind the other, normalize each part.
template <typename Whole, typename Before, typename After>
void expect_as_whole_rows(const Whole& whole, const Before& before, const After& after) {
    const test::OpenDevice device;
    constexpr std::uint32_t kHalf = 256;
    const auto on_device = [&](const std::vector<float>& values, const Shape& shape,
                               const MemoryConfig& config) {
        return from_vector(values, shape, DataType::BFLOAT16, TILE_LAYOUT, device.get(), config);
    };
    const Tensor x =
        on_device(some_values(32 * 2 * kHalf, 0.125F), {1, 1, 32, 2 * kHalf}, DRAM_MEMORY_CONFIG);
    const auto expected = whole(x).template to_vector<float>();
    const MemoryConfig shards = side_by_side({1, 2}, 4, kHalf / 4);
    const LayerNormShardedMultiCoreProgramConfig program{{4, 1}, 1, 1, kHalf / 4 / 32};
    std::vector<Tensor> halves, means;
    for (const std::uint32_t begin : {0U, kHalf}) {
        halves.push_back(to_memory_config(slice(x, {0, 0, 0, begin}, {1, 1, 32, begin + kHalf}), shards));
        means.push_back(sharded_to_interleaved(before(halves.back(), program)));
    }
    const Tensor all = concat(means, -1);
    const Tensor stats = to_memory_config(all, side_by_side({1, 2}, 1, all.shape()[-1]));
    for (std::uint32_t chip = 0; chip < 2; ++chip) {
        const auto found = after(halves[chip], stats, program).template to_vector<float>();
        for (std::uint32_t i = 0; i < found.size(); ++i)
            EXPECT_NEAR(found[i], expected[i / kHalf * 2 * kHalf + chip * kHalf + i % kHalf], 0.05) << i;
    }
}

TEST(ShardedChipNorm, of_parts_of_rows_is_that_of_whole_rows) {
    expect_as_whole_rows([](const Tensor& x) { return layer_norm(x); },
                         [](const Tensor& half, const auto& program) {
                             return layer_norm_pre_all_gather(
                                 LayerNormPreAllGather{.input_tensor = half, .program_config = program});
                         },
                         [](const Tensor& half, const Tensor& stats, const auto& program) {
                             return layer_norm_post_all_gather(LayerNormPostAllGather{
                                 .input_tensor = half, .stats = stats, .program_config = program});
                         });
    expect_as_whole_rows([](const Tensor& x) { return rms_norm(x); },
                         [](const Tensor& half, const auto& program) {
                             return rms_norm_pre_all_gather(
                                 RmsNormPreAllGather{.input_tensor = half, .program_config = program});
                         },
                         [](const Tensor& half, const Tensor& stats, const auto& program) {
                             return rms_norm_post_all_gather(RmsNormPostAllGather{
                                 .input_tensor = half, .stats = stats, .program_config = program});
                         });
}

TEST(ShardedChipNorm, adds_a_residual_to_the_input_itself) {
    const test::OpenDevice device;
    const MemoryConfig shards = side_by_side({0, 0}, 2, 32);
    const auto on_device = [&](float step) {
        return from_vector(some_values(32 * 64, step), {1, 1, 32, 64}, DataType::FLOAT32, TILE_LAYOUT,
                           device.get(), shards);
    };
    const Tensor input = on_device(0.5F), residual = on_device(0.25F);
    const LayerNormShardedMultiCoreProgramConfig program{{2, 1}, 1, 1, 1};
    const Tensor means = rms_norm_pre_all_gather(RmsNormPreAllGather{
        .input_tensor = input, .residual_input_tensor = residual, .program_config = program});
    const auto sums = input.to_vector<float>(), before = some_values(32 * 64, 0.5F),
               added = some_values(32 * 64, 0.25F);
    float squares = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        EXPECT_EQ(sums[i], before[i] + added[i]) << i;
        if (i < 64) squares += sums[i] * sums[i] / 64;
    }
    EXPECT_NEAR(means.to_vector<float>()[0], squares, squares / 128);
}

TEST(Softmax, takes_rows_and_gives_tiles) {
    const test::OpenDevice device;
    const std::vector<float> values(2 * 33 * 40, 0.25F);
    const Tensor rows = from_vector(values, {1, 2, 33, 40}, bfloat16, ROW_MAJOR_LAYOUT, device.get());
    const Tensor result = softmax(rows, -1);
    EXPECT_EQ(result.layout(), Layout::TILE);
    for (const float value : result.to_vector<float>())
        EXPECT_NEAR(value, 1.0 / 40, 1.0 / 40 / 128);
}

}  // namespace
}  // namespace tilemeter
