// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Parameters of convolutions.

#include <array>
#include <stdexcept>
#include <string>

#include "runtime/operations/sliding_window/conv2d_config.hpp"
#include "runtime/operations/sliding_window/conv3d_config.hpp"
#include "tools/python/bindings/base/bind.hpp"
#include "tools/python/bindings/base/operation.hpp"

namespace tilemeter::python {

namespace {

using Layouts = std::optional<TensorMemoryLayout::Value>;

/// PaddingMode is an enumeration of Python. Throws RuntimeError for what is none of it.
bool replicates_edges(const nb::object& mode) {
    if (mode.is_none()) return false;
    const std::string name = nb::hasattr(mode, "name") ? nb::str(mode.attr("name")).c_str() : "";
    if (name != "Zeros" && name != "Replicate")
        throw std::runtime_error("padding_mode: expected PaddingMode.Zeros or PaddingMode.Replicate, got " +
                                 std::string(nb::repr(mode).c_str()));
    return name == "Replicate";
}

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
               std::optional<bool> force_split_reader, bool override_output_sharding_config,
               const nb::object& padding_mode) {
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
                                  override_output_sharding_config,
                                  replicates_edges(padding_mode)};
            },
            nb::kw_only(), "weights_dtype"_a = nb::none(), "activation"_a = nb::none(),
            "deallocate_activation"_a = false, "reallocate_halo_output"_a = true,
            "config_tensors_in_dram"_a = false, "act_block_h_override"_a = 0, "act_block_w_div"_a = 1,
            "reshard_if_not_optimal"_a = false, "override_sharding_config"_a = false,
            "shard_layout"_a = nb::none(), "core_grid"_a = nb::none(), "transpose_shards"_a = false,
            "output_layout"_a = Layout::TILE, "enable_act_double_buffer"_a = false,
            "enable_weights_double_buffer"_a = false, "full_inner_dim"_a = false,
            "enable_kernel_stride_folding"_a = nb::none(), "enable_activation_reuse"_a = false,
            "force_split_reader"_a = nb::none(), "override_output_sharding_config"_a = false,
            "padding_mode"_a = nb::none())
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
        .def_rw("override_output_sharding_config", &Config::override_output_sharding_config)
        .def_prop_rw(
            "padding_mode",
            [](const Config& self) {
                return nb::module_::import_("tilemeter._src.types.enums")
                    .attr("PaddingMode")
                    .attr(self.replicates_edges ? "Replicate" : "Zeros");
            },
            [](Config& self, const nb::object& mode) { self.replicates_edges = replicates_edges(mode); });

    using Volumes = Conv3dConfig;
    nb::class_<Volumes>(m, "Conv3dConfig", "How a convolution of volumes is carried out.")
        .def(
            "__init__",
            [](Volumes* self, DataType weights_dtype, Layout output_layout, std::uint32_t T_out_block,
               std::uint32_t W_out_block, std::uint32_t H_out_block, std::uint32_t C_out_block,
               std::uint32_t C_in_block, std::array<std::uint32_t, 3> dilation, std::uint32_t alignment,
               CoreCoord compute_with_storage_grid_size, bool enable_fp32_operand_split) {
                new (self) Volumes{weights_dtype,
                                   output_layout,
                                   T_out_block,
                                   W_out_block,
                                   H_out_block,
                                   C_out_block,
                                   C_in_block,
                                   dilation,
                                   alignment,
                                   compute_with_storage_grid_size,
                                   enable_fp32_operand_split};
            },
            nb::kw_only(), "weights_dtype"_a = DataType::BFLOAT16, "output_layout"_a = Layout::ROW_MAJOR,
            "T_out_block"_a = 1, "W_out_block"_a = 1, "H_out_block"_a = 1, "C_out_block"_a = 0,
            "C_in_block"_a = 0, "dilation"_a = std::array<std::uint32_t, 3>{1, 1, 1}, "alignment"_a = 32,
            "compute_with_storage_grid_size"_a = CoreCoord{1, 1}, "enable_fp32_operand_split"_a = false)
        .def_rw("weights_dtype", &Volumes::weights_dtype)
        .def_rw("output_layout", &Volumes::output_layout)
        .def_rw("T_out_block", &Volumes::T_out_block)
        .def_rw("W_out_block", &Volumes::W_out_block)
        .def_rw("H_out_block", &Volumes::H_out_block)
        .def_rw("C_out_block", &Volumes::C_out_block)
        .def_rw("C_in_block", &Volumes::C_in_block)
        .def_rw("dilation", &Volumes::dilation)
        .def_rw("alignment", &Volumes::alignment)
        .def_rw("compute_with_storage_grid_size", &Volumes::compute_with_storage_grid_size)
        .def_rw("enable_fp32_operand_split", &Volumes::enable_fp32_operand_split);

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

void bind_sliding_window_types(nb::module_& module) {
    bind_configs_of_windows(module);
}

}  // namespace tilemeter::python
