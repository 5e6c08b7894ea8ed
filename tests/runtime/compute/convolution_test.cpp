// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/convolution.hpp"

#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "tests/property.hpp"

namespace tilemeter::compute {
namespace {

// Small whole numbers, of which sums are exact in any order and in bfloat16's products.
HostArray small_numbers(const Shape& shape, DataType dtype, std::uint32_t seed) {
    std::vector<float> values;
    for (std::uint64_t i = 0; i < shape.volume(); ++i)
        values.push_back(static_cast<float>((i * 2654435761U + seed) >> 7U & 7U) - 3.0F);
    return HostArray::from_floats(values, dtype, shape);
}

// Weights of which those between groups are 0.
HostArray weights_of(const Convolution& each, DataType dtype) {
    const std::uint32_t rows = each.kernel_height * each.kernel_width * each.channels;
    std::vector<float> values = small_numbers({rows, each.outputs}, DataType::FLOAT32, 5).to_floats();
    for (std::uint32_t row = 0; row < rows; ++row) {
        const std::uint32_t group = row % each.channels / (each.channels / each.groups);
        for (std::uint32_t output = 0; output < each.outputs; ++output) {
            if (output / (each.outputs / each.groups) != group) values[row * each.outputs + output] = 0;
        }
    }
    return HostArray::from_floats(values, dtype, {rows, each.outputs});
}

// One product after the other.
std::vector<float> convolved(const Convolution& each, const std::vector<float>& images,
                             const std::vector<float>& weights) {
    std::vector<float> result;
    for (std::uint32_t image = 0; image < each.batch; ++image)
        for (std::uint32_t y = 0; y < each.output_height; ++y)
            for (std::uint32_t x = 0; x < each.output_width; ++x)
                for (std::uint32_t output = 0; output < each.outputs; ++output) {
                    float sum = 0;
                    std::size_t row = 0;
                    for (std::uint32_t i = 0; i < each.kernel_height; ++i)
                        for (std::uint32_t j = 0; j < each.kernel_width; ++j) {
                            const std::uint64_t pixel = (std::uint64_t{image} * each.height +
                                                         y * each.stride_height + i * each.dilation_height) *
                                                            each.width +
                                                        x * each.stride_width + j * each.dilation_width;
                            for (std::uint32_t channel = 0; channel < each.channels; ++channel)
                                sum += images[pixel * each.channels + channel] *
                                       weights[row++ * each.outputs + output];
                        }
                    result.push_back(sum);
                }
    return result;
}

// Lost by bfloat16 where it is added to a rounded sum.
constexpr float kSmall = 1.0F / 1024;

bool is_sum_of_products(const Convolution& each, DataType images_dtype, DataType weights_dtype) {
    const HostArray images =
        small_numbers({each.batch * each.height * each.width, each.channels}, images_dtype, 0);
    const HostArray weights = weights_of(each, weights_dtype);
    const Shape shape{1, 1, each.batch * each.output_height * each.output_width, each.outputs};
    std::vector<float> expected = convolved(each, images.to_floats(), weights.to_floats());
    const bool is_exact =
        convolve(each, images, weights, {}, DataType::FLOAT32, shape).to_floats() == expected;
    // Rounded once, after bias and what finishes it.
    const std::vector<float> bias = small_numbers({each.outputs}, DataType::FLOAT32, 9).to_floats();
    for (std::size_t i = 0; i < expected.size(); ++i)
        expected[i] += bias[i % bias.size()] + kSmall;
    std::vector<float> bias_with_small = bias;
    for (float& value : bias_with_small)
        value += kSmall;
    const auto rounded = [&] {
        return HostArray::from_floats(expected, DataType::BFLOAT16, shape).to_floats();
    };
    const bool is_rounded_once =
        convolve(each, images, weights, bias_with_small, DataType::BFLOAT16, shape).to_floats() == rounded();
    const auto finish = [](std::span<float> rows) {
        for (float& value : rows)
            value = 2 * value + 1;
    };
    const HostArray finished =
        convolve(each, images, weights, bias_with_small, DataType::BFLOAT16, shape, finish);
    finish(expected);
    return is_exact && is_rounded_once && finished.to_floats() == rounded();
}

// An image that has a place for so many windows and some pixels more.
Convolution with_windows(Convolution each, std::uint32_t rows, std::uint32_t columns, std::uint32_t more) {
    each.output_height = rows;
    each.output_width = columns;
    each.height = (rows - 1) * each.stride_height + (each.kernel_height - 1) * each.dilation_height + 1 +
                  more % each.stride_height;
    each.width = (columns - 1) * each.stride_width + (each.kernel_width - 1) * each.dilation_width + 1 +
                 more % each.stride_width;
    return each;
}

TEST(Convolve, sums_the_products_under_each_window) {
    EXPECT_TRUE(test::holds_for_random_cases([] {
        const auto upto = [](int most) { return static_cast<std::uint32_t>(test::in_range(1, most + 1)); };
        Convolution each;
        each.batch = upto(3);
        each.groups = upto(4);
        each.channels = each.groups * upto(9);
        each.outputs = each.groups * upto(9);
        each.kernel_height = upto(4), each.kernel_width = upto(4);
        each.stride_height = upto(3), each.stride_width = upto(3);
        each.dilation_height = upto(2), each.dilation_width = upto(3);
        each = with_windows(each, upto(9), upto(9), upto(3));
        const auto dtype = [] { return test::any_bool() ? DataType::BFLOAT16 : DataType::FLOAT32; };
        PROPERTY_ASSERT(is_sum_of_products(each, dtype(), dtype()));
    }));
}

TEST(Convolve, shares_out_images_whose_rows_leave_a_rest) {
    Convolution each;
    each.batch = 2;
    each.channels = each.outputs = 32;
    each.kernel_height = each.kernel_width = 3;
    EXPECT_TRUE(is_sum_of_products(with_windows(each, 35, 33, 0), DataType::BFLOAT16, DataType::BFLOAT16));
    each.groups = 32;
    EXPECT_TRUE(is_sum_of_products(with_windows(each, 35, 33, 0), DataType::FLOAT32, DataType::BFLOAT16));
}

TEST(Convolve, takes_nothing_for_images_without_rows) {
    Convolution each;
    each.batch = 0;
    const HostArray nothing(DataType::BFLOAT16, {0, 1});
    const HostArray weight(DataType::BFLOAT16, {1, 1});
    EXPECT_EQ(convolve(each, nothing, weight, {}, DataType::BFLOAT16, {1, 1, 0, 1}).size(), 0U);
}

}  // namespace
}  // namespace tilemeter::compute
