// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Composites of elementwise operations against their definitions.

#include "runtime/operations/eltwise/eltwise_composites.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/operations/samples.hpp"

namespace tilemeter {
namespace {

using test::gelu_of;
using test::row_on_device;

using Values = std::vector<float>;

TEST(Composites, have_the_values_of_their_definitions) {
    const test::OpenDevice device;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const Tensor a = row_on_device(device, {7.0, -7.0, 1.0, 0.0}),
                 b = row_on_device(device, {2.0, 2.0, 0.0, 5.0});
    EXPECT_EQ(floor_div(a, b).to_vector<double>(), (std::vector<double>{3, -4, kInfinity, 0}));
    EXPECT_EQ(floor_div(a, 2.0F).to_vector<float>(), (Values{3, -4, 0, 0}));
    EXPECT_EQ(div_no_nan(a, b).to_vector<float>(), (Values{3.5, -3.5, 0, 0}));
    EXPECT_EQ(div_no_nan(a, 0.0F).to_vector<float>(), (Values{0, 0, 0, 0}));
    EXPECT_EQ(div(a, row_on_device(device, {2.0, 2.0, 4.0, 5.0}), false, "trunc").to_vector<float>(),
              (Values{3, -3, 0, 0}));
    EXPECT_EQ(addalpha(a, b, 2.0F).to_vector<float>(), (Values{11, -3, 1, 10}));
    EXPECT_EQ(subalpha(a, b, 2.0F).to_vector<float>(), (Values{3, -11, 1, -10}));
    EXPECT_EQ(polyval(b, {1.0F, 2.0F, 3.0F}).to_vector<float>(), (Values{11, 11, 3, 38}));
    EXPECT_EQ(isclose(a, row_on_device(device, {7.00001, -7.1, 1.0, 0.0})).to_vector<float>(),
              (Values{1, 0, 1, 1}));
    const double nan = std::nan("");
    EXPECT_EQ(isclose(row_on_device(device, {nan}), row_on_device(device, {nan}), 1e-5F, 1e-8F, true)
                  .to_vector<float>(),
              (Values{1}));
    EXPECT_EQ(nextafter(row_on_device(device, {1.0}), row_on_device(device, {2.0})).to_vector<float>(),
              (Values{std::nextafter(1.0F, 2.0F)}));
}

TEST(GatedUnits, are_the_first_half_times_a_function_of_the_second) {
    const test::OpenDevice device;
    std::vector<float> values;
    for (int i = 0; i < 32 * 128; ++i)
        values.push_back(static_cast<float>(i % 61) / 16.0F - 2.0F);
    const Tensor input = from_vector(values, Shape{1, 1, 32, 128}, float32, TILE_LAYOUT, device.get());
    const auto check = [&](const Tensor& result, double (*gate)(double)) {
        const std::vector<double> ours = result.to_vector<double>();
        ASSERT_EQ(result.shape(), (Shape{1, 1, 32, 64}));
        for (std::size_t i = 0; i < ours.size(); ++i) {
            const std::size_t row = i / 64, column = i % 64;
            const double first = values[row * 128 + column], second = values[row * 128 + 64 + column];
            EXPECT_NEAR(ours[i], first * gate(second), 1e-5);
        }
    };
    check(glu(input), [](double x) { return 1.0 / (1.0 + std::exp(-x)); });
    check(reglu(input), [](double x) { return x > 0.0 ? x : 0.0; });
    check(geglu(input), gelu_of);
    check(swiglu(input), [](double x) { return x / (1.0 + std::exp(-x)); });
}

TEST(FurtherFunctions, agree_with_their_definitions) {
    const test::OpenDevice device;
    const std::vector<double> x = {0.25, 0.5, 1.5, 3.0};
    const Tensor a = row_on_device(device, x);
    const auto expect = [&](const Tensor& result, double (*reference)(double)) {
        const std::vector<double> ours = result.to_vector<double>();
        for (std::size_t i = 0; i < x.size(); ++i)
            EXPECT_NEAR(ours[i], reference(x[i]), 1e-5 * (1.0 + std::abs(reference(x[i]))));
    };
    expect(lgamma(a), [](double v) { return std::log(std::abs(std::tgamma(v))); });
    // By differences of ln(gamma) and of digamma's own definition.
    expect(digamma(a), [](double v) { return (std::lgamma(v + 1e-5) - std::lgamma(v - 1e-5)) / 2e-5; });
    expect(polygamma(a, 1), [](double v) {
        double sum = 0.0;
        for (int k = 0; k < 2000000; ++k)
            sum += 1.0 / ((v + k) * (v + k));
        return sum + 1.0 / (v + 2000000.0);
    });
    expect(i1(a), [](double v) { return std::cyl_bessel_i(1.0, v); });
    expect(prelu(row_on_device(device, {-0.25, 0.5, 1.5, 3.0}), 0.5F),
           [](double v) { return v == 0.25 ? -0.125 : v; });
    expect(unary_chain(a, {{UnaryOpType::SQUARE, {}}, {UnaryOpType::NEG, {}}}),
           [](double v) { return -v * v; });
    const std::vector<double> odds = logit(row_on_device(device, {0.25, 0.9999}), 0.01F).to_vector<double>();
    EXPECT_NEAR(odds[0], std::log(0.25 / 0.75), 1e-5);
    EXPECT_NEAR(odds[1], std::log(0.99 / 0.01), 1e-4);
}

}  // namespace
}  // namespace tilemeter
