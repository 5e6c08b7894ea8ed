// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/transformer/state_space.hpp"

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

using test::message_of;
using test::OpenDevice;

// Small whole numbers, whose products and sums of 32 are exact in bfloat16.
Tensor few_numbers(const OpenDevice& device, const Shape& shape, std::uint32_t seed,
                   Layout layout = TILE_LAYOUT) {
    std::vector<float> values(shape.volume());
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>((i * 2654435761U + seed) >> 9U & 3U) - 1.0F;
    return from_vector(values, shape, bfloat16, layout, device.get(), DRAM_MEMORY_CONFIG);
}

TEST(RepeatAndInterleaveEltwiseMul, multiplies_each_state_by_each_column) {
    const OpenDevice device;
    const Tensor a = few_numbers(device, {1, 1, 32, 32}, 1), b = few_numbers(device, {1, 1, 32, 5120}, 2);
    const std::vector<float> states = a.to_vector<float>(), columns = b.to_vector<float>();
    const Tensor both = experimental::repeat_and_interleave_eltwise_mul(a, b);
    ASSERT_EQ(both.shape(), (Shape{1, 1, 32, 163840}));
    const std::vector<float> products = both.to_vector<float>();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < products.size(); ++i) {
        const std::size_t row = i / 163840, at = i % 163840;
        wrong += products[i] != states[row * 32 + at % 32] * columns[row * 5120 + at / 32] ? 1 : 0;
    }
    EXPECT_EQ(wrong, 0U);
    const std::vector<float> again =
        experimental::repeat_and_interleave_eltwise_mul(both, b).to_vector<float>();
    EXPECT_EQ(again[163840 + 70], products[163840 + 70] * columns[5120 + 2]) << "a wide operand is as it is";
}

TEST(HcSumReduce, adds_up_32_neighbours) {
    const OpenDevice device;
    const Tensor input = few_numbers(device, {1, 1, 32, 2048}, 3);
    const std::vector<float> values = input.to_vector<float>();
    const Tensor sums = experimental::hc_sum_reduce(input);
    ASSERT_EQ(sums.shape(), (Shape{1, 1, 32, 64}));
    const std::vector<float> found = sums.to_vector<float>();
    for (std::size_t i = 0; i < found.size(); ++i) {
        float sum = 0;
        for (std::size_t j = 0; j < 32; ++j)
            sum += values[32 * i + j];
        ASSERT_EQ(found[i], sum) << i;
    }
}

TEST(PrefixScan, follows_the_recurrence_from_row_to_row) {
    const OpenDevice device;
    const auto shards = [](std::uint32_t rows) {
        return MemoryConfig{TensorMemoryLayout::WIDTH_SHARDED, BufferType::L1,
                            ShardSpec{CoreRange{{0, 0}, {1, 0}}, {rows, 32}}};
    };
    const auto sharded = [&](const Tensor& tensor) {
        return to_memory_config(tensor, shards(tensor.shape()[2]));
    };
    const Tensor a = sharded(few_numbers(device, {1, 1, 32, 64}, 4)),
                 bx = sharded(few_numbers(device, {1, 1, 32, 64}, 5));
    const Tensor before = sharded(few_numbers(device, {1, 1, 1, 64}, 6, ROW_MAJOR_LAYOUT));
    const std::vector<float> found = experimental::prefix_scan(a, bx, before).to_vector<float>();
    const std::vector<float> factors = a.to_vector<float>(), inputs = bx.to_vector<float>();
    std::vector<float> state = before.to_vector<float>();
    for (std::size_t row = 0; row < 4; ++row) {
        for (std::size_t column = 0; column < 64; ++column) {
            state[column] = factors[row * 64 + column] * state[column] + inputs[row * 64 + column];
            ASSERT_EQ(found[row * 64 + column], state[column]) << row << ", " << column;
        }
    }
}

TEST(PrefixScan, says_what_it_does_not_take) {
    const OpenDevice device;
    const Tensor a = few_numbers(device, {1, 1, 32, 64}, 1);
    EXPECT_EQ(message_of([&] {
                  experimental::prefix_scan(a, a, few_numbers(device, {1, 1, 1, 64}, 1, ROW_MAJOR_LAYOUT));
              }),
              "Expected input tensors to be sharded");
    EXPECT_EQ(message_of([&] { experimental::prefix_scan(a, a, a); }),
              "Expected initial hidden state to be row-major");
    EXPECT_EQ(message_of([&] { experimental::hc_sum_reduce(a); }),
              "Final dim/TILE_SIZE must be a multiple of latent size!");
    EXPECT_EQ(message_of([&] { experimental::repeat_and_interleave_eltwise_mul(a, a); }),
              "Use eltwise mul for same size inputs!");
}

}  // namespace
}  // namespace tilemeter
