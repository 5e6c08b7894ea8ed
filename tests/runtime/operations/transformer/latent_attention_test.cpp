// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Attention whose values are a part of its keys, chunks that begin where a tensor says, and scores of an indexer, against
// attention with values of their own and against plain loops.

#include "runtime/operations/transformer/latent_attention.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/transformer/indexer_score.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/operations/transformer/transformer_samples.hpp"

namespace tilemeter {
namespace {

constexpr std::uint32_t kWidth = 96, kValueWidth = 64;

class LatentAttention : public ::testing::Test {
protected:
    const test::OpenDevice device_{{"p150", 0, 0}};

    Tensor tensor(const std::vector<float>& values, const Shape& shape) const {
        return from_vector(values, shape, bfloat16, TILE_LAYOUT, device_.get());
    }
    Tensor random(const Shape& shape) const { return tensor(test::some_values(shape), shape); }
    Tensor integers(const std::vector<std::int64_t>& values, const Shape& shape) const {
        return from_vector(values, shape, int32, ROW_MAJOR_LAYOUT, device_.get());
    }
    /// The first columns, as values of their own.
    Tensor values_of(const Tensor& keys) const {
        const Shape& shape = keys.shape();
        const std::vector<float> all = keys.to_vector<float>();
        std::vector<float> some;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (i % kWidth < kValueWidth) some.push_back(all[i]);
        }
        return tensor(some, {shape[0], shape[1], shape[2], kValueWidth});
    }
    /// Of attention with keys for values the columns that latent attention has.
    static std::vector<float> first_columns(const Tensor& result) {
        const std::vector<float> all = result.to_vector<float>();
        std::vector<float> some;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (i % kWidth < kValueWidth) some.push_back(all[i]);
        }
        return some;
    }
};

TEST_F(LatentAttention, of_a_sequence_has_the_first_columns_of_attention_to_its_keys) {
    const Tensor q = random({2, 4, 64, kWidth}), k = random({2, 2, 64, kWidth});
    const std::vector<float> expected = first_columns(transformer::scaled_dot_product_attention(q, k, k));
    const Tensor narrow = transformer::flash_mla_prefill(q, k, kValueWidth);
    EXPECT_EQ(narrow.shape(), Shape({2, 4, 64, kValueWidth}));
    EXPECT_EQ(narrow.to_vector<float>(), expected);
    EXPECT_EQ(transformer::flash_mla_prefill_of_values(q, k, values_of(k)).to_vector<float>(), expected);
}

TEST_F(LatentAttention, adds_its_mask_before_scores_are_scaled) {
    const Tensor q = random({1, 1, 32, kWidth}), k = random({1, 1, 32, kWidth});
    std::vector<float> values(32 * 32, 0.0F), scaled(32 * 32, 0.0F);
    for (std::size_t i = 0; i < values.size(); i += 3) {
        values[i] = 8.0F;
        scaled[i] = 2.0F;
    }
    const Tensor latent = transformer::flash_mla_prefill({.input_tensor_q = q,
                                                          .input_tensor_k = k,
                                                          .head_dim_v = kValueWidth,
                                                          .attn_mask = tensor(values, {1, 1, 32, 32}),
                                                          .is_causal = false,
                                                          .scale = 0.25F});
    const Tensor usual =
        transformer::scaled_dot_product_attention({.input_tensor_q = q,
                                                   .input_tensor_k = k,
                                                   .input_tensor_v = k,
                                                   .attn_mask = tensor(scaled, {1, 1, 32, 32}),
                                                   .is_causal = false,
                                                   .scale = 0.25F});
    EXPECT_EQ(latent.to_vector<float>(), first_columns(usual));
}

TEST_F(LatentAttention, of_pages_and_of_single_tokens_is_that_of_attention_too) {
    const Tensor blocks = random({8, 1, 32, kWidth});
    const Tensor table = integers({3, 1, 0, 7, 5, 2, 4, 6}, {1, 8});
    const Tensor q = random({1, 4, 64, kWidth});
    const Tensor chunk =
        transformer::chunked_scaled_dot_product_attention(q, blocks, blocks, table, std::uint32_t{128});
    EXPECT_EQ(transformer::chunked_flash_mla_prefill(q, blocks, kValueWidth, table, 128U).to_vector<float>(),
              first_columns(chunk));

    const Tensor token = random({1, 2, 4, kWidth}), cache = random({2, 1, 64, kWidth});
    const SDPAProgramConfig config{{8, 8}, 32, 32, std::nullopt, 16};
    const Tensor usual = transformer::scaled_dot_product_attention_decode({.input_tensor_q = token,
                                                                           .input_tensor_k = cache,
                                                                           .input_tensor_v = cache,
                                                                           .cur_pos = {5, 40},
                                                                           .program_config = config});
    const Tensor narrow = transformer::flash_multi_latent_attention_decode({.input_tensor_q = token,
                                                                            .input_tensor_k = cache,
                                                                            .head_dim_v = kValueWidth,
                                                                            .cur_pos = {5, 40},
                                                                            .program_config = config});
    EXPECT_EQ(narrow.to_vector<float>(), first_columns(usual));
    const Tensor given = transformer::flash_multi_latent_attention_decode({.input_tensor_q = token,
                                                                           .input_tensor_k = cache,
                                                                           .input_tensor_v = values_of(cache),
                                                                           .head_dim_v = kValueWidth,
                                                                           .cur_pos = {5, 40},
                                                                           .program_config = config});
    EXPECT_EQ(given.to_vector<float>(), narrow.to_vector<float>());
}

TEST_F(LatentAttention, keeps_the_padding_of_one_user_on_one_core) {
    const Tensor token = to_memory_config(random({1, 1, 4, kWidth}), test::by_users(1, kWidth));
    const Tensor cache = random({1, 1, 32, kWidth});
    const SDPAProgramConfig on_one_core{{8, 8}, 32, 32, std::nullopt, 1};
    const Tensor result = transformer::flash_multi_latent_attention_decode({.input_tensor_q = token,
                                                                            .input_tensor_k = cache,
                                                                            .head_dim_v = kValueWidth,
                                                                            .cur_pos = {9},
                                                                            .program_config = on_one_core});
    EXPECT_EQ(result.shape(), Shape({1, 1, 32, kValueWidth}));
}

TEST_F(LatentAttention, of_a_chunk_begins_where_its_tensor_says) {
    const Tensor blocks = random({8, 1, 32, kWidth});
    const Tensor table = integers({3, 1, 0, 7, 5, 2, 4, 6}, {1, 8});
    const Tensor q = random({1, 4, 64, kWidth});
    const auto chunk = [&](std::optional<std::uint32_t> number, OptionalTensor tensor_of_it,
                           OptionalTensor sink) {
        return transformer::chunked_scaled_dot_product_attention(
            {.input_tensor_q = q,
             .input_tensor_k = blocks,
             .input_tensor_v = blocks,
             .page_table_tensor = table,
             .chunk_start_idx = number,
             .chunk_start_idx_tensor = std::move(tensor_of_it),
             .attention_sink = std::move(sink)});
    };
    const std::vector<float> expected = chunk(96, std::nullopt, std::nullopt).to_vector<float>();
    EXPECT_EQ(chunk(std::nullopt, integers({96}, {1}), std::nullopt).to_vector<float>(), expected);
    // A sink takes away from each of the others.
    const std::vector<float> beside =
        chunk(96, std::nullopt, tensor({3, 3, 3, 3}, {1, 4, 1, 1})).to_vector<float>();
    double sum = 0, sum_beside = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        sum += std::abs(expected[i]);
        sum_beside += std::abs(beside[i]);
    }
    EXPECT_LT(sum_beside, sum);
    EXPECT_THROW(chunk(std::nullopt, std::nullopt, std::nullopt), RuntimeError);
}

TEST_F(LatentAttention, indexer_weighs_the_keys_before_each_query) {
    constexpr std::uint32_t kHeads = 4, kRows = 32, kColumns = 96, kDepth = 32, kStart = 32;
    const Tensor q = random({1, kHeads, kRows, kDepth}), k = random({1, 1, kColumns, kDepth});
    const Tensor weights = random({1, 1, kRows, kHeads});
    const std::vector<float> scores =
        experimental::indexer_score_dsa(q, k, weights, kStart).to_vector<float>();
    const auto x = q.to_vector<double>(), y = k.to_vector<double>(), w = weights.to_vector<double>();
    for (std::size_t row = 0; row < kRows; ++row) {
        for (std::size_t column = 0; column < kColumns; ++column) {
            double expected = 0;
            for (std::size_t head = 0; head < kHeads; ++head) {
                double product = 0;
                for (std::size_t i = 0; i < kDepth; ++i)
                    product += x[(head * kRows + row) * kDepth + i] * y[column * kDepth + i];
                expected += std::max(product, 0.0) * w[row * kHeads + head];
            }
            const float score = scores[row * kColumns + column];
            if (column > kStart + row) {
                EXPECT_EQ(score, -std::numeric_limits<float>::infinity());
            } else {
                EXPECT_NEAR(score, expected, 0.01 * std::abs(expected) + 1e-3);
            }
        }
    }
}

}  // namespace
}  // namespace tilemeter
