// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What slides a window over images: convolution and pooling, and how they are told to run.

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include "runtime/operations/sliding_window/definitions.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/definition.hpp"

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

/// None is the default.
template <>
struct type_caster<tilemeter::Conv2dConfigOrDefault> {
    using Given = make_caster<std::optional<tilemeter::Conv2dConfig>>;
    NB_TYPE_CASTER(tilemeter::Conv2dConfigOrDefault, make_caster<tilemeter::Conv2dConfig>::Name)

    bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        Given given;
        if (!given.from_python(source, flags, cleanup)) return false;
        value = given.value.value_or(tilemeter::Conv2dConfig());
        return true;
    }
    static handle from_cpp(const tilemeter::Conv2dConfigOrDefault&, rv_policy, cleanup_list*) noexcept {
        return none().release();
    }
};
template <>
struct has_arg_defaults<tilemeter::Conv2dConfigOrDefault> : std::true_type {};

/// With the output's size and the prepared weights, where they were asked for.
template <typename Size>
struct type_caster<tilemeter::ConvolutionResult<Size>> {
    using Tensor = tilemeter::Tensor;
    using Prepared = std::tuple<Tensor, std::optional<Tensor>>;
    using Results = std::variant<Tensor, std::tuple<Tensor, Size>, std::tuple<Tensor, Prepared>,
                                 std::tuple<Tensor, Size, Prepared>>;
    NB_TYPE_CASTER(tilemeter::ConvolutionResult<Size>, make_caster<Results>::Name)

    static handle from_cpp(const tilemeter::ConvolutionResult<Size>& result, rv_policy policy,
                           cleanup_list* cleanup) noexcept {
        const auto results = [&]() -> Results {
            const auto& [output, size, weight, bias] = result;
            if (!weight && !size) return output;
            if (!weight) return std::tuple{output, *size};
            const Prepared prepared{*weight, bias};
            if (!size) return std::tuple{output, prepared};
            return std::tuple{output, *size, prepared};
        };
        return make_caster<Results>::from_cpp(results(), policy, cleanup);
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

}  // namespace

void bind_sliding_window(nb::module_& module, nb::module_& operations) {
    bind_configs_of_windows(module);
    bind_definitions(operations, SlidingWindowDefinitions());
}

}  // namespace tilemeter::python
