// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Running sums and products, products of all elements, against plain loops.

#include "runtime/operations/reduction/accumulation.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/reduction/prod.hpp"
#include "runtime/operations/reduction/prod_backward.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/operations/samples.hpp"

namespace tilemeter {
namespace {

using test::for_each_line;
using test::on_device;
using test::some_dim;
using test::some_shape;

TEST(Accumulation, adds_up_or_multiplies_what_came_before) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = some_shape();
        const std::size_t dim = some_dim(shape);
        const bool from_end = test::any_bool(), product = test::any_bool();
        std::vector<float> values = test::random_values(shape, -1, 1);
        if (product) {
            for (float& value : values)
                value = 1.0F + value / 16.0F;
        }
        std::vector<double> expected(values.size());
        for_each_line(shape, dim, [&](std::size_t first, std::size_t stride, std::size_t length) {
            double sum = product ? 1.0 : 0.0;
            for (std::size_t i = 0; i < length; ++i) {
                const std::size_t at = first + (from_end ? length - 1 - i : i) * stride;
                sum = product ? sum * values[at] : sum + values[at];
                expected[at] = sum;
            }
        });
        const Tensor input = on_device(device, values, shape);
        const auto axis = static_cast<std::int64_t>(dim);
        const Tensor result = product ? cumprod(input, axis, std::nullopt, from_end)
                                      : cumsum(input, axis, std::nullopt, from_end);
        PROPERTY_ASSERT(result.shape() == shape);
        test::assert_close(result, expected, 1e-4);
    }));
}

// Nothing is written to its memory, which is freed.
TEST(Accumulation, lets_a_given_tensor_become_the_result) {
    const test::OpenDevice device;
    const Shape shape{2, 3, 32, 32};
    const std::vector<float> values(shape.volume(), 1.5F);
    const Tensor input = from_vector(values, shape, DataType::BFLOAT16, Layout::TILE, device.get());
    for (const std::int64_t dim : {0, -1}) {
        const Tensor given = zeros(shape, DataType::BFLOAT16, Layout::TILE, device.get(), L1_MEMORY_CONFIG);
        const Tensor alias = given;
        const std::weak_ptr<Buffer> memory = given.shared_buffer();
        const Tensor result =
            cumprod({.input_tensor = input, .dim = dim, .dtype = DataType::FLOAT32, .out = given});
        EXPECT_EQ(result.dtype(), DataType::FLOAT32);
        EXPECT_EQ(alias.dtype(), DataType::FLOAT32);
        EXPECT_EQ(alias.memory_config(), DRAM_MEMORY_CONFIG);
        EXPECT_EQ(alias.shared_buffer(), result.shared_buffer());
        EXPECT_TRUE(memory.expired());
        EXPECT_EQ(alias.to_vector<float>(), result.to_vector<float>());
    }
}

TEST(Accumulation, copies_a_single_element_without_dimensions) {
    const test::OpenDevice device;
    const std::vector<float> values{2.5F};
    const Tensor input = from_vector(values, Shape(), DataType::BFLOAT16, Layout::TILE, device.get());
    const Tensor result = cumsum(input, 0);
    EXPECT_EQ(result.shape(), Shape());
    EXPECT_NE(result.shared_buffer(), input.shared_buffer());
    EXPECT_EQ(result.to_vector<float>(), values);
}

TEST(Product, is_that_of_all_elements_along_a_dimension) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = some_shape();
        const std::size_t dim = some_dim(shape);
        std::vector<float> values = test::random_values(shape, -1, 1);
        for (float& value : values)
            value = 1.0F + value / 16.0F;
        std::vector<double> expected;
        double all = 1.0;
        for (const float value : values)
            all *= value;
        for_each_line(shape, dim, [&](std::size_t first, std::size_t stride, std::size_t length) {
            double product = 1.0;
            for (std::size_t i = 0; i < length; ++i)
                product *= values[first + i * stride];
            expected.push_back(product);
        });
        const Tensor input = on_device(device, values, shape);
        test::assert_close(prod(input, static_cast<std::int64_t>(dim), test::any_bool()), expected, 1e-4);
        const Tensor of_all = prod(input);
        PROPERTY_ASSERT(of_all.shape().rank() == 0U);
        test::assert_close(of_all, {all}, 1e-3 * (1.0 + std::fabs(all)));
    }));
}

// Against the product of the others, each by itself.
TEST(Product, has_the_gradient_that_the_other_elements_make) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape{test::in_range(1U, 5U), test::in_range(1U, 5U), 32, 64};
        const std::size_t dim = some_dim(shape);
        std::vector<float> values = test::random_values(shape, -1, 1);
        for (float& value : values)
            value = 1.0F + value / 16.0F;
        Shape of_gradient = shape;
        of_gradient.set(static_cast<std::int64_t>(dim), 1);
        const std::vector<float> gradient = test::random_values(of_gradient, -1, 1);
        std::vector<double> expected(values.size());
        std::size_t line = 0;
        for_each_line(shape, dim, [&](std::size_t first, std::size_t stride, std::size_t length) {
            for (std::size_t i = 0; i < length; ++i) {
                double product = gradient[line];
                for (std::size_t j = 0; j < length; ++j)
                    product *= i == j ? 1.0 : values[first + j * stride];
                expected[first + i * stride] = product;
            }
            ++line;
        });
        const Gradients found = prod_bw(ProdGradient{.grad_tensor = on_device(device, gradient, of_gradient),
                                                     .input_tensor = on_device(device, values, shape),
                                                     .dim = static_cast<std::int64_t>(dim)});
        PROPERTY_ASSERT(found.size() == 1U && found[0]->shape() == shape);
        test::assert_close(*found[0], expected, 1e-3);
    }));
}

TEST(Product, of_all_elements_gives_each_the_product_of_the_others) {
    const test::OpenDevice device;
    const Shape shape{1, 1, 2, 3};
    const std::vector<float> values{1.0F, -2.0F, 3.0F, 0.5F, -0.25F, 4.0F};  // of product 3
    std::vector<double> expected;
    for (const float value : values)
        expected.push_back(6.0 / static_cast<double>(value));
    const Gradients found = prod_bw(ProdGradient{.grad_tensor = on_device(device, {2.0F}, Shape{1, 1, 1, 1}),
                                                 .input_tensor = on_device(device, values, shape)});
    test::assert_close(*found.at(0), expected, 1e-4);
}

TEST(Product, refuses_gradients_that_fit_no_tiles) {
    const test::OpenDevice device;
    const auto message = [&](const Shape& shape, std::int64_t dim) -> std::string {
        const Tensor input = on_device(device, std::vector<float>(shape.volume(), 1.0F), shape);
        try {
            prod_bw(ProdGradient{.grad_tensor = input, .input_tensor = input, .dim = dim});
        } catch (const RuntimeError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(message({1, 1, 32, 32}, 4),
              "Dimension for prod is out of range (expected to be in range of [-4, 3])");
    EXPECT_EQ(message({3, 32, 32}, 0), "ttnn.pad: padding len can't be larger than input tensor rank");
    EXPECT_EQ(
        message({3, 32, 32}, 1),
        "The number of dimensions in the tensor input does not match the length of the desired ordering");
    EXPECT_EQ(message({1, 2, 40, 32}, 1),
              "prod_bw: input_tensor: expected whole tiles beside dimension 1, got Shape([1, 2, 40, 32])");
}

}  // namespace
}  // namespace tilemeter
