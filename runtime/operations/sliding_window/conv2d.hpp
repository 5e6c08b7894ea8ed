// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Convolution of images and of rows, and its weights prepared beforehand.
//
// Shapes: input [batch, height, width, in_channels] or [1, 1, batch * height * width, in_channels], in DRAM also of
// other ranks (conv1d: anywhere), in L1 also with more channels than in_channels. Weights [out_channels, in_channels /
// groups, kernel height, kernel width] and bias [1, 1, 1, out_channels] on the host or in ROW_MAJOR on the device, or
// both as an earlier call has returned them. Result: [1, 1, batch * output height * output width, out_channels].
// dtypes: float32, bfloat16, bfloat8_b (TILE); of the result that of the input unless given.
//
// The place where it runs is TT-NN's choice: on an input in L1, or with Conv2dL1FullSliceConfig, shards of L1
// (conv_config says which); the result stays there unless memory_config says otherwise. An input in DRAM is taken to L1
// and its result back to DRAM, in as many slices as it takes (dram_slices.hpp) or slice_config says. A kernel of one
// pixel is a matrix product; kernels that tile the image are folded into channels (conv2d_folding.hpp).
//
// Not there, refused: folding of shards.
// Throws RuntimeError (what is not there, shapes and dtypes that do not fit), OutOfMemoryError,
// ProgramMemoryClashError.

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/sliding_window/conv2d_config.hpp"
#include "runtime/operations/sliding_window/window_padding.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"

namespace tilemeter {

/// Parameters of convolutions of images and of their preparation. Pairs: height and width.
struct Conv2dArguments {
    using Pair = std::array<std::uint32_t, 2>;

    std::uint32_t in_channels = 1;
    std::uint32_t out_channels = 1;
    std::uint32_t batch_size = 1;
    std::uint32_t input_height = 1;
    std::uint32_t input_width = 1;
    Pair kernel_size{1, 1};
    Pair stride{1, 1};
    WindowPadding padding{};
    Pair dilation{1, 1};
    std::uint32_t groups = 1;  ///< TT-NN takes 0 for 1
    OptionalDataType dtype{};
    Conv2dConfigOrDefault conv_config{};
    std::optional<DeviceComputeKernelConfig> compute_config{};
    OptionalMemoryConfig memory_config{};
    std::optional<Conv2dSliceConfig> slice_config{};

    // For transposed convolutions only.
    Pair output_padding{};
    bool mirror_kernel = true;  ///< false: the kernel is mirrored already

    std::uint32_t group_count() const { return groups == 0 ? 1 : groups; }
};

/// `Size`: height and width, or the length.
template <typename Size>
struct ConvolutionResult {
    Tensor output{};
    std::optional<Size> output_size{};  ///< if return_output_dim
    OptionalTensor weight{};            ///< if return_weights_and_bias, else freed; on the device
    OptionalTensor bias{};

    std::vector<Tensor> tensors() const {
        std::vector<Tensor> all{output};
        for (const OptionalTensor& each : {weight, bias}) {
            if (each) all.push_back(*each);
        }
        return all;
    }
};
using Conv2dResult = ConvolutionResult<std::pair<std::uint32_t, std::uint32_t>>;
using Conv1dResult = ConvolutionResult<std::uint32_t>;

struct ConvolutionCall : Conv2dArguments {
    Tensor input_tensor{};
    Tensor weight_tensor{};
    std::shared_ptr<Device> device{};  ///< the device for an input on the host
    OptionalTensor bias_tensor{};
    bool return_output_dim = false;
    bool return_weights_and_bias = false;

    auto recorded() const {
        return std::tie(input_tensor, weight_tensor, in_channels, out_channels, batch_size, input_height,
                        input_width, bias_tensor);
    }
};

struct Conv2d : ConvolutionCall {
    static constexpr OperationInfo kOperation{
        "conv2d",
        "Convolution of images [batch, height, width, channels] or [1, 1, batch * height * width, channels] "
        "with weights [out_channels, in_channels / groups, kernel height, kernel width] and bias [1, 1, 1, "
        "out_channels] on the host, or as an earlier call returned them. Result [1, 1, batch * output height "
        "* output width, out_channels]; with return_output_dim also (height, width), with "
        "return_weights_and_bias also (weight, bias) on the device."};
    static constexpr auto kParameters = parameters(
        required_keyword<&Conv2d::input_tensor, &Conv2d::weight_tensor, &Conv2d::device, &Conv2d::in_channels,
                         &Conv2d::out_channels, &Conv2d::batch_size, &Conv2d::input_height,
                         &Conv2d::input_width, &Conv2d::kernel_size>(),
        keyword<&Conv2d::stride, &Conv2d::padding, &Conv2d::dilation, &Conv2d::groups, &Conv2d::dtype,
                &Conv2d::bias_tensor, &Conv2d::conv_config, &Conv2d::compute_config, &Conv2d::memory_config,
                &Conv2d::slice_config, &Conv2d::return_output_dim, &Conv2d::return_weights_and_bias>());
    Conv2dResult call() const;
};
inline constexpr Operation<Conv2d> conv2d;

/// A convolution of images of height 1; the weights may also have a height of 1 in between.
struct Conv1d : ConvolutionCall {
    std::uint32_t input_length = 1;
    std::uint32_t kernel_length = 1;
    std::uint32_t stride_along = 1;
    std::variant<std::uint32_t, Pair> padding_along{};  ///< a pair: left and right
    std::uint32_t dilation_along = 1;

    static constexpr OperationInfo kOperation{
        "conv1d",
        "Convolution of rows [1, 1, batch * length, in_channels] with weights [out_channels, in_channels / "
        "groups, kernel_size]. Result [1, 1, batch * output length, out_channels]; with return_output_dim "
        "also the output length, with return_weights_and_bias also (weight, bias) on the device."};
    static constexpr auto kParameters = parameters(
        required_keyword<&Conv1d::input_tensor, &Conv1d::weight_tensor, &Conv1d::device, &Conv1d::in_channels,
                         &Conv1d::out_channels, &Conv1d::batch_size, &Conv1d::input_length>(),
        required_keyword<&Conv1d::kernel_length>("kernel_size"), keyword<&Conv1d::stride_along>("stride"),
        keyword<&Conv1d::padding_along>("padding"), keyword<&Conv1d::dilation_along>("dilation"),
        keyword<&Conv1d::groups, &Conv1d::dtype, &Conv1d::bias_tensor, &Conv1d::conv_config,
                &Conv1d::compute_config, &Conv1d::memory_config, &Conv1d::slice_config,
                &Conv1d::return_output_dim, &Conv1d::return_weights_and_bias>());
    Conv1dResult call() const;
};
inline constexpr Operation<Conv1d> conv1d;

/// Weights or bias on the device as a convolution of such an input takes them, without running it.
struct ConvPreparation : Conv2dArguments {
    Tensor tensor{};  ///< the weights or the bias
    MemoryConfig input_memory_config = DRAM_MEMORY_CONFIG;
    Layout input_layout = Layout::ROW_MAJOR;
    DataType input_dtype = DataType::BFLOAT16;
    std::shared_ptr<Device> device{};

    // For weights only.
    std::string weights_format{};
    bool has_bias = false;
};

/// Throws RuntimeError for weights that are on the device or in tiles.
struct PrepareConvWeights : ConvPreparation {
    static constexpr OperationInfo kOperation{
        "prepare_conv_weights",
        "Weights [out_channels, in_channels / groups, kernel height, kernel width] on the device, as a "
        "conv2d of such an input takes them."};
    static constexpr auto kParameters = [] {
        using P = ConvPreparation;
        return parameters(
            required_keyword<&P::tensor>("weight_tensor"),
            required_keyword<&P::input_memory_config, &P::input_layout, &P::weights_format, &P::in_channels,
                             &P::out_channels, &P::batch_size, &P::input_height, &P::input_width,
                             &P::kernel_size, &P::stride, &P::padding, &P::dilation, &P::has_bias, &P::groups,
                             &P::device, &P::input_dtype>(),
            keyword<&P::dtype>("output_dtype"),
            keyword<&P::conv_config, &P::compute_config, &P::slice_config>());
    }();
    Tensor call() const;
};
inline constexpr Operation<PrepareConvWeights> prepare_conv_weights;

template <bool kTransposed>
struct PrepareBias : ConvPreparation {
    static constexpr OperationInfo kOperation =
        kTransposed
            ? OperationInfo{"prepare_conv_transpose2d_bias",
                            "Bias [1, 1, 1, out_channels] on the device, as a conv_transpose2d of such an "
                            "input takes it."}
            : OperationInfo{"prepare_conv_bias",
                            "Bias [1, 1, 1, out_channels] on the device, as a conv2d of such an input takes "
                            "it."};
    static constexpr auto kParameters = [] {
        using P = ConvPreparation;
        return parameters(
            required_keyword<&P::tensor>("bias_tensor"),
            required_keyword<&P::input_memory_config, &P::input_layout, &P::in_channels, &P::out_channels,
                             &P::batch_size, &P::input_height, &P::input_width, &P::kernel_size, &P::stride,
                             &P::padding, &P::dilation, &P::groups, &P::device, &P::input_dtype>(),
            keyword<&P::dtype>("output_dtype"), keyword<&P::conv_config, &P::compute_config>(),
            keyword<&P::slice_config>(kTransposed ? "dram_slice_config" : "slice_config"));
    }();
    Tensor call() const;
};
using PrepareConvBias = PrepareBias<false>;
inline constexpr Operation<PrepareConvBias> prepare_conv_bias;

}  // namespace tilemeter
