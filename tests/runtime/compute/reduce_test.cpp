// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Reductions along a dimension, held to one element after the other.

#include "runtime/compute/reduce.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tilemeter::compute {
namespace {

/// [outer, length, inner], cut along the length.
std::vector<float> one_by_one(ReduceKind kind, const std::vector<float>& values, std::uint64_t length,
                              std::uint64_t inner, std::uint64_t part) {
    std::vector<float> result;
    for (std::uint64_t slab = 0; slab < values.size(); slab += length * inner) {
        for (std::uint64_t begin = 0; begin < length; begin += part) {
            for (std::uint64_t column = 0; column < inner; ++column) {
                double kept = values[slab + begin * inner + column];
                for (std::uint64_t i = begin + 1; i < std::min(begin + part, length); ++i) {
                    const double value = values[slab + i * inner + column];
                    kept = kind == ReduceKind::kSum   ? kept + value
                           : kind == ReduceKind::kMax ? std::max(kept, value)
                                                      : std::min(kept, value);
                }
                result.push_back(static_cast<float>(kept));
            }
        }
    }
    return result;
}

std::vector<std::uint32_t> bits_of(const std::vector<float>& values) {
    std::vector<std::uint32_t> bits;
    for (const float value : values)
        bits.push_back(std::bit_cast<std::uint32_t>(value));
    return bits;
}

class Reduce : public testing::TestWithParam<ReduceKind> {};

// Whole numbers, whose sums are exact in any order; lengths around those of vectors, rows and columns, whole and in parts.
TEST_P(Reduce, gives_what_one_element_after_the_other_gives) {
    std::mt19937 random(7);
    for (std::uint32_t length = 1; length <= 130; ++length) {
        for (const std::uint32_t inner : {1U, 3U, 33U}) {
            std::vector<float> values(2U * length * inner);
            for (float& value : values)
                value = static_cast<float>(random() % 2001) - 1000.0F;
            for (const std::uint32_t part : {length, 1U, 7U, 64U}) {
                EXPECT_EQ(reduce(GetParam(), values, Shape{2, length, inner}, 1, part),
                          one_by_one(GetParam(), values, length, inner, part))
                    << length << " of " << inner << " in parts of " << part;
            }
        }
    }
}

TEST_P(Reduce, passes_on_a_nan_where_one_element_after_the_other_does) {
    constexpr std::uint32_t kLength = 77;
    for (const std::uint32_t inner : {1U, 5U}) {
        for (std::uint32_t place = 0; place < kLength; ++place) {
            std::vector<float> values(kLength * inner);
            for (std::uint32_t i = 0; i < values.size(); ++i)
                values[i] = static_cast<float>((i * 37U) % 101U) - 50.0F;
            values[place * inner] = std::numeric_limits<float>::quiet_NaN();
            EXPECT_EQ(bits_of(reduce(GetParam(), values, Shape{kLength, inner}, 0, kLength)),
                      bits_of(one_by_one(GetParam(), values, kLength, inner, kLength)))
                << "at " << place << " of " << inner;
        }
    }
}

TEST_P(Reduce, of_integers_is_exact) {
    constexpr std::int64_t kLarge = (std::int64_t{1} << 31) - 1;
    const std::vector<std::int64_t> values{kLarge, kLarge - 1, -kLarge, kLarge, 5, 4};
    const std::vector<std::int64_t> along_rows = reduce(GetParam(), values, Shape{2, 3}, 1, 3);
    const std::vector<std::int64_t> down_columns = reduce(GetParam(), values, Shape{2, 3}, 0, 2);
    switch (GetParam()) {
        case ReduceKind::kSum:
            EXPECT_EQ(along_rows, (std::vector<std::int64_t>{kLarge - 1, kLarge + 9}));
            EXPECT_EQ(down_columns, (std::vector<std::int64_t>{2 * kLarge, kLarge + 4, 4 - kLarge}));
            break;
        case ReduceKind::kMax:
            EXPECT_EQ(along_rows, (std::vector<std::int64_t>{kLarge, kLarge}));
            EXPECT_EQ(down_columns, (std::vector<std::int64_t>{kLarge, kLarge - 1, 4}));
            break;
        case ReduceKind::kMin:
            EXPECT_EQ(along_rows, (std::vector<std::int64_t>{-kLarge, 4}));
            EXPECT_EQ(down_columns, (std::vector<std::int64_t>{kLarge, 5, -kLarge}));
            break;
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Reduce,
                         testing::Values(ReduceKind::kSum, ReduceKind::kMax, ReduceKind::kMin));

}  // namespace
}  // namespace tilemeter::compute
