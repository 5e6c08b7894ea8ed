// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// conv3d against naive sums in double precision.

#include "runtime/operations/sliding_window/conv3d.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

constexpr std::uint32_t kIn = 32;
constexpr std::uint32_t kOut = 4;

// Numbers without a pattern, between -1 and 1.
std::vector<float> some_numbers(std::size_t count, double seed) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = static_cast<float>(std::sin(seed + 12.9898 * static_cast<double>(i)));
    return values;
}

// The sum of the convolution of a volume [1, 4, 5, 6, channels] with a kernel of 2 x 3 x 3, strides 1, 2, 1 and padding
// 1, 0, 1.
double naive_sum(const std::vector<float>& x, const std::vector<float>& w, std::size_t groups,
                 bool replicates, const std::array<int, 3>& at, std::size_t out) {
    const std::array<int, 3> sizes{4, 5, 6};
    double sum = 0;
    const std::size_t of_group = kIn / groups;
    for (std::size_t c = 0; c < of_group; ++c) {
        for (int t = 0; t < 2; ++t) {
            for (int i = 0; i < 9; ++i) {
                std::array<int, 3> place{at[0] + t - 1, at[1] * 2 + i / 3, at[2] + i % 3 - 1};
                bool inside = true;
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    const int clamped = std::clamp(place[axis], 0, sizes[axis] - 1);
                    inside = inside && (replicates || clamped == place[axis]);
                    place[axis] = clamped;
                }
                if (!inside) continue;
                const auto pixel = static_cast<std::size_t>((place[0] * 5 + place[1]) * 6 + place[2]);
                const std::size_t channel = out / (kOut / groups) * of_group + c;
                sum += static_cast<double>(x[pixel * kIn + channel]) *
                       static_cast<double>(w[((out * of_group + c) * 2 + static_cast<std::size_t>(t)) * 9 +
                                             static_cast<std::size_t>(i)]);
            }
        }
    }
    return sum;
}

TEST(Conv3d, computes_naive_sums) {
    const test::OpenDevice device;
    const std::vector<float> x = some_numbers(4 * 5 * 6 * kIn, 0.3);
    const std::vector<float> bias = some_numbers(kOut, 0.7);
    const Tensor volume =
        from_vector(x, {1, 4, 5, 6, kIn}, DataType::FLOAT32, Layout::ROW_MAJOR, device.get());
    const Tensor offsets = from_vector(bias, {1, kOut}, DataType::FLOAT32, Layout::TILE, device.get());
    for (const auto& [groups, block, mode] :
         {std::tuple(1U, 0U, "zeros"), {2U, 0U, "replicate"}, {1U, 32U, "replicate"}}) {
        const std::vector<float> w = some_numbers(std::size_t{kOut} * kIn / groups * 18, 0.1);
        const Tensor weights =
            from_vector(w, {kOut, kIn / groups, 2, 3, 3}, DataType::FLOAT32, Layout::ROW_MAJOR, nullptr);
        const Tensor result = experimental::conv3d(
            {.input_tensor = volume,
             .weight_tensor = weights,
             .device = device.get(),
             .bias_tensor = offsets,
             .config = Conv3dConfig{.C_in_block = block, .compute_with_storage_grid_size = {2, 1}},
             .dtype = DataType::FLOAT32,
             .output_channels = kOut,
             .kernel_size = {2, 3, 3},
             .stride = {1, 2, 1},
             .padding = {1, 0, 1},
             .padding_mode = mode,
             .groups = groups});
        ASSERT_EQ(result.shape(), (Shape{1, 5, 2, 6, kOut}));
        const std::vector<float> found = result.to_vector<float>();
        for (std::size_t i = 0; i < found.size(); ++i) {
            const std::size_t place = i / kOut;
            const std::array<int, 3> at{static_cast<int>(place / 12), static_cast<int>(place / 6 % 2),
                                        static_cast<int>(place % 6)};
            const double expected = naive_sum(x, w, groups, mode == std::string("replicate"), at, i % kOut) +
                                    static_cast<double>(bias[i % kOut]);
            ASSERT_NEAR(found[i], expected, 1e-3) << groups << " groups, " << mode << ", element " << i;
        }
    }
}

TEST(Conv3d, refuses_what_tt_nn_refuses) {
    const test::OpenDevice device;
    const Tensor volume = ones({1, 3, 3, 3, 16}, DataType::BFLOAT16, Layout::ROW_MAJOR, device.get());
    const Tensor weights = ones({27 * 16, 32}, DataType::BFLOAT16, Layout::TILE, device.get());
    experimental::Conv3d call{
        .input_tensor = volume, .weight_tensor = weights, .output_channels = 32, .kernel_size = {3, 3, 3}};
    EXPECT_EQ(test::message_of([&] { experimental::conv3d(call); }),
              "Input channels (16) must be divisible by C_in_block (32)");
    call.padding_mode = "reflect";
    EXPECT_EQ(test::message_of([&] { experimental::conv3d(call); }),
              "Padding mode must be zeros or replicate. got reflect");
    call.padding_mode = "zeros";
    call.logical_h_mask = 1;
    EXPECT_EQ(
        test::message_of([&] { experimental::conv3d(call); }),
        "conv3d: logical_h_mask, logical_w_mask, output_pad_h and output_pad_w: expected 0, others are not modelled");
}

}  // namespace
}  // namespace tilemeter
