// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Norms of rows that lie on several chips: each chip sums its part of a row (pre_all_gather), all_gather
// brings these sums together, and each chip normalizes its part by them (post_all_gather).
//
// Four dimensions, TILE, interleaved; BFLOAT16, BFLOAT8_B, or FLOAT32 with fp32_dest_acc_en. Sums: a tile for
// each kind of them, the sum of squares, for layer_norm then the sum, each in the first column of its tile.
// memory_config of the result: that of the input unless given. Throws RuntimeError, OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <optional>

#include "runtime/operations/core/compute_kernel_config.hpp"
#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

enum class DistributedNorm : std::uint8_t { kLayerNorm, kRmsNorm };

struct NormSumsOptions {
    DataType dtype = DataType::BFLOAT16;
    OptionalTensor residual_input_tensor{};  ///< added to the input
    OptionalComputeKernelConfig compute_kernel_config{};
    OptionalMemoryConfig memory_config{};
    bool use_2d_core_grid = false;  ///< several cores for a row; rms_norm only
};
/// [..., rows, width] to [..., rows, 64] (layer_norm) or [..., rows, 32].
Tensor norm_pre_all_gather(DistributedNorm kind, const Tensor& input_tensor, const NormSumsOptions& options);

struct NormBySumsOptions {
    float epsilon = 1e-12F;
    OptionalTensor weight{};  ///< width elements: [1, 1, width / 32, 32] in ROW_MAJOR, or a row in TILE
    OptionalTensor bias{};
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};
    OptionalDataType dtype{};  ///< the input's unless given
    bool use_2d_core_grid = false;
};
/// stats: the sums of all chips one behind the other; their number says how much longer the whole rows are.
Tensor norm_post_all_gather(DistributedNorm kind, const Tensor& input_tensor, const Tensor& stats,
                            const NormBySumsOptions& options);

}  // namespace tilemeter
