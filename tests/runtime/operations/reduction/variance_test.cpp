// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Variances and standard deviations against plain loops.

#include "runtime/operations/reduction/variance.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
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

double variance_of(const std::vector<double>& values, bool correction) {
    const auto count = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double squares = 0.0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    return squares / (count - (correction ? 1.0 : 0.0));
}

TEST(Variance, is_the_mean_square_of_deviations_along_a_dimension) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = some_shape();
        const std::size_t dim = some_dim(shape);
        const bool correction = shape.dimensions()[dim] > 1 && test::any_bool();
        const std::vector<float> values = test::random_values(shape, -4, 4);
        std::vector<double> expected;
        for_each_line(shape, dim, [&](std::size_t first, std::size_t stride, std::size_t length) {
            std::vector<double> line;
            for (std::size_t i = 0; i < length; ++i)
                line.push_back(values[first + i * stride]);
            expected.push_back(variance_of(line, correction));
        });
        const Tensor result = var({.input_tensor = on_device(device, values, shape),
                                   .dim = static_cast<int>(dim),
                                   .keepdim = true,
                                   .correction = correction});
        test::assert_close(result, expected, 1e-4);
        for (double& each : expected)
            each = std::sqrt(each);
        const Tensor root = std({.input_tensor = on_device(device, values, shape),
                                 .dim = static_cast<int>(dim),
                                 .keepdim = true,
                                 .correction = correction});
        test::assert_close(root, expected, 1e-2);
    }));
}

TEST(Variance, of_one_element_is_nothing_or_no_number) {
    const test::OpenDevice device;
    const Tensor input = on_device(device, {1, 2, 3}, Shape{1, 3});
    const Tensor plain = var({.input_tensor = input, .dim = 0, .keepdim = true, .correction = false});
    EXPECT_EQ(plain.shape(), (Shape{1, 3}));
    EXPECT_EQ(plain.to_vector<float>(), (std::vector<float>{0, 0, 0}));
    const Tensor corrected = var({.input_tensor = input, .dim = 0});
    EXPECT_EQ(corrected.shape(), Shape{3});
    EXPECT_TRUE(std::isnan(corrected.to_vector<float>()[0]));
}

TEST(Variance, of_several_dimensions_is_that_of_all_their_elements) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape{static_cast<std::uint32_t>(test::in_range(1, 4)), 3,
                          static_cast<std::uint32_t>(test::in_range(2, 36)),
                          static_cast<std::uint32_t>(test::in_range(2, 36))};
        const auto dims =
            test::element_of(std::vector<std::vector<int>>{{0, 1}, {1, 2}, {2, 3}, {1, 3}, {0, 1, 2, 3}});
        const std::vector<float> values = test::random_values(shape, -2, 2);
        std::vector<std::vector<double>> groups;
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::size_t rest = i, place = 0, pitch = 1;
            for (int d = 3; d >= 0; --d) {
                const std::size_t size = shape[d], at = rest % size;
                rest /= size;
                if (std::find(dims.begin(), dims.end(), d) != dims.end()) continue;
                place += at * pitch;
                pitch *= size;
            }
            if (groups.size() <= place) groups.resize(place + 1);
            groups[place].push_back(values[i]);
        }
        std::vector<double> expected;
        for (const auto& group : groups)
            expected.push_back(variance_of(group, true));
        test::assert_close(var(on_device(device, values, shape), dims), expected, 1e-4);
    }));
}

}  // namespace
}  // namespace tilemeter
