// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/transformer/kv_cache.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/transformer/paged_cache.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/operations/transformer/transformer_samples.hpp"

namespace tilemeter {
namespace {

using test::by_users;
using test::random_size;
using test::random_tensor;

TEST(KvCache, is_filled_for_one_user) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const DataType dtype = test::one_of(DataType::BFLOAT16, DataType::FLOAT32);
        const Shape shape{random_size(1, 3), random_size(1, 2), 96, 32};
        const std::uint32_t rows = random_size(1, 64);
        const std::uint32_t at = rows <= 64 ? 32 * random_size(0, 1) : 0;
        const std::uint32_t user = random_size(0, shape[0] - 1);
        const Tensor cache = random_tensor(shape, dtype, device.get());
        const Tensor input = random_tensor({1, shape[1], rows, 32}, dtype, device.get());
        std::vector<float> expected = cache.to_vector<float>();
        const std::vector<float> written = input.to_vector<float>();
        for (std::size_t i = 0; i < written.size(); ++i) {
            const std::size_t head = i / 32 / rows;
            const std::size_t row = at + i / 32 % rows;
            expected[((user * shape[1] + head) * 96 + row) * 32 + i % 32] = written[i];
        }
        const Tensor result = test::any_bool() ? fill_cache(cache, input, user, at)
                                               : kv_cache::fill_cache_for_user_(cache, input, user, at);
        PROPERTY_ASSERT(result.buffer().address() == cache.buffer().address());
        PROPERTY_ASSERT(cache.to_vector<float>() == expected);
    }));
}

TEST(KvCache, is_updated_for_one_token_of_all_users) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const DataType dtype = test::one_of(DataType::BFLOAT16, DataType::FLOAT32);
        const Shape shape{random_size(1, 8), random_size(1, 2), 64, 32};
        const std::uint32_t at = random_size(0, 63);
        const std::uint32_t offset = random_size(0, 32 - shape[0]);
        const Tensor cache = random_tensor(shape, dtype, device.get());
        const Tensor input = random_tensor({1, shape[1], 32, 32}, DataType::BFLOAT16, device.get());
        std::vector<float> expected = cache.to_vector<float>();
        const std::vector<float> written = input.to_vector<float>();
        for (std::size_t user = 0; user < shape[0]; ++user) {
            for (std::size_t head = 0; head < shape[1]; ++head) {
                for (std::size_t d = 0; d < 32; ++d) {
                    expected[((user * shape[1] + head) * 64 + at) * 32 + d] =
                        written[(head * 32 + offset + user) * 32 + d];
                }
            }
        }
        const Tensor result = test::any_bool() ? update_cache(cache, input, at, offset)
                                               : kv_cache::update_cache_for_token_(cache, input, at, offset);
        PROPERTY_ASSERT(result.buffer().address() == cache.buffer().address());
        PROPERTY_ASSERT(cache.to_vector<float>() == expected);
    }));
}

TEST(PagedCache, is_updated_where_each_user_is) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        constexpr std::uint32_t kUsers = 3;
        const bool paged = test::any_bool();
        const std::uint32_t heads = random_size(1, 3);
        constexpr std::uint32_t kBlocks = 2;  // of each user
        const Shape shape{paged ? kUsers * kBlocks : kUsers, heads, 32, 32};
        const Tensor cache = random_tensor(shape, DataType::BFLOAT16, device.get());
        const std::uint32_t rows = heads + random_size(0, 3);  // those behind the heads are padding
        const Shape tokens{1, kUsers, rows, 32};
        const Tensor input = from_vector(test::random_values(tokens, -4, 4), tokens, bfloat16, TILE_LAYOUT,
                                         device.get(), by_users(kUsers, 32));
        std::vector<std::int64_t> positions;
        for (std::uint32_t user = 0; user < kUsers; ++user)
            positions.push_back(test::in_range(-1, paged ? 64 : 32));
        // The blocks in reverse.
        const std::vector<std::int64_t> table = {5, 4, 3, 2, 1, 0};
        std::vector<float> expected = cache.to_vector<float>();
        const std::vector<float> written = input.to_vector<float>();
        for (std::size_t user = 0; user < kUsers; ++user) {
            if (positions[user] < 0) continue;
            const auto at = static_cast<std::size_t>(positions[user]);
            const std::size_t block =
                paged ? static_cast<std::size_t>(table[user * kBlocks + at / 32]) : user;
            for (std::size_t i = 0; i < std::size_t{heads} * 32; ++i)
                expected[((block * heads + i / 32) * 32 + at % 32) * 32 + i % 32] =
                    written[user * rows * 32 + i];
        }
        const auto integers = [&](const std::vector<std::int64_t>& values, const Shape& of) {
            return OptionalTensor(from_vector(values, of, int32, ROW_MAJOR_LAYOUT, device.get()));
        };
        if (paged) {
            experimental::paged_update_cache(cache, input, {}, integers(positions, {kUsers}), std::nullopt,
                                             integers(table, {kUsers, kBlocks}));
        } else {
            experimental::paged_update_cache(cache, input, positions);
        }
        PROPERTY_ASSERT(cache.to_vector<float>() == expected);
    }));
}

TEST(PagedCache, is_filled_block_by_block) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const std::uint32_t heads = random_size(1, 2);
        const std::uint32_t rows = random_size(1, 96);
        const Tensor cache = random_tensor({6, heads, 32, 32}, DataType::BFLOAT16, device.get());
        const Tensor input = random_tensor({1, heads, rows, 32}, DataType::BFLOAT16, device.get());
        const std::vector<std::int64_t> table = {5, 3, 1, 4, 2, 0};
        const Tensor pages = from_vector(table, {2, 3}, int32, ROW_MAJOR_LAYOUT, device.get());
        const std::uint32_t user = random_size(0, 1);
        std::vector<float> expected = cache.to_vector<float>();
        const std::vector<float> written = input.to_vector<float>();
        for (std::size_t i = 0; i < written.size(); ++i) {
            const std::size_t row = i / 32 % rows;
            const std::size_t head = i / 32 / rows;
            const auto block = static_cast<std::size_t>(table[user * 3 + row / 32]);
            expected[((block * heads + head) * 32 + row % 32) * 32 + i % 32] = written[i];
        }
        experimental::paged_fill_cache(cache, input, pages, std::nullopt, user);
        PROPERTY_ASSERT(cache.to_vector<float>() == expected);
    }));
}

TEST(KvCache, that_can_not_be_written_says_what_was_expected) {
    const test::OpenDevice device;
    const auto tiles = [&](const Shape& shape, DataType dtype = DataType::BFLOAT16) {
        return zeros(shape, dtype, TILE_LAYOUT, device.get());
    };
    const Tensor cache = tiles({4, 2, 64, 32});
    EXPECT_EQ(test::message_of([&] {
                  fill_cache(cache, tiles({1, 2, 64, 32}), 0, 32);
              }),
              "Fill update_idx (32) + input tensor height (64) must be <= cache tensor height (64)");
    EXPECT_EQ(test::message_of([&] {
                  fill_cache(cache, tiles({1, 2, 32, 32}), 4);
              }),
              "fill_cache: batch_index: expected below 4, got 4");
    EXPECT_EQ(test::message_of([&] {
                  fill_cache(cache, tiles({1, 2, 32, 32}, float32), 0);
              }),
              "Input and cache tensors must have same dtype!");
    EXPECT_EQ(test::message_of([&] {
                  update_cache(cache, tiles({1, 2, 32, 32}), 64);
              }),
              "update_cache: update_index: expected below 64, got 64");
    EXPECT_EQ(test::message_of([&] {
                  update_cache(tiles({33, 2, 64, 32}), tiles({1, 2, 32, 32}), 0);
              }),
              "Cache tensor batch size (33) must be <= input tensor height (32)");
    EXPECT_EQ(test::message_of([&] {
                  update_cache(tiles({32, 2, 64, 32}), tiles({1, 2, 32, 32}), 0, 1);
              }),
              "Batch offset must be 0 when cache tensor batch size >= 32");
}

}  // namespace
}  // namespace tilemeter
