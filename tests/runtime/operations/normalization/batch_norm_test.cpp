// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// batch_norm against double precision, and what it refuses.

#include "runtime/operations/normalization/batch_norm.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/operations/samples.hpp"

namespace tilemeter {
namespace {

using test::message_of;
using test::on_device;

TEST(BatchNorm, agrees_with_double_precision) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const auto up_to = [](int most) { return static_cast<std::uint32_t>(test::in_range(1, most + 1)); };
        const Shape shape{up_to(2), up_to(5), up_to(40), up_to(40)};
        const std::uint32_t channels = shape[1];
        const DataType dtype = test::one_of(DataType::BFLOAT16, DataType::FLOAT32);
        const auto of_channels = [&](int low, int high) {
            const Shape row{1, channels, 1, 1};
            return on_device(device, test::random_values(row, low, high), row, dtype);
        };
        const Tensor x = on_device(device, test::random_values(shape, -4, 4), shape, dtype);
        const Tensor mean = of_channels(-2, 2), variance = of_channels(1, 4), weight = of_channels(-2, 2),
                     bias = of_channels(-2, 2);
        const bool scaled = test::any_bool(), shifted = test::any_bool();
        const Tensor result = batch_norm({.input = x,
                                          .running_mean = mean,
                                          .running_var = variance,
                                          .eps = 1e-2F,
                                          .weight = scaled ? OptionalTensor(weight) : std::nullopt,
                                          .bias = shifted ? OptionalTensor(bias) : std::nullopt});
        std::vector<double> expected = x.to_vector<double>();
        const std::vector<double> m = mean.to_vector<double>(), v = variance.to_vector<double>(),
                                  w = weight.to_vector<double>(), b = bias.to_vector<double>();
        for (std::size_t at = 0; at < expected.size(); ++at) {
            const std::size_t c = at / (shape[2] * shape[3]) % channels;
            expected[at] = (expected[at] - m[c]) / std::sqrt(v[c] + 1e-2F) * (scaled ? w[c] : 1.0) +
                           (shifted ? b[c] : 0.0);
        }
        test::assert_close(result, expected, 1e-5);
    }));
}

TEST(BatchNorm, refuses_what_ttnn_refuses) {
    const test::OpenDevice device;
    const auto of = [&](const Shape& shape, DataType dtype = bfloat16) {
        return zeros(shape, dtype, TILE_LAYOUT, device.get());
    };
    const Tensor x = of({2, 3, 32, 32}), row = of({1, 3, 1, 1});
    EXPECT_EQ(message_of([&] { batch_norm(x); }),
              "running_mean and running_var must be defined in evaluation mode");
    EXPECT_EQ(message_of([&] {
                  batch_norm(of({3, 32, 32}), row, row);
              }),
              "batch_norm not supported for tensors with rank < 4. (rank=3)");
    EXPECT_EQ(message_of([&] {
                  batch_norm(x, of({1, 4, 1, 1}), row);
              }),
              "batch_mean_shape[1] must be the same as input's channel size.");
    EXPECT_EQ(message_of([&] {
                  batch_norm(x, row, of({1, 3, 1, 1}, float32));
              }),
              "batch_norm: running_var dtype (DataType::FLOAT32) must match other parameter tensors dtype "
              "(DataType::BFLOAT16)");
    EXPECT_EQ(message_of([&] { batch_norm(x, row, row, true); }),
              "batch_norm: training: expected False, statistics of a batch are not there");
}

}  // namespace
}  // namespace tilemeter
