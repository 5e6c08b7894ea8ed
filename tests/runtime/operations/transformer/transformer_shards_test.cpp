// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The operations of transformers on tensors in shards, against the same in double precision, one element at a
// time.

#include <array>
#include <cmath>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/normalization/normalization.hpp"
#include "runtime/operations/normalization/softmax.hpp"
#include "runtime/operations/transformer/attention_heads_decode.hpp"
#include "runtime/operations/transformer/grouped_heads.hpp"
#include "runtime/operations/transformer/kv_cache.hpp"
#include "runtime/operations/transformer/paged_cache.hpp"
#include "runtime/operations/transformer/rotary_embedding.hpp"
#include "runtime/operations/transformer/rotary_embedding_fused.hpp"
#include "runtime/operations/transformer/rotary_embedding_hf.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/operations/transformer/transformer_samples.hpp"

namespace tilemeter {
namespace {

using test::random_size;
using test::some_values;

using Layouts = TensorMemoryLayout;

const MemoryConfig kHeightSharded{Layouts::HEIGHT_SHARDED, BufferType::L1, std::nullopt};

/// Shards of these sizes on the cores of a rectangle.
MemoryConfig in_shards(Layouts::Value layout, CoreRange cores, std::uint32_t rows, std::uint32_t columns) {
    return {layout, BufferType::L1,
            ShardSpec{CoreRangeSet(cores), {rows, columns}, ShardOrientation::ROW_MAJOR}};
}

/// A shard of `rows` rows on each of `count` cores from the one at `first`, along the first row.
MemoryConfig along_row(std::uint32_t count, std::uint32_t rows, std::uint32_t columns,
                       Layouts::Value layout = Layouts::HEIGHT_SHARDED, std::uint32_t first = 0) {
    return in_shards(layout, {{first, 0}, {first + count - 1, 0}}, rows, columns);
}

class TransformerShards : public testing::Test {
protected:
    Tensor random_tensor(const Shape& shape, const MemoryConfig& config, DataType dtype = DataType::BFLOAT16,
                         Layout layout = TILE_LAYOUT) const {
        const Tensor tensor =
            from_vector(test::random_values(shape, -4, 4), shape, dtype, layout, device_.get());
        return config.is_sharded() ? to_memory_config(tensor, config) : tensor;
    }

    Tensor some_tensor(const Shape& shape, const MemoryConfig& config) const {
        const Tensor tensor =
            from_vector(some_values(shape), shape, DataType::BFLOAT16, TILE_LAYOUT, device_.get());
        return config.is_sharded() ? to_memory_config(tensor, config) : tensor;
    }

    const test::OpenDevice device_;
};

/// Element [b, head, row, d] of heads.
std::size_t at(const Shape& shape, std::size_t b, std::size_t head, std::size_t row, std::size_t d) {
    return ((b * shape[1] + head) * shape[2] + row) * shape[3] + d;
}

// Heads of groups: group g of the rows holds `ratio` queries, then a key, then a value.
TEST_F(TransformerShards, heads_of_groups_are_parts_of_the_rows) {
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const std::uint32_t batch = random_size(1, 2);
        const std::uint32_t kv = 2 * random_size(1, 2);
        const std::uint32_t ratio = random_size(1, 2);
        const bool transposed = test::any_bool();
        const std::uint32_t width = (ratio + 2) * 32;
        const Shape shape{batch, 1, 64, kv * width};
        const Tensor input = random_tensor(
            shape, in_shards(Layouts::BLOCK_SHARDED, {{0, 0}, {1, batch - 1}}, 64, kv / 2 * width));
        const std::vector<float> rows = input.to_vector<float>();
        const auto [q, k, v] =
            experimental::create_qkv_heads(input, ratio * kv, kv, transposed, kHeightSharded);
        PROPERTY_ASSERT(q.shape() == (Shape{batch, ratio * kv, 64, 32}));
        PROPERTY_ASSERT(k.shape() == (transposed ? Shape{batch, kv, 32, 64} : Shape{batch, kv, 64, 32}));
        const std::vector<float> queries = q.to_vector<float>();
        const std::vector<float> keys = k.to_vector<float>();
        const std::vector<float> values = v.to_vector<float>();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::size_t column = i % shape[3];
            const std::size_t row = i / shape[3] % 64;
            const std::size_t b = i / shape[3] / 64;
            const std::size_t group = column / width;
            const std::size_t section = column % width / 32;
            const std::size_t d = column % 32;
            if (section < ratio) {
                PROPERTY_ASSERT(queries[at(q.shape(), b, group * ratio + section, row, d)] == rows[i]);
            } else if (section > ratio) {
                PROPERTY_ASSERT(values[at(v.shape(), b, group, row, d)] == rows[i]);
            } else {
                PROPERTY_ASSERT(
                    keys[transposed ? at(k.shape(), b, group, d, row) : at(k.shape(), b, group, row, d)] ==
                    rows[i]);
            }
        }
    }));
}

TEST_F(TransformerShards, heads_of_separate_tensors_are_parts_of_the_rows) {
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const std::uint32_t kv = random_size(1, 2);
        const std::uint32_t heads = kv * random_size(1, 2);
        const bool transposed = test::any_bool();
        const MemoryConfig queries_in =
            in_shards(Layouts::BLOCK_SHARDED, {{0, 0}, {kv - 1, 0}}, 64, heads / kv * 32);
        const MemoryConfig keys_in = in_shards(Layouts::BLOCK_SHARDED, {{0, 0}, {kv - 1, 0}}, 64, 64);
        const Tensor input = random_tensor({1, 1, 64, heads * 32}, queries_in);
        const Tensor pairs = random_tensor({1, 1, 64, kv * 64}, keys_in);
        const auto [q, k, v] = experimental::create_qkv_heads_from_separate_tensors(
            input, pairs, heads, kv, transposed, kHeightSharded);
        const std::vector<float> rows = input.to_vector<float>();
        const std::vector<float> pair_rows = pairs.to_vector<float>();
        const std::vector<float> queries = q.to_vector<float>();
        const std::vector<float> keys = k.to_vector<float>();
        const std::vector<float> values = v.to_vector<float>();
        for (std::size_t row = 0; row < 64; ++row) {
            for (std::size_t c = 0; c < heads * 32; ++c)
                PROPERTY_ASSERT(queries[at(q.shape(), 0, c / 32, row, c % 32)] == rows[row * heads * 32 + c]);
            for (std::size_t c = 0; c < kv * 64; ++c) {
                const float expected = pair_rows[row * kv * 64 + c];
                const std::size_t head = c / 64;
                const std::size_t d = c % 32;
                if (c % 64 >= 32) {
                    PROPERTY_ASSERT(values[at(v.shape(), 0, head, row, d)] == expected);
                } else {
                    PROPERTY_ASSERT(
                        keys[transposed ? at(k.shape(), 0, head, d, row) : at(k.shape(), 0, head, row, d)] ==
                        expected);
                }
            }
        }
    }));
}

// One group to a core, one head to a core; joined again they are the queries' part of the rows.
TEST_F(TransformerShards, heads_of_one_row_of_tiles_and_back) {
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const std::uint32_t kv = random_size(1, 3);
        const std::uint32_t ratio = random_size(1, 2);
        const std::uint32_t width = (ratio + 2) * 32;
        const Tensor input =
            random_tensor({1, 1, 32, kv * width}, along_row(kv, 32, width, Layouts::WIDTH_SHARDED));
        const auto [q, k, v] = experimental::nlp_create_qkv_heads(input, std::nullopt, ratio * kv, kv, false,
                                                                  false, kHeightSharded);
        PROPERTY_ASSERT(q.memory_config().shard_spec->grid.num_cores() == ratio * kv);
        const Tensor joined = experimental::nlp_concat_heads(
            q, MemoryConfig{Layouts::WIDTH_SHARDED, BufferType::L1, std::nullopt});
        PROPERTY_ASSERT(joined.shape() == (Shape{1, 1, 32, ratio * kv * 32}));
        const std::vector<float> rows = input.to_vector<float>();
        const std::vector<float> back = joined.to_vector<float>();
        const std::vector<float> keys = k.to_vector<float>();
        const std::vector<float> values = v.to_vector<float>();
        for (std::size_t row = 0; row < 32; ++row) {
            for (std::size_t group = 0; group < kv; ++group) {
                const float* from = &rows[row * kv * width + group * width];
                for (std::size_t c = 0; c < ratio * 32; ++c)
                    PROPERTY_ASSERT(back[row * ratio * kv * 32 + group * ratio * 32 + c] == from[c]);
                for (std::size_t d = 0; d < 32; ++d) {
                    PROPERTY_ASSERT(keys[at(k.shape(), 0, group, row, d)] == from[ratio * 32 + d]);
                    PROPERTY_ASSERT(values[at(v.shape(), 0, group, row, d)] == from[(ratio + 1) * 32 + d]);
                }
            }
        }
    }));
}

TEST_F(TransformerShards, heads_of_one_token_lie_apart_when_asked_to) {
    const Tensor input = some_tensor({1, 1, 4, 12 * 32}, along_row(12 / 2, 32, 64, Layouts::WIDTH_SHARDED));
    const auto [q, k, v] = experimental::nlp_create_qkv_heads_decode(input, 8, 2);
    EXPECT_EQ(k.memory_config().shard_spec->grid, q.memory_config().shard_spec->grid);
    const Tensor narrow = some_tensor({1, 1, 4, 6 * 32}, along_row(6, 32, 32, Layouts::WIDTH_SHARDED));
    const auto [queries, keys, values] = experimental::nlp_create_qkv_heads_decode(narrow, 4, 1, {}, false);
    EXPECT_FALSE(keys.memory_config().shard_spec->grid.intersects(queries.memory_config().shard_spec->grid));
    const std::vector<float> rows = narrow.to_vector<float>();
    const std::vector<float> key = keys.to_vector<float>();
    for (std::size_t i = 0; i < key.size(); ++i)
        EXPECT_EQ(key[i], rows[i / 32 * 6 * 32 + 4 * 32 + i % 32]);
}

/// x * cos + [-b a] * sin of a row.
double rotated(const float* row, const float* cos, const float* sin, std::size_t width, std::size_t i) {
    const std::size_t half = width / 2;
    const double other = i < half ? -double{row[i + half]} : double{row[i - half]};
    return double{row[i]} * cos[i] + other * sin[i];
}

TEST_F(TransformerShards, rotations_are_those_of_other_tensors) {
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const std::uint32_t heads = random_size(1, 3);
        const std::uint32_t width = test::one_of(32U, 64U, 128U);
        const Shape shape{1, heads, 64, width};
        const Layout layout = test::one_of(TILE_LAYOUT, ROW_MAJOR_LAYOUT);
        const Tensor x = random_tensor(shape, along_row(heads, 64, width));
        const Tensor cos = random_tensor({1, 1, 96, width}, DRAM_MEMORY_CONFIG, DataType::BFLOAT16, layout);
        const Tensor sin = random_tensor({1, 1, 96, width}, DRAM_MEMORY_CONFIG, DataType::BFLOAT16, layout);
        const bool hf = layout == TILE_LAYOUT && test::any_bool();
        const Tensor result =
            hf ? experimental::rotary_embedding_hf(x, cos, sin) : experimental::rotary_embedding(x, cos, sin);
        PROPERTY_ASSERT(result.memory_config().memory_layout == Layouts::HEIGHT_SHARDED);
        const std::vector<float> rows = x.to_vector<float>();
        const std::vector<float> cosines = cos.to_vector<float>();
        const std::vector<float> sines = sin.to_vector<float>();
        std::vector<double> expected;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::size_t row = i / width;
            const std::size_t position = row % 64;
            expected.push_back(rotated(&rows[row * width], &cosines[position * width],
                                       &sines[position * width], width, i % width));
        }
        test::assert_close(result, expected, 1e-5);
    }));
}

TEST_F(TransformerShards, rotations_of_users_take_their_angles) {
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const std::uint32_t users = random_size(1, 8);
        const std::uint32_t heads = random_size(1, 32);
        const MemoryConfig config = along_row(users, 32, 64);
        const Tensor x = random_tensor({1, users, heads, 64}, config);
        const Tensor cos = random_tensor({1, users, 1, 64}, config);
        const Tensor sin = random_tensor({1, users, 1, 64}, config);
        const Tensor result = experimental::rotary_embedding_hf(x, cos, sin, true);
        const std::vector<float> rows = x.to_vector<float>();
        const std::vector<float> cosines = cos.to_vector<float>();
        const std::vector<float> sines = sin.to_vector<float>();
        std::vector<double> expected;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::size_t user = i / 64 / heads;
            expected.push_back(
                rotated(&rows[i / 64 * 64], &cosines[user * 64], &sines[user * 64], 64, i % 64));
        }
        test::assert_close(result, expected, 1e-5);
    }));
}

TEST_F(TransformerShards, queries_and_keys_rotate_together_as_apart) {
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const std::uint32_t users = random_size(1, 4);
        const std::uint32_t heads = random_size(1, 32);
        const std::uint32_t kv = random_size(1, 8);
        const MemoryConfig for_q = along_row(users, 32, 64);
        const MemoryConfig for_k = along_row(users, 32, 64, Layouts::HEIGHT_SHARDED, users);
        const MemoryConfig for_both = along_row(2 * users, 32, 64);
        const Tensor q = random_tensor({1, users, heads, 64}, for_q);
        const Tensor k = random_tensor({1, users, kv, 64}, for_k);
        const Tensor cos = random_tensor({1, 2 * users, 1, 64}, for_both);
        const Tensor sin = random_tensor({1, 2 * users, 1, 64}, for_both);
        const Tensor matrix = random_tensor({1, 1, 64 * users, 32}, along_row(2 * users, 32, 32));
        const auto [rotated_q, rotated_k] =
            experimental::rotary_embedding_llama_fused_qk(q, k, cos, sin, matrix);
        const std::vector<float> cosines = cos.to_vector<float>();
        const std::vector<float> sines = sin.to_vector<float>();
        const std::vector<float> m = matrix.to_vector<float>();
        for (const auto& [from, to, first] :
             {std::tuple{&q, &rotated_q, std::size_t{0}}, std::tuple{&k, &rotated_k, std::size_t{users}}}) {
            PROPERTY_ASSERT(to->memory_config() == from->memory_config());
            const std::vector<float> rows = from->to_vector<float>();
            std::vector<double> expected;
            for (std::size_t i = 0; i < rows.size(); ++i) {
                const std::size_t user = first + i / 64 / from->shape()[2];
                double turned = 0.0;
                for (std::size_t j = 0; j < 32; ++j)
                    turned += double{rows[i / 32 * 32 + j]} * m[j * 32 + i % 32];
                expected.push_back(double{rows[i]} * cosines[user * 64 + i % 64] +
                                   turned * sines[user * 64 + i % 64]);
            }
            test::assert_close(*to, expected, 1e-3);
        }
    }));
}

TEST_F(TransformerShards, caches_take_tokens_from_shards) {
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const std::uint32_t users = random_size(1, 4);
        const bool share = test::any_bool();
        const Shape shape{share ? 1 : users, 2, 64, 32};
        const Tensor first = random_tensor(shape, DRAM_MEMORY_CONFIG);
        const Tensor second = random_tensor(shape, DRAM_MEMORY_CONFIG);
        const Tensor k = random_tensor({1, users, 2, 32}, along_row(users, 32, 32));
        const Tensor v =
            random_tensor({1, users, 2, 32}, along_row(users, 32, 32, Layouts::HEIGHT_SHARDED, users));
        std::vector<std::int64_t> positions;
        for (std::uint32_t user = 0; user < users; ++user)
            positions.push_back(static_cast<std::int64_t>(random_size(0, 64)) - 1);
        std::vector<std::vector<float>> expected = {first.to_vector<float>(), second.to_vector<float>()};
        const std::vector<std::vector<float>> tokens = {k.to_vector<float>(), v.to_vector<float>()};
        for (std::size_t i = 0; i < tokens[0].size(); ++i) {
            const std::size_t user = i / 64;
            if (positions[user] < 0) continue;
            const auto row = static_cast<std::size_t>(positions[user]);
            const std::size_t place = at(shape, share ? 0 : user, i / 32 % 2, row, i % 32);
            for (std::size_t each = 0; each < 2; ++each)
                expected[each][place] = tokens[each][i];
        }
        if (test::any_bool()) {
            experimental::paged_fused_update_cache(first, k, second, v, positions, std::nullopt, share);
        } else {
            experimental::paged_update_cache(first, k, positions, std::nullopt, share);
            experimental::paged_update_cache(second, v, positions, std::nullopt, share);
        }
        PROPERTY_ASSERT(first.to_vector<float>() == expected[0]);
        PROPERTY_ASSERT(second.to_vector<float>() == expected[1]);
    }));
}

TEST_F(TransformerShards, caches_are_filled_and_updated_from_shards) {
    const Tensor cache = some_tensor({2, 2, 64, 32}, DRAM_MEMORY_CONFIG);
    std::vector<float> expected = cache.to_vector<float>();
    const Tensor rows = some_tensor({1, 2, 32, 32}, along_row(2, 32, 32));
    const std::vector<float> written = rows.to_vector<float>();
    fill_cache(cache, rows, 1);
    for (std::size_t i = 0; i < written.size(); ++i)
        expected[at(cache.shape(), 1, i / 1024, i / 32 % 32, i % 32)] = written[i];
    EXPECT_EQ(cache.to_vector<float>(), expected);
    update_cache(cache, rows, 40);
    for (std::size_t user = 0; user < 2; ++user) {
        for (std::size_t i = 0; i < 64; ++i)
            expected[at(cache.shape(), user, i / 32, 40, i % 32)] =
                written[i / 32 * 1024 + user * 32 + i % 32];
    }
    EXPECT_EQ(cache.to_vector<float>(), expected);
}

// Rows of each of several users, where a tensor says whose.
TEST_F(TransformerShards, pages_are_filled_for_the_users_of_a_tensor) {
    const Tensor cache = some_tensor({8, 1, 32, 32}, DRAM_MEMORY_CONFIG);
    const Tensor rows = some_tensor({2, 1, 40, 32}, DRAM_MEMORY_CONFIG);
    const std::vector<float> blocks = {0, 1, 2, 3, 7, 5};
    const std::vector<float> of_users = {2, 0};
    const Tensor table = from_vector(blocks, Shape{3, 2}, int32, ROW_MAJOR_LAYOUT, device_.get());
    const Tensor users = from_vector(of_users, Shape{2}, int32, ROW_MAJOR_LAYOUT, device_.get());
    std::vector<float> expected = cache.to_vector<float>();
    const std::vector<float> written = rows.to_vector<float>();
    for (std::size_t i = 0; i < written.size(); ++i) {
        const std::size_t row = i / 32 % 40;
        const auto user = static_cast<std::size_t>(of_users[i / 32 / 40]);
        const auto block = static_cast<std::size_t>(blocks[user * 2 + row / 32]);
        expected[at(cache.shape(), block, 0, row % 32, i % 32)] = written[i];
    }
    experimental::paged_fill_cache(cache, rows, table, users);
    EXPECT_EQ(cache.to_vector<float>(), expected);
}

enum class MaskKind { kNone, kOneRow, kCausal, kInShards, kForAll };

// softmax(scale * x + mask), the mask's rows repeated where it has fewer.
TEST_F(TransformerShards, softmax_adds_its_mask_first) {
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const std::uint32_t batch = random_size(1, 2);
        const std::uint32_t heads = random_size(1, 2);
        const std::uint32_t rows = 32 * random_size(1, 2);
        const std::uint32_t columns = test::one_of(32U, 64U, 50U);
        const std::uint32_t padded = (columns + 31) / 32 * 32;
        const auto kind = test::one_of(MaskKind::kNone, MaskKind::kOneRow, MaskKind::kCausal,
                                       MaskKind::kInShards, MaskKind::kForAll);
        const DataType dtype = test::one_of(DataType::BFLOAT16, DataType::FLOAT32);
        const Shape shape{batch, heads, rows, columns};
        const MemoryConfig config = along_row(batch * heads, rows, padded);
        const SoftmaxShardedMultiCoreProgramConfig program{{batch * heads, 1}, 1, rows / 32, padded / 32};
        const Tensor x = random_tensor(shape, config, dtype);
        const std::vector<float> values = x.to_vector<float>();
        const bool stable = test::any_bool();
        const bool one_batch = kind == MaskKind::kForAll;
        const Shape mask_shape{one_batch ? 1 : batch, kind == MaskKind::kInShards ? heads : 1,
                               kind == MaskKind::kOneRow     ? 1
                               : kind == MaskKind::kInShards ? rows
                               : one_batch                   ? 32 * random_size(1, 3)
                                                             : 32,
                               columns};
        const float scale = kind == MaskKind::kNone ? 1.0F : 0.25F;
        OptionalTensor mask;
        std::vector<float> added(mask_shape.volume());
        if (kind != MaskKind::kNone) {
            mask =
                random_tensor(mask_shape, kind == MaskKind::kInShards ? config : DRAM_MEMORY_CONFIG, dtype);
            added = mask->to_vector<float>();
        }
        if (kind == MaskKind::kNone) {
            softmax_in_place(x, -1, program, std::nullopt, stable);
        } else if (one_batch) {
            scale_causal_mask_hw_dims_softmax_in_place(x, scale, mask, program, std::nullopt, stable);
        } else {
            scale_mask_softmax_in_place(x, scale, mask, program, kind != MaskKind::kOneRow, std::nullopt,
                                        stable);
        }
        std::vector<double> expected;
        for (std::size_t line = 0; line < batch * heads * rows; ++line) {
            const std::size_t b = one_batch ? 0 : line / rows / heads;
            const std::size_t head = mask_shape[1] == 1 ? 0 : line / rows % heads;
            const std::size_t row = one_batch ? line : line % rows;
            const std::size_t from = at(mask_shape, b, head, row % mask_shape[2], 0);
            double sum = 0.0;
            for (std::size_t i = 0; i < columns; ++i) {
                expected.push_back(std::exp(double{scale} * values[line * columns + i] + added[from + i]));
                sum += expected.back();
            }
            for (std::size_t i = 0; i < columns; ++i)
                expected[line * columns + i] /= sum;
        }
        test::assert_close(x, expected, 1e-6);
    }));
}

// (x + residual) / sqrt(mean of squares + epsilon) * weight; layer_norm less the mean first.
TEST_F(TransformerShards, norms_add_the_residual_first) {
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const std::uint32_t cores = random_size(1, 4);
        const std::uint32_t width = 64 * cores;
        const Shape shape{1, 1, 32, width};
        const MemoryConfig config = along_row(cores, 32, 64, Layouts::WIDTH_SHARDED);
        const Tensor x = random_tensor(shape, config);
        const bool with_residual = test::any_bool();
        const OptionalTensor residual =
            with_residual ? OptionalTensor(random_tensor(shape, config)) : std::nullopt;
        const Tensor weight = random_tensor({1, 1, 1, width}, DRAM_MEMORY_CONFIG);
        std::vector<float> values = x.to_vector<float>();
        const std::vector<float> added =
            residual ? residual->to_vector<float>() : std::vector<float>(values.size());
        const std::vector<float> scale = weight.to_vector<float>();
        const bool layer = test::any_bool();
        const bool inplace = !with_residual && test::any_bool();
        const LayerNormShardedMultiCoreProgramConfig program{{cores, 1}, 1, 1, 2, inplace};
        const auto normalized = [&](const auto& norm) {
            return norm(x, 1e-5F, weight, std::nullopt, residual, config, program);
        };
        const Tensor result = layer ? normalized(layer_norm) : normalized(rms_norm);
        PROPERTY_ASSERT((result.buffer().address() == x.buffer().address()) == inplace);
        std::vector<double> expected;
        for (std::size_t row = 0; row < 32; ++row) {
            double mean = 0.0;
            double square = 0.0;
            const auto sum_at = [&](std::size_t i) {
                return double{values[row * width + i]} + added[row * width + i];
            };
            for (std::size_t i = 0; i < width; ++i)
                mean += layer ? sum_at(i) / width : 0.0;
            for (std::size_t i = 0; i < width; ++i)
                square += (sum_at(i) - mean) * (sum_at(i) - mean) / width;
            for (std::size_t i = 0; i < width; ++i)
                expected.push_back((sum_at(i) - mean) / std::sqrt(square + 1e-5) * scale[i]);
        }
        test::assert_close(result, expected, 1e-4);
    }));
}

TEST_F(TransformerShards, permuted_hold_the_same_values) {
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const std::uint32_t cores = random_size(1, 4);
        const Shape shape{1, 2, 32 * cores, 64};
        const MemoryConfig config = along_row(cores, 64, 64);
        const Tensor x = random_tensor(shape, config);
        const auto order =
            test::one_of(std::vector<std::int64_t>{0, 2, 1, 3}, std::vector<std::int64_t>{0, 3, 1, 2},
                         std::vector<std::int64_t>{0, 2, 3, 1}, std::vector<std::int64_t>{2, 0, 1, 3});
        const Tensor result = permute(x, order);
        const std::vector<float> from = x.to_vector<float>();
        const std::vector<float> to = result.to_vector<float>();
        for (std::size_t i = 0; i < to.size(); ++i) {
            std::array<std::size_t, 4> place{};
            std::size_t rest = i;
            for (int d = 3; d >= 0; --d) {
                place[static_cast<std::size_t>(order[static_cast<std::size_t>(d)])] =
                    rest % result.shape()[d];
                rest /= result.shape()[d];
            }
            PROPERTY_ASSERT(to[i] == from[at(shape, place[0], place[1], place[2], place[3])]);
        }
    }));
}

TEST_F(TransformerShards, that_can_not_be_say_what_was_expected) {
    const Tensor wide = some_tensor({1, 1, 32, 256}, along_row(2, 32, 128, Layouts::WIDTH_SHARDED));
    EXPECT_EQ(test::message_of([&] { experimental::create_qkv_heads(wide, 4, 2, false, kHeightSharded); }),
              "Input tensor memory layout must be BLOCK_SHARDED but got TensorMemoryLayout::WIDTH_SHARDED");
    const Tensor heads = some_tensor({1, 2, 32, 32}, along_row(2, 32, 32));
    EXPECT_EQ(test::message_of([&] { experimental::nlp_concat_heads(heads, kHeightSharded); }),
              "Shard width 32 must match physical width 64 for height sharded");
    EXPECT_EQ(test::message_of([&] {
                  softmax_in_place(heads, -1, SoftmaxShardedMultiCoreProgramConfig{{2, 1}, 1, 2, 1});
              }),
              "block_h (2) must match the shard height in tiles (1).");
}

}  // namespace
}  // namespace tilemeter
