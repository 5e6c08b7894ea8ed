// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Transposed convolution, and its weights prepared beforehand.

#include <string>

#include "runtime/device/errors.hpp"
#include "runtime/operations/sliding_window/conv_transpose2d.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/operation.hpp"
#include "tools/python/bindings/window_arguments.hpp"

namespace tilemeter::python {

namespace {

using Config = std::optional<Conv2dConfig>;
using KernelConfig = std::optional<DeviceComputeKernelConfig>;
using Slices = std::optional<Conv2dSliceConfig>;

ConvTranspose2dArguments arguments_of(std::uint32_t in_channels, std::uint32_t out_channels,
                                      std::uint32_t batch_size, std::uint32_t input_height,
                                      std::uint32_t input_width, const Pair& kernel_size, const Pair& stride,
                                      const Padding& padding, const Pair& dilation, std::uint32_t groups,
                                      const OptionalDataType& dtype, const Config& conv_config,
                                      const KernelConfig& compute_config, const Slices& slice_config) {
    ConvTranspose2dArguments arguments;
    arguments.in_channels = in_channels;
    arguments.out_channels = out_channels;
    arguments.batch_size = batch_size;
    arguments.input_height = input_height;
    arguments.input_width = input_width;
    arguments.kernel_size = kernel_size;
    arguments.stride = stride;
    arguments.padding = four_sides(padding);
    arguments.dilation = dilation;
    arguments.groups = groups;
    arguments.dtype = dtype;
    arguments.conv_config = conv_config.value_or(Conv2dConfig());
    arguments.compute_config = compute_config;
    arguments.slice_config = slice_config;
    return arguments;
}

}  // namespace

void bind_transposed_convolution(nb::module_& m) {
    operation(
        m, "conv_transpose2d",
        [](const Tensor& input, const Tensor& weight, const std::shared_ptr<Device>& device,
           std::uint32_t in_channels, std::uint32_t out_channels, std::uint32_t batch_size,
           std::uint32_t input_height, std::uint32_t input_width, const Pair& kernel_size, const Pair& stride,
           const Padding& padding, const Pair& output_padding, const Pair& dilation, std::uint32_t groups,
           const OptionalDataType& dtype, const OptionalTensor& bias, const Config& conv_config,
           const KernelConfig& compute_config, const OptionalMemoryConfig& memory_config,
           const Slices& slice_config, bool mirror_kernel, bool return_output_dim,
           bool return_weights_and_bias) {
            ConvTranspose2dArguments arguments = arguments_of(
                in_channels, out_channels, batch_size, input_height, input_width, kernel_size, stride,
                padding, dilation, groups, dtype, conv_config, compute_config, slice_config);
            arguments.memory_config = memory_config;
            arguments.output_padding = output_padding;
            arguments.mirror_kernel = mirror_kernel;
            arguments.return_weights_and_bias = return_weights_and_bias;
            return as_asked(conv_transpose2d(input, weight, device, bias, arguments), return_output_dim,
                            return_weights_and_bias);
        },
        nb::kw_only(), "input_tensor"_a, "weight_tensor"_a, "device"_a, "in_channels"_a, "out_channels"_a,
        "batch_size"_a, "input_height"_a, "input_width"_a, "kernel_size"_a, "stride"_a = Pair{1, 1},
        "padding"_a = Pair{0, 0}, "output_padding"_a = Pair{0, 0}, "dilation"_a = Pair{1, 1}, "groups"_a = 1,
        "dtype"_a = nb::none(), "bias_tensor"_a = nb::none(), "conv_config"_a = nb::none(),
        "compute_config"_a = nb::none(), "memory_config"_a = nb::none(), "dram_slice_config"_a = nb::none(),
        "mirror_kernel"_a = true, "return_output_dim"_a = false, "return_weights_and_bias"_a = false,
        "Transposed convolution of images [batch, height, width, channels] or [1, 1, batch * height * width, "
        "channels] with weights [in_channels, out_channels / groups, kernel height, kernel width] and bias "
        "[1, 1, 1, out_channels] on the host, or as an earlier call returned them. Result [1, 1, batch * "
        "output height * output width, out_channels], an axis (input - 1) * stride - padding + dilation * "
        "(kernel - 1) + output_padding + 1 long; with return_output_dim also (height, width), with "
        "return_weights_and_bias also (weight, bias) on the device. mirror_kernel=False: the kernels are "
        "mirrored already.");
    operation(
        m, "prepare_conv_transpose2d_weights",
        [](const Tensor& weight, const MemoryConfig& input_memory_config, Layout input_layout,
           const std::string& weights_format, std::uint32_t in_channels, std::uint32_t out_channels,
           std::uint32_t batch_size, std::uint32_t input_height, std::uint32_t input_width,
           const Pair& kernel_size, const Pair& stride, const Padding& padding, const Pair& output_padding,
           const Pair& dilation, bool has_bias, std::uint32_t groups, const std::shared_ptr<Device>& device,
           DataType input_dtype, const OptionalDataType& output_dtype, const Config& conv_config,
           const KernelConfig& compute_config, const Slices& slice_config, bool mirror_kernel) {
            if (weights_format != "IOHW") {
                throw RuntimeError(
                    "prepare_conv_transpose2d_weights: weights_format: expected \"IOHW\", found \"" +
                    weights_format + "\"");
            }
            ConvTranspose2dArguments arguments = arguments_of(
                in_channels, out_channels, batch_size, input_height, input_width, kernel_size, stride,
                padding, dilation, groups, output_dtype, conv_config, compute_config, slice_config);
            arguments.output_padding = output_padding;
            arguments.mirror_kernel = mirror_kernel;
            return prepare_conv_transpose2d_weights(weight, {input_memory_config, input_layout, input_dtype},
                                                    device, has_bias, arguments);
        },
        nb::kw_only(), "weight_tensor"_a, "input_memory_config"_a, "input_layout"_a, "weights_format"_a,
        "in_channels"_a, "out_channels"_a, "batch_size"_a, "input_height"_a, "input_width"_a, "kernel_size"_a,
        "stride"_a, "padding"_a, "output_padding"_a = Pair{0, 0}, "dilation"_a, "has_bias"_a, "groups"_a,
        "device"_a, "input_dtype"_a, "output_dtype"_a = nb::none(), "conv_config"_a = nb::none(),
        "compute_config"_a = nb::none(), "dram_slice_config"_a = nb::none(), "mirror_kernel"_a = true,
        "Weights [in_channels, out_channels / groups, kernel height, kernel width] on the device, as a "
        "conv_transpose2d of such an input takes them.");
    operation(
        m, "prepare_conv_transpose2d_bias",
        [](const Tensor& bias, const MemoryConfig& input_memory_config, Layout input_layout,
           std::uint32_t in_channels, std::uint32_t out_channels, std::uint32_t batch_size,
           std::uint32_t input_height, std::uint32_t input_width, const Pair& kernel_size, const Pair& stride,
           const Padding& padding, const Pair& dilation, std::uint32_t groups,
           const std::shared_ptr<Device>& device, DataType input_dtype, const OptionalDataType& output_dtype,
           const Config& conv_config, const KernelConfig& compute_config, const Slices& slice_config) {
            return prepare_conv_transpose2d_bias(
                bias, {input_memory_config, input_layout, input_dtype}, device,
                arguments_of(in_channels, out_channels, batch_size, input_height, input_width, kernel_size,
                             stride, padding, dilation, groups, output_dtype, conv_config, compute_config,
                             slice_config));
        },
        nb::kw_only(), "bias_tensor"_a, "input_memory_config"_a, "input_layout"_a, "in_channels"_a,
        "out_channels"_a, "batch_size"_a, "input_height"_a, "input_width"_a, "kernel_size"_a, "stride"_a,
        "padding"_a, "dilation"_a, "groups"_a, "device"_a, "input_dtype"_a, "output_dtype"_a = nb::none(),
        "conv_config"_a = nb::none(), "compute_config"_a = nb::none(), "dram_slice_config"_a = nb::none(),
        "Bias [1, 1, 1, out_channels] on the device, as a conv_transpose2d of such an input takes it.");
}

}  // namespace tilemeter::python
