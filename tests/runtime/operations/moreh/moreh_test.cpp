// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Operations of training loops against their definitions in double precision.

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/moreh/moreh_creation.hpp"
#include "runtime/operations/moreh/moreh_matmul.hpp"
#include "runtime/operations/moreh/moreh_matmul_backward.hpp"
#include "runtime/operations/moreh/moreh_optimizers.hpp"
#include "runtime/operations/moreh/moreh_reductions.hpp"
#include "runtime/operations/moreh/moreh_softmax.hpp"
#include "runtime/operations/moreh/repeat_backward.hpp"
#include "runtime/operations/reduction/accumulation.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

using Values = std::vector<float>;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

class MorehTest : public testing::Test {
protected:
    Tensor tensor(const Values& values, const Shape& shape, DataType dtype = DataType::BFLOAT16) {
        return from_vector(values, shape, dtype, Layout::TILE, device_.get());
    }
    Tensor row(const Values& values) {
        return tensor(values, Shape{1, static_cast<std::uint32_t>(values.size())});
    }

private:
    test::OpenDevice device_;
};

void expect_near(const Tensor& ours, const std::vector<double>& expected) {
    const Values values = ours.to_vector<float>();
    ASSERT_EQ(values.size(), expected.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_NEAR(values[i], expected[i], 0.005 * (1.0 + std::abs(expected[i]))) << i;
}

const Values kTwoByThreeByTwo = {1, 2, 3, 4, 5, 6, -1, 8, 9, 10, 11, 12};

TEST_F(MorehTest, sums_and_means_run_over_the_dimensions_that_are_named) {
    const Tensor x = tensor(kTwoByThreeByTwo, Shape{2, 3, 2});
    EXPECT_EQ(moreh_sum(x, 2).to_vector<float>(), (Values{3, 7, 11, 7, 19, 23}));
    EXPECT_EQ(moreh_sum(x, 1).to_vector<float>(), (Values{9, 12, 19, 30}));
    EXPECT_EQ(moreh_sum(x, 0).to_vector<float>(), (Values{0, 10, 12, 14, 16, 18}));
    EXPECT_EQ(moreh_sum(x).to_vector<float>(), (Values{70}));
    EXPECT_EQ(moreh_sum(x, std::vector<int>{0, 2}).to_vector<float>(), (Values{10, 26, 34}));
    EXPECT_EQ(moreh_mean(x, 0).to_vector<float>(), (Values{0, 5, 6, 7, 8, 9}));
    EXPECT_EQ(moreh_mean(x, std::vector<int>{0, 1, 2}).to_vector<float>()[0], 5.84375F);
    const Tensor integers = tensor(kTwoByThreeByTwo, Shape{2, 3, 2}, DataType::INT32);
    EXPECT_EQ(moreh_sum(integers, 1).to_vector<float>(), (Values{9, 12, 19, 30}));
}

TEST_F(MorehTest, the_last_two_dimensions_stay_as_one) {
    const Tensor x = tensor(kTwoByThreeByTwo, Shape{2, 3, 2});
    EXPECT_EQ(moreh_sum(x, 2).shape(), (Shape{2, 3, 1}));
    EXPECT_EQ(moreh_sum(x, 1).shape(), (Shape{2, 1, 2}));
    EXPECT_EQ(moreh_sum(x, 0).shape(), (Shape{3, 2}));
    EXPECT_EQ(moreh_sum(x, 0, true).shape(), (Shape{1, 3, 2}));
}

TEST_F(MorehTest, gradients_of_sums_repeat_and_those_of_means_divide) {
    const Tensor x = tensor(kTwoByThreeByTwo, Shape{2, 3, 2}), grad = tensor({3, 6, 9, 12}, Shape{2, 1, 2});
    EXPECT_EQ(moreh_sum_backward(grad, x, 1).to_vector<float>(),
              (Values{3, 6, 3, 6, 3, 6, 9, 12, 9, 12, 9, 12}));
    EXPECT_EQ(moreh_mean_backward({.output_grad = grad, .dim = 1, .input_grad_shape = x.shape()})
                  .to_vector<float>(),
              (Values{1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4}));
}

TEST_F(MorehTest, norms_of_any_power) {
    const Tensor x = tensor({3, -4, 0, 12}, Shape{2, 2});
    EXPECT_EQ(moreh_abs_pow(x, 2.0F).to_vector<float>(), (Values{9, 16, 0, 144}));
    EXPECT_EQ(moreh_norm(x, 2.0F, 1).to_vector<float>(), (Values{5, 12}));
    EXPECT_EQ(moreh_norm(x, 2.0F).to_vector<float>(), (Values{13}));
    EXPECT_EQ(moreh_norm(x, kInfinity, 1).to_vector<float>(), (Values{4, 12}));
    EXPECT_EQ(moreh_norm(x, -kInfinity, 1).to_vector<float>(), (Values{3, 0}));
    EXPECT_EQ(moreh_norm(x, 0.0F, 1).to_vector<float>(), (Values{2, 1}));
}

TEST_F(MorehTest, softmaxes_are_their_definitions) {
    const Values values = {0.5F, -1.0F, 2.0F};
    std::vector<double> softmax, softmin, logarithm;
    double up = 0.0, down = 0.0;
    for (const float x : values) {
        up += std::exp(x);
        down += std::exp(-x);
    }
    for (const float x : values) {
        softmax.push_back(std::exp(x) / up);
        softmin.push_back(std::exp(-x) / down);
        logarithm.push_back(std::log(std::exp(x) / up));
    }
    expect_near(moreh_softmax(row(values), 1), softmax);
    expect_near(moreh_softmin(row(values), -1), softmin);
    expect_near(moreh_logsoftmax(row(values), 1), logarithm);
    expect_near(moreh_softmax(tensor(values, Shape{3, 1, 1}), 0), softmax);
}

// The gradient of the sum of each result times its weight, by differences.
std::vector<double> numeric_gradient(std::vector<double> x, const std::vector<double>& weights, double sign,
                                     bool logarithm) {
    const auto weighted = [&](const std::vector<double>& at) {
        double sum = 0.0, total = 0.0;
        for (const double each : at)
            sum += std::exp(sign * each);
        for (std::size_t i = 0; i < at.size(); ++i) {
            const double share = std::exp(sign * at[i]) / sum;
            total += weights[i] * (logarithm ? std::log(share) : share);
        }
        return total;
    };
    std::vector<double> gradient;
    for (double& each : x) {
        const double before = each;
        each = before + 1e-5;
        const double above = weighted(x);
        each = before - 1e-5;
        gradient.push_back((above - weighted(x)) / 2e-5);
        each = before;
    }
    return gradient;
}

TEST_F(MorehTest, gradients_of_softmaxes_are_numeric_ones) {
    const Tensor x = row({0.5F, -1.0F, 2.0F}), grad = row({1.0F, -2.0F, 0.5F});
    const std::vector<double> at = {0.5, -1.0, 2.0}, weights = {1.0, -2.0, 0.5};
    expect_near(moreh_softmax_backward(moreh_softmax(x, 1), grad, 1),
                numeric_gradient(at, weights, 1, false));
    expect_near(moreh_softmin_backward(moreh_softmin(x, 1), grad, 1),
                numeric_gradient(at, weights, -1, false));
    expect_near(moreh_logsoftmax_backward(moreh_logsoftmax(x, 1), grad, 1),
                numeric_gradient(at, weights, 1, true));
}

TEST_F(MorehTest, products_transpose_repeat_and_add) {
    const Tensor a = tensor({1, 2, 3, 4, 5, 6}, Shape{2, 3}), b = tensor({1, 0, 2, 1, 0, 3}, Shape{3, 2});
    EXPECT_EQ(moreh_matmul(a, b).to_vector<float>(), (Values{5, 11, 14, 23}));
    EXPECT_EQ(moreh_matmul(a, a, false, true).to_vector<float>(), (Values{14, 32, 32, 77}));
    EXPECT_EQ(moreh_matmul(a, a, true, false).shape(), (Shape{3, 3}));
    EXPECT_EQ(moreh_matmul(a, b, false, false, std::nullopt, row({10, 20})).to_vector<float>(),
              (Values{15, 31, 24, 43}));
    EXPECT_EQ(moreh_linear(a, a, row({1})).to_vector<float>(), (Values{15, 33, 33, 78}));
    const Tensor batch = tensor(kTwoByThreeByTwo, Shape{2, 3, 2});
    EXPECT_EQ(moreh_bmm(batch, tensor({1, 1, 2, 0}, Shape{2, 2, 1})).to_vector<float>(),
              (Values{3, 7, 11, -2, 18, 22}));
    EXPECT_EQ(moreh_dot(row({1, 2, 3}), row({4, 5, 6})).to_vector<float>(), (Values{32}));
}

// As under TT-NN: the dtype that is asked for does not matter, that of a given output is kept.
TEST_F(MorehTest, a_product_of_rows_has_the_dtype_of_its_inputs_or_of_a_given_output) {
    const Tensor a = row({1, 2, 3}), into = tensor({0}, Shape{1, 1}, DataType::FLOAT32);
    const Tensor made = moreh_dot({.input_tensor_a = a, .input_tensor_b = a, .dtype = DataType::INT32});
    EXPECT_EQ(made.dtype(), DataType::BFLOAT16);
    EXPECT_EQ(made.to_vector<float>(), (Values{14}));
    moreh_dot({.input_tensor_a = a, .input_tensor_b = a, .output = into, .dtype = DataType::INT32});
    EXPECT_EQ(into.to_vector<float>(), (Values{14}));
}

TEST_F(MorehTest, gradients_of_products_are_products_and_sums) {
    const Tensor a = tensor({1, 2, 3, 4}, Shape{2, 2}), b = tensor({5, 6, 7, 8}, Shape{2, 2});
    const Tensor grad = tensor({1, 0, 2, 1}, Shape{2, 2});
    const auto given = [&] { return tensor({0, 0, 0, 0}, Shape{2, 2}); };
    const auto both = moreh_matmul_backward(grad, a, b, {true, true}, given(), given());
    EXPECT_EQ(both[0]->to_vector<float>(), (Values{5, 7, 16, 22}));  // grad b^T
    EXPECT_EQ(both[1]->to_vector<float>(), (Values{7, 3, 10, 4}));   // a^T grad
    EXPECT_FALSE(moreh_matmul_backward(grad, a, b, {false, true}, std::nullopt, given())[0].has_value());
    const Tensor batch = tensor({1, 0, 2, 1, 1, 0, 2, 1}, Shape{2, 2, 2});
    const Tensor inputs = tensor({1, 2, 3, 4, 1, 2, 3, 4}, Shape{2, 2, 2});
    EXPECT_EQ(
        moreh_matmul_backward(batch, inputs, b, {false, true}, std::nullopt, given())[1]->to_vector<float>(),
        (Values{14, 6, 20, 8}));  // over both of the batch
    const auto linear =
        moreh_linear_backward(grad, a, b, {true, true, true}, row({0, 0}), given(), given(), row({0, 0}));
    EXPECT_EQ(linear[0]->to_vector<float>(), (Values{5, 6, 17, 20}));  // grad b
    EXPECT_EQ(linear[1]->to_vector<float>(), (Values{7, 10, 3, 4}));   // grad^T a
    EXPECT_EQ(linear[2]->to_vector<float>(), (Values{3, 1}));
    EXPECT_EQ(moreh_linear_backward(grad, a, b, {false, false, true}, row({0}), std::nullopt, std::nullopt,
                                    row({0}))[2]
                  ->to_vector<float>(),
              (Values{4}));
    const Tensor left = tensor({1, 2}, Shape{1, 1, 1, 2}), right = tensor({3, 4}, Shape{1, 1, 1, 2});
    const auto dot =
        moreh_matmul_backward(tensor({2}, Shape{1, 1, 1, 1}), left, right, {true, true},
                              tensor({0, 0}, Shape{1, 1, 1, 2}), tensor({0, 0}, Shape{1, 1, 1, 2}));
    EXPECT_EQ(dot[0]->to_vector<float>(), (Values{6, 8}));
    EXPECT_EQ(dot[1]->to_vector<float>(), (Values{2, 4}));
    EXPECT_EQ(test::message_of([&] {
                  moreh_matmul_backward(grad, a, b, {true, true}, given(), std::nullopt);
              }),
              "Other gradient is marked required but not provided.");
}

TEST_F(MorehTest, the_gradients_of_a_product_of_rows_are_the_other_row_times_a_number) {
    const auto long_row = [&](const Values& values) {
        return tensor(values, Shape{1, 1, 1, static_cast<std::uint32_t>(values.size())});
    };
    const Tensor a = long_row({1, 2, 3}), b = long_row({4, 5, 6}), grad = long_row({2});
    const auto both = moreh_dot_backward(grad, a, b, long_row({0, 0, 0}), long_row({0, 0, 0}));
    EXPECT_EQ(both[0]->to_vector<float>(), (Values{8, 10, 12}));
    EXPECT_EQ(both[1]->to_vector<float>(), (Values{2, 4, 6}));
    const auto one = moreh_dot_backward({.output_grad = grad, .input = a, .other = b, .other_grad = a});
    EXPECT_FALSE(one[0].has_value());
    EXPECT_EQ(a.to_vector<float>(), (Values{2, 4, 6}));
    const auto error = [&](const Tensor& of, const Tensor& input, const Tensor& other, const Tensor& into) {
        return test::message_of([&] { moreh_dot_backward(of, input, other, into); });
    };
    EXPECT_EQ(error(a, a, b, a), "Invalid value type");
    EXPECT_EQ(error(grad, row({1, 2, 3}), b, a), "Invalid input tensor dimensions.");
    EXPECT_EQ(error(grad, a, long_row({1, 2}), a), "Tensor A and B should have the same shape.");
    EXPECT_EQ(error(grad, a, b, long_row({1, 2})), "Tensor shape and grad tensor shape should be the same.");
    const Tensor real = tensor({1, 2, 3}, Shape{1, 1, 1, 3}, DataType::FLOAT32);
    EXPECT_EQ(error(grad, real, real, real), "Unsupported data format");
}

TEST_F(MorehTest, gradients_of_norms_are_numeric_ones) {
    const std::vector<double> at = {3.0, -4.0, 1.0};
    std::vector<double> expected;
    for (std::size_t i = 0; i < at.size(); ++i) {
        const auto norm = [&](double step) {
            double sum = 0.0;
            for (std::size_t j = 0; j < at.size(); ++j)
                sum += std::pow(std::abs(at[j] + (i == j ? step : 0.0)), 3.0);
            return std::cbrt(sum);
        };
        expected.push_back(2.0 * (norm(1e-5) - norm(-1e-5)) / 2e-5);
    }
    const Tensor x = row({3, -4, 1}), norm = moreh_norm(x, 3.0F, 1);
    const Values ours = moreh_norm_backward(x, norm, row({2}), 3.0F, 1).to_vector<float>();
    for (std::size_t i = 0; i < ours.size(); ++i)
        EXPECT_NEAR(ours[i], expected[i], 0.02 * std::abs(expected[i]));
}

TEST_F(MorehTest, sgd_steps_as_torch_says) {
    const Tensor x = row({4}), grad = row({1});
    auto plain = moreh_sgd({.param_in = x, .grad = grad, .lr = 0.5F, .weight_decay = 0.25F});
    EXPECT_EQ(plain[0]->to_vector<float>(), (Values{3}));  // 4 - 0.5 * (1 + 0.25 * 4)
    EXPECT_FALSE(plain[1].has_value());
    MorehSgd step{.param_in = x,
                  .grad = grad,
                  .momentum_buffer_in = row({2}),
                  .lr = 0.5F,
                  .momentum = 0.5F,
                  .nesterov = true,
                  .momentum_initialized = true};
    auto nesterov = moreh_sgd(step);
    EXPECT_EQ(nesterov[1]->to_vector<float>(), (Values{2}));  // 0.5 * 2 + 1
    EXPECT_EQ(nesterov[0]->to_vector<float>(), (Values{3}));  // 4 - 0.5 * (1 + 0.5 * 2)
    step.momentum_initialized = false;
    step.momentum_buffer_in.reset();
    EXPECT_EQ(moreh_sgd(step)[1]->to_vector<float>(), (Values{1}));
}

TEST_F(MorehTest, adam_steps_as_torch_says) {
    const Tensor x = row({2}), grad = row({1}), average = row({0.5F}), square = row({0.25F});
    // grad + 0.5 * 2 = 2; average 0.5 * 0.5 + 0.5 * 2; square 0.75 * 0.25 + 0.25 * 4
    const auto adam = moreh_adam(x, grad, average, square, 0.1F, 0.5F, 0.75F, 0.0F, 0.5F, 2);
    expect_near(*adam[1], {1.25});
    expect_near(*adam[2], {1.1875});
    expect_near(*adam[0], {2.0 - 0.1 * (1.25 / 0.75) / std::sqrt(1.1875 / 0.4375)});
    EXPECT_FALSE(adam[3].has_value());
    const auto apart = moreh_adamw(x, grad, average, square, 0.1F, 0.5F, 0.75F, 0.0F, 0.5F, 2);
    expect_near(*apart[1], {0.75});
    expect_near(*apart[2], {0.4375});
    expect_near(*apart[0], {2.0 * (1 - 0.1 * 0.5) - 0.1 * (0.75 / 0.75) / std::sqrt(0.4375 / 0.4375)});
    const auto with_largest =
        moreh_adam(x, grad, average, square, 0.1F, 0.5F, 0.75F, 0.0F, 0.5F, 2, true, row({4}));
    EXPECT_EQ(with_largest[3]->to_vector<float>(), (Values{4}));
    expect_near(*with_largest[0], {2.0 - 0.1 * (1.25 / 0.75) / std::sqrt(4 / 0.4375)});
}

TEST_F(MorehTest, the_device_fills_and_counts) {
    const Tensor three = row({1, 2, 3});
    EXPECT_EQ(moreh_full(Shape{2, 2}, 1.5F, three.shared_device()).to_vector<float>(),
              (Values{1.5, 1.5, 1.5, 1.5}));
    const Tensor like = moreh_full_like(three, 2.0F, DataType::INT32);
    EXPECT_EQ(like.to_vector<float>(), (Values{2, 2, 2}));
    EXPECT_EQ(like.dtype(), DataType::INT32);
    const Tensor counted = moreh_arange(1, 8, 3, three.shared_device());
    EXPECT_EQ(counted.to_vector<float>(), (Values{1, 4, 7}));
    EXPECT_EQ(counted.shape(), (Shape{1, 3}));
    EXPECT_EQ(moreh_arange(0, 3, 1, three.shared_device(), std::nullopt, true).shape(), Shape{3});
    const Tensor x = tensor({1, 2, 3, 4}, Shape{2, 1, 2});
    EXPECT_EQ(moreh_cumsum(x, 0).to_vector<float>(), (Values{1, 2, 4, 6}));
    EXPECT_EQ(moreh_cumsum_backward(x, 0).to_vector<float>(), (Values{4, 6, 3, 4}));
}

TEST_F(MorehTest, results_go_into_given_tensors) {
    const Tensor x = row({1, 2, 3}), given = row({0}), parameters = row({0, 0, 0});
    EXPECT_EQ(moreh_sum(x, 1, true, given).id(), given.id());
    EXPECT_EQ(given.to_vector<float>(), (Values{6}));
    const Tensor counted = row({0, 0, 0});
    EXPECT_EQ(moreh_arange(1, 8, 3, x.shared_device(), counted).id(), counted.id());
    EXPECT_EQ(counted.to_vector<float>(), (Values{1, 4, 7}));
    moreh_sgd({.param_in = x, .grad = x, .param_out = parameters, .lr = 1.0F});
    EXPECT_EQ(parameters.to_vector<float>(), (Values{0, 0, 0}));
    EXPECT_EQ(moreh_softmax({.input_tensor = x, .dim = 1, .memory_config = L1_MEMORY_CONFIG}).memory_config(),
              L1_MEMORY_CONFIG);
}

TEST_F(MorehTest, what_does_not_fit_is_refused) {
    const Tensor x = row({1, 2, 3}), real = tensor({1, 2}, Shape{1, 2}, DataType::FLOAT32);
    EXPECT_NE(test::message_of([&] { moreh_sum(real, 1); }).find("[BFLOAT16, INT32]"), std::string::npos);
    EXPECT_EQ(test::message_of([&] { moreh_mean(real, 1); }),
              "moreh_mean input only supports specific data types. [BFLOAT16] ");
    EXPECT_EQ(test::message_of([&] {
                  moreh_sum(x, std::vector<int>{1, 1});
              }),
              "dim: expected different dimensions");
    EXPECT_EQ(test::message_of([&] { moreh_sum(x, -1); }), "dim must be between 0 and 8.");
    EXPECT_EQ(test::message_of([&] { moreh_mean(x, -1); }),
              "Invalid dimension value: -1. Expected a value between 0 and 7.");
    EXPECT_EQ(test::message_of([&] { moreh_norm(x, 2.0F, 2); }),
              "dim must be smaller than input tensor rank 2.");
    EXPECT_EQ(test::message_of([&] { moreh_matmul(x, x); }), "k must be the same. input_k 3, other_k 1");
    EXPECT_EQ(test::message_of([&] { moreh_bmm(x, x); }),
              "moreh_bmm: expected three dimensions, got Shape([1, 3]) and Shape([1, 3])");
    EXPECT_EQ(test::message_of([&] { moreh_softmax_backward(x, row({1}), 1); }),
              "moreh_softmax_backward: expected equal shapes, got Shape([1, 3]) and Shape([1, 1])");
    EXPECT_EQ(test::message_of([&] { moreh_adam(x, row({1}), x, x); }),
              "moreh_adam: expected tensors of the parameters' shape Shape([1, 3]), got Shape([1, 1])");
    EXPECT_EQ(
        test::message_of([&] {
            moreh_adam({.param_in = x, .grad = x, .exp_avg_in = x, .exp_avg_sq_in = x, .amsgrad = true});
        }),
        "max_exp_avg_sq_in: expected a tensor with amsgrad, got none");
    EXPECT_EQ(test::message_of([&] { moreh_sgd({.param_in = x, .grad = x, .momentum_initialized = true}); }),
              "momentum_buffer_in: expected a tensor with momentum_initialized, got none");
}

TEST_F(MorehTest, the_gradient_of_repeat_is_the_sum_over_its_copies) {
    for (const std::size_t dim : {std::size_t{0}, std::size_t{1}}) {
        const std::uint32_t channels = dim == 0 ? 2 : 1, copies = 3, size = channels * 32 * 64;
        Values values(std::size_t{copies} * size);
        std::vector<double> sums(size, 0.0);
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = static_cast<float>(i % 37) - 9.0F;
            sums[i % size] += values[i];
        }
        const Tensor input = tensor(Values(size), Shape{1, channels, 32, 64});
        const Shape times = dim == 0 ? Shape{copies, 1, 1, 1} : Shape{1, copies, 1, 1};
        const Tensor grad =
            tensor(values, dim == 0 ? Shape{copies, channels, 32, 64} : Shape{1, copies, 32, 64});
        const std::vector<OptionalTensor> gradients = repeat_bw(grad, input, times);
        ASSERT_EQ(gradients.size(), 1U);
        EXPECT_EQ(gradients[0]->shape(), input.shape());
        expect_near(*gradients[0], sums);
        EXPECT_EQ(repeat_bw(grad, input, times, L1_MEMORY_CONFIG)[0]->memory_config(), L1_MEMORY_CONFIG);
    }
    const Tensor x = tensor(Values(32 * 32, 2.0F), Shape{1, 1, 32, 32});
    EXPECT_EQ(repeat_bw(x, x, Shape{1, 0, 1, 1})[0]->to_vector<float>(), Values(32 * 32, 0.0F));
    EXPECT_TRUE(repeat_bw(x, x, Shape{1, 1, 1, 1}).empty());
}

TEST_F(MorehTest, the_gradient_of_repeat_is_refused_where_TT_NN_refuses_it) {
    const auto sized = [&](const Shape& shape, DataType dtype = DataType::BFLOAT16) {
        return tensor(Values(shape.volume()), shape, dtype);
    };
    const auto error = [](const Tensor& grad, const Tensor& input, const Shape& times) {
        return test::message_of([&] { repeat_bw(grad, input, times); });
    };
    const Tensor x = sized({1, 2, 32, 32});
    EXPECT_EQ(error(x, sized({2, 2, 32, 32}), {2, 1, 1, 1}), "Input shape[0] must be 1 but got 2");
    EXPECT_EQ(error(x, x, {2, 2, 1, 1}), "repeat[1], [2], [3] should be 1");
    EXPECT_EQ(error(x, x, {1, 2, 1, 2}), "repeat[0], [2], [3] should be 1");
    EXPECT_EQ(error(x, x, {2, 1, 1}), "ShapeBase[] index out of range. 3 not in [-4, 3)");
    EXPECT_EQ(error(sized({2, 1, 32, 30}), sized({1, 1, 32, 30}), {2, 1, 1, 1}),
              "Input dimension without padding[0] (30) must equal output dimension without padding[0] (32)");
    EXPECT_EQ(error(sized({2, 1, 32, 32}), x, {2, 1, 1, 1}),
              "Input dimension[2] (1) must equal output dimension[2] (2)");
    EXPECT_EQ(error(sized({2, 2, 32, 32}, DataType::FLOAT32), sized({1, 2, 32, 32}, DataType::FLOAT32),
                    {2, 1, 1, 1}),
              "moreh_sum input only supports specific data types. [BFLOAT16, INT32] ");
}

}  // namespace
}  // namespace tilemeter
