// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Running sums and products, products of all elements, against plain loops.

#include "runtime/operations/reduction/accumulation.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/reduction/prod.hpp"
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

}  // namespace
}  // namespace tilemeter
