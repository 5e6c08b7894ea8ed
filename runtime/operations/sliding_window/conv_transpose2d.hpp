// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Transposed convolution of images, with TT-NN's names, arguments and defaults: each pixel adds its multiple
// of the kernel to the result, `stride` pixels apart.
//
// Shapes: input as for conv2d; weights [in_channels, out_channels / groups, kernel height, kernel width] and
// bias [1, 1, 1, out_channels] on the host, or both as an earlier call has returned them. Result: [1, 1,
// batch * output height * output width, out_channels] with, along each axis,
//     (input - 1) * stride - padding before and after + dilation * (kernel - 1) + output_padding + 1.
//
// It runs as a convolution of stride 1 with mirrored kernels, whose halo has the pixels `stride` apart;
// where, and in what slices, as for conv2d (slice_config is the caller's dram_slice_config). Throws
// RuntimeError (shapes and dtypes that do not fit), OutOfMemoryError, ProgramMemoryClashError.

#pragma once

#include "runtime/operations/sliding_window/conv2d.hpp"

namespace tilemeter {

struct ConvTranspose2dArguments : Conv2dArguments {
    std::array<std::uint32_t, 2> output_padding{};
    bool mirror_kernel = true;  ///< false: the kernel is mirrored already
};

/// `device`: where the result is made.
Conv2dResult conv_transpose2d(const Tensor& input_tensor, const Tensor& weight_tensor,
                              const std::shared_ptr<Device>& device, const OptionalTensor& bias_tensor,
                              const ConvTranspose2dArguments& arguments);

/// Weights and bias on the device as a transposed convolution of such an input takes them, without running
/// it.
Tensor prepare_conv_transpose2d_weights(const Tensor& weight_tensor, const PreparedInput& input,
                                        const std::shared_ptr<Device>& device, bool has_bias,
                                        const ConvTranspose2dArguments& arguments);
Tensor prepare_conv_transpose2d_bias(const Tensor& bias_tensor, const PreparedInput& input,
                                     const std::shared_ptr<Device>& device,
                                     const ConvTranspose2dArguments& arguments);

}  // namespace tilemeter
