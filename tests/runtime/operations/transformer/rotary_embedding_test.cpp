// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/transformer/rotary_embedding.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/operations/transformer/transformer_samples.hpp"

namespace tilemeter {
namespace {

using test::by_users;
using test::random_size;
using test::random_tensor;

TEST(RotaryEmbedding, turns_halves_against_each_other) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const DataType dtype = test::one_of(DataType::BFLOAT16, DataType::FLOAT32, DataType::BFLOAT8_B);
        const std::uint32_t width = test::one_of(32U, 64U, 128U);
        const std::uint32_t rows = random_size(1, 40);
        const std::uint32_t length = rows + random_size(0, 30);
        const bool one_token = test::any_bool();
        const Shape shape{one_token ? 1 : random_size(1, 2), random_size(1, 3), rows, width};
        const Tensor x = random_tensor(shape, dtype, device.get());
        const Tensor cos = random_tensor({1, 1, length, width}, DataType::BFLOAT16, device.get());
        const Tensor sin = random_tensor({1, 1, length, width}, DataType::BFLOAT16, device.get());
        std::optional<std::uint32_t> token;
        if (one_token) token = random_size(0, length - 1);
        const Tensor result = experimental::rotary_embedding(x, cos, sin, token);
        const std::uint32_t out_rows = (rows + 31) / 32 * 32;
        PROPERTY_ASSERT(result.shape() == (Shape{shape[0], shape[1], out_rows, width}));

        const std::vector<double> values = x.to_vector<double>();
        const std::vector<double> c = cos.to_vector<double>();
        const std::vector<double> s = sin.to_vector<double>();
        std::vector<double> expected(result.shape().volume());
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::size_t d = i % width;
            const std::size_t row = i / width % rows;
            const std::size_t angle = (token ? *token : row) * width + d;
            const double other = d < width / 2 ? -values[i + width / 2] : values[i - width / 2];
            expected[(i / width / rows * out_rows + row) * width + d] =
                values[i] * c[angle] + other * s[angle];
        }
        test::assert_close(result, expected, 1e-5);
    }));
}

// The matrix that turns pairs: column 2i takes -x[2i + 1], column 2i + 1 takes x[2i].
TEST(RotaryEmbeddingLlama, turns_pairs_against_each_other) {
    const test::OpenDevice device;
    std::vector<float> pairs(32 * 32);
    for (std::size_t i = 0; i < 32; i += 2) {
        pairs[(i + 1) * 32 + i] = -1.0F;
        pairs[i * 32 + i + 1] = 1.0F;
    }
    const Tensor matrix = from_vector(pairs, {1, 1, 32, 32}, bfloat16, TILE_LAYOUT, device.get());
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const std::uint32_t width = test::one_of(32U, 64U, 128U);
        const std::uint32_t rows = random_size(1, 40);
        const std::uint32_t heads = random_size(1, 3);
        const std::uint32_t angle_heads = test::any_bool() ? heads : 1;
        const Shape shape{random_size(1, 2), heads, rows, width};
        const Tensor x = random_tensor(shape, bfloat16, device.get());
        const Tensor cos = random_tensor({1, angle_heads, rows, width}, bfloat16, device.get());
        const Tensor sin = random_tensor({1, angle_heads, rows, width}, bfloat16, device.get());
        const Tensor result = experimental::rotary_embedding_llama(x, cos, sin, matrix);
        PROPERTY_ASSERT(result.shape() == shape);
        const std::vector<double> values = x.to_vector<double>();
        const std::vector<double> c = cos.to_vector<double>();
        const std::vector<double> s = sin.to_vector<double>();
        std::vector<double> expected;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::size_t head = angle_heads == 1 ? 0 : i / width / rows % heads;
            const std::size_t angle = head * rows * width + i % (rows * width);
            const double other = i % 2 == 0 ? -values[i + 1] : values[i - 1];
            expected.push_back(values[i] * c[angle] + other * s[angle]);
        }
        test::assert_close(result, expected, 1e-5);
    }));
}

TEST(RotaryEmbeddingLlama, decodes_with_angles_of_each_user) {
    const test::OpenDevice device;
    std::vector<float> pairs(4 * 32 * 32);
    for (std::size_t i = 0; i < 32; i += 2) {
        pairs[(i + 1) * 32 + i] = -1.0F;
        pairs[i * 32 + i + 1] = 1.0F;
    }
    const Tensor matrix =
        from_vector(pairs, {1, 1, 128, 32}, bfloat16, TILE_LAYOUT, device.get(), by_users(4, 32));
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const std::uint32_t heads = random_size(1, 8);
        const Tensor x = random_tensor({1, 4, heads, 64}, bfloat16, device.get(), by_users(4, 64));
        const Tensor cos = random_tensor({1, 4, 1, 64}, bfloat16, device.get(), by_users(4, 64));
        const Tensor sin = random_tensor({1, 4, 1, 64}, bfloat16, device.get(), by_users(4, 64));
        const std::vector<double> values = x.to_vector<double>();
        const std::vector<double> c = cos.to_vector<double>();
        const std::vector<double> s = sin.to_vector<double>();
        const Tensor result = experimental::rotary_embedding_llama(x, cos, sin, matrix, true);
        PROPERTY_ASSERT(result.memory_config() == x.memory_config());
        std::vector<double> expected(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::size_t angle = i / 64 / heads * 64 + i % 64;
            const double other = i % 2 == 0 ? -values[i + 1] : values[i - 1];
            expected[i] = values[i] * c[angle] + other * s[angle];
        }
        test::assert_close(result, expected, 1e-5);
    }));
}

TEST(RotaryEmbedding, that_can_not_be_says_what_was_expected) {
    const test::OpenDevice device;
    const auto tiles = [&](const Shape& shape) { return zeros(shape, bfloat16, TILE_LAYOUT, device.get()); };
    const Tensor x = tiles({1, 4, 64, 64});
    const Tensor angles = tiles({1, 1, 32, 64});
    EXPECT_EQ(
        test::message_of([&] { experimental::rotary_embedding(x, angles, angles); }),
        "Cosine cache must cover the input sequence length. Input sequence length: 64, Cos cache sequence "
        "length: 32.");
    EXPECT_EQ(test::message_of([&] { experimental::rotary_embedding(x, angles, angles, 32); }),
              "Cosine cache must cover the token index. Token index: 32, Cos cache sequence length: 32.");
    const Tensor odd = tiles({1, 1, 64, 96});
    EXPECT_EQ(test::message_of([&] { experimental::rotary_embedding(odd, odd, odd); }),
              "Input X dimension (96) must be either 32 (single tile) or divisible by 64");
    const Tensor wide = tiles({1, 4, 64, 512});
    EXPECT_EQ(test::message_of([&] {
                  experimental::rotary_embedding_llama(wide, wide, wide, tiles({1, 1, 32, 32}));
              }),
              "Head dim must be less than 256");
    const Tensor full_precision = zeros({1, 1, 32, 32}, float32, TILE_LAYOUT, device.get());
    EXPECT_EQ(test::message_of([&] {
                  experimental::rotary_embedding_llama(x, tiles({1, 1, 64, 64}), tiles({1, 1, 64, 64}),
                                                       full_precision);
              }),
              "All input tensors must have dtype = bfloat16");
}

}  // namespace
}  // namespace tilemeter
