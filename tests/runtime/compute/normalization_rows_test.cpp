// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/compute/normalization.hpp"

namespace tilemeter::compute {
namespace {

std::vector<float> rows_about(double centre, std::size_t size) {
    std::vector<float> rows;
    for (std::size_t i = 0; i < size; ++i)
        rows.push_back(static_cast<float>(centre + static_cast<double>(i * 7919 % 10'007) / 1500.0));
    return rows;
}

TEST(NormalizeRows, is_that_of_doubles_far_from_zero_too) {
    for (const std::size_t width : {1, 5, 32, 33, 384, 2048, 3001}) {
        for (const double centre : {0.0, 1000.0, -30'000.0}) {
            for (const RowStatistic statistic : {RowStatistic::kMeanAndVariance, RowStatistic::kMeanSquare}) {
                constexpr double kEpsilon = 1e-5;
                const std::vector<float> rows = rows_about(centre, 3 * width);
                const std::vector<float> weight = rows_about(-2.0, width), bias = rows_about(1.0, width);
                std::vector<float> made = rows;
                normalize_rows(statistic, made, width, static_cast<float>(kEpsilon), weight, bias);
                for (std::size_t first = 0; first < rows.size(); first += width) {
                    const auto count = static_cast<double>(width);
                    double mean = 0.0, square = 0.0;
                    for (std::size_t i = 0; i < width; ++i)
                        mean += static_cast<double>(rows[first + i]) / count;
                    if (statistic == RowStatistic::kMeanSquare) mean = 0.0;
                    for (std::size_t i = 0; i < width; ++i)
                        square += std::pow(static_cast<double>(rows[first + i]) - mean, 2) / count;
                    for (std::size_t i = 0; i < width; ++i) {
                        const double normal =
                            (static_cast<double>(rows[first + i]) - mean) /
                            std::sqrt(square + static_cast<double>(static_cast<float>(kEpsilon)));
                        const double expected =
                            normal * static_cast<double>(weight[i]) + static_cast<double>(bias[i]);
                        ASSERT_NEAR(static_cast<double>(made[first + i]), expected,
                                    1e-6 * (1.0 + std::abs(normal * static_cast<double>(weight[i]))))
                            << width << " about " << centre;
                    }
                }
            }
        }
    }
}

TEST(SoftmaxRows, is_that_of_doubles) {
    for (const std::size_t width : {1, 5, 32, 33, 384, 2048, 3001}) {
        const std::vector<float> rows = rows_about(-40.0, 3 * width);
        std::vector<float> made = rows;
        softmax_rows(made, width);
        for (std::size_t first = 0; first < rows.size(); first += width) {
            double sum = 0.0;
            for (std::size_t i = 0; i < width; ++i)
                sum += std::exp(static_cast<double>(rows[first + i]));
            for (std::size_t i = 0; i < width; ++i) {
                const double expected = std::exp(static_cast<double>(rows[first + i])) / sum;
                ASSERT_NEAR(static_cast<double>(made[first + i]), expected, 1e-6 * expected) << width;
            }
        }
    }
    constexpr float kHidden = -std::numeric_limits<float>::infinity();
    std::vector<float> masked = {kHidden, 1.0F, kHidden, 1.0F};
    softmax_rows(masked, 4);
    EXPECT_EQ(masked, (std::vector<float>{0.0F, 0.5F, 0.0F, 0.5F}));
    std::vector<float> with_no_number = {1.0F, std::numeric_limits<float>::quiet_NaN(), 2.0F};
    softmax_rows(with_no_number, 3);
    EXPECT_TRUE(std::isnan(with_no_number[0]) && std::isnan(with_no_number[2]));
}

}  // namespace
}  // namespace tilemeter::compute
