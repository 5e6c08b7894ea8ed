// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Images made larger: values against the definition, pixel by pixel. That its programs are TT-NN's is held by
// the recorded rows (tests/data/oracle).

#include "runtime/operations/sliding_window/upsample.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/operations/images.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

using test::values_of;
using test::with_l1_small;

TEST(Upsample, repeats_pixels) {
    const test::OpenDevice device;
    for (const Layout layout : {Layout::ROW_MAJOR, Layout::TILE}) {
        const Shape shape{2, 3, 32, 64};
        const std::vector<float> input = values_of(shape, 5);
        const Tensor x = from_vector(input, shape, DataType::BFLOAT16, layout, device.get());
        const Tensor result = upsample(x, std::array{2.0F, 3.0F});
        ASSERT_EQ(result.shape(), (Shape{2, 6, 96, 64}));
        const std::vector<float> values = result.to_vector<float>();
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::size_t channel = i % 64, column = i / 64 % 96, row = i / 64 / 96;
            ASSERT_EQ(values[i], input[(row / 2 * 32 + column / 3) * 64 + channel]) << i;
        }
    }
    const Tensor broken = zeros({1, 3, 5, 64}, bfloat16, TILE_LAYOUT, device.get());
    EXPECT_EQ(test::message_of([&] {
                  upsample(broken, std::array{2.0F, 2.0F});
              }),
              "Tiled input must be tile-aligned (no padding difference)");
}

MemoryConfig height_shards(std::uint32_t cores, std::uint32_t sticks, std::uint32_t channels) {
    return {TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
            ShardSpec{CoreRange{{0, 0}, {cores - 1, 0}}, {sticks, channels}, ShardOrientation::ROW_MAJOR}};
}

TEST(Upsample, repeats_pixels_of_shards_where_they_are) {
    const test::OpenDevice device(with_l1_small());
    const Shape shape{2, 4, 6, 16};
    const std::vector<float> input = values_of(shape, 6);
    const Tensor x = from_vector(input, shape, DataType::BFLOAT16, Layout::ROW_MAJOR, device.get(),
                                 height_shards(4, 12, 16));
    const Tensor result = upsample(x, std::array{3.0F, 2.0F});
    EXPECT_EQ(result.memory_config(), height_shards(4, 72, 16));
    const std::vector<float> values = result.to_vector<float>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t channel = i % 16, column = i / 16 % 12, row = i / 16 / 12;
        ASSERT_EQ(values[i], input[(row / 3 * 6 + column / 2) * 16 + channel]) << i;
    }
}

TEST(Upsample, takes_the_nearest_pixel_by_broken_factors) {
    const test::OpenDevice device;
    const Shape shape{2, 8, 6, 8};
    const std::vector<float> input = values_of(shape, 7);
    const Tensor x = from_vector(input, shape, DataType::FLOAT32, Layout::ROW_MAJOR, device.get());
    const Tensor result = upsample(x, std::array{0.5F, 1.5F});
    ASSERT_EQ(result.shape(), (Shape{2, 4, 9, 8}));
    const std::vector<float> values = result.to_vector<float>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t channel = i % 8, column = i / 8 % 9, row = i / 8 / 9 % 4, image = i / 8 / 9 / 4;
        ASSERT_EQ(values[i], input[((image * 8 + row * 2) * 6 + column * 2 / 3) * 8 + channel]) << i;
    }
}

TEST(Upsample, is_bilinear_up_to_the_border) {
    const test::OpenDevice device(with_l1_small());
    const Shape shape{2, 5, 4, 32};
    const std::vector<float> input = values_of(shape, 8);
    const auto at = [&](std::size_t image, double row, double column, std::size_t channel) {
        const double y = std::clamp(row, 0.0, 4.0), x = std::clamp(column, 0.0, 3.0);
        const double top = std::floor(y), left = std::floor(x);
        const auto pixel = [&](double i, double j) {
            const auto in_row = static_cast<std::size_t>(std::min(i, 4.0));
            const auto in_column = static_cast<std::size_t>(std::min(j, 3.0));
            return static_cast<double>(input[((image * 5 + in_row) * 4 + in_column) * 32 + channel]);
        };
        const double upper = pixel(top, left) * (1 - (x - left)) + pixel(top, left + 1) * (x - left);
        const double lower = pixel(top + 1, left) * (1 - (x - left)) + pixel(top + 1, left + 1) * (x - left);
        return upper * (1 - (y - top)) + lower * (y - top);
    };
    for (const MemoryConfig& memory : {DRAM_MEMORY_CONFIG, L1_MEMORY_CONFIG, height_shards(4, 10, 32)}) {
        const Tensor x =
            from_vector(input, shape, DataType::BFLOAT16, Layout::ROW_MAJOR, device.get(), memory);
        const Tensor result = upsample(x, std::array{2.0F, 3.0F}, "bilinear");
        ASSERT_EQ(result.shape(), (Shape{2, 10, 12, 32}));
        EXPECT_TRUE(result.is_sharded());
        const std::vector<float> values = result.to_vector<float>();
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::size_t channel = i % 32, column = i / 32 % 12, row = i / 32 / 12 % 10;
            const double expected = at(i / 32 / 12 / 10, (static_cast<double>(row) + 0.5) / 2 - 0.5,
                                       (static_cast<double>(column) + 0.5) / 3 - 0.5, channel);
            ASSERT_NEAR(values[i], expected, std::fabs(expected) / 256 + 1e-4) << i;
        }
    }
}

TEST(Upsample, says_what_it_does_not_take) {
    const test::OpenDevice device;
    const Tensor x = zeros({1, 4, 4, 16}, bfloat16, ROW_MAJOR_LAYOUT, device.get());
    const auto message = [&](const std::array<float, 2>& factors, std::string_view mode) {
        return test::message_of([&] { upsample(x, factors, std::string(mode)); });
    };
    EXPECT_EQ(message({2.0F, 2.0F}, "cubic"),
              "upsample: mode: expected \"nearest\" or \"bilinear\", got \"cubic\"");
    EXPECT_EQ(message({1.5F, 2.0F}, "bilinear"),
              "upsample: bilinear: scale_factor: expected whole factors, got 1.500000, 2.000000");
    EXPECT_EQ(message({0.1F, 2.0F}, "nearest"),
              "upsample: expected [batch, height, width, channels] and factors that leave pixels, got "
              "Shape([1, 4, 4, 16])");
}

}  // namespace
}  // namespace tilemeter
