// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Layer normalisation and RMS normalisation over the last dimension, with TT-NN's names, arguments and
// defaults.
//
//     layer_norm   (x - mean) / sqrt(variance + epsilon) * weight + bias
//     rms_norm     x / sqrt(mean(x * x) + epsilon) * weight + bias        with x = input + residual
//
// Input: any shape, TILE, interleaved; BFLOAT16, FLOAT32 or BFLOAT8_B. residual_input_tensor: of the input's
// shape. weight, bias: BFLOAT16 or FLOAT32, one row of the input's width, TILE [1, W], or ROW_MAJOR in rows
// of 32 [W / 32, 32]. memory_config of the result: that of the input unless given. Throws RuntimeError
// (shapes, dtypes, layouts), OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <optional>

#include "runtime/operations/core/compute_kernel_config.hpp"
#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/types/core_range.hpp"

namespace tilemeter {

/// A norm where shards lie. Sizes in tiles: a shard is block_h x block_w. inplace: written over the input.
struct LayerNormShardedMultiCoreProgramConfig {
    CoreCoord compute_with_storage_grid_size;
    std::uint32_t subblock_w = 1;
    std::uint32_t block_h = 1;
    std::uint32_t block_w = 1;
    bool inplace = false;
};
/// Nothing: what the shards give, in a tensor of its own.
using OptionalLayerNormProgramConfig = std::optional<LayerNormShardedMultiCoreProgramConfig>;

Tensor layer_norm(const Tensor& input_tensor, float epsilon = 1e-12F,
                  const OptionalTensor& weight = std::nullopt, const OptionalTensor& bias = std::nullopt,
                  const OptionalTensor& residual_input_tensor = std::nullopt,
                  const OptionalMemoryConfig& memory_config = std::nullopt,
                  const OptionalLayerNormProgramConfig& program_config = std::nullopt,
                  const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);

Tensor rms_norm(const Tensor& input_tensor, float epsilon = 1e-12F,
                const OptionalTensor& weight = std::nullopt, const OptionalTensor& bias = std::nullopt,
                const OptionalTensor& residual_input_tensor = std::nullopt,
                const OptionalMemoryConfig& memory_config = std::nullopt,
                const OptionalLayerNormProgramConfig& program_config = std::nullopt,
                const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);

}  // namespace tilemeter
