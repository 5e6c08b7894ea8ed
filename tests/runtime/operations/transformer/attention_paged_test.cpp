// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Attention of keys and values in blocks, in chunks, jointly and by windows, against attention of the same
// rows in one piece, which attention_test.cpp compares with double precision.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/transformer/attention.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

using test::random_size;

/// [b, h, rows, d] of some tensor: rows `first` and after of `count` rows.
std::vector<float> rows_of(const std::vector<float>& values, const Shape& shape, std::uint32_t first,
                           std::uint32_t count) {
    std::vector<float> result;
    for (std::uint32_t matrix = 0; matrix < shape[0] * shape[1]; ++matrix) {
        const auto from = values.begin() + (std::ptrdiff_t{matrix} * shape[2] + first) * shape[3];
        result.insert(result.end(), from, from + std::ptrdiff_t{count} * shape[3]);
    }
    return result;
}

void assert_near(const std::vector<float>& ours, const std::vector<float>& expected) {
    PROPERTY_ASSERT(ours.size() == expected.size());
    for (std::size_t i = 0; i < ours.size(); ++i)
        PROPERTY_ASSERT(std::fabs(ours[i] - expected[i]) <= std::fabs(expected[i]) / 128.0F + 1e-4F);
}

class PagedAttention : public testing::Test {
protected:
    Tensor tensor(const std::vector<float>& values, const Shape& shape, DataType dtype = DataType::BFLOAT16,
                  Layout layout = TILE_LAYOUT) const {
        return from_vector(values, shape, dtype, layout, device_.get());
    }
    Tensor random_tensor(const Shape& shape) const {
        return tensor(test::random_values(shape, -2, 2), shape);
    }
    /// The same keys or values in blocks of 32 rows, block j of user i at `table`[i, j].
    Tensor in_blocks(const Tensor& dense, const std::vector<float>& table, std::uint32_t count) const {
        const Shape& shape = dense.shape();
        const std::vector<float> values = dense.to_vector<float>();
        const std::uint32_t each = shape[2] / 32;
        const Shape blocks{count, shape[1], 32, shape[3]};
        std::vector<float> stored(blocks.volume(), 7.0F);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::size_t row = i / shape[3] % shape[2];
            const std::size_t head = i / shape[3] / shape[2] % shape[1];
            const std::size_t user = i / shape[3] / shape[2] / shape[1];
            const auto block = static_cast<std::size_t>(table[user * each + row / 32]);
            stored[((block * shape[1] + head) * 32 + row % 32) * shape[3] + i % shape[3]] = values[i];
        }
        return tensor(stored, blocks);
    }
    /// Blocks of each user, in any order.
    static std::vector<float> random_table(std::uint32_t users, std::uint32_t each, std::uint32_t count) {
        std::vector<float> all(count);
        std::iota(all.begin(), all.end(), 0.0F);
        for (std::size_t i = all.size(); i > 1; --i)
            std::swap(all[i - 1], all[random_size(0, static_cast<std::uint32_t>(i) - 1)]);
        all.resize(std::size_t{users} * each);
        return all;
    }

    const test::OpenDevice device_;
};

TEST_F(PagedAttention, decodes_as_if_there_were_no_pages) {
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const std::uint32_t users = random_size(1, 3);
        const std::uint32_t kv = random_size(1, 2);
        const std::uint32_t heads = kv * random_size(1, 2);
        const std::uint32_t each = random_size(1, 3);
        const std::uint32_t columns = 32 * each;
        const std::uint32_t blocks = users * each + random_size(0, 2);
        const Tensor q = random_tensor({1, users, heads, 32});
        const Tensor k = random_tensor({users, kv, columns, 32});
        const Tensor v = random_tensor({users, kv, columns, 32});
        const std::vector<float> table = random_table(users, each, blocks);
        const Tensor pages = tensor(table, {users, each}, DataType::INT32, ROW_MAJOR_LAYOUT);
        std::vector<float> last;
        for (std::uint32_t user = 0; user < users; ++user)
            last.push_back(static_cast<float>(random_size(0, columns - 1)));
        const Tensor positions = tensor(last, {users}, DataType::INT32, ROW_MAJOR_LAYOUT);
        const SDPAProgramConfig config{{8, 8}, 32, 32, std::nullopt, 16};
        const bool causal = test::any_bool();
        const OptionalTensor at = causal ? OptionalTensor(positions) : std::nullopt;
        const Tensor expected = transformer::scaled_dot_product_attention_decode(
            q, k, v, causal, std::nullopt, {}, at, std::nullopt, std::nullopt, std::nullopt, std::nullopt,
            config);
        const Tensor result = transformer::paged_scaled_dot_product_attention_decode(
            q, in_blocks(k, table, blocks), in_blocks(v, table, blocks), pages, causal, std::nullopt, at,
            std::nullopt, std::nullopt, std::nullopt, std::nullopt, config);
        PROPERTY_ASSERT(result.to_vector<float>() == expected.to_vector<float>());
    }));
}

TEST_F(PagedAttention, in_chunks_gives_rows_of_the_whole) {
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const std::uint32_t batch = random_size(1, 2);
        const std::uint32_t chunks = random_size(1, 3);
        const Shape shape{batch, 2, 32 * chunks, 32};
        const Tensor q = random_tensor(shape);
        const Tensor k = random_tensor({batch, 1, 32 * chunks, 32});
        const Tensor v = random_tensor({batch, 1, 32 * chunks, 32});
        const std::vector<float> whole =
            transformer::scaled_dot_product_attention(q, k, v).to_vector<float>();
        const std::vector<float> queries = q.to_vector<float>();
        const std::vector<float> table = random_table(batch, chunks, batch * chunks);
        const Tensor pages = tensor(table, {batch, chunks}, DataType::INT32, ROW_MAJOR_LAYOUT);
        const std::uint32_t start = 32 * random_size(0, chunks - 1);
        const Tensor part = tensor(rows_of(queries, shape, start, 32), {batch, 2, 32, 32});
        const Tensor result = transformer::chunked_scaled_dot_product_attention(
            part, in_blocks(k, table, batch * chunks), in_blocks(v, table, batch * chunks), pages, start);
        assert_near(result.to_vector<float>(), rows_of(whole, shape, start, 32));
    }));
}

TEST_F(PagedAttention, joint_is_attention_of_both_sequences) {
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const std::uint32_t rows = random_size(1, 70);
        const std::uint32_t joint = random_size(1, 40);
        const Shape whole{1, 2, rows + joint, 32};
        const SDPAProgramConfig config{{8, 8}, 32, 32, std::nullopt, 16};
        std::vector<Tensor> all;
        std::vector<Tensor> parts;
        for (int i = 0; i < 3; ++i)
            all.push_back(random_tensor(whole));
        for (const auto& [first, count] : {std::pair{0U, rows}, std::pair{rows, joint}}) {
            for (const Tensor& each : all)
                parts.push_back(
                    tensor(rows_of(each.to_vector<float>(), whole, first, count), {1, 2, count, 32}));
        }
        const std::vector<float> expected =
            transformer::scaled_dot_product_attention(all[0], all[1], all[2], std::nullopt, false)
                .to_vector<float>();
        const auto [first, second] = transformer::joint_scaled_dot_product_attention(
            parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], "rear", config);
        assert_near(first.to_vector<float>(), rows_of(expected, whole, 0, rows));
        assert_near(second.to_vector<float>(), rows_of(expected, whole, rows, joint));
    }));
}

TEST_F(PagedAttention, windows_are_sequences_of_their_own) {
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const std::uint32_t first = random_size(1, 40);
        const std::uint32_t second = random_size(1, 40);
        const Shape whole{1, 2, first + second, 32};
        const Tensor q = random_tensor(whole);
        const Tensor k = random_tensor(whole);
        const Tensor v = random_tensor(whole);
        const Tensor bounds = tensor({0.0F, static_cast<float>(first), static_cast<float>(first + second)},
                                     {3}, DataType::UINT32, ROW_MAJOR_LAYOUT);
        const std::vector<float> result =
            transformer::scaled_dot_product_attention({.input_tensor_q = q,
                                                       .input_tensor_k = k,
                                                       .input_tensor_v = v,
                                                       .is_causal = false,
                                                       .cu_window_seqlens = bounds})
                .to_vector<float>();
        for (const auto& [from, count] : {std::pair{0U, first}, std::pair{first, second}}) {
            const auto part = [&, from = from, count = count](const Tensor& of) {
                return tensor(rows_of(of.to_vector<float>(), whole, from, count), {1, 2, count, 32});
            };
            const Tensor alone =
                transformer::scaled_dot_product_attention(part(q), part(k), part(v), std::nullopt, false);
            assert_near(rows_of(result, whole, from, count), alone.to_vector<float>());
        }
    }));
}

TEST_F(PagedAttention, that_can_not_be_says_what_was_expected) {
    const auto zero = [&](const Shape& shape, DataType dtype = bfloat16, Layout layout = TILE_LAYOUT) {
        return zeros(shape, dtype, layout, device_.get());
    };
    const Tensor q = zero({1, 2, 1, 32});
    const Tensor blocks = zero({4, 1, 32, 32});
    const Tensor pages = zero({2, 2}, int32, ROW_MAJOR_LAYOUT);
    EXPECT_EQ(test::message_of(
                  [&] { transformer::paged_scaled_dot_product_attention_decode(q, blocks, blocks, pages); }),
              "Must have cur_pos tensor for paged attention in causal mode");
    const Tensor rows = zero({1, 1, 64, 32});
    EXPECT_EQ(test::message_of([&] {
                  transformer::chunked_scaled_dot_product_attention(
                      rows, blocks, blocks, zero({1, 2}, int32, ROW_MAJOR_LAYOUT), 32);
              }),
              "K's sequence length must be >= Q's sequence length + chunk_start_idx. Got K: 64, Q: 64, "
              "chunk_start_idx: 32");
    EXPECT_EQ(test::message_of([&] {
                  transformer::joint_scaled_dot_product_attention(
                      rows, rows, rows, rows, rows, rows, "front",
                      SDPAProgramConfig{{8, 8}, 32, 32, std::nullopt, 16});
              }),
              "Joint strategy must be 'rear'. Got: front");
}

}  // namespace
}  // namespace tilemeter
