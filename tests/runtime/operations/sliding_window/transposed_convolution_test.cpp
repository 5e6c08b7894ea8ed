// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Transposed convolution: values against naive sums in double precision. That its programs are TT-NN's is
// held by the recorded rows (tests/data/oracle).

#include <array>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/sliding_window/conv2d.hpp"
#include "runtime/operations/sliding_window/conv2d_config.hpp"
#include "runtime/operations/sliding_window/conv_transpose2d.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/images.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

using test::between;
using test::kLayouts;
using test::values_of;
using test::with_l1_small;

std::uint32_t output_size(const Conv2dArguments& arguments, std::size_t axis) {
    const std::uint32_t input = axis == 0 ? arguments.input_height : arguments.input_width;
    return (input - 1) * arguments.stride[axis] +
           arguments.dilation[axis] * (arguments.kernel_size[axis] - 1) + arguments.output_padding[axis] + 1 -
           arguments.padding[2 * axis] - arguments.padding[2 * axis + 1];
}

// Each pixel adds its multiple of the kernel.
std::vector<double> naive(const Conv2dArguments& arguments, const std::vector<float>& input,
                          const std::vector<float>& weights) {
    const std::uint32_t height = output_size(arguments, 0), width = output_size(arguments, 1);
    const std::size_t inputs = arguments.in_channels, outputs = arguments.out_channels;
    const std::size_t inputs_of_group = inputs / arguments.groups,
                      outputs_of_group = outputs / arguments.groups;
    const auto [kernel_height, kernel_width] = arguments.kernel_size;
    std::vector<double> sums(std::size_t{arguments.batch_size} * height * width * outputs, 0.0);
    std::size_t pixel = 0;
    for (std::uint32_t image = 0; image < arguments.batch_size; ++image) {
        for (std::uint32_t row = 0; row < arguments.input_height; ++row) {
            for (std::uint32_t column = 0; column < arguments.input_width; ++column, ++pixel) {
                for (std::uint32_t i = 0; i < kernel_height; ++i) {
                    for (std::uint32_t j = 0; j < kernel_width; ++j) {
                        const std::int64_t y = std::int64_t{row} * arguments.stride[0] +
                                               std::int64_t{i} * arguments.dilation[0] - arguments.padding[0];
                        const std::int64_t x = std::int64_t{column} * arguments.stride[1] +
                                               std::int64_t{j} * arguments.dilation[1] - arguments.padding[2];
                        if (y < 0 || x < 0 || y >= height || x >= width) continue;
                        double* target =
                            sums.data() + ((image * height + static_cast<std::size_t>(y)) * width +
                                           static_cast<std::size_t>(x)) *
                                              outputs;
                        for (std::size_t c = 0; c < inputs; ++c) {
                            for (std::size_t o = 0; o < outputs_of_group; ++o) {
                                const std::size_t weight =
                                    ((c * outputs_of_group + o) * kernel_height + i) * kernel_width + j;
                                target[c / inputs_of_group * outputs_of_group + o] +=
                                    static_cast<double>(input[pixel * inputs + c]) *
                                    static_cast<double>(weights[weight]);
                            }
                        }
                    }
                }
            }
        }
    }
    return sums;
}

Conv2dArguments random_arguments() {
    Conv2dArguments arguments;
    arguments.groups = test::one_of(1U, 1U, 2U);
    arguments.in_channels = arguments.groups * between(1, 8);
    arguments.out_channels = arguments.groups * between(1, 12);
    arguments.batch_size = between(1, 2);
    arguments.input_height = between(3, 9);
    arguments.input_width = between(3, 9);
    for (std::size_t axis = 0; axis < 2; ++axis) {
        arguments.kernel_size[axis] = between(1, 4);
        arguments.stride[axis] = between(1, 3);
        arguments.dilation[axis] = between(1, 2);
        arguments.output_padding[axis] = between(0, arguments.stride[axis] - 1);
        const std::uint32_t most = arguments.kernel_size[axis] - 1;
        arguments.padding[2 * axis] = between(0, most);
        arguments.padding[2 * axis + 1] = between(0, most);
    }
    return arguments;
}

/// TT-NN ends at the first slice that no pixel reaches, as between those of a kernel shorter than the
/// stride: what comes behind it stays as it was allocated, which is zero here.
void clear_unwritten(const Conv2dArguments& arguments, std::vector<double>& values) {
    if (!arguments.slice_config) return;
    const bool by_rows = arguments.slice_config->slice_type == Conv2dSliceConfig::SliceType::DRAM_HEIGHT;
    const std::size_t axis = by_rows ? 0 : 1;
    const std::uint32_t size = output_size(arguments, axis), slices = arguments.slice_config->num_slices;
    const std::uint32_t reach = arguments.dilation[axis] * (arguments.kernel_size[axis] - 1);
    const std::uint32_t pixels = axis == 0 ? arguments.input_height : arguments.input_width;
    const auto begin_of = [&](std::uint32_t pixel) {
        return std::int64_t{pixel} * arguments.stride[axis] - arguments.padding[2 * axis];
    };
    std::uint32_t written = 0;
    for (std::uint32_t slice = 0; slice < slices; ++slice) {
        const std::uint32_t end = written + size / slices + (slice < size % slices ? 1 : 0);
        // The last slice, and one behind all pixels, have the last pixel.
        bool reached = slice == 0 || end == size || begin_of(pixels - 1) + reach < written;
        for (std::uint32_t pixel = 0; pixel < pixels; ++pixel)
            reached = reached || (begin_of(pixel) < end && begin_of(pixel) + reach >= written);
        if (!reached) break;
        written = end;
    }
    const std::size_t columns = output_size(arguments, 1), rows = output_size(arguments, 0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t pixel = i / arguments.out_channels;
        const std::size_t place = by_rows ? pixel / columns % rows : pixel % columns;
        if (place >= written) values[i] = 0.0;
    }
}

Conv2dResult transposed_convolved(const Conv2dArguments& arguments, const Tensor& input, const Tensor& weight,
                                  const OptionalTensor& bias = std::nullopt) {
    return ConvTranspose2d{{arguments, input, weight, input.shared_device(), bias, true, true}}.call();
}

TEST(ConvTranspose2d, values_are_those_of_naive_sums) {
    EXPECT_TRUE(test::holds_for_random_cases([] {
        const test::OpenDevice device(with_l1_small());
        Conv2dArguments arguments = random_arguments();
        const DataType dtype = test::one_of(DataType::BFLOAT16, DataType::FLOAT32);
        const unsigned seed = test::any_unsigned();
        const Shape shape{1, 1, arguments.batch_size * arguments.input_height * arguments.input_width,
                          arguments.in_channels};
        const Shape weight_shape{arguments.in_channels, arguments.out_channels / arguments.groups,
                                 arguments.kernel_size[0], arguments.kernel_size[1]};
        const std::vector<float> input = values_of(shape, seed), weights = values_of(weight_shape, seed + 1);
        if (test::any_bool()) arguments.conv_config.shard_layout = test::element_of(std::vector(kLayouts));
        const MemoryConfig memory = test::one_of(DRAM_MEMORY_CONFIG, L1_MEMORY_CONFIG);
        if (memory == DRAM_MEMORY_CONFIG && test::any_bool()) {
            using SliceType = Conv2dSliceConfig::SliceType;
            const bool rows = test::any_bool();
            arguments.conv_config.output_layout = rows ? Layout::TILE : Layout::ROW_MAJOR;
            const std::uint32_t most = std::min(4U, output_size(arguments, rows ? 0 : 1));
            arguments.slice_config =
                Conv2dSliceConfig{rows ? SliceType::DRAM_HEIGHT : SliceType::DRAM_WIDTH, between(1, most)};
        }
        const Tensor x = from_vector(input, shape, dtype, test::one_of(Layout::ROW_MAJOR, Layout::TILE),
                                     device.get(), memory);
        const Conv2dResult result =
            transposed_convolved(arguments, x, from_vector(weights, weight_shape, dtype));
        PROPERTY_ASSERT(result.output_size ==
                        std::pair(output_size(arguments, 0), output_size(arguments, 1)));
        std::vector<double> expected = naive(arguments, input, weights);
        clear_unwritten(arguments, expected);
        test::assert_close(result.output, expected, 0.0);
    }));
}

TEST(ConvTranspose2d, ends_at_a_slice_that_no_pixel_reaches) {
    const test::OpenDevice device(with_l1_small());
    Conv2dArguments arguments;
    arguments.input_height = arguments.input_width = 3;
    arguments.conv_config.output_layout = Layout::ROW_MAJOR;
    const Tensor x = from_vector(std::vector<float>(9, 1.0F), {1, 1, 9, 1}, DataType::BFLOAT16,
                                 Layout::ROW_MAJOR, device.get(), DRAM_MEMORY_CONFIG);
    const Tensor w = from_vector(std::vector<float>{1.0F}, {1, 1, 1, 1});
    // TT-NN's files of slices of 2, 1, 1, 1 columns, of 1 each, and of 2, 2, 1, 1, 1.
    struct Case {
        std::uint32_t stride, slices, written;
    };
    for (const auto& [stride, slices, written] : {Case{2, 4, 3}, Case{2, 5, 1}, Case{3, 5, 4}}) {
        for (const std::size_t axis : {0U, 1U}) {
            using SliceType = Conv2dSliceConfig::SliceType;
            arguments.stride = {1, 1};
            arguments.stride[axis] = stride;
            arguments.slice_config =
                Conv2dSliceConfig{axis == 0 ? SliceType::DRAM_HEIGHT : SliceType::DRAM_WIDTH, slices};
            const std::vector<float> values = transposed_convolved(arguments, x, w).output.to_vector<float>();
            std::size_t ones = 0;
            for (const float value : values)
                ones += value == 1.0F ? 1 : 0;
            EXPECT_EQ(ones, 3 * ((written - 1) / stride + 1)) << "axis " << axis << ", stride " << stride;
        }
    }
}

TEST(ConvTranspose2d, takes_weights_that_were_prepared_and_kernels_that_are_mirrored) {
    const test::OpenDevice device(with_l1_small());
    Conv2dArguments arguments;
    arguments.in_channels = 16;
    arguments.out_channels = 40;
    arguments.input_height = arguments.input_width = 10;
    arguments.kernel_size = {3, 3};
    arguments.stride = {2, 2};
    arguments.padding = {1, 1, 1, 1};
    arguments.output_padding = {1, 1};
    const Shape shape{1, 1, 100, 16}, weight_shape{16, 40, 3, 3};
    std::vector<float> weights = values_of(weight_shape, 2);
    const Tensor w = from_vector(weights, weight_shape);
    const Tensor b = from_vector(values_of({1, 1, 1, 40}, 3), {1, 1, 1, 40});
    for (const MemoryConfig& memory : {L1_MEMORY_CONFIG, DRAM_MEMORY_CONFIG}) {
        const Tensor x = from_vector(values_of(shape, 1), shape, DataType::BFLOAT16, Layout::ROW_MAJOR,
                                     device.get(), memory);
        arguments.mirror_kernel = true;
        ConvPreparation preparation{arguments,    w,      memory, Layout::ROW_MAJOR, DataType::BFLOAT16,
                                    device.get(), "IOHW", true};
        preparation.conv_config.weights_dtype =
            DataType::BFLOAT16;  // without it slices and biases are refused
        const Tensor prepared = PrepareConvTranspose2dWeights{preparation}.call();
        preparation.tensor = b;
        const Tensor bias = PrepareConvTranspose2dBias{preparation}.call();
        const Conv2dResult raw = transposed_convolved(arguments, x, w, b);
        const Conv2dResult again = transposed_convolved(arguments, x, prepared, bias);
        EXPECT_EQ(raw.output.to_vector<float>(), again.output.to_vector<float>());
        EXPECT_EQ(raw.weight->padded_shape(), prepared.padded_shape());
        EXPECT_EQ(raw.bias->padded_shape(), bias.padded_shape());
        std::vector<float> mirrored = weights;
        for (auto kernel = mirrored.begin(); kernel != mirrored.end(); kernel += 9)
            std::reverse(kernel, kernel + 9);
        arguments.mirror_kernel = false;
        const Conv2dResult same = transposed_convolved(arguments, x, from_vector(mirrored, weight_shape), b);
        EXPECT_EQ(raw.output.to_vector<float>(), same.output.to_vector<float>());
    }
}

TEST(ConvTranspose2d, says_what_it_does_not_take) {
    const test::OpenDevice device(with_l1_small());
    const Tensor x = zeros({1, 1, 64, 32}, bfloat16, ROW_MAJOR_LAYOUT, device.get());
    const Tensor w = from_vector(std::vector<float>(32 * 16 * 4), {32, 16, 2, 2});
    Conv2dArguments arguments;
    arguments.in_channels = arguments.out_channels = 32;
    arguments.input_height = arguments.input_width = 8;
    arguments.kernel_size = {2, 2};
    const auto message = [&] { return test::message_of([&] { transposed_convolved(arguments, x, w); }); };
    EXPECT_EQ(message(),
              "conv_transpose2d: weights: expected Shape([32, 32, 2, 2]), got Shape([32, 16, 2, 2])");
    arguments.padding = {5, 5, 0, 0};
    EXPECT_EQ(message(), "conv_transpose2d: height: expected a padding that leaves some of 9, got 5 and 5");
    arguments.padding = {};
    arguments.groups = 3;
    EXPECT_EQ(message(),
              "conv_transpose2d: groups: expected a divisor of 32 input and 32 output channels, got 3");
}

}  // namespace
}  // namespace tilemeter
