// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Norms of rows that are spread over chips and, on each of them, over shards: the program of layer_norm in two stages.

#pragma once

#include "runtime/operations/normalization/normalization.hpp"

namespace tilemeter {

/// The parameters of both stages.
struct ShardedChipNorm {
    NormKind kind;
    float epsilon;
    MemoryConfig memory_config;  ///< of the result; of the sums only its layout and kind count
    OptionalLayerNormProgramConfig program_config;  ///< one for shards
    DeviceComputeKernelConfig kernels;
    OptionalDataType dtype;  ///< of the result; none: the input's
};

/// The means of each row of the chip's part, of squares for rms_norm, of values and of squares for layer_norm, each in
/// the first column of a tile on the first core: BFLOAT16. A residual is added to `input`, which holds the sum afterwards.
/// Throws RuntimeError.
Tensor means_of_shards(const ShardedChipNorm& norm, const Tensor& input, const OptionalTensor& residual);

/// `input` normalized by the means of all chips. Throws RuntimeError.
Tensor normalized_shards(const ShardedChipNorm& norm, const Tensor& input, const Tensor& stats,
                         const OptionalTensor& weight, const OptionalTensor& bias);

}  // namespace tilemeter
