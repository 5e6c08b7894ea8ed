// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Fields of the configs that calls take, as constructors of Python and initializers of C++ name them: in the order in which
// C++ declares them.

#pragma once

#include <tuple>

#include "tools/compat/src/call.hpp"

namespace tilemeter::compiled {

template <typename Config, typename T>
struct ConfigField {
    const char* name;
    T Config::*member;
    bool is_always_said;  ///< also where it is what a config without it has
};

template <typename Config, typename T>
constexpr ConfigField<Config, T> said(const char* name, T Config::*member) {
    return {name, member, true};
}
template <typename Config, typename T>
constexpr ConfigField<Config, T> field(const char* name, T Config::*member) {
    return {name, member, false};
}

/// `kNamespace` is that of C++, below ttnn.
template <typename Config>
struct ConfigFields;

template <>
struct ConfigFields<DeviceComputeKernelConfig> {
    using Config = DeviceComputeKernelConfig;
    static constexpr const char* kNamespace = "";
    static constexpr const char* kName = "WormholeComputeKernelConfig";
    static constexpr auto kFields = std::tuple(
        said("math_fidelity", &Config::math_fidelity), said("math_approx_mode", &Config::math_approx_mode),
        said("fp32_dest_acc_en", &Config::fp32_dest_acc_en), said("packer_l1_acc", &Config::packer_l1_acc),
        field("dst_full_sync_en", &Config::dst_full_sync_en));
};

template <>
struct ConfigFields<MatmulMultiCoreProgramConfig> {
    static constexpr const char* kNamespace = "operations::matmul::";
    static constexpr const char* kName = "MatmulMultiCoreProgramConfig";
    static constexpr std::tuple<> kFields{};
};

template <typename Config>
constexpr auto kFirstBlocks = std::tuple(said("compute_with_storage_grid_size",
                                              &Config::compute_with_storage_grid_size),
                                         said("in0_block_w", &Config::in0_block_w),
                                         said("out_subblock_h", &Config::out_subblock_h),
                                         said("out_subblock_w", &Config::out_subblock_w));
template <typename Config>
constexpr auto kBlocksOfACore = std::tuple(said("per_core_M", &Config::per_core_M),
                                           said("per_core_N", &Config::per_core_N));
template <typename Config>
constexpr auto kOutputBlocks = std::tuple(field("out_block_h", &Config::out_block_h),
                                          field("out_block_w", &Config::out_block_w));

template <>
struct ConfigFields<MatmulMultiCoreReuseProgramConfig> {
    using Config = MatmulMultiCoreReuseProgramConfig;
    static constexpr const char* kNamespace = "operations::matmul::";
    static constexpr const char* kName = "MatmulMultiCoreReuseProgramConfig";
    static constexpr auto kFields = std::tuple_cat(kFirstBlocks<Config>, kBlocksOfACore<Config>);
};

template <>
struct ConfigFields<MatmulMultiCoreReuseMultiCastProgramConfig> {
    using Config = MatmulMultiCoreReuseMultiCastProgramConfig;
    static constexpr const char* kNamespace = "operations::matmul::";
    static constexpr const char* kName = "MatmulMultiCoreReuseMultiCastProgramConfig";
    static constexpr auto kFields =
        std::tuple_cat(kFirstBlocks<Config>, kOutputBlocks<Config>, kBlocksOfACore<Config>,
                       std::tuple(said("transpose_mcast", &Config::transpose_mcast),
                                  said("fused_activation", &Config::fused_activation),
                                  said("fuse_batch", &Config::fuse_batch)));
};

template <>
struct ConfigFields<MatmulMultiCoreReuseMultiCast1DProgramConfig> {
    using Config = MatmulMultiCoreReuseMultiCast1DProgramConfig;
    static constexpr const char* kNamespace = "operations::matmul::";
    static constexpr const char* kName = "MatmulMultiCoreReuseMultiCast1DProgramConfig";
    static constexpr auto kFields =
        std::tuple_cat(kFirstBlocks<Config>, kOutputBlocks<Config>, kBlocksOfACore<Config>,
                       std::tuple(said("fuse_batch", &Config::fuse_batch),
                                  said("fused_activation", &Config::fused_activation),
                                  said("mcast_in0", &Config::mcast_in0)));
};

template <typename Config>
constexpr auto kDramSharded = std::tuple(said("in0_block_w", &Config::in0_block_w),
                                         said("per_core_M", &Config::per_core_M),
                                         said("per_core_N", &Config::per_core_N),
                                         said("fused_activation", &Config::fused_activation));

template <>
struct ConfigFields<MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig> {
    static constexpr const char* kNamespace = "operations::matmul::";
    static constexpr const char* kName = "MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig";
    static constexpr auto kFields = kDramSharded<MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig>;
};

template <>
struct ConfigFields<MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig> {
    static constexpr const char* kNamespace = "operations::matmul::";
    static constexpr const char* kName = "MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig";
    static constexpr auto kFields =
        kDramSharded<MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig>;
};

template <>
struct ConfigFields<Conv2dConfig> {
    using Config = Conv2dConfig;
    static constexpr const char* kNamespace = "";
    static constexpr const char* kName = "Conv2dConfig";
    static constexpr auto kFields = std::tuple(
        field("weights_dtype", &Config::weights_dtype), field("activation", &Config::activation),
        field("deallocate_activation", &Config::deallocate_activation),
        field("reallocate_halo_output", &Config::reallocate_halo_output),
        field("config_tensors_in_dram", &Config::config_tensors_in_dram),
        field("act_block_h_override", &Config::act_block_h_override),
        field("act_block_w_div", &Config::act_block_w_div),
        field("reshard_if_not_optimal", &Config::reshard_if_not_optimal),
        field("override_sharding_config", &Config::override_sharding_config),
        field("shard_layout", &Config::shard_layout), field("core_grid", &Config::core_grid),
        field("transpose_shards", &Config::transpose_shards), field("output_layout", &Config::output_layout),
        field("enable_act_double_buffer", &Config::enable_act_double_buffer),
        field("enable_weights_double_buffer", &Config::enable_weights_double_buffer),
        field("full_inner_dim", &Config::full_inner_dim),
        field("enable_kernel_stride_folding", &Config::enable_kernel_stride_folding),
        field("enable_activation_reuse", &Config::enable_activation_reuse),
        field("force_split_reader", &Config::force_split_reader));
};

template <>
struct ConfigFields<Conv2dSliceConfig> {
    using Config = Conv2dSliceConfig;
    static constexpr const char* kNamespace = "";
    static constexpr const char* kName = "Conv2dSliceConfig";
    static constexpr auto kFields =
        std::tuple(said("slice_type", &Config::slice_type), said("num_slices", &Config::num_slices));
};

template <>
struct ConfigFields<SDPAProgramConfig> {
    using Config = SDPAProgramConfig;
    static constexpr const char* kNamespace = "operations::transformer::";
    static constexpr const char* kName = "SDPAProgramConfig";
    static constexpr auto kFields =
        std::tuple(said("compute_with_storage_grid_size", &Config::compute_with_storage_grid_size),
                   said("q_chunk_size", &Config::q_chunk_size), said("k_chunk_size", &Config::k_chunk_size),
                   field("exp_approx_mode", &Config::exp_approx_mode));
};

template <typename T>
concept HasConfigFields = requires {
    ConfigFields<T>::kFields;
};

/// Calls `visit(name, value)` for each field that has to be said.
template <HasConfigFields Config, typename Visit>
void visit_fields(const Config& config, Visit&& visit) {
    const Config fallback{};
    std::apply(
        [&](const auto&... each) {
            (
                [&] {
                    if (each.is_always_said || !(config.*each.member == fallback.*each.member))
                        visit(each.name, config.*each.member);
                }(),
                ...);
        },
        ConfigFields<Config>::kFields);
}

}  // namespace tilemeter::compiled
