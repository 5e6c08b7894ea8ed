// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/transformer/attention_heads.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/transformer/attention_heads_decode.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

using test::random_size;

/// Element (b, head, row, d) of [b, rows, sections * d], heads counted from `first`.
struct Rows {
    std::vector<float> values;
    std::uint64_t rows;
    std::uint64_t width;
    float at(std::uint64_t b, std::uint64_t row, std::uint64_t column) const {
        return values[(b * rows + row) * width + column];
    }
};

void assert_heads(const Tensor& heads, const Rows& from, std::uint64_t first, bool transposed) {
    const Shape& shape = heads.shape();
    const std::uint64_t rows = transposed ? shape[3] : shape[2];
    const std::uint64_t width = transposed ? shape[2] : shape[3];
    const std::vector<float> ours = heads.to_vector<float>();
    for (std::uint64_t i = 0; i < ours.size(); ++i) {
        const std::uint64_t d = transposed ? i / rows % width : i % width;
        const std::uint64_t row = transposed ? i % rows : i / width % rows;
        const std::uint64_t head = i / (rows * width) % shape[1];
        const std::uint64_t b = i / (rows * width * shape[1]);
        PROPERTY_ASSERT(ours[i] == from.at(b, row, (first + head) * width + d));
    }
}

TEST(AttentionHeads, are_parts_of_the_rows) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const std::uint32_t batch = random_size(1, 2);
        const std::uint32_t rows = random_size(1, 40);
        const std::uint32_t heads = random_size(1, 3);
        const std::uint32_t kv_heads = random_size(1, 2);
        const std::uint32_t width = 32 * random_size(1, 2);
        const bool transposed = test::any_bool();
        const bool apart = test::any_bool();
        const bool three = test::any_bool();
        const DataType dtype = test::one_of(DataType::BFLOAT16, DataType::FLOAT32);
        const auto make = [&](std::uint32_t sections) {
            const std::uint32_t columns = sections * width;
            const Shape shape = three ? Shape{batch, rows, columns} : Shape{batch, 1, rows, columns};
            return from_vector(test::random_values(shape, -4, 4), shape, dtype, TILE_LAYOUT, device.get());
        };
        const Tensor input = make(apart ? heads : heads + 2 * kv_heads);
        const OptionalTensor kv = apart ? OptionalTensor(make(2 * kv_heads)) : std::nullopt;
        const auto [q, k, v] =
            three ? transformer::split_query_key_value_and_split_heads(input, kv, heads, kv_heads, transposed)
                  : experimental::nlp_create_qkv_heads(input, kv, heads, kv_heads, transposed);
        PROPERTY_ASSERT(q.shape() == (Shape{batch, heads, rows, width}));
        PROPERTY_ASSERT(k.shape() == (transposed ? Shape{batch, kv_heads, width, rows}
                                                 : Shape{batch, kv_heads, rows, width}));
        PROPERTY_ASSERT(v.shape() == (Shape{batch, kv_heads, rows, width}));
        const Rows from_input{input.to_vector<float>(), rows, input.shape()[-1]};
        const Rows from_kv = kv ? Rows{kv->to_vector<float>(), rows, kv->shape()[-1]} : from_input;
        const std::uint64_t first = apart ? 0 : heads;
        assert_heads(q, from_input, 0, false);
        assert_heads(k, from_kv, first, transposed);
        assert_heads(v, from_kv, first + kv_heads, false);

        // And back: concatenating the queries gives the rows they came from.
        const Tensor rows_again =
            three ? transformer::concatenate_heads(q) : experimental::nlp_concat_heads(q);
        PROPERTY_ASSERT(rows_again.shape() ==
                        (three ? Shape{batch, rows, heads * width} : Shape{batch, 1, rows, heads * width}));
        const std::vector<float> again = rows_again.to_vector<float>();
        for (std::uint64_t i = 0; i < again.size(); ++i) {
            const std::uint64_t row = i / (heads * width);
            PROPERTY_ASSERT(again[i] == from_input.at(row / rows, row % rows, i % (heads * width)));
        }
    }));
}

TEST(AttentionHeads, of_one_token_are_parts_of_each_users_row) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        // On a rectangle of cores: others nlp_concat_heads_decode refuses.
        const std::uint32_t users = test::any_bool() ? random_size(1, 8) : 8 * random_size(2, 4);
        const std::uint32_t kv_heads = random_size(1, 2);
        const std::uint32_t heads = kv_heads + random_size(0, 2);
        const Shape shape{1, 1, users, (heads + 2 * kv_heads) * 32};
        const Tensor input =
            from_vector(test::random_values(shape, -4, 4), shape, bfloat16, TILE_LAYOUT, device.get());
        const std::vector<float> rows = input.to_vector<float>();
        const auto [q, k, v] = experimental::nlp_create_qkv_heads_decode(input, heads, kv_heads);
        std::uint64_t first = 0;
        for (const Tensor* part : {&q, &k, &v}) {
            const std::uint64_t count = part == &q ? heads : kv_heads;
            PROPERTY_ASSERT(part->shape() == (Shape{1, users, static_cast<std::uint32_t>(count), 32}));
            const std::vector<float> ours = part->to_vector<float>();
            for (std::uint64_t i = 0; i < ours.size(); ++i) {
                const std::uint64_t user = i / 32 / count;
                PROPERTY_ASSERT(ours[i] == rows[user * shape[3] + first * 32 + i % (count * 32)]);
            }
            first += count;
        }
        const Tensor together = experimental::nlp_concat_heads_decode(q, heads);
        PROPERTY_ASSERT(together.shape() == (Shape{1, 1, 32, heads * 32}));
        const std::vector<float> ours = together.to_vector<float>();
        for (std::uint64_t i = 0; i < ours.size(); ++i) {
            const std::uint64_t user = i / (heads * 32);
            PROPERTY_ASSERT(ours[i] == (user < users ? rows[user * shape[3] + i % (heads * 32)] : 0.0F));
        }
    }));
}

TEST(AttentionHeads, that_can_not_be_say_what_was_expected) {
    const test::OpenDevice device;
    const auto tiles = [&](const Shape& shape) { return zeros(shape, bfloat16, TILE_LAYOUT, device.get()); };
    EXPECT_EQ(test::message_of([&] {
                  experimental::nlp_create_qkv_heads(tiles({1, 1, 64, 200}), std::nullopt, 4);
              }),
              "Unsupported input shape");
    EXPECT_EQ(test::message_of([&] {
                  experimental::nlp_create_qkv_heads(tiles({1, 2, 64, 384}), std::nullopt, 2);
              }),
              "Unsupported input sequence length 2 is not equal to 1");
    EXPECT_EQ(test::message_of([&] {
                  experimental::nlp_create_qkv_heads(tiles({1, 1, 64, 128}), tiles({1, 1, 32, 256}), 2);
              }),
              "KV tensor seq_len dim must be same as Q tensor seq_len!");
    EXPECT_EQ(test::message_of([&] {
                  transformer::split_query_key_value_and_split_heads(tiles({1, 1, 64, 384}), std::nullopt, 2);
              }),
              "Invalid input tensor: expected 3 dimensions, but found 4.");
    EXPECT_EQ(test::message_of([&] {
                  transformer::concatenate_heads(tiles({4, 64, 64}));
              }),
              "Input tensor must have rank 4. Shape: Shape([4, 64, 64])");
    EXPECT_EQ(test::message_of([&] {
                  experimental::nlp_concat_heads(tiles({1, 4, 64, 48}));
              }),
              "nlp_concat_heads: input: expected a head size of whole tiles of 32, got 48");
    EXPECT_EQ(
        test::message_of([&] {
            experimental::nlp_concat_heads(zeros({1, 4, 64, 64}, bfloat16, ROW_MAJOR_LAYOUT, device.get()));
        }),
        "Input tensor layout must be TILE but got Layout::ROW_MAJOR");
}

}  // namespace
}  // namespace tilemeter
