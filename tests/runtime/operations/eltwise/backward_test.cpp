// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Gradients against numeric derivatives of the functions, in double precision.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/concat.hpp"
#include "runtime/operations/eltwise/binary_backward.hpp"
#include "runtime/operations/eltwise/concat_backward.hpp"
#include "runtime/operations/eltwise/unary_backward.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

using Values = std::vector<float>;

// The device of the running test.
std::shared_ptr<Device> device_of_test;

class GradientsTest : public testing::Test {
protected:
    GradientsTest() { device_of_test = device_.get(); }
    ~GradientsTest() override { device_of_test.reset(); }

private:
    test::OpenDevice device_;
};

Tensor tensor(const Values& values) {
    return from_vector(values, Shape{1, static_cast<std::uint32_t>(values.size())}, DataType::FLOAT32,
                       Layout::TILE, device_of_test);
}

double derivative(double (*function)(double), double x) {
    constexpr double kStep = 1e-4;
    return (function(x + kStep) - function(x - kStep)) / (2 * kStep);
}

void expect_close(float ours, double expected, const std::string& what) {
    EXPECT_NEAR(ours, expected, 1e-4 * (1.0 + std::abs(expected))) << what;
}

struct OfOne {
    const char* name;
    Gradients (*ours)(const Tensor& grad, const Tensor& x);
    double (*function)(double);
    Values at = {-2.3F, -0.7F, 0.4F, 1.6F};
};

double sigmoid_of(double x) {
    return 1 / (1 + std::exp(-x));
}

double digamma_of(double x) {
    double sum = 0.0;
    for (; x < 20.0; x += 1.0)
        sum -= 1.0 / x;
    return sum + std::log(x) - 0.5 / x - 1.0 / (12 * x * x) + 1.0 / (120 * std::pow(x, 4));
}

// clang-format off
#define TILEMETER_CASE(name, function, ...) \
    {#name, [](const Tensor& g, const Tensor& x) { return name(g, x); }, [](double x) -> double { return function; } __VA_OPT__(, __VA_ARGS__)}
#define TILEMETER_CASE_OF(name, arguments, function, ...) \
    {#name #arguments, [](const Tensor& g, const Tensor& x) { return name(g, x, TILEMETER_LIST arguments); }, [](double x) -> double { return function; } __VA_OPT__(, __VA_ARGS__)}
#define TILEMETER_LIST(...) __VA_ARGS__
const Values kPositive = {0.3F, 0.9F, 1.7F, 3.2F};
const Values kInside = {-0.8F, -0.1F, 0.3F, 0.9F};
const OfOne kOfOne[] = {
    TILEMETER_CASE(abs_bw, std::abs(x)),
    TILEMETER_CASE(acos_bw, std::acos(x), kInside),
    TILEMETER_CASE(acosh_bw, std::acosh(x), {1.2F, 2.0F, 3.5F}),
    TILEMETER_CASE(asin_bw, std::asin(x), kInside),
    TILEMETER_CASE(asinh_bw, std::asinh(x)),
    TILEMETER_CASE(atan_bw, std::atan(x)),
    TILEMETER_CASE(atanh_bw, std::atanh(x), kInside),
    TILEMETER_CASE(ceil_bw, std::ceil(x)),
    TILEMETER_CASE(celu_bw, x > 0 ? x : std::expm1(x)),
    TILEMETER_CASE_OF(celu_bw, (2.0F), x > 0 ? x : 2 * std::expm1(x / 2)),
    TILEMETER_CASE_OF(clamp_bw, (std::optional(-1.0F), std::optional(1.0F)), std::clamp(x, -1.0, 1.0)),
    TILEMETER_CASE_OF(clip_bw, (std::optional(-1.0F), std::optional<float>()), std::max(x, -1.0)),
    TILEMETER_CASE(cos_bw, std::cos(x)),
    TILEMETER_CASE(cosh_bw, std::cosh(x)),
    TILEMETER_CASE(deg2rad_bw, x * std::numbers::pi / 180),
    TILEMETER_CASE(digamma_bw, digamma_of(x), kPositive),
    TILEMETER_CASE_OF(div_no_nan_bw, (4.0F), x / 4),
    TILEMETER_CASE_OF(elu_bw, (0.5F), x > 0 ? x : 0.5 * std::expm1(x)),
    TILEMETER_CASE(erf_bw, std::erf(x)),
    TILEMETER_CASE(erfc_bw, std::erfc(x)),
    TILEMETER_CASE(exp_bw, std::exp(x)),
    TILEMETER_CASE(exp2_bw, std::exp2(x)),
    TILEMETER_CASE(expm1_bw, std::expm1(x)),
    TILEMETER_CASE(fill_bw, 3 + 0 * x),
    TILEMETER_CASE(floor_bw, std::floor(x)),
    TILEMETER_CASE(frac_bw, x - std::trunc(x)),
    TILEMETER_CASE(gelu_bw, 0.5 * x * std::erfc(-x / std::numbers::sqrt2)),
    TILEMETER_CASE_OF(gelu_bw, (GeluVariant::Tanh), 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)))),
    TILEMETER_CASE(hardshrink_bw, std::abs(x) > 0.5 ? x : 0),
    TILEMETER_CASE(hardsigmoid_bw, std::clamp(x / 6 + 0.5, 0.0, 1.0), {-4.0F, -2.0F, 1.0F, 3.5F}),
    TILEMETER_CASE(hardswish_bw, x * std::clamp(x / 6 + 0.5, 0.0, 1.0), {-4.0F, -2.0F, 1.0F, 3.5F}),
    TILEMETER_CASE(hardtanh_bw, std::clamp(x, -1.0, 1.0)),
    TILEMETER_CASE(i0_bw, std::cyl_bessel_i(0.0, std::abs(x))),
    TILEMETER_CASE_OF(leaky_relu_bw, (0.2F), x > 0 ? x : 0.2 * x),
    TILEMETER_CASE(lgamma_bw, std::lgamma(x), kPositive),
    TILEMETER_CASE(log_bw, std::log(x), kPositive),
    TILEMETER_CASE(log10_bw, std::log10(x), kPositive),
    TILEMETER_CASE(log1p_bw, std::log1p(x), kPositive),
    TILEMETER_CASE(log2_bw, std::log2(x), kPositive),
    TILEMETER_CASE(log_sigmoid_bw, -std::log1p(std::exp(-x))),
    TILEMETER_CASE(logit_bw, std::log(x / (1 - x)), {0.1F, 0.5F, 0.8F}),
    TILEMETER_CASE_OF(logiteps_bw, (0.2F), x < 0.2 || x > 0.8 ? 0 : std::log(x / (1 - x)), {0.1F, 0.5F, 0.7F}),
    TILEMETER_CASE(multigammaln_bw, std::lgamma(x) + std::lgamma(x - 0.5) + std::lgamma(x - 1) + std::lgamma(x - 1.5), {2.0F, 3.5F}),
    TILEMETER_CASE(neg_bw, -x),
    TILEMETER_CASE_OF(pow_bw, (3.0F), x * x * x, kPositive),
    TILEMETER_CASE_OF(pow_bw, (0.5F), std::sqrt(x), kPositive),
    TILEMETER_CASE_OF(pow_bw, (2.0F), x * x, kPositive),
    TILEMETER_CASE(rad2deg_bw, x * 180 / std::numbers::pi),
    TILEMETER_CASE_OF(rdiv_bw, (2.0F), 2 / x),
    TILEMETER_CASE(reciprocal_bw, 1 / x),
    TILEMETER_CASE(relu_bw, std::max(x, 0.0)),
    TILEMETER_CASE(relu6_bw, std::clamp(x, 0.0, 6.0), {-1.0F, 2.0F, 7.0F}),
    TILEMETER_CASE(round_bw, std::nearbyint(x)),
    TILEMETER_CASE_OF(rpow_bw, (3.0F), x * x * x, kPositive),
    TILEMETER_CASE(rsqrt_bw, 1 / std::sqrt(x), kPositive),
    TILEMETER_CASE(selu_bw, 1.0507 * (x > 0 ? x : 1.67326 * std::expm1(x))),
    TILEMETER_CASE(sigmoid_bw, sigmoid_of(x)),
    TILEMETER_CASE(sign_bw, (x > 0) - (x < 0)),
    TILEMETER_CASE(silu_bw, x * sigmoid_of(x)),
    TILEMETER_CASE(sin_bw, std::sin(x)),
    TILEMETER_CASE(sinh_bw, std::sinh(x)),
    TILEMETER_CASE_OF(softplus_bw, (2.0F), std::log1p(std::exp(2 * x)) / 2),
    TILEMETER_CASE(softshrink_bw, x > 0.5 ? x - 0.5 : x < -0.5 ? x + 0.5 : 0),
    TILEMETER_CASE(softsign_bw, x / (1 + std::abs(x))),
    TILEMETER_CASE(sqrt_bw, std::sqrt(x), kPositive),
    TILEMETER_CASE(square_bw, x * x),
    TILEMETER_CASE(tan_bw, std::tan(x)),
    TILEMETER_CASE(tanh_bw, std::tanh(x)),
    TILEMETER_CASE(tanhshrink_bw, x - std::tanh(x)),
    TILEMETER_CASE_OF(threshold_bw, (0.5F, 9.0F), x > 0.5 ? x : 9),
    TILEMETER_CASE(trunc_bw, std::trunc(x)),
    TILEMETER_CASE_OF(bias_gelu_bw, (0.5F), 0.5 * (x + 0.5) * std::erfc(-(x + 0.5) / std::numbers::sqrt2)),
    TILEMETER_CASE_OF(div_bw, (4.0F), x / 4),
    TILEMETER_CASE_OF(mul_bw, (4.0F), x * 4),
    TILEMETER_CASE_OF(add_bw, (4.0F), x + 4),
    TILEMETER_CASE_OF(sub_bw, (4.0F), x - 4),
    TILEMETER_CASE_OF(fmod_bw, (2.0F), std::fmod(x, 2.0)),
};

struct OfTwo {
    const char* name;
    Gradients (*ours)(const Tensor& grad, const Tensor& a, const Tensor& b);
    double (*function)(double, double);
};
#define TILEMETER_PAIR(name, function) \
    {#name, [](const Tensor& g, const Tensor& a, const Tensor& b) { return name(g, a, b); }, [](double a, double b) -> double { return function; }}
const OfTwo kOfTwo[] = {
    TILEMETER_PAIR(add_bw, a + b),
    TILEMETER_PAIR(atan2_bw, std::atan2(a, b)),
    TILEMETER_PAIR(div_bw, a / b),
    TILEMETER_PAIR(fmod_bw, std::fmod(a, b)),
    TILEMETER_PAIR(hypot_bw, std::hypot(a, b)),
    TILEMETER_PAIR(ldexp_bw, a * std::exp2(b)),
    TILEMETER_PAIR(logaddexp_bw, std::log(std::exp(a) + std::exp(b))),
    TILEMETER_PAIR(logaddexp2_bw, std::log2(std::exp2(a) + std::exp2(b))),
    TILEMETER_PAIR(max_bw, std::max(a, b)),
    TILEMETER_PAIR(min_bw, std::min(a, b)),
    TILEMETER_PAIR(mul_bw, a * b),
    TILEMETER_PAIR(remainder_bw, a - b * std::floor(a / b)),
    TILEMETER_PAIR(rsub_bw, b - a),
    TILEMETER_PAIR(squared_difference_bw, (a - b) * (a - b)),
    TILEMETER_PAIR(sub_bw, a - b),
    TILEMETER_PAIR(xlogy_bw, a * std::log(b)),
};
#undef TILEMETER_CASE
#undef TILEMETER_CASE_OF
#undef TILEMETER_LIST
#undef TILEMETER_PAIR
// clang-format on

TEST_F(GradientsTest, of_one_input_are_numeric_derivatives_times_the_gradient) {
    for (const OfOne& each : kOfOne) {
        const Values grads(each.at.size(), 0.75F);
        const Gradients ours = each.ours(tensor(grads), tensor(each.at));
        ASSERT_EQ(ours.size(), 1U) << each.name;
        const Values values = ours[0]->to_vector<float>();
        for (std::size_t i = 0; i < each.at.size(); ++i) {
            expect_close(values[i], 0.75 * derivative(each.function, each.at[i]),
                         std::string(each.name) + " at " + std::to_string(each.at[i]));
        }
    }
}

TEST_F(GradientsTest, of_two_inputs_are_numeric_derivatives_times_the_gradient) {
    const Values a = {0.7F, 2.6F, 1.9F, 3.3F}, b = {1.4F, 0.8F, 2.7F, 1.2F},
                 grads = {0.5F, -1.0F, 2.0F, 0.25F};
    constexpr double kStep = 1e-4;
    for (const OfTwo& each : kOfTwo) {
        const Gradients ours = each.ours(tensor(grads), tensor(a), tensor(b));
        ASSERT_EQ(ours.size(), 2U) << each.name;
        const Values first = ours[0]->to_vector<float>(), second = ours[1]->to_vector<float>();
        for (std::size_t i = 0; i < a.size(); ++i) {
            const double of_a =
                (each.function(a[i] + kStep, b[i]) - each.function(a[i] - kStep, b[i])) / (2 * kStep);
            const double of_b =
                (each.function(a[i], b[i] + kStep) - each.function(a[i], b[i] - kStep)) / (2 * kStep);
            expect_close(first[i], grads[i] * of_a, std::string(each.name) + ", a");
            expect_close(second[i], grads[i] * of_b, std::string(each.name) + ", b");
        }
    }
}

TEST_F(GradientsTest, of_three_inputs_are_those_of_the_formulas) {
    const Tensor grad = tensor({0.5F}), a = tensor({2.0F}), b = tensor({3.0F}), c = tensor({4.0F});
    const auto values = [](const Gradients& gradients) {
        Values found;
        for (const OptionalTensor& each : gradients)
            found.push_back(each->to_vector<float>()[0]);
        return found;
    };
    EXPECT_EQ(values(addcmul_bw(grad, a, b, c, 2.0F)), (Values{0.5F, 4.0F, 3.0F}));
    EXPECT_EQ(values(addcdiv_bw(grad, a, b, c, 2.0F)), (Values{0.5F, 0.25F, -0.1875F}));
    EXPECT_EQ(values(lerp_bw(grad, a, b, c)), (Values{-1.5F, 2.0F, 0.5F}));
    EXPECT_EQ(values(lerp_bw(grad, a, b, 0.25F)), (Values{0.375F, 0.125F}));
    EXPECT_EQ(values(addalpha_bw(grad, a, b, 3.0F)), (Values{0.5F, 1.5F}));
    EXPECT_EQ(values(subalpha_bw(grad, a, b, 3.0F)), (Values{0.5F, -1.5F}));
    EXPECT_EQ(values(where_bw(grad, tensor({0.0F}), a, b)), (Values{0.0F, 0.5F}));
    EXPECT_EQ(values(bias_gelu_bw(grad, tensor({0.0F}), tensor({0.0F}))), (Values{0.25F, 0.25F}));
}

TEST_F(GradientsTest, at_poles_are_infinite_or_no_number) {
    const auto at = [](const UnaryGradientFunction& function, float grad, float x) {
        return function(tensor({grad}), tensor({x}))[0]->to_vector<float>()[0];
    };
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    EXPECT_EQ(at(acos_bw, 1.0F, 1.0F), -kInfinity);
    EXPECT_TRUE(std::isnan(at(acos_bw, 1.0F, 2.0F)));
    EXPECT_EQ(at(asin_bw, -1.0F, 1.0F), -kInfinity);
    EXPECT_TRUE(std::isnan(at(acosh_bw, 1.0F, 0.5F)));
    EXPECT_EQ(at(acosh_bw, -1.0F, 1.0F), -kInfinity);
    EXPECT_EQ(at(atanh_bw, -1.0F, 1.0F), -kInfinity);
    EXPECT_EQ(at(log_bw, -2.0F, 0.0F), -kInfinity);
    EXPECT_TRUE(std::isnan(at(log2_bw, 0.0F, 0.0F)));
    EXPECT_EQ(at(log1p_bw, 1.0F, -1.0F), kInfinity);
    EXPECT_EQ(at(reciprocal_bw, 1.0F, 0.0F), -kInfinity);
    EXPECT_TRUE(std::isnan(at(logit_bw, 1.0F, 2.0F)));
    EXPECT_EQ(at(logit_bw, 1.0F, 0.0F), kInfinity);
    EXPECT_EQ(rdiv_bw(tensor({1.0F}), tensor({0.0F}), 2.0F)[0]->to_vector<float>()[0], -kInfinity);
}

TEST_F(GradientsTest, go_where_the_caller_says_and_only_those_that_are_needed) {
    const Tensor grad = tensor({1.0F, 2.0F}), a = tensor({3.0F, 4.0F}), b = tensor({5.0F, 6.0F});
    const Tensor given = tensor({0.0F, 0.0F});
    EXPECT_EQ(exp_bw(grad, a, std::nullopt, given)[0]->id(), given.id());
    const Gradients second = mul_bw(grad, a, b, {false, true});
    EXPECT_FALSE(second[0].has_value());
    EXPECT_EQ(second[1]->to_vector<float>(), (Values{3.0F, 8.0F}));
    mul_bw(grad, a, b, {true, true}, std::nullopt, given);
    EXPECT_EQ(given.to_vector<float>(), (Values{5.0F, 12.0F}));
    EXPECT_EQ(sin_bw(grad, a, L1_MEMORY_CONFIG)[0]->memory_config(), L1_MEMORY_CONFIG);
}

TEST_F(GradientsTest, that_cannot_be_are_refused) {
    const Tensor a = tensor({1.0F});
    EXPECT_EQ(test::message_of([&] { pow_bw(a, a, -1.0F); }),
              "negative exponents are not supported; use recip(pow(input,abs(exponent)))");
    EXPECT_EQ(
        test::message_of([&] { gelu_bw(a, a, GeluVariant::FastLut); }),
        "GELU_BW does not support GeluVariant::FAST_LUT because no matching backward kernel is available.");
    EXPECT_EQ(
        test::message_of([&] {
            gelu_bw(a, tensor({1.0F, 2.0F}));
        }),
        "GELU_BW operation requires grad_output and input to have the same logical shape, but got Shape([1, 1]) and Shape([1, 2]).");
    EXPECT_EQ(test::message_of([&] { clamp_bw(a, a, std::optional<float>(), std::optional<float>()); }),
              "Only one of 'min' or 'max' can be None. Please provide one value");
    EXPECT_EQ(test::message_of([&] { div_bw(a, a, a, "up"); }),
              "Incorrect rounding mode (expected None, 'trunc', or 'floor')");
    EXPECT_EQ(test::message_of([&] {
                  mul_bw(a, a, tensor({1.0F, 2.0F}));
              }),
              "mul_bw: shapes Shape([1, 1]) and Shape([1, 2]): expected equal ones");
}

// The gradient of concat is its inverse, in any layout, cut within tiles or between them.
TEST_F(GradientsTest, of_concat_are_the_parts_along_its_dimension) {
    for (const Layout layout : {Layout::TILE, Layout::ROW_MAJOR}) {
        for (const std::int64_t dim : {0, 1, 2, 3, -1}) {
            Shape a{2, 3, 32, 64}, b = a;
            b.set(dim, 7);
            const auto filled = [&](const Shape& shape, float first) {
                Values values(shape.volume());
                for (std::size_t i = 0; i < values.size(); ++i)
                    values[i] = first + static_cast<float>(i);
                return from_vector(values, shape, DataType::FLOAT32, layout, device_of_test);
            };
            const Tensor left = filled(a, 1.0F), right = filled(b, 0.5F);
            const Tensor whole = concat({left, right}, dim);
            const Gradients gradients = concat_bw(whole, left, right, dim);
            ASSERT_EQ(gradients.size(), 2U);
            EXPECT_EQ(gradients[0]->to_vector<float>(), left.to_vector<float>());
            EXPECT_EQ(gradients[1]->to_vector<float>(), right.to_vector<float>());
        }
    }
}

TEST_F(GradientsTest, of_concat_go_where_the_caller_says_and_only_those_that_are_needed) {
    const auto sized = [&](std::uint32_t rows, float value) {
        return full({1, 1, rows, 32}, value, bfloat16, TILE_LAYOUT, device_of_test);
    };
    const Tensor grad = sized(96, 3.0F), a = sized(32, 0.0F), b = sized(64, 0.0F);
    const Tensor given = sized(64, 0.0F);
    const Gradients second = concat_bw({.grad_tensor = grad,
                                        .input_tensor_a = a,
                                        .input_tensor_b = b,
                                        .dim = 2,
                                        .are_required_outputs = {false, true},
                                        .input_b_grad = given});
    EXPECT_FALSE(second[0].has_value());
    EXPECT_EQ(second[1]->id(), given.id());
    EXPECT_EQ(given.to_vector<float>(), Values(64 * 32, 3.0F));
    EXPECT_EQ(concat_bw(grad, a, b, 2, {true, false}, L1_MEMORY_CONFIG)[0]->memory_config(),
              L1_MEMORY_CONFIG);

    const DeviceMemory before = device_of_test->memory();
    EXPECT_EQ(test::message_of([&] { concat_bw(grad, a, a, 2); }),
              "The preallocated output tensor needs a padded shape of Shape([1, 1, 64, 32]), however it is "
              "Shape([1, 1, 32, 32])");
    EXPECT_EQ(test::message_of([&] {
                  concat_bw(grad, a, b, 2, {false, false});
              }),
              "At least one gradient is expected to be calculated.");
    EXPECT_EQ(test::message_of([&] { concat_bw(tensor({1.0F}), a, b); }),
              "concat_bw expects rank-4 tensors, got grad rank 2, input rank 4, other rank 4");
    EXPECT_EQ(device_of_test->memory(), before);
}

}  // namespace
}  // namespace tilemeter
