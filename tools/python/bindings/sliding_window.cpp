// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What slides a window over images: convolution and pooling, and how they are told to run.

#include "runtime/device/errors.hpp"
#include "runtime/operations/sliding_window/conv2d.hpp"
#include "runtime/operations/sliding_window/definitions.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/definition.hpp"
#include "tools/python/bindings/operation.hpp"
#include "tools/python/bindings/window_arguments.hpp"

namespace nanobind::detail {

/// From two or four numbers.
template <>
struct type_caster<tilemeter::WindowPadding> {
    using Pair = std::array<std::uint32_t, 2>;
    using Sides = std::array<std::uint32_t, 4>;
    NB_TYPE_CASTER(tilemeter::WindowPadding, (make_caster<std::variant<Pair, Sides>>::Name))

    bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        make_caster<Pair> both;
        make_caster<Sides> sides;
        if (both.from_python(source, flags, cleanup)) {
            value = tilemeter::WindowPadding(both.value);
            return true;
        }
        if (!sides.from_python(source, flags, cleanup)) return false;
        value = tilemeter::WindowPadding(sides.value);
        return true;
    }
    static handle from_cpp(const tilemeter::WindowPadding& padding, rv_policy policy,
                           cleanup_list* cleanup) noexcept {
        const Pair both{padding[0], padding[2]};
        if (padding == tilemeter::WindowPadding(both))
            return make_caster<Pair>::from_cpp(both, policy, cleanup);
        const Sides& sides = padding;
        return make_caster<Sides>::from_cpp(sides, policy, cleanup);
    }
};

/// The values, or with indices both.
template <>
struct type_caster<tilemeter::MaxPool2dResult> {
    using Tensor = tilemeter::Tensor;
    using Results = std::variant<Tensor, std::tuple<Tensor, Tensor>>;
    NB_TYPE_CASTER(tilemeter::MaxPool2dResult, make_caster<Results>::Name)

    static handle from_cpp(const tilemeter::MaxPool2dResult& result, rv_policy policy,
                           cleanup_list* cleanup) noexcept {
        if (!result.indices) return make_caster<Tensor>::from_cpp(result.values, policy, cleanup);
        const std::tuple both(result.values, *result.indices);
        return make_caster<std::tuple<Tensor, Tensor>>::from_cpp(both, policy, cleanup);
    }
};

}  // namespace nanobind::detail

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

}  // namespace

void bind_sliding_window(nb::module_& module, nb::module_& operations) {
    bind_configs_of_windows(module);
    bind_convolution(operations);
    bind_convolution_of_rows(operations);
    bind_preparation(operations);
    bind_definitions(operations, SlidingWindowDefinitions());
}

}  // namespace tilemeter::python
