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

struct ConvTranspose2d : ConvolutionCall {
    static constexpr OperationInfo kOperation{
        "conv_transpose2d",
        "Transposed convolution of images [batch, height, width, channels] or [1, 1, batch * height * width, "
        "channels] with weights [in_channels, out_channels / groups, kernel height, kernel width] and bias "
        "[1, 1, 1, out_channels] on the host, or as an earlier call returned them. Result [1, 1, batch * "
        "output height * output width, out_channels], an axis (input - 1) * stride - padding + dilation * "
        "(kernel - 1) + output_padding + 1 long; with return_output_dim also (height, width), with "
        "return_weights_and_bias also (weight, bias) on the device. mirror_kernel=False: the kernels are "
        "mirrored already."};
    static constexpr auto kParameters = [] {
        using T = ConvTranspose2d;
        return parameters(
            required_keyword<&T::input_tensor, &T::weight_tensor, &T::device, &T::in_channels,
                             &T::out_channels, &T::batch_size, &T::input_height, &T::input_width,
                             &T::kernel_size>(),
            keyword<&T::stride, &T::padding, &T::output_padding, &T::dilation, &T::groups, &T::dtype,
                    &T::bias_tensor, &T::conv_config, &T::compute_config, &T::memory_config>(),
            keyword<&T::slice_config>("dram_slice_config"),
            keyword<&T::mirror_kernel, &T::return_output_dim, &T::return_weights_and_bias>());
    }();
    Conv2dResult call() const;
};
inline constexpr Operation<ConvTranspose2d> conv_transpose2d;

struct PrepareConvTranspose2dWeights : ConvPreparation {
    static constexpr OperationInfo kOperation{
        "prepare_conv_transpose2d_weights",
        "Weights [in_channels, out_channels / groups, kernel height, kernel width] on the device, as a "
        "conv_transpose2d of such an input takes them."};
    static constexpr auto kParameters = [] {
        using P = ConvPreparation;
        return parameters(
            required_keyword<&P::tensor>("weight_tensor"),
            required_keyword<&P::input_memory_config, &P::input_layout, &P::weights_format, &P::in_channels,
                             &P::out_channels, &P::batch_size, &P::input_height, &P::input_width,
                             &P::kernel_size, &P::stride, &P::padding>(),
            keyword<&P::output_padding>(),
            required_keyword<&P::dilation, &P::has_bias, &P::groups, &P::device, &P::input_dtype>(),
            keyword<&P::dtype>("output_dtype"), keyword<&P::conv_config, &P::compute_config>(),
            keyword<&P::slice_config>("dram_slice_config"), keyword<&P::mirror_kernel>());
    }();
    Tensor call() const;
};
using PrepareConvTranspose2dBias = PrepareBias<true>;

/// Called with whole definitions: the rows of the weights are not sorted by what is required.
inline constexpr Operation<PrepareConvTranspose2dWeights> prepare_conv_transpose2d_weights;
inline constexpr Operation<PrepareConvTranspose2dBias> prepare_conv_transpose2d_bias;

}  // namespace tilemeter
