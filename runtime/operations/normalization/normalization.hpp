// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// layer_norm and rms_norm: rows normalized over the last dimension.
//
// weight, bias: the first row of tiles, TILE [..., up to 32, W] of any floating-point dtype, W the input's width or, in
// the same tiles, more; or ROW_MAJOR in rows of 32 [W / 32, 32], W in whole tiles, BFLOAT16 or FLOAT32.
//
// Welford's method (use_welford of the program_config; layer_norm only) takes mean and variance in one pass. TT-NN uses
// it where sums are kept in 32 bits, in shards for FLOAT32 only. Then layer_norm of shards, of FLOAT32 with a residual,
// and of rows that don't fit into L1 whole needs recip_tensor, the reciprocals of 1 to W in the L1 of each core.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"
#include "runtime/types/core_range.hpp"

namespace tilemeter {

/// A norm of shards, each on its core. Sizes in tiles: a shard is block_h x block_w. inplace: written over the
/// input.
struct LayerNormShardedMultiCoreProgramConfig {
    CoreCoord compute_with_storage_grid_size;
    std::uint32_t subblock_w = 1;
    std::uint32_t block_h = 1;
    std::uint32_t block_w = 1;
    bool inplace = false;
    bool use_welford = false;
};
/// A norm of an interleaved tensor.
struct LayerNormDefaultProgramConfig {
    bool use_welford = false;
};
/// None: what follows from the shards, in a tensor of its own.
using OptionalLayerNormProgramConfig =
    std::optional<std::variant<LayerNormDefaultProgramConfig, LayerNormShardedMultiCoreProgramConfig>>;

/// The config if it is one for shards; otherwise null.
inline const LayerNormShardedMultiCoreProgramConfig* config_of_shards(
    const OptionalLayerNormProgramConfig& config) {
    return config ? std::get_if<LayerNormShardedMultiCoreProgramConfig>(&*config) : nullptr;
}

enum class NormKind : std::uint8_t { kLayerNorm, kRmsNorm };

template <NormKind kKind>
struct RowNorm {
    Tensor input_tensor{};
    float epsilon = 1e-12F;
    OptionalTensor weight{};
    OptionalTensor bias{};
    OptionalTensor residual_input_tensor{};  ///< of the input's shape; added to it first
    OptionalMemoryConfig memory_config{};
    OptionalLayerNormProgramConfig program_config{};
    OptionalComputeKernelConfig compute_kernel_config{};
    OptionalTensor recip_tensor{};  ///< of layer_norm only: 1, 1/2, ... 1/W, FLOAT32, a row on each core

    static constexpr OperationInfo kOperation =
        kKind == NormKind::kLayerNorm
            ? OperationInfo{"layer_norm",
                            "(x - mean) / sqrt(variance + epsilon) * weight + bias over the last dimension."}
            : OperationInfo{"rms_norm",
                            "x / sqrt(mean(x * x) + epsilon) * weight + bias over the last dimension."};
    using OfOne = std::conditional_t<kKind == NormKind::kLayerNorm, ParameterGroup<&RowNorm::recip_tensor>,
                                     ParameterGroup<>>;
    static constexpr auto kParameters =
        parameters(required<&RowNorm::input_tensor>(),
                   keyword<&RowNorm::epsilon, &RowNorm::weight, &RowNorm::bias,
                           &RowNorm::residual_input_tensor, &RowNorm::memory_config>(),
                   unrecorded_keyword<&RowNorm::program_config, &RowNorm::compute_kernel_config>(),
                   OfOne::of(ParameterKind::kKeyword, false));
    Tensor call() const;
};

using LayerNorm = RowNorm<NormKind::kLayerNorm>;
using RmsNorm = RowNorm<NormKind::kRmsNorm>;

inline constexpr Operation<LayerNorm> layer_norm;
inline constexpr Operation<RmsNorm> rms_norm;

namespace experimental {

/// rms_norm and then a function of each element, in one program: that of rms_norm.
struct DitRmsNormUnaryFused {
    using Self = DitRmsNormUnaryFused;
    Tensor input_tensor{};
    float epsilon = 1e-5F;
    OptionalTensor weight{};
    OptionalTensor bias{};
    OptionalTensor residual_input_tensor{};
    OptionalMemoryConfig memory_config{};
    OptionalLayerNormProgramConfig program_config{};
    OptionalComputeKernelConfig compute_kernel_config{};
    std::optional<std::string> activation{};  ///< "silu", "gelu", ...

    static constexpr OperationInfo kOperation{
        "experimental::dit_rms_norm_unary_fused",
        "x / sqrt(mean(x * x) + epsilon) * weight + bias over the last dimension, then activation: 'silu', 'gelu', ..."};
    static constexpr auto kParameters =
        parameters(required<&Self::input_tensor>(),
                   optional<&Self::epsilon, &Self::weight, &Self::bias, &Self::residual_input_tensor>(),
                   keyword<&Self::memory_config>(),
                   unrecorded_keyword<&Self::program_config, &Self::compute_kernel_config>(),
                   keyword<&Self::activation>());
    Tensor call() const;
};

inline constexpr Operation<DitRmsNormUnaryFused> dit_rms_norm_unary_fused;

}  // namespace experimental

}  // namespace tilemeter
