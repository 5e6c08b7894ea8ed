// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/types/host_array.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/errors.hpp"
#include "runtime/types/number_formats.hpp"
#include "tests/property.hpp"

namespace tilemeter {
namespace {

TEST(Bfloat16, is_the_nearest_of_its_neighbours) {
    EXPECT_TRUE(test::holds_for_random_cases([] {
        const float value = test::any_float();
        PROPERTY_PRE(std::isfinite(value));
        const float rounded = from_bfloat16_bits(to_bfloat16_bits(value));
        PROPERTY_PRE(std::isfinite(rounded));
        const std::uint16_t bits = to_bfloat16_bits(value);
        for (const int step : {-1, 1}) {
            const float neighbour = from_bfloat16_bits(static_cast<std::uint16_t>(bits + step));
            if (!std::isfinite(neighbour)) continue;
            PROPERTY_ASSERT(std::fabs(double{value} - rounded) <= std::fabs(double{value} - neighbour));
        }
    }));
}

TEST(Bfloat16, keeps_what_is_not_a_number) {
    EXPECT_TRUE(std::isnan(from_bfloat16_bits(to_bfloat16_bits(std::numeric_limits<float>::quiet_NaN()))));
    EXPECT_EQ(from_bfloat16_bits(to_bfloat16_bits(std::numeric_limits<float>::infinity())),
              std::numeric_limits<float>::infinity());
}

class BlockFloat : public testing::TestWithParam<DataType> {};

TEST_P(BlockFloat, errs_by_at_most_half_a_step_of_the_largest_of_its_group) {
    const int bits = GetParam() == DataType::BFLOAT8_B ? 7 : 3;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const auto values =
            test::list_of(64, [] { return static_cast<float>(test::in_range(-100000, 100000)) / 7.0F; });
        const std::vector<float> stored =
            HostArray::from_floats(values, GetParam(), Shape{2, 32}).to_floats();
        for (std::size_t group = 0; group < values.size(); group += 16) {
            float largest = 0;
            for (std::size_t i = group; i < group + 16; ++i)
                largest = std::max(largest, std::fabs(values[i]));
            if (largest == 0) continue;
            const double step = std::ldexp(1.0, std::ilogb(largest) - (bits - 1));
            // The largest magnitudes may lie half a step above what the format can hold and lose up to one.
            for (std::size_t i = group; i < group + 16; ++i)
                PROPERTY_ASSERT(std::fabs(double{values[i]} - stored[i]) <= step);
        }
    }));
}

TEST_P(BlockFloat, holds_what_it_holds_without_change) {
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const auto values =
            test::list_of(32, [] { return static_cast<float>(test::in_range(-3000, 3000)) / 16.0F; });
        const std::vector<float> once = HostArray::from_floats(values, GetParam(), Shape{32}).to_floats();
        PROPERTY_ASSERT(HostArray::from_floats(once, GetParam(), Shape{32}).to_floats() == once);
    }));
}

INSTANTIATE_TEST_SUITE_P(Formats, BlockFloat, testing::Values(DataType::BFLOAT8_B, DataType::BFLOAT4_B),
                         [](const auto& each) { return std::string(name_of(each.param)); });

TEST(HostArray, of_integers_keeps_all_32_bits) {
    const std::vector<std::int64_t> values = {0, 1, 4294967295, 2147483648};
    EXPECT_EQ(HostArray::from_integers(values, uint32, Shape{4}).to_integers(), values);
}

TEST(HostArray, of_the_wrong_number_of_values_says_so) {
    const std::vector<float> three(3);
    try {
        HostArray::from_floats(three, float32, Shape{2, 2});
        FAIL() << "expected an error";
    } catch (const RuntimeError& error) {
        EXPECT_STREQ(error.what(), "Shape([2, 2]): expected 4 values, got 3");
    }
}

}  // namespace
}  // namespace tilemeter
