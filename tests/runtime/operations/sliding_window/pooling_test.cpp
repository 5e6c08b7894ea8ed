// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Pooling: values against naive loops in double precision. That its programs are TT-NN's is held by the
// recorded rows (tests/data/oracle).

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/sliding_window/pool.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/images.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

using test::between;
using test::Images;
using test::kLayouts;
using test::random_images;
using test::values_of;
using test::with_l1_small;

Pool2dArguments pooling_of(const Images& images) {
    Pool2dArguments arguments;
    arguments.batch_size = images.batch;
    arguments.input_h = images.height;
    arguments.input_w = images.width;
    arguments.channels = images.channels;
    arguments.kernel_size = images.kernel;
    arguments.stride = images.stride;
    arguments.padding = images.padding;
    arguments.dilation = images.dilation;
    return arguments;
}

TEST(Pool2d, values_are_those_of_naive_loops) {
    EXPECT_TRUE(test::holds_for_random_cases([] {
        // One for each case: cached programs hold their tables in L1_SMALL, and hundreds of them fill it.
        const test::OpenDevice device(with_l1_small());
        const bool largest = test::any_bool();
        const Images images = random_images(70, largest);
        const bool count_padding = test::any_bool();
        const unsigned seed = test::any_unsigned();
        const std::vector<float> input = values_of(images.flat(), seed);
        Pool2dArguments arguments = pooling_of(images);
        arguments.count_include_pad = count_padding;
        arguments.output_layout = test::one_of(Layout::ROW_MAJOR, Layout::TILE);
        if (test::any_bool()) arguments.applied_shard_scheme = test::element_of(std::vector(kLayouts));
        const Layout layout = test::one_of(Layout::ROW_MAJOR, Layout::TILE);
        const Tensor x = from_vector(input, images.flat(), DataType::BFLOAT16, layout, device.get());
        arguments.input_tensor = x;
        arguments.config_tensor_in_dram = test::any_bool();
        const Tensor result =
            largest ? max_pool2d(MaxPool2d{arguments}).values : avg_pool2d(AvgPool2d{arguments});

        const double start = largest ? -std::numeric_limits<double>::infinity() : 0.0;
        std::vector<double> expected(images.sticks() * images.channels, start);
        std::vector<double> pixels(images.sticks(), 0.0);
        images.for_each([&](std::size_t output, std::size_t, std::size_t stick) {
            pixels[output] += 1.0;
            for (std::size_t c = 0; c < images.channels; ++c) {
                const double value = static_cast<double>(input[stick * images.channels + c]);
                double& target = expected[output * images.channels + c];
                target = largest ? std::max(target, value) : target + value;
            }
        });
        const double all = static_cast<double>(images.kernel[0]) * images.kernel[1];
        for (std::size_t i = 0; !largest && i < expected.size(); ++i)
            expected[i] /= count_padding ? all : pixels[i / images.channels];
        test::assert_close(result, expected, largest ? 0.0 : 1e-4);
    }));
}

// Images in DRAM that do not fit into L1: each result is the largest of four neighbours.
TEST(Pool2d, cuts_images_that_do_not_fit_into_L1) {
    const test::OpenDevice device(with_l1_small());
    constexpr std::uint32_t kSize = 512, kChannels = 96;
    std::vector<float> input(std::size_t{kSize} * kSize * kChannels);
    for (std::size_t i = 0; i < input.size(); ++i)
        input[i] = static_cast<float>(i / kChannels % 251);
    const Tensor x = from_vector(input, {1, 1, kSize * kSize, kChannels}, DataType::BFLOAT16,
                                 Layout::ROW_MAJOR, device.get(), DRAM_MEMORY_CONFIG);
    Pool2dArguments arguments;
    arguments.input_h = arguments.input_w = kSize;
    arguments.channels = kChannels;
    arguments.kernel_size = arguments.stride = {2, 2};
    arguments.input_tensor = x;
    const Tensor result = max_pool2d(MaxPool2d{arguments}).values;
    EXPECT_EQ(result.shape(), (Shape{1, kSize / 2, kSize / 2, kChannels}));
    const std::vector<float> values = result.to_vector<float>();
    for (std::size_t pixel = 0; pixel < values.size() / kChannels; ++pixel) {
        const std::size_t corner = pixel / (kSize / 2) * 2 * kSize + pixel % (kSize / 2) * 2;
        float largest = 0.0F;
        for (const std::size_t at : {corner, corner + 1, corner + kSize, corner + kSize + 1})
            largest = std::max(largest, input[at * kChannels]);
        ASSERT_EQ(values[pixel * kChannels + pixel % kChannels], largest) << "pixel " << pixel;
    }
}

// Means of ones in slices say what they count: of the first window two of three rows are image, of the last one, which ends
// beyond the padding, one of two.
TEST(AvgPool2d, in_slices_does_not_count_what_lies_beyond_the_padding) {
    const test::OpenDevice device(with_l1_small());
    constexpr std::uint32_t kSize = 512, kChannels = 96, kOutputs = kSize / 2 + 1;
    const Tensor x = full({1, 1, kSize * kSize, kChannels}, 1.0F, DataType::BFLOAT16, Layout::ROW_MAJOR,
                          device.get(), DRAM_MEMORY_CONFIG);
    Pool2dArguments arguments;
    arguments.input_h = arguments.input_w = kSize;
    arguments.channels = kChannels;
    arguments.kernel_size = {3, 3};
    arguments.stride = {2, 2};
    arguments.padding = {1, 1, 1, 1};
    arguments.ceil_mode = true;
    arguments.input_tensor = x;
    for (const Layout layout : {Layout::ROW_MAJOR, Layout::TILE}) {
        for (const bool count_padding : {true, false}) {
            arguments.output_layout = layout;
            arguments.count_include_pad = count_padding;
            const Tensor result = avg_pool2d(AvgPool2d{arguments});
            EXPECT_EQ(result.shape(), (Shape{1, kOutputs, kOutputs, kChannels}));
            const std::vector<float> values = result.to_vector<float>();
            const auto part = [&](std::size_t at, double last) {
                if (!count_padding) return 1.0;
                return at == 0 ? 2.0 / 3 : at == kOutputs - 1 ? last : 1.0;
            };
            // Slices of whole tiles of columns are padded for these, and count it.
            const double last_column = layout == Layout::TILE ? 1.0 / 3 : 0.5;
            for (std::size_t pixel = 0; pixel < values.size() / kChannels; ++pixel) {
                const double mean = part(pixel / kOutputs, 0.5) * part(pixel % kOutputs, last_column);
                ASSERT_NEAR(values[pixel * kChannels], mean, 4e-3) << "pixel " << pixel;
            }
        }
    }
}

TEST(Pool2d, indices_say_where_the_values_lie) {
    EXPECT_TRUE(test::holds_for_random_cases([] {
        const test::OpenDevice device(with_l1_small());
        const Images images = random_images(40, true);
        const std::vector<float> input = values_of(images.flat(), test::any_unsigned());
        MaxPool2d arguments{pooling_of(images), true};
        const Tensor x =
            from_vector(input, images.flat(), DataType::BFLOAT16, Layout::ROW_MAJOR, device.get());
        arguments.input_tensor = x;
        const MaxPool2dResult both = max_pool2d(arguments);
        PROPERTY_ASSERT(both.indices->dtype() == DataType::UINT16);
        const std::vector<float> values = both.values.to_vector<float>();
        const std::vector<float> indices = both.indices->to_vector<float>();
        std::vector<int> first(values.size(), -1);
        images.for_each([&](std::size_t output, std::size_t, std::size_t stick) {
            for (std::size_t c = 0; c < images.channels; ++c) {
                int& found = first[output * images.channels + c];
                if (found < 0 && input[stick * images.channels + c] == values[output * images.channels + c])
                    found = static_cast<int>(stick % (images.height * images.width));
            }
        });
        for (std::size_t i = 0; i < values.size(); ++i)
            PROPERTY_ASSERT(static_cast<int>(indices[i]) == first[i]);
    }));
}

// As recorded from TT-NN: whole tiles unless the channels fill half tiles, or less than one.
TEST(Pool2d, shards_of_sticks_are_half_tiles_wide) {
    const test::OpenDevice device(with_l1_small());
    const std::pair<std::uint32_t, std::uint32_t> widths[] = {
        {1, 16}, {8, 16}, {16, 16}, {24, 32}, {40, 64}, {48, 48}, {72, 96}, {80, 80}, {112, 112}, {144, 144}};
    for (const auto& [channels, width] : widths) {
        MaxPool2d arguments{{}, true};
        arguments.batch_size = 1;
        arguments.input_h = 20;
        arguments.input_w = 24;
        arguments.channels = channels;
        arguments.kernel_size = {3, 3};
        arguments.padding = {1, 1, 1, 1};
        arguments.applied_shard_scheme = TensorMemoryLayout::HEIGHT_SHARDED;
        const Shape shape{1, 1, 480, channels};
        arguments.input_tensor =
            from_vector(values_of(shape, 1), shape, DataType::BFLOAT16, Layout::ROW_MAJOR, device.get());
        const MaxPool2dResult made = arguments.call();
        EXPECT_EQ(made.values.memory_config().shard_spec->shape[1], width) << channels;
        EXPECT_EQ(made.indices->memory_config().shard_spec->shape[1], width) << channels;
    }
}

TEST(Pool2d, adapts_to_a_size) {
    const test::OpenDevice device(with_l1_small());
    Pool2dArguments arguments;
    arguments.input_h = 14;
    arguments.input_w = 16;
    arguments.channels = 32;
    const Shape shape{1, 1, 14 * 16, 32};
    const std::vector<float> input = values_of(shape, 7);
    const Tensor x = from_vector(input, shape, DataType::BFLOAT16, Layout::ROW_MAJOR, device.get());
    arguments.input_tensor = x;
    const std::vector<float> means =
        adaptive_avg_pool2d(AdaptiveAvgPool2d{arguments, {3, 4}}).to_vector<float>();
    ASSERT_EQ(means.size(), 12U * 32U);
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 4; ++column) {
            double sum = 0.0, count = 0.0;
            for (std::size_t y = row * 14 / 3; y < (row * 14 + 14 + 2) / 3; ++y) {
                for (std::size_t c = column * 4; c < column * 4 + 4; ++c, ++count)
                    sum += static_cast<double>(input[(y * 16 + c) * 32 + 5]);
            }
            EXPECT_NEAR(means[(row * 4 + column) * 32 + 5], sum / count, 0.02) << row << ", " << column;
        }
    }
    EXPECT_EQ(
        test::message_of([&] {
            adaptive_max_pool2d(AdaptiveMaxPool2d{arguments, {4, 4}});
        }),
        "Adaptive pooling configuration not supported. Calculated pooling parameters (kernel=[4,4], "
        "stride=[3,4], padding=[0,0,0,0]) do not produce uniform pooling behavior, Correctable patterns "
        "require uniform middle kernels AND borders <= middle AND calculated pooling parameters must "
        "produce uniform behavior. Input shape: (14,16), Output shape: (4,4).");
}

// Without windows, and without L1_SMALL.
TEST(AvgPool2d, of_whole_images_sums_their_pixels) {
    const test::OpenDevice device;
    const Shape shape{3, 5, 7, 40};
    const std::vector<float> input = values_of(shape, 5);
    Pool2dArguments arguments;
    arguments.batch_size = 3;
    arguments.input_h = 5;
    arguments.input_w = 7;
    arguments.channels = 40;
    arguments.kernel_size = {5, 7};
    for (const Layout from : {Layout::ROW_MAJOR, Layout::TILE}) {
        const Tensor x = from_vector(input, shape, DataType::FLOAT32, from, device.get());
        for (const Layout to : {Layout::ROW_MAJOR, Layout::TILE}) {
            arguments.output_layout = to;
            arguments.input_tensor = x;
            const Tensor result = avg_pool2d(AvgPool2d{arguments});
            ASSERT_EQ(result.shape(), (Shape{1, 1, 3, 40}));
            EXPECT_EQ(result.layout(), to);
            const std::vector<float> values = result.to_vector<float>();
            for (std::size_t i = 0; i < values.size(); ++i) {
                double sum = 0.0;
                for (std::size_t pixel = 0; pixel < 35; ++pixel)
                    sum += static_cast<double>(input[(i / 40 * 35 + pixel) * 40 + i % 40]);
                ASSERT_NEAR(values[i], sum / 35, 1e-5) << i;
            }
        }
    }
}

// Places of more than 65,535 pixels are counted in 32 bits.
TEST(MaxPool2d, counts_places_in_large_images) {
    const test::OpenDevice device(with_l1_small());
    Pool2dArguments arguments;
    arguments.batch_size = 1;
    arguments.input_h = arguments.input_w = 300;
    arguments.channels = 16;
    arguments.kernel_size = {2, 2};
    arguments.stride = {2, 2};
    std::vector<float> values(std::size_t{300} * 300 * 16, 0.0F);
    values[(std::size_t{299} * 300 + 298) * 16 + 5] = 1.0F;  // the last window's third place
    arguments.input_tensor =
        from_vector(values, {1, 1, 90000, 16}, DataType::BFLOAT16, Layout::ROW_MAJOR, device.get());
    const MaxPool2dResult result = MaxPool2d{{arguments}, true}.call();
    ASSERT_TRUE(result.indices.has_value());
    EXPECT_EQ(result.indices->dtype(), DataType::UINT32);
    const std::vector<std::int64_t> places = result.indices->to_vector<std::int64_t>();
    EXPECT_EQ(places[(150 * 150 - 1) * 16 + 5], 299 * 300 + 298);
    EXPECT_EQ(places[(150 * 150 - 1) * 16 + 4], 298 * 300 + 298);
}

}  // namespace
}  // namespace tilemeter
