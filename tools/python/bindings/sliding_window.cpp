// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What slides a window over images: convolution and pooling, and how they are told to run.

#include <algorithm>

#include "runtime/device/errors.hpp"
#include "runtime/operations/sliding_window/conv2d.hpp"
#include "runtime/operations/sliding_window/definitions.hpp"
#include "runtime/operations/sliding_window/fold.hpp"
#include "runtime/operations/sliding_window/pool.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/definition.hpp"
#include "tools/python/bindings/operation.hpp"
#include "tools/python/bindings/window_arguments.hpp"

namespace tilemeter::python {

namespace {

using Layouts = std::optional<TensorMemoryLayout::Value>;

void bind_configs_of_windows(nb::module_& m) {
    using Config = Conv2dConfig;
    nb::class_<Config>(m, "Conv2dConfig", "How a convolution is carried out.")
        .def(
            "__init__",
            [](Config* self, OptionalDataType weights_dtype, std::optional<UnaryWithParam> activation,
               bool deallocate_activation, bool reallocate_halo_output, bool config_tensors_in_dram,
               std::uint32_t act_block_h_override, std::uint32_t act_block_w_div, bool reshard_if_not_optimal,
               bool override_sharding_config, Layouts shard_layout, std::optional<CoreRangeSet> core_grid,
               bool transpose_shards, Layout output_layout, bool enable_act_double_buffer,
               bool enable_weights_double_buffer, bool full_inner_dim,
               std::optional<bool> enable_kernel_stride_folding, bool enable_activation_reuse,
               std::optional<bool> force_split_reader, bool override_output_sharding_config) {
                new (self) Config{weights_dtype,
                                  activation,
                                  deallocate_activation,
                                  reallocate_halo_output,
                                  config_tensors_in_dram,
                                  act_block_h_override,
                                  act_block_w_div,
                                  reshard_if_not_optimal,
                                  override_sharding_config,
                                  shard_layout,
                                  std::move(core_grid),
                                  transpose_shards,
                                  output_layout,
                                  enable_act_double_buffer,
                                  enable_weights_double_buffer,
                                  full_inner_dim,
                                  enable_kernel_stride_folding,
                                  enable_activation_reuse,
                                  force_split_reader,
                                  override_output_sharding_config};
            },
            nb::kw_only(), "weights_dtype"_a = nb::none(), "activation"_a = nb::none(),
            "deallocate_activation"_a = false, "reallocate_halo_output"_a = true,
            "config_tensors_in_dram"_a = false, "act_block_h_override"_a = 0, "act_block_w_div"_a = 1,
            "reshard_if_not_optimal"_a = false, "override_sharding_config"_a = false,
            "shard_layout"_a = nb::none(), "core_grid"_a = nb::none(), "transpose_shards"_a = false,
            "output_layout"_a = Layout::TILE, "enable_act_double_buffer"_a = false,
            "enable_weights_double_buffer"_a = false, "full_inner_dim"_a = false,
            "enable_kernel_stride_folding"_a = nb::none(), "enable_activation_reuse"_a = false,
            "force_split_reader"_a = nb::none(), "override_output_sharding_config"_a = false)
        .def_rw("weights_dtype", &Config::weights_dtype, nb::arg().none())
        .def_rw("activation", &Config::activation, nb::arg().none())
        .def_rw("deallocate_activation", &Config::deallocate_activation)
        .def_rw("reallocate_halo_output", &Config::reallocate_halo_output)
        .def_rw("config_tensors_in_dram", &Config::config_tensors_in_dram)
        .def_rw("act_block_h_override", &Config::act_block_h_override)
        .def_rw("act_block_w_div", &Config::act_block_w_div)
        .def_rw("reshard_if_not_optimal", &Config::reshard_if_not_optimal)
        .def_rw("override_sharding_config", &Config::override_sharding_config)
        .def_rw("shard_layout", &Config::shard_layout, nb::arg().none())
        .def_prop_rw(
            "core_grid", [](const Config& self) { return self.core_grid; },
            [](Config& self, const nb::object& cores) {
                self.core_grid.reset();
                if (!cores.is_none()) self.core_grid.emplace(nb::cast<const CoreRangeSet&>(cores));
            },
            nb::arg().none())
        .def_rw("transpose_shards", &Config::transpose_shards)
        .def_rw("output_layout", &Config::output_layout)
        .def_rw("enable_act_double_buffer", &Config::enable_act_double_buffer)
        .def_rw("enable_weights_double_buffer", &Config::enable_weights_double_buffer)
        .def_rw("full_inner_dim", &Config::full_inner_dim)
        .def_rw("enable_kernel_stride_folding", &Config::enable_kernel_stride_folding, nb::arg().none())
        .def_rw("enable_activation_reuse", &Config::enable_activation_reuse)
        .def_rw("force_split_reader", &Config::force_split_reader, nb::arg().none())
        .def_rw("override_output_sharding_config", &Config::override_output_sharding_config);

    using Slices = Conv2dSliceConfig;
    nb::class_<Slices> slices(
        m, "Conv2dSliceConfig",
        "Whether a convolution of an input in DRAM goes slice by slice, and along what.");
    nb::enum_<Slices::SliceType>(slices, "SliceTypeEnum", "Along what.")
        .value("DRAMSliceHeight", Slices::SliceType::DRAM_HEIGHT)
        .value("DRAMSliceWidth", Slices::SliceType::DRAM_WIDTH)
        .value("L1Full", Slices::SliceType::L1_FULL);
    slices
        .def(
            "__init__",
            [](Slices* self, Slices::SliceType slice_type, std::uint32_t num_slices) {
                new (self) Slices{slice_type, num_slices};
            },
            nb::kw_only(), "slice_type"_a, "num_slices"_a = 0)
        .def_rw("slice_type", &Slices::slice_type)
        .def_rw("num_slices", &Slices::num_slices);
}

void bind_convolution(nb::module_& m) {
    operation(
        m, "conv2d",
        [](const Tensor& input, const Tensor& weight, const std::shared_ptr<Device>& device,
           std::uint32_t in_channels, std::uint32_t out_channels, std::uint32_t batch_size,
           std::uint32_t input_height, std::uint32_t input_width, const Pair& kernel_size, const Pair& stride,
           const Padding& padding, const Pair& dilation, std::uint32_t groups, const OptionalDataType& dtype,
           const OptionalTensor& bias, const std::optional<Conv2dConfig>& conv_config,
           const std::optional<DeviceComputeKernelConfig>& compute_config,
           const OptionalMemoryConfig& memory_config, const std::optional<Conv2dSliceConfig>& slice_config,
           bool return_output_dim, bool return_weights_and_bias) {
            const Conv2dArguments arguments{
                in_channels,    out_channels,  batch_size,   input_height,
                input_width,    kernel_size,   stride,       four_sides(padding),
                dilation,       groups,        dtype,        conv_config.value_or(Conv2dConfig()),
                compute_config, memory_config, slice_config, return_weights_and_bias};
            return as_asked(conv2d(input, weight, device, bias, arguments), return_output_dim,
                            return_weights_and_bias);
        },
        nb::kw_only(), "input_tensor"_a, "weight_tensor"_a, "device"_a, "in_channels"_a, "out_channels"_a,
        "batch_size"_a, "input_height"_a, "input_width"_a, "kernel_size"_a, "stride"_a = Pair{1, 1},
        "padding"_a = Pair{0, 0}, "dilation"_a = Pair{1, 1}, "groups"_a = 1, "dtype"_a = nb::none(),
        "bias_tensor"_a = nb::none(), "conv_config"_a = nb::none(), "compute_config"_a = nb::none(),
        "memory_config"_a = nb::none(), "slice_config"_a = nb::none(), "return_output_dim"_a = false,
        "return_weights_and_bias"_a = false,
        "Convolution of images [batch, height, width, channels] or [1, 1, batch * height * width, channels] "
        "with weights [out_channels, in_channels / groups, kernel height, kernel width] and bias [1, 1, 1, "
        "out_channels] on the host, or as an earlier call returned them. Result [1, 1, batch * output height "
        "* output width, out_channels]; with return_output_dim also (height, width), with "
        "return_weights_and_bias also (weight, bias) on the device.");
}

using Sides = std::variant<std::uint32_t, Pair>;
using Result1d = std::variant<Tensor, std::tuple<Tensor, std::uint32_t>, std::tuple<Tensor, PreparedWeights>,
                              std::tuple<Tensor, std::uint32_t, PreparedWeights>>;

void bind_convolution_of_rows(nb::module_& m) {
    operation(
        m, "conv1d",
        [](const Tensor& input, const Tensor& weight, const std::shared_ptr<Device>& device,
           std::uint32_t in_channels, std::uint32_t out_channels, std::uint32_t batch_size,
           std::uint32_t input_length, std::uint32_t kernel_size, std::uint32_t stride, const Sides& padding,
           std::uint32_t dilation, std::uint32_t groups, const OptionalDataType& dtype,
           const OptionalTensor& bias, const std::optional<Conv2dConfig>& conv_config,
           const std::optional<DeviceComputeKernelConfig>& compute_config,
           const OptionalMemoryConfig& memory_config, const std::optional<Conv2dSliceConfig>& slice_config,
           bool return_output_dim, bool return_weights_and_bias) -> Result1d {
            const auto* both = std::get_if<std::uint32_t>(&padding);
            const Pair sides = both ? Pair{*both, *both} : std::get<Pair>(padding);
            const Conv2dArguments arguments{
                in_channels,    out_channels,     batch_size,   1,
                input_length,   {1, kernel_size}, {1, stride},  {0, 0, sides[0], sides[1]},
                {1, dilation},  groups,           dtype,        conv_config.value_or(Conv2dConfig()),
                compute_config, memory_config,    slice_config, return_weights_and_bias};
            const Conv2dResult result = conv1d(input, weight, device, bias, arguments);
            if (!return_weights_and_bias) {
                if (!return_output_dim) return result.output;
                return std::tuple{result.output, result.output_width};
            }
            const PreparedWeights prepared{*result.weight, result.bias};
            if (!return_output_dim) return std::tuple{result.output, prepared};
            return std::tuple{result.output, result.output_width, prepared};
        },
        nb::kw_only(), "input_tensor"_a, "weight_tensor"_a, "device"_a, "in_channels"_a, "out_channels"_a,
        "batch_size"_a, "input_length"_a, "kernel_size"_a, "stride"_a = 1, "padding"_a = 0, "dilation"_a = 1,
        "groups"_a = 1, "dtype"_a = nb::none(), "bias_tensor"_a = nb::none(), "conv_config"_a = nb::none(),
        "compute_config"_a = nb::none(), "memory_config"_a = nb::none(), "slice_config"_a = nb::none(),
        "return_output_dim"_a = false, "return_weights_and_bias"_a = false,
        "Convolution of rows [1, 1, batch * length, in_channels] with weights [out_channels, in_channels / "
        "groups, kernel_size]. Result [1, 1, batch * output length, out_channels]; with return_output_dim "
        "also the output length, with return_weights_and_bias also (weight, bias) on the device.");
}

void bind_preparation(nb::module_& m) {
    const auto arguments_of =
        [](std::uint32_t in_channels, std::uint32_t out_channels, std::uint32_t batch_size,
           std::uint32_t input_height, std::uint32_t input_width, const Pair& kernel_size, const Pair& stride,
           const Padding& padding, const Pair& dilation, std::uint32_t groups,
           const OptionalDataType& output_dtype, const std::optional<Conv2dConfig>& conv_config,
           const std::optional<DeviceComputeKernelConfig>& compute_config,
           const std::optional<Conv2dSliceConfig>& slice_config) {
            return Conv2dArguments{
                in_channels,    out_channels, batch_size,   input_height,
                input_width,    kernel_size,  stride,       four_sides(padding),
                dilation,       groups,       output_dtype, conv_config.value_or(Conv2dConfig()),
                compute_config, std::nullopt, slice_config, false};
        };
    operation(
        m, "prepare_conv_weights",
        [arguments_of](const Tensor& weight, const MemoryConfig& input_memory_config, Layout input_layout,
                       const std::string& weights_format, std::uint32_t in_channels,
                       std::uint32_t out_channels, std::uint32_t batch_size, std::uint32_t input_height,
                       std::uint32_t input_width, const Pair& kernel_size, const Pair& stride,
                       const Padding& padding, const Pair& dilation, bool has_bias, std::uint32_t groups,
                       const std::shared_ptr<Device>& device, DataType input_dtype,
                       const OptionalDataType& output_dtype, const std::optional<Conv2dConfig>& conv_config,
                       const std::optional<DeviceComputeKernelConfig>& compute_config,
                       const std::optional<Conv2dSliceConfig>& slice_config) {
            if (weights_format != "OIHW") {
                throw RuntimeError("prepare_conv_weights: weights_format: expected \"OIHW\", found \"" +
                                   weights_format + "\"");
            }
            return prepare_conv_weights(
                weight, {input_memory_config, input_layout, input_dtype}, device, has_bias,
                arguments_of(in_channels, out_channels, batch_size, input_height, input_width, kernel_size,
                             stride, padding, dilation, groups, output_dtype, conv_config, compute_config,
                             slice_config));
        },
        nb::kw_only(), "weight_tensor"_a, "input_memory_config"_a, "input_layout"_a, "weights_format"_a,
        "in_channels"_a, "out_channels"_a, "batch_size"_a, "input_height"_a, "input_width"_a, "kernel_size"_a,
        "stride"_a, "padding"_a, "dilation"_a, "has_bias"_a, "groups"_a, "device"_a, "input_dtype"_a,
        "output_dtype"_a = nb::none(), "conv_config"_a = nb::none(), "compute_config"_a = nb::none(),
        "slice_config"_a = nb::none(),
        "Weights [out_channels, in_channels / groups, kernel height, kernel width] on the device, as a "
        "conv2d of such an input takes them.");
    operation(
        m, "prepare_conv_bias",
        [arguments_of](const Tensor& bias, const MemoryConfig& input_memory_config, Layout input_layout,
                       std::uint32_t in_channels, std::uint32_t out_channels, std::uint32_t batch_size,
                       std::uint32_t input_height, std::uint32_t input_width, const Pair& kernel_size,
                       const Pair& stride, const Padding& padding, const Pair& dilation, std::uint32_t groups,
                       const std::shared_ptr<Device>& device, DataType input_dtype,
                       const OptionalDataType& output_dtype, const std::optional<Conv2dConfig>& conv_config,
                       const std::optional<DeviceComputeKernelConfig>& compute_config,
                       const std::optional<Conv2dSliceConfig>& slice_config) {
            return prepare_conv_bias(bias, {input_memory_config, input_layout, input_dtype}, device,
                                     arguments_of(in_channels, out_channels, batch_size, input_height,
                                                  input_width, kernel_size, stride, padding, dilation, groups,
                                                  output_dtype, conv_config, compute_config, slice_config));
        },
        nb::kw_only(), "bias_tensor"_a, "input_memory_config"_a, "input_layout"_a, "in_channels"_a,
        "out_channels"_a, "batch_size"_a, "input_height"_a, "input_width"_a, "kernel_size"_a, "stride"_a,
        "padding"_a, "dilation"_a, "groups"_a, "device"_a, "input_dtype"_a, "output_dtype"_a = nb::none(),
        "conv_config"_a = nb::none(), "compute_config"_a = nb::none(), "slice_config"_a = nb::none(),
        "Bias [1, 1, 1, out_channels] on the device, as a conv2d of such an input takes it.");
}

/// TT-NN's argument that says how kernels compute; values here are the same with each.
using Unused = nb::handle;

Pool2dArguments pool_arguments(std::uint32_t batch_size, std::uint32_t input_h, std::uint32_t input_w,
                               std::uint32_t channels, const Pair& kernel_size, const Pair& stride,
                               const Padding& padding, bool ceil_mode,
                               const OptionalMemoryConfig& memory_config, Layouts shard_scheme,
                               bool deallocate_input, bool reallocate_halo_output, DataType dtype,
                               Layout output_layout) {
    Pool2dArguments arguments;
    arguments.batch_size = batch_size;
    arguments.input_h = input_h;
    arguments.input_w = input_w;
    arguments.channels = channels;
    arguments.kernel_size = kernel_size;
    arguments.stride = stride;
    arguments.padding = four_sides(padding);
    arguments.ceil_mode = ceil_mode;
    arguments.memory_config = memory_config;
    arguments.applied_shard_scheme = shard_scheme;
    arguments.deallocate_input = deallocate_input;
    arguments.reallocate_halo_output = reallocate_halo_output;
    arguments.dtype = dtype;
    arguments.output_layout = output_layout;
    return arguments;
}

void require_plain_pool(nb::handle slices, bool config_in_dram, const char* operation) {
    require_none(slices, operation, "dram_slice_config");
    if (config_in_dram)
        throw RuntimeError(std::string(operation) +
                           ": config_tensor_in_dram: expected False, True is not modelled");
}

void bind_pooling(nb::module_& m) {
    operation(
        m, "max_pool2d",
        [](const Tensor& input, std::uint32_t batch_size, std::uint32_t input_h, std::uint32_t input_w,
           std::uint32_t channels, const Pair& kernel_size, const Pair& stride, const Padding& padding,
           const Pair& dilation, bool ceil_mode, const OptionalMemoryConfig& memory_config, nb::handle slices,
           Layouts scheme, bool deallocate_input, bool reallocate_halo_output, bool return_indices,
           DataType dtype, Layout output_layout,
           bool config_in_dram) -> std::variant<Tensor, std::tuple<Tensor, Tensor>> {
            require_plain_pool(slices, config_in_dram, "max_pool2d");
            Pool2dArguments arguments = pool_arguments(
                batch_size, input_h, input_w, channels, kernel_size, stride, padding, ceil_mode,
                memory_config, scheme, deallocate_input, reallocate_halo_output, dtype, output_layout);
            arguments.dilation = dilation;
            if (!return_indices) return max_pool2d(input, arguments);
            const MaxPool2dResult both = max_pool2d_with_indices(input, arguments);
            return std::tuple{both.values, both.indices};
        },
        "input_tensor"_a, "batch_size"_a, "input_h"_a, "input_w"_a, "channels"_a, "kernel_size"_a, "stride"_a,
        "padding"_a, "dilation"_a, "ceil_mode"_a = false, nb::kw_only(), "memory_config"_a = nb::none(),
        "dram_slice_config"_a = nb::none(), "applied_shard_scheme"_a = nb::none(),
        "deallocate_input"_a = false, "reallocate_halo_output"_a = true, "return_indices"_a = false,
        "dtype"_a = DataType::BFLOAT16, "output_layout"_a = Layout::ROW_MAJOR,
        "config_tensor_in_dram"_a = false,
        "The largest value of each channel under a sliding window: [1, 1, batch * output height * output "
        "width, channels] in L1 shards unless memory_config says otherwise; with return_indices also where "
        "in its image each lies, row * input_w + column, uint16.");
    operation(
        m, "avg_pool2d",
        [](const Tensor& input, std::uint32_t batch_size, std::uint32_t input_h, std::uint32_t input_w,
           std::uint32_t channels, const Pair& kernel_size, const Pair& stride, const Padding& padding,
           bool ceil_mode, bool count_include_pad, std::optional<std::int32_t> divisor_override,
           const OptionalMemoryConfig& memory_config, nb::handle slices, Layouts scheme, Unused,
           bool deallocate_input, bool reallocate_halo_output, DataType dtype, Layout output_layout,
           bool config_in_dram) {
            require_plain_pool(slices, config_in_dram, "avg_pool2d");
            Pool2dArguments arguments = pool_arguments(
                batch_size, input_h, input_w, channels, kernel_size, stride, padding, ceil_mode,
                memory_config, scheme, deallocate_input, reallocate_halo_output, dtype, output_layout);
            arguments.count_include_pad = count_include_pad;
            arguments.divisor_override = divisor_override;
            return avg_pool2d(input, arguments);
        },
        "input_tensor"_a, "batch_size"_a, "input_h"_a, "input_w"_a, "channels"_a, "kernel_size"_a, "stride"_a,
        "padding"_a, "ceil_mode"_a = false, "count_include_pad"_a = true, "divisor_override"_a = nb::none(),
        nb::kw_only(), "memory_config"_a = nb::none(), "dram_slice_config"_a = nb::none(),
        "applied_shard_scheme"_a = nb::none(), "compute_kernel_config"_a = nb::none(),
        "deallocate_input"_a = false, "reallocate_halo_output"_a = true, "dtype"_a = DataType::BFLOAT16,
        "output_layout"_a = Layout::ROW_MAJOR, "config_tensor_in_dram"_a = false,
        "The mean of each channel under a sliding window, as max_pool2d otherwise.");
}

using AdaptivePool = Tensor (*)(const Tensor&, const Pair&, const Pool2dArguments&);

void bind_adaptive(nb::module_& m, const char* name, AdaptivePool pool, const char* doc) {
    operation(
        m, name,
        [pool](const Tensor& input, std::uint32_t batch_size, std::uint32_t input_h, std::uint32_t input_w,
               std::uint32_t channels, const Pair& output_size, const OptionalMemoryConfig& memory_config,
               nb::handle slices, Layouts scheme, bool deallocate_input, bool reallocate_output, Unused) {
            require_plain_pool(slices, false, "adaptive pooling");
            return pool(input, output_size,
                        pool_arguments(batch_size, input_h, input_w, channels, {1, 1}, {1, 1}, Pair{0, 0},
                                       false, memory_config, scheme, deallocate_input, reallocate_output,
                                       DataType::BFLOAT16, Layout::ROW_MAJOR));
        },
        "input_tensor"_a, "batch_size"_a, "input_h"_a, "input_w"_a, "channels"_a, "output_size"_a,
        nb::kw_only(), "memory_config"_a = nb::none(), "dram_slice_config"_a = nb::none(),
        "applied_shard_scheme"_a = nb::none(), "deallocate_input"_a = false, "reallocate_output"_a = true,
        "compute_kernel_config"_a = nb::none(), doc);
}

void bind_adaptive_pooling(nb::module_& m) {
    bind_adaptive(
        m, "adaptive_max_pool2d", adaptive_max_pool2d,
        "The largest values of images cut into output_size windows: [1, 1, batch * output height * output "
        "width, channels].");
    bind_adaptive(m, "adaptive_avg_pool2d", adaptive_avg_pool2d,
                  "The means of images cut into output_size windows, as adaptive_max_pool2d otherwise.");
}

void bind_fold(nb::module_& m) {
    using Filled = std::variant<Pair, std::array<std::uint32_t, 4>, std::array<std::uint32_t, 6>>;
    operation(
        m, "fold",
        [](const Tensor& input, std::uint32_t stride_h, std::uint32_t stride_w, bool use_transpose_as_fold,
           Unused, const Filled& padding, Unused, Unused, bool collapse_output) {
            if (use_transpose_as_fold)
                throw RuntimeError("fold: expected use_transpose_as_fold=False, found True");
            std::array<std::uint32_t, 6> sides{};
            if (const auto* both = std::get_if<Pair>(&padding)) {
                sides = {(*both)[0], (*both)[0], (*both)[1], (*both)[1]};
            } else if (const auto* four = std::get_if<std::array<std::uint32_t, 4>>(&padding)) {
                std::copy(four->begin(), four->end(), sides.begin());
            } else {
                sides = std::get<std::array<std::uint32_t, 6>>(padding);
            }
            return fold(input, stride_h, stride_w,
                        {{0, 0}, {sides[0], sides[1]}, {sides[2], sides[3]}, {sides[4], sides[5]}},
                        collapse_output);
        },
        "input"_a, "stride_h"_a, "stride_w"_a, "use_transpose_as_fold"_a = false,
        "output_shape"_a = nb::none(), "padding"_a = Pair{0, 0}, "grid_size"_a = nb::none(),
        "override_memory_config"_a = nb::none(), "collapse_output"_a = false,
        "Blocks of stride_h x stride_w pixels of images [batch, height, width, channels] as channels of one "
        "pixel: [batch, height / stride_h, width / stride_w, stride_h * stride_w * channels], ROW_MAJOR, "
        "with collapse_output [1, 1, pixels, channels]. padding: zeros at top and bottom, left and right "
        "(2), or top, bottom, left, right (4), and before and behind the channels (6).");
}

}  // namespace

void bind_sliding_window(nb::module_& module, nb::module_& operations) {
    bind_configs_of_windows(module);
    bind_convolution(operations);
    bind_convolution_of_rows(operations);
    bind_preparation(operations);
    bind_pooling(operations);
    bind_adaptive_pooling(operations);
    bind_fold(operations);
    bind_definitions(operations, SlidingWindowDefinitions());
}

}  // namespace tilemeter::python
