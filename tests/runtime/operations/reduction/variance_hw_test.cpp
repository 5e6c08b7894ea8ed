// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Variances of images against plain loops.

#include "runtime/operations/reduction/variance_hw.hpp"

#include <cmath>
#include <cstddef>
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

using test::on_device;

// The squares' sum of each image, divided by the number of elements with the tiles' padding.
std::vector<double> variances_of(const std::vector<float>& values, std::size_t height, std::size_t width) {
    const auto padded = static_cast<double>((height + 31) / 32 * 32 * ((width + 31) / 32 * 32));
    std::vector<double> variances;
    for (auto image = values.begin(); image != values.end();) {
        const auto end = image + static_cast<std::ptrdiff_t>(height * width);
        const double mean = std::accumulate(image, end, 0.0) / static_cast<double>(height * width);
        double squares = 0.0;
        for (; image != end; ++image)
            squares += (*image - mean) * (*image - mean);
        variances.push_back(squares / padded);
    }
    return variances;
}

TEST(VarianceHw, is_of_each_image_and_divides_by_the_padded_size) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const std::uint32_t height = test::random_size(1, 70), width = test::random_size(1, 70);
        const Shape shape{test::random_size(1, 2), test::random_size(1, 3), height, width};
        const std::vector<float> values = test::random_values(shape, -4, 4);
        std::vector<double> expected = variances_of(values, height, width);
        const Tensor x = on_device(device, values, shape);
        const Tensor variances = var_hw(x);
        EXPECT_EQ(variances.shape(), (Shape{shape[0], shape[1], 1, 1}));
        test::assert_close(variances, expected, 1e-3);
        for (double& each : expected)
            each = std::sqrt(each);
        test::assert_close(std_hw(x), expected, 1e-3);
    }));
}

}  // namespace
}  // namespace tilemeter
