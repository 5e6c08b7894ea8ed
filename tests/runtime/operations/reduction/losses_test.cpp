// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Distances of a prediction against plain loops.

#include "runtime/operations/reduction/losses.hpp"

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
using test::some_shape;

TEST(Losses, are_the_distance_of_a_prediction) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = some_shape(2);
        const std::vector<float> a = test::random_values(shape, -2, 2), b = test::random_values(shape, -2, 2);
        std::vector<double> absolute, squared;
        for (std::size_t i = 0; i < a.size(); ++i) {
            absolute.push_back(std::fabs(double{a[i]} - b[i]));
            squared.push_back((double{a[i]} - b[i]) * (double{a[i]} - b[i]));
        }
        const Tensor x = on_device(device, a, shape), y = on_device(device, b, shape);
        test::assert_close(l1_loss(x, y), absolute, 1e-5);
        test::assert_close(mse_loss(x, y), squared, 1e-5);
        const double sum = std::accumulate(squared.begin(), squared.end(), 0.0);
        const auto count = static_cast<double>(a.size());
        test::assert_close(mse_loss(x, y, LossReductionMode::SUM), {sum}, 1e-3 * (1.0 + sum));
        test::assert_close(mse_loss(x, y, LossReductionMode::MEAN), {sum / count},
                           1e-3 * (1.0 + sum / count));
    }));
}

}  // namespace
}  // namespace tilemeter
