// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Norms of rows that are spread over several chips: each chip sums its part of a row (pre_all_gather),
// all_gather brings these sums together, and each chip normalizes its part by them (post_all_gather).
//
// Four dimensions, TILE; BFLOAT16, BFLOAT8_B, or FLOAT32, where interleaved with fp32_dest_acc_en.
//
// In WIDTH or BLOCK shards (program_config: one for shards; one row of tiles for each image) other values are handed
// on: the means of the chip's part of each row, BFLOAT16 in the L1 of the first core, for layer_norm before those of
// the squares. The residual is added to the input itself. stats: on one core.

#pragma once

#include <optional>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/normalization/normalization.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"

namespace tilemeter {

template <NormKind kKind>
struct NormPreAllGather {
    Tensor input_tensor{};
    DataType dtype = DataType::BFLOAT16;
    OptionalTensor residual_input_tensor{};  ///< added to the input
    OptionalComputeKernelConfig compute_kernel_config{};
    OptionalLayerNormProgramConfig program_config{};  ///< of shards: one for shards
    OptionalMemoryConfig memory_config{};
    Ignored recip_tensor{};                  ///< of layer_norm only
    std::optional<bool> use_2d_core_grid{};  ///< several cores for a row; rms_norm only
    bool fast_and_approximate_mode = false;  ///< changes nothing here

    static constexpr OperationInfo kOperation{
        kKind == NormKind::kLayerNorm ? "layer_norm_pre_all_gather" : "rms_norm_pre_all_gather",
        "The sums of squares of the last dimension, for layer_norm behind them the sums, each in the first "
        "column of a tile: [N, C, H, 64] or [N, C, H, 32] of [N, C, H, W]. Of shards: means, of squares last."};
    static constexpr auto kParameters = [] {
        using Self = NormPreAllGather;
        constexpr auto kOfOne = [] {
            if constexpr (kKind == NormKind::kLayerNorm) {
                return keyword<&Self::recip_tensor>();
            } else {
                return unrecorded_keyword<&Self::use_2d_core_grid>();
            }
        }();
        return parameters(required<&Self::input_tensor>(), keyword<&Self::dtype>(),
                          unrecorded_keyword<&Self::residual_input_tensor, &Self::compute_kernel_config,
                                             &Self::program_config>(),
                          keyword<&Self::memory_config>(), kOfOne,
                          unrecorded_keyword<&Self::fast_and_approximate_mode>());
    }();
    Tensor call() const;
};

using LayerNormPreAllGather = NormPreAllGather<NormKind::kLayerNorm>;
using RmsNormPreAllGather = NormPreAllGather<NormKind::kRmsNorm>;

inline constexpr Operation<LayerNormPreAllGather> layer_norm_pre_all_gather;
inline constexpr Operation<RmsNormPreAllGather> rms_norm_pre_all_gather;

template <NormKind kKind>
struct NormPostAllGather {
    Tensor input_tensor{};
    Tensor stats{};  ///< the sums of all chips: their number says how much longer the whole rows are
    float epsilon = 1e-12F;
    OptionalTensor weight{};  ///< width elements: [1, 1, width / 32, 32] in ROW_MAJOR, or a row in TILE
    OptionalTensor bias{};
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};
    OptionalLayerNormProgramConfig program_config{};  ///< of shards: one for shards
    OptionalDataType dtype{};                         ///< the input's unless given
    std::optional<bool> use_2d_core_grid{};           ///< of rms_norm only

    static constexpr OperationInfo kOperation{
        kKind == NormKind::kLayerNorm ? "layer_norm_post_all_gather" : "rms_norm_post_all_gather",
        "The input normalized by the sums of all chips, one behind the other along the last dimension of "
        "stats; times weight, plus bias (W elements each)."};
    static constexpr auto kParameters = [] {
        using Self = NormPostAllGather;
        using OfOne = std::conditional_t<kKind == NormKind::kLayerNorm, ParameterGroup<>,
                                         ParameterGroup<&Self::use_2d_core_grid>>;
        return parameters(
            required<&Self::input_tensor, &Self::stats>(), keyword<&Self::epsilon>(),
            unrecorded_keyword<&Self::weight, &Self::bias>(), keyword<&Self::memory_config>(),
            unrecorded_keyword<&Self::compute_kernel_config, &Self::program_config, &Self::dtype>(),
            OfOne::of(ParameterKind::kKeyword, false).unrecorded());
    }();
    Tensor call() const;
};

using LayerNormPostAllGather = NormPostAllGather<NormKind::kLayerNorm>;
using RmsNormPostAllGather = NormPostAllGather<NormKind::kRmsNorm>;

inline constexpr Operation<LayerNormPostAllGather> layer_norm_post_all_gather;
inline constexpr Operation<RmsNormPostAllGather> rms_norm_post_all_gather;

}  // namespace tilemeter
