// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Convolution of images, with TT-NN's names, arguments and defaults.
//
// Shapes: input [batch, height, width, in_channels] or [1, 1, batch * height * width, in_channels]; weights
// [out_channels, in_channels / groups, kernel height, kernel width] and bias [1, 1, 1, out_channels] on the
// host, or both as an earlier call has returned them. Result: [1, 1, batch * output height * output width,
// out_channels]. dtypes: float32, bfloat16, bfloat8_b (TILE); of the result that of the input unless given.
//
// Where it runs is TT-NN's choice: on an input in L1, or with Conv2dL1FullSliceConfig, shards of L1
// (conv_config says which); the result stays there unless memory_config says otherwise. An input in DRAM is
// taken to L1 and its result back to DRAM, in as many slices as it takes (dram_slices.hpp) or slice_config
// says. A kernel of one pixel is a matrix product; kernels that tile the image are folded into channels
// (conv2d_folding.hpp).
//
// Not there, refused: depthwise convolutions along one row without bias, folding of shards, padding modes.
// Throws RuntimeError (what is not there, shapes and dtypes that do not fit), OutOfMemoryError,
// ProgramMemoryClashError.

#pragma once

#include <array>
#include <optional>

#include "runtime/operations/core/compute_kernel_config.hpp"
#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/operations/sliding_window/conv2d_config.hpp"

namespace tilemeter {

/// [0], [1]: height and width. Padding: top, bottom, left, right.
struct Conv2dArguments {
    std::uint32_t in_channels = 1;
    std::uint32_t out_channels = 1;
    std::uint32_t batch_size = 1;
    std::uint32_t input_height = 1;
    std::uint32_t input_width = 1;
    std::array<std::uint32_t, 2> kernel_size{1, 1};
    std::array<std::uint32_t, 2> stride{1, 1};
    std::array<std::uint32_t, 4> padding{};
    std::array<std::uint32_t, 2> dilation{1, 1};
    std::uint32_t groups = 1;
    OptionalDataType dtype;
    Conv2dConfig conv_config;
    std::optional<DeviceComputeKernelConfig> compute_config;
    OptionalMemoryConfig memory_config;
    std::optional<Conv2dSliceConfig> slice_config;
    /// Whether the caller wants weight and bias back, prepared, on the device; else they are freed.
    bool return_weights_and_bias = false;
};

struct Conv2dResult {
    Tensor output;
    std::uint32_t output_height = 0;
    std::uint32_t output_width = 0;
    OptionalTensor weight;  ///< if asked for
    OptionalTensor bias;
};

/// `device`: where the result is made.
Conv2dResult conv2d(const Tensor& input_tensor, const Tensor& weight_tensor,
                    const std::shared_ptr<Device>& device, const OptionalTensor& bias_tensor,
                    const Conv2dArguments& arguments);

/// A convolution of rows [1, 1, batch * length, in_channels]: `arguments` of images of height 1; weights
/// [out_channels, in_channels / groups, kernel length], or with a height of 1 in between.
Conv2dResult conv1d(const Tensor& input_tensor, const Tensor& weight_tensor,
                    const std::shared_ptr<Device>& device, const OptionalTensor& bias_tensor,
                    const Conv2dArguments& arguments);

/// What the input of a convolution will be.
struct PreparedInput {
    MemoryConfig memory_config = DRAM_MEMORY_CONFIG;
    Layout layout = Layout::ROW_MAJOR;
    DataType dtype = DataType::BFLOAT16;
};

/// Weights and bias on the device as a convolution of such an input takes them, without running it. Throws
/// RuntimeError where the stride is folded into channels: then the first call has to prepare them.
Tensor prepare_conv_weights(const Tensor& weight_tensor, const PreparedInput& input,
                            const std::shared_ptr<Device>& device, bool has_bias,
                            const Conv2dArguments& arguments);
Tensor prepare_conv_bias(const Tensor& bias_tensor, const PreparedInput& input,
                         const std::shared_ptr<Device>& device, const Conv2dArguments& arguments);

}  // namespace tilemeter
