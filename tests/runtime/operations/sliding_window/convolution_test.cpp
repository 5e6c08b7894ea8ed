// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Convolution: values against naive sums in double precision, and NO_DISPATCH against NORMAL. That its
// programs are TT-NN's is held by the recorded rows (tests/data/oracle).

#include <cmath>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capture/graph/graph_processor.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/sliding_window/conv2d.hpp"
#include "runtime/operations/sliding_window/conv2d_config.hpp"
#include "runtime/operations/sliding_window/pool.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/images.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

using graph::GraphProcessor;
using graph::RunMode;
using nlohmann::json;
using test::between;
using test::Images;
using test::kLayouts;
using test::random_images;
using test::values_of;
using test::with_l1_small;

Conv2dResult convolved(const Conv2dArguments& arguments, const Tensor& input, const Tensor& weight,
                       const OptionalTensor& bias = std::nullopt, bool prepared = false) {
    return Conv2d{{arguments, input, weight, input.shared_device(), bias, true, prepared}}.call();
}

TEST(Conv2d, values_are_those_of_naive_sums) {
    EXPECT_TRUE(test::holds_for_random_cases([] {
        // One for each case: cached programs hold their tables in L1_SMALL, and hundreds of them fill it.
        const test::OpenDevice device(with_l1_small());
        const std::uint32_t groups = test::one_of(1U, 1U, 2U);
        Images images = random_images(10, true);
        images.channels *= groups;
        const std::uint32_t outputs = groups * between(1, 20);
        const DataType dtype = test::one_of(DataType::BFLOAT16, DataType::FLOAT32);
        const unsigned seed = test::any_unsigned();
        const Shape weight_shape{outputs, images.channels / groups, images.kernel[0], images.kernel[1]};
        const std::vector<float> input = values_of(images.flat(), seed);
        const std::vector<float> weights = values_of(weight_shape, seed + 1);
        const std::vector<float> bias = values_of({outputs}, seed + 2);
        const bool with_bias = test::any_bool();
        const bool relu = test::any_bool();

        Conv2dArguments arguments;
        arguments.in_channels = images.channels;
        arguments.out_channels = outputs;
        arguments.batch_size = images.batch;
        arguments.input_height = images.height;
        arguments.input_width = images.width;
        arguments.kernel_size = images.kernel;
        arguments.stride = images.stride;
        arguments.padding = images.padding;
        arguments.dilation = images.dilation;
        arguments.groups = groups;
        // Folding is asked for where the strides divide the padded images; the rest is its own choice.
        const auto divides = [&](std::size_t axis, std::uint32_t size) {
            return (size + images.padding[2 * axis] + images.padding[2 * axis + 1]) % images.stride[axis] ==
                   0;
        };
        const bool foldable = images.dilation == std::array<std::uint32_t, 2>{1, 1} &&
                              images.kernel == images.stride && divides(0, images.height) &&
                              divides(1, images.width);
        if (!foldable) arguments.conv_config.enable_kernel_stride_folding = false;
        if (relu) arguments.conv_config.activation = UnaryWithParam{UnaryOpType::RELU};
        if (test::any_bool()) arguments.conv_config.shard_layout = test::element_of(std::vector(kLayouts));
        const Layout layout = test::one_of(Layout::ROW_MAJOR, Layout::TILE);
        const MemoryConfig memory = test::one_of(DRAM_MEMORY_CONFIG, L1_MEMORY_CONFIG);
        if (memory == DRAM_MEMORY_CONFIG && test::any_bool()) {
            using SliceType = Conv2dSliceConfig::SliceType;
            const bool rows = test::any_bool();
            arguments.slice_config =
                Conv2dSliceConfig{rows ? SliceType::DRAM_HEIGHT : SliceType::DRAM_WIDTH,
                                  rows ? between(1, std::min(3U, images.outputs(0))) : 1};
            arguments.conv_config.output_layout = test::one_of(Layout::ROW_MAJOR, Layout::TILE);
            if (!rows && arguments.conv_config.output_layout == Layout::ROW_MAJOR)
                arguments.slice_config->num_slices = between(1, std::min(3U, images.outputs(1)));
        }
        arguments.conv_config.config_tensors_in_dram = test::any_bool();
        const Tensor x = from_vector(input, images.flat(), dtype, layout, device.get(), memory);
        const Tensor w = from_vector(weights, weight_shape, dtype);
        const OptionalTensor b =
            with_bias ? OptionalTensor(from_vector(bias, {1, 1, 1, outputs}, dtype)) : std::nullopt;
        Conv2dResult result;
        try {
            result = convolved(arguments, x, w, b);
        } catch (const RuntimeError& error) {
            // Weights of the kernel before folding that do not fit the shards asked for: no other refusal.
            const std::string_view message = error.what();
            const bool unfit = message.starts_with("K dimension in tiles must match") ||
                               message.starts_with("Block height ");
            if (unfit && foldable && arguments.conv_config.shard_layout) return;
            throw;
        }

        std::vector<double> expected(images.sticks() * outputs, 0.0);
        const std::size_t kernel = std::size_t{images.kernel[0]} * images.kernel[1];
        const std::size_t inputs = images.channels / groups;
        images.for_each([&](std::size_t output, std::size_t place, std::size_t stick) {
            for (std::size_t o = 0; o < outputs; ++o) {
                const std::size_t first = o / (outputs / groups) * inputs;
                for (std::size_t c = 0; c < inputs; ++c) {
                    expected[output * outputs + o] +=
                        static_cast<double>(input[stick * images.channels + first + c]) *
                        static_cast<double>(weights[(o * inputs + c) * kernel + place]);
                }
            }
        });
        // A bias that is added by a program of its own: the sum is rounded before it, too, and a bias or relu
        // may leave little of a large sum.
        double largest = 0.0;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            largest = std::max(largest, std::fabs(expected[i]));
            if (with_bias) expected[i] += static_cast<double>(bias[i % outputs]);
            if (relu) expected[i] = std::max(expected[i], 0.0);
        }
        PROPERTY_ASSERT(result.output_size == std::pair(images.outputs(0), images.outputs(1)));
        test::assert_close(result.output, expected,
                           with_bias ? test::rounding_bound(dtype, largest, largest) : 0.0);
    }));
}

// Images of ones through kernels of ones: each result is the number of pixels under its window.
TEST(Conv2d, cuts_images_that_do_not_fit_into_L1) {
    const test::OpenDevice device(with_l1_small());
    constexpr std::uint32_t kSize = 256, kChannels = 96;
    Conv2dArguments arguments;
    arguments.in_channels = arguments.out_channels = kChannels;
    arguments.input_height = arguments.input_width = kSize;
    arguments.kernel_size = {3, 3};
    arguments.padding = {1, 1, 1, 1};
    const Tensor x =
        ones({1, 1, kSize * kSize, kChannels}, bfloat16, ROW_MAJOR_LAYOUT, device.get(), DRAM_MEMORY_CONFIG);
    const Tensor w =
        from_vector(std::vector<float>(kChannels * kChannels * 9, 1.0F), {kChannels, kChannels, 3, 3});
    GraphProcessor::begin_graph_capture(RunMode::NORMAL);
    const Conv2dResult result = convolved(arguments, x, w);
    int parts = 0;
    for (const json& node : GraphProcessor::end_graph_capture()) {
        if (node.at("node_type") == "function_start" &&
            node.at("params").at("name") == "PaddedSliceDeviceOperation")
            ++parts;
    }
    EXPECT_GT(parts, 1);
    EXPECT_EQ(result.output.memory_config(), DRAM_MEMORY_CONFIG);
    const std::vector<float> values = result.output.to_vector<float>();
    const auto covered = [](std::uint32_t at) { return at == 0 || at == kSize - 1 ? 2U : 3U; };
    for (std::uint32_t row = 0; row < kSize; ++row) {
        for (std::uint32_t column = 0; column < kSize; ++column) {
            const std::size_t at = (std::size_t{row} * kSize + column) * kChannels;
            ASSERT_EQ(values[at + row % kChannels],
                      static_cast<float>(kChannels * covered(row) * covered(column)));
        }
    }
}

// Folding changes the way, not the result; kernels larger than the stride, too.
TEST(Conv2d, folds_strides_into_channels) {
    const test::OpenDevice device(with_l1_small());
    for (const auto& [kernel, stride, channels] : {std::tuple{4U, 4U, 3U}, {2U, 2U, 16U}, {3U, 2U, 32U}}) {
        Conv2dArguments arguments;
        arguments.in_channels = channels;
        arguments.out_channels = 40;
        arguments.batch_size = 2;
        arguments.input_height = 16;
        arguments.input_width = 32;
        arguments.kernel_size = {kernel, kernel};
        arguments.stride = {stride, stride};
        const Shape shape{2, 16, 32, channels}, weight_shape{40, channels, kernel, kernel};
        const Tensor w = from_vector(values_of(weight_shape, 2), weight_shape, DataType::FLOAT32);
        for (const Layout layout : {Layout::ROW_MAJOR, Layout::TILE}) {
            const Tensor x = from_vector(values_of(shape, 1), shape, DataType::FLOAT32, layout, device.get());
            arguments.conv_config.enable_kernel_stride_folding = true;
            const std::vector<float> folded = convolved(arguments, x, w).output.to_vector<float>();
            arguments.conv_config.enable_kernel_stride_folding = false;
            const std::vector<float> plain = convolved(arguments, x, w).output.to_vector<float>();
            ASSERT_EQ(folded.size(), plain.size());
            for (std::size_t i = 0; i < plain.size(); ++i)
                ASSERT_NEAR(folded[i], plain[i], 1e-2) << "kernel " << kernel << ", element " << i;
        }
    }
}

TEST(Conv2d, takes_the_weights_that_it_has_prepared) {
    const test::OpenDevice device(with_l1_small());
    Conv2dArguments arguments;
    arguments.in_channels = 8;
    arguments.out_channels = 40;
    arguments.input_height = arguments.input_width = 10;
    arguments.kernel_size = {3, 3};
    arguments.padding = {1, 1, 1, 1};
    const Tensor x = from_vector(values_of({1, 1, 100, 8}, 1), {1, 1, 100, 8}, DataType::BFLOAT16,
                                 Layout::ROW_MAJOR, device.get());
    const Tensor w = from_vector(values_of({40, 8, 3, 3}, 2), {40, 8, 3, 3});
    const Tensor b = from_vector(values_of({1, 1, 1, 40}, 3), {1, 1, 1, 40});
    const Conv2dResult first = convolved(arguments, x, w, b, true);
    const Conv2dResult second = convolved(arguments, x, *first.weight, first.bias, true);
    EXPECT_EQ(first.weight->shape(), (Shape{1, 1, 72, 40}));
    EXPECT_EQ(first.output.to_vector<float>(), second.output.to_vector<float>());
}

TEST(Conv2d, takes_weights_that_were_prepared_before) {
    const test::OpenDevice device(with_l1_small());
    Conv2dArguments arguments;
    arguments.in_channels = 16;
    arguments.out_channels = 40;
    arguments.input_height = arguments.input_width = 20;
    arguments.kernel_size = {3, 3};
    arguments.padding = {1, 1, 1, 1};
    const Shape shape{1, 1, 400, 16};
    const Tensor w = from_vector(values_of({40, 16, 3, 3}, 2), {40, 16, 3, 3});
    const Tensor b = from_vector(values_of({1, 1, 1, 40}, 3), {1, 1, 1, 40});
    for (const MemoryConfig& memory : {L1_MEMORY_CONFIG, DRAM_MEMORY_CONFIG}) {
        const Tensor x = from_vector(values_of(shape, 1), shape, DataType::BFLOAT16, Layout::ROW_MAJOR,
                                     device.get(), memory);
        ConvPreparation preparation{arguments,    w,      memory, Layout::ROW_MAJOR, DataType::BFLOAT16,
                                    device.get(), "OIHW", true};
        const Tensor weights = PrepareConvWeights{preparation}.call();
        preparation.tensor = b;
        preparation.conv_config.weights_dtype = DataType::BFLOAT16;  // TT-NN's default is refused
        const Tensor bias = PrepareConvBias{preparation}.call();
        const Conv2dResult raw = convolved(arguments, x, w, b, true);
        const Conv2dResult prepared = convolved(arguments, x, weights, bias, true);
        EXPECT_EQ(raw.output.to_vector<float>(), prepared.output.to_vector<float>());
        EXPECT_EQ(raw.weight->padded_shape(), weights.padded_shape());
        EXPECT_EQ(raw.bias->padded_shape(), bias.padded_shape());
    }
}

TEST(Conv1d, weights_of_rows_are_prepared_as_those_of_images_of_one_row) {
    const test::OpenDevice device(with_l1_small());
    Conv2dArguments arguments;
    arguments.in_channels = arguments.out_channels = 32;
    arguments.input_width = 64;
    arguments.kernel_size = {1, 3};
    arguments.padding = {0, 0, 1, 1};
    const Tensor w = from_vector(values_of({32, 32, 1, 3}, 2), {32, 32, 1, 3});
    ConvPreparation preparation{
        arguments, w, DRAM_MEMORY_CONFIG, Layout::ROW_MAJOR, DataType::BFLOAT16, device.get(), "OIHW", false};
    const Tensor of_image = PrepareConvWeights{preparation}.call();
    preparation.tensor = from_vector(values_of({32, 32, 3}, 2), {32, 32, 3});
    EXPECT_EQ(PrepareConvWeights{preparation}.call().to_vector<float>(), of_image.to_vector<float>());
}

TEST(Conv1d, is_a_convolution_along_one_row) {
    const test::OpenDevice device(with_l1_small());
    Conv2dArguments arguments;
    arguments.in_channels = 8;
    arguments.out_channels = 16;
    arguments.input_width = 64;
    arguments.kernel_size = {1, 3};
    arguments.padding = {0, 0, 1, 1};
    const Tensor x = from_vector(values_of({1, 1, 64, 8}, 1), {1, 1, 64, 8}, DataType::BFLOAT16,
                                 Layout::ROW_MAJOR, device.get());
    const std::vector<float> weights = values_of({16, 8, 3}, 2);
    Conv1d row{{arguments, x, from_vector(weights, {16, 8, 3})}, 64, 3};
    row.padding_along = 1U;
    row.return_output_dim = true;
    const Conv1dResult flat = row.call();
    const Conv2dResult image = convolved(arguments, x, from_vector(weights, {16, 8, 1, 3}));
    EXPECT_EQ(flat.output_size, 64U);
    EXPECT_EQ(flat.output.to_vector<float>(), image.output.to_vector<float>());
}

// A list of nodes without executions, times and ids.
std::vector<json> comparable(const json& graph) {
    std::vector<json> nodes;
    for (json node : graph) {
        const std::string type = node.at("node_type");
        if (type == "program_execution" || type == "sub_device_manager") continue;
        json params = node.at("params");
        if (params.is_object()) {
            params.erase("tensor_id");
            params.erase("program_cache_hit");
        }
        nodes.push_back({{"type", type}, {"params", params}, {"level", node.at("stacking_level")}});
    }
    return nodes;
}

TEST(Conv2d, is_planned_in_NO_DISPATCH_as_it_runs) {
    const test::OpenDevice device(with_l1_small());
    const auto captured = [&](RunMode mode) {
        const Tensor x = zeros({1, 1, 2 * 28 * 28, 32}, bfloat16, ROW_MAJOR_LAYOUT, device.get());
        const Tensor w = from_vector(std::vector<float>(64 * 32 * 9), {64, 32, 3, 3});
        Conv2dArguments arguments;
        arguments.in_channels = 32;
        arguments.out_channels = 64;
        arguments.batch_size = 2;
        arguments.input_height = arguments.input_width = 28;
        arguments.kernel_size = {3, 3};
        arguments.padding = {1, 1, 1, 1};
        Pool2dArguments pooling;
        pooling.batch_size = 2;
        pooling.input_h = pooling.input_w = 28;
        pooling.channels = 64;
        pooling.kernel_size = pooling.stride = {2, 2};
        GraphProcessor::begin_graph_capture(mode);
        {
            const Conv2dResult result = convolved(arguments, x, w);
            pooling.input_tensor = result.output;
            const Tensor pooled = max_pool2d(MaxPool2d{pooling}).values;
            pooling.input_tensor = Tensor();
            Conv2dArguments sliced = arguments;
            sliced.slice_config = Conv2dSliceConfig{Conv2dSliceConfig::SliceType::DRAM_HEIGHT, 3};
            const Conv2dResult in_parts = convolved(sliced, x, w);
        }
        return comparable(GraphProcessor::end_graph_capture());
    };
    const std::vector<json> planned = captured(RunMode::NO_DISPATCH);
    const std::vector<json> executed = captured(RunMode::NORMAL);
    ASSERT_EQ(planned.size(), executed.size());
    for (std::size_t i = 0; i < planned.size(); ++i)
        EXPECT_EQ(planned[i], executed[i]) << "node " << i;
}

TEST(Conv2d, says_what_it_does_not_take) {
    const test::OpenDevice device(with_l1_small());
    const Tensor x = zeros({1, 1, 64, 32}, bfloat16, ROW_MAJOR_LAYOUT, device.get());
    const Tensor w = from_vector(std::vector<float>(32 * 32 * 4), {32, 32, 2, 2});
    Conv2dArguments arguments;
    arguments.in_channels = arguments.out_channels = 32;
    arguments.input_height = arguments.input_width = 8;
    arguments.kernel_size = {2, 2};
    arguments.stride = {3, 3};
    arguments.conv_config.enable_kernel_stride_folding = true;
    EXPECT_EQ(
        test::message_of([&] { convolved(arguments, x, w); }),
        "conv2d: enable_kernel_stride_folding: expected strides that divide the padded images of 8 x 8, "
        "got 3 x 3");
    arguments.slice_config = Conv2dSliceConfig{Conv2dSliceConfig::SliceType::DRAM_HEIGHT, 8};
    arguments.conv_config.enable_kernel_stride_folding = false;
    EXPECT_EQ(test::message_of([&] { convolved(arguments, x, w); }),
              "Number of slices (8) exceeds the maximum allowed (3) for the given output dimension and "
              "alignment.");
    arguments.stride = {1, 1};
    arguments.in_channels = 16;
    EXPECT_EQ(test::message_of([&] { convolved(arguments, x, w); }),
              "Attempting to reshape between two shapes with different volumes: Shape([1, 1, 64, 32]) and "
              "Shape([1, 8, 8, 16])");
}

}  // namespace
}  // namespace tilemeter
