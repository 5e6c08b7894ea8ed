// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/unary_loops.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <ostream>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/compute/function_table.hpp"
#include "runtime/compute/unary.hpp"
#include "runtime/types/number_formats.hpp"

namespace tilemeter::compute {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();

double sigmoid(double x) {
    return 1.0 / (1.0 + std::exp(-x));
}

struct Case {
    const char* name;
    void (*loop)(const float* x, std::span<float> to);
    double (*exact)(double);
    float from, to;
    double units;  ///< in the last place of a float
};

std::ostream& operator<<(std::ostream& out, const Case& each) {
    return out << each.name;
}

class UnaryLoop : public testing::TestWithParam<Case> {};

// Numbers of all sizes, spread evenly and by their exponents, and as many as leave a rest of each kind of vector.
std::vector<float> arguments(float from, float to) {
    constexpr int kEven = 40'001;
    std::vector<float> x;
    for (int i = 0; i < kEven; ++i)
        x.push_back(from + (to - from) * static_cast<float>(i) / static_cast<float>(kEven - 1));
    for (float size = 1e-37F; size < 100.0F; size *= 1.07F) {
        for (const float value : {size, -size}) {
            if (value >= from && value <= to) x.push_back(value);
        }
    }
    return x;
}

TEST_P(UnaryLoop, is_within_its_error_of_the_exact_function) {
    const Case& each = GetParam();
    const std::vector<float> x = arguments(each.from, each.to);
    std::vector<float> made(x.size());
    each.loop(x.data(), made);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double expected = each.exact(static_cast<double>(x[i]));
        constexpr int kUnit = -23;
        const double least = static_cast<double>(std::numeric_limits<float>::min());
        ASSERT_LE(std::abs(static_cast<double>(made[i]) - expected),
                  each.units * std::ldexp(std::abs(expected), kUnit) + least)
            << x[i];
    }
    std::vector<float> in_place = x;
    each.loop(in_place.data(), in_place);
    EXPECT_EQ(in_place, made);
    std::vector<float> no_number = {kNoNumber};
    each.loop(no_number.data(), no_number);
    EXPECT_TRUE(std::isnan(no_number[0]) || each.loop == relu_each);
}

INSTANTIATE_TEST_SUITE_P(
    All, UnaryLoop,
    testing::Values(Case{"abs", abs_each, [](double x) { return std::abs(x); }, -90, 90, 0},
                    Case{"negative", negative_each, [](double x) { return -x; }, -90, 90, 0},
                    Case{"reciprocal", reciprocal_each, [](double x) { return 1 / x; }, 1e-3F, 90, 0.5},
                    Case{"rsqrt", rsqrt_each, [](double x) { return 1 / std::sqrt(x); }, 1e-3F, 90, 4},
                    Case{"relu", relu_each, [](double x) { return x > 0 ? x : 0; }, -90, 90, 0},
                    Case{"square", square_each, [](double x) { return x * x; }, -90, 90, 0.5},
                    Case{"sqrt", sqrt_each, [](double x) { return std::sqrt(x); }, 0, 90, 0.5},
                    Case{"exp", exp_each, [](double x) { return std::exp(x); }, -110, 88.7F, 4},
                    Case{"sigmoid", sigmoid_each, sigmoid, -87, 90, 4},
                    Case{"silu", silu_each, [](double x) { return x * sigmoid(x); }, -87, 90, 4},
                    Case{"tanh", tanh_each, [](double x) { return std::tanh(x); }, -90, 90, 4},
                    Case{"gelu", gelu_each,
                         [](double x) { return x * 0.5 * std::erfc(-x / std::numbers::sqrt2); }, -16, 16, 4},
                    Case{"gelu_tanh", gelu_tanh_each,
                         [](double x) {
                             return x *
                                    sigmoid(2 * std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x));
                         },
                         -2, 16, 4.5},
                    Case{"gelu_tanh_far_down", gelu_tanh_each,
                         [](double x) {
                             return x *
                                    sigmoid(2 * std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x));
                         },
                         -8, -2, 64}),
    [](const auto& test) { return test.param.name; });

TEST(UnaryLoop, has_its_limits_at_infinity) {
    const auto of = [](void (*loop)(const float*, std::span<float>), float x) {
        std::vector<float> value(1);
        loop(&x, value);
        return value[0];
    };
    for (const float x : {kInfinity, 200.0F}) {
        EXPECT_EQ(of(exp_each, x), kInfinity);
        EXPECT_EQ(of(exp_each, -x), 0.0F);
        EXPECT_EQ(of(sigmoid_each, x), 1.0F);
        EXPECT_EQ(of(sigmoid_each, -x), 0.0F);
        EXPECT_EQ(of(tanh_each, x), 1.0F);
        EXPECT_EQ(of(tanh_each, -x), -1.0F);
        EXPECT_EQ(of(gelu_each, x), x);
        EXPECT_EQ(of(gelu_tanh_each, x), x);
        EXPECT_EQ(of(silu_each, x), x);
    }
    EXPECT_EQ(of(gelu_each, -200.0F), 0.0F);
}

TEST(FunctionTable, has_the_bits_that_the_functions_give) {
    const FunctionChain chain = {{UnaryKind::TANH, {}}, {UnaryKind::MUL_UNARY_SFPU, {0.3, 0.0}}};
    constexpr std::uint64_t kMany = 1U << 20U;
    const auto table = table_for(chain, kMany);
    ASSERT_NE(table, nullptr);
    std::vector<std::uint16_t> bits;
    std::vector<float> values;
    for (std::uint32_t i = 0; i < 1U << 16U; i += 7) {
        bits.push_back(static_cast<std::uint16_t>(i));
        values.push_back(from_bfloat16_bits(bits.back()));
    }
    for (const auto& [kind, parameters] : chain)
        unary_in_place(kind, parameters, values);
    std::vector<std::uint16_t> expected(values.size()), found(values.size());
    to_bfloat16(values, expected.data());
    look_up(*table, bits, found.data());
    EXPECT_EQ(found, expected);
}

TEST(FunctionTable, is_made_for_what_is_worth_it_and_of_its_own_parameters) {
    EXPECT_EQ(table_for({{UnaryKind::RELU, {}}}, 1U << 30U), nullptr);
    const FunctionChain slow = {{UnaryKind::DIGAMMA, {}}};
    EXPECT_EQ(table_for(slow, 10), nullptr);
    EXPECT_NE(table_for(slow, 1U << 20U), nullptr);
    EXPECT_NE(table_for(slow, 10), nullptr);
    const FunctionChain by_two = {{UnaryKind::MUL_UNARY_SFPU, {2.0, 0.0}}};
    const FunctionChain by_three = {{UnaryKind::MUL_UNARY_SFPU, {3.0, 0.0}}};
    const std::uint16_t one = to_bfloat16_bits(1.0F);
    EXPECT_EQ(from_bfloat16_bits(table_for(by_two, 1U << 20U)->results[one]), 2.0F);
    EXPECT_EQ(from_bfloat16_bits(table_for(by_three, 1U << 20U)->results[one]), 3.0F);
}

}  // namespace
}  // namespace tilemeter::compute
