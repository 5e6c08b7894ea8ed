// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Images turned and sampled: values against the definition. That the programs are TT-NN's is held by the
// recorded rows (tests/data/oracle).

#include <bit>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/sliding_window/grid_sample.hpp"
#include "runtime/operations/sliding_window/rotate.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/operations/images.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

using test::values_of;

Tensor rows_of(const std::vector<float>& values, const Shape& shape, const test::OpenDevice& device,
               DataType dtype = DataType::BFLOAT16) {
    return from_vector(values, shape, dtype, Layout::ROW_MAJOR, device.get());
}

// The bfloat16 with the bits of a whole number.
float bits_of(std::int16_t pixel) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(static_cast<std::uint16_t>(pixel)) << 16U);
}

TEST(Rotate, turns_counterclockwise) {
    const test::OpenDevice device;
    const Shape shape{2, 5, 5, 32};
    const std::vector<float> input = values_of(shape, 3);
    const Tensor x = rows_of(input, shape, device);
    for (const char* mode : {"nearest", "bilinear"}) {
        const std::vector<float> values =
            rotate(x, 90.0F, std::nullopt, 0.0F, false, mode).to_vector<float>();
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::size_t channel = i % 32, column = i / 32 % 5, row = i / 160 % 5, image = i / 800;
            ASSERT_EQ(values[i], input[((image * 5 + column) * 5 + 4 - row) * 32 + channel]) << mode << i;
        }
    }
}

TEST(Rotate, fills_what_comes_from_outside) {
    const test::OpenDevice device;
    const Shape shape{1, 2, 2, 8};
    const Tensor x = rows_of(std::vector<float>(shape.volume(), 1.0F), shape, device);
    // About the left upper pixel's middle: what was right of it is above it now, beyond the border.
    const std::vector<float> values =
        rotate(x, 90.0F, std::array<float, 2>{0.5F, 0.5F}, 7.0F).to_vector<float>();
    EXPECT_EQ(values[0], 1.0F);
    EXPECT_EQ(values[8], 1.0F);
    EXPECT_EQ(values[16], 7.0F);
    EXPECT_EQ(values[24], 7.0F);
}

TEST(Rotate, refuses_what_ttnn_refuses) {
    const test::OpenDevice device;
    EXPECT_EQ(test::message_of([&] {
                  rotate(zeros({1, 4, 4, 32}, bfloat16, TILE_LAYOUT, device.get()), 45.0F);
              }),
              "Input tensor must be in ROW_MAJOR layout");
    EXPECT_EQ(test::message_of([&] {
                  rotate(zeros({1, 4, 4, 8}, bfloat16, ROW_MAJOR_LAYOUT, device.get()), 45.0F, std::nullopt,
                         0.0F, false, "bilinear");
              }),
              "Input tensor last dimension must be divisible by TILE_WIDTH (32), but got 8 in padded shape "
              "Shape([1, 4, 4, 8])");
}

TEST(GridSample, lies_between_four_pixels) {
    const test::OpenDevice device;
    const Shape shape{1, 2, 2, 32};
    std::vector<float> input(shape.volume());
    for (std::size_t i = 0; i < input.size(); ++i)
        input[i] = static_cast<float>(std::size_t{1} << i / 32);
    const Tensor x = rows_of(input, shape, device);
    // The middle; the left upper pixel; halfway beyond the right border, where half of it is 0.
    const Tensor grid = rows_of({0, 0, -0.5F, -0.5F, 1, -0.5F}, {1, 1, 1, 6}, device, DataType::FLOAT32);
    const Tensor result = grid_sample(x, grid);
    ASSERT_EQ(result.shape(), (Shape{1, 1, 3, 32}));
    const std::vector<float> values = result.to_vector<float>();
    EXPECT_EQ(values[0], 15.0F / 4);
    EXPECT_EQ(values[32], 1.0F);
    EXPECT_EQ(values[64], 1.0F);
    const Tensor corners =
        grid_sample({.input_tensor = x, .grid = grid, .align_corners = true, .batch_output_channels = true});
    ASSERT_EQ(corners.shape(), (Shape{1, 1, 1, 96}));
    EXPECT_EQ(corners.to_vector<float>()[32], (9 * 1 + 3 * 2 + 3 * 4 + 1 * 8) / 16.0F);
}

TEST(GridSample, takes_the_pixels_that_a_precomputed_grid_names) {
    const test::OpenDevice device;
    const Shape shape{1, 3, 4, 32};
    const std::vector<float> input = values_of(shape, 9);
    const Tensor x = rows_of(input, shape, device);
    const Tensor nearest =
        grid_sample({.input_tensor = x,
                     .grid = rows_of({bits_of(2), bits_of(1), bits_of(3), bits_of(0)}, {1, 1, 2, 2}, device),
                     .mode = "nearest",
                     .use_precomputed_grid = true});
    EXPECT_EQ(nearest.memory_config().memory_layout, TensorMemoryLayout::HEIGHT_SHARDED);
    EXPECT_EQ(nearest.to_vector<float>()[5], input[(2 * 4 + 1) * 32 + 5]);
    EXPECT_EQ(nearest.to_vector<float>()[32 + 5], 0.0F);
    const Tensor between =
        grid_sample({.input_tensor = x,
                     .grid = rows_of({bits_of(1), bits_of(2), 0.0F, 0.0F, 0.0F, 1.0F}, {1, 1, 1, 6}, device),
                     .use_precomputed_grid = true});
    EXPECT_EQ(between.to_vector<float>()[7], input[(2 * 4 + 3) * 32 + 7]);
}

}  // namespace
}  // namespace tilemeter
