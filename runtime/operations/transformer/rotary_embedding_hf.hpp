// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Rotary position embedding as Hugging Face's models have it, with TT-NN's name, arguments and defaults.
//
//     x * cos + rotate_half(x) * sin,  rotate_half([a b]) = [-b a]
//
// TILE; FLOAT32, BFLOAT16 or BFLOAT8_B; d is 32 or a multiple of 64. Prefill: input [b, h, s, d], interleaved
// or HEIGHT_SHARDED, cos_cache and sin_cache [1, 1, t, d], t >= s, interleaved; row i takes row i.
// is_decode_mode: one token for each of b users, all HEIGHT_SHARDED by users: input [1, b, h, d], cos and sin
// [1, b, 1, d]. memory_config of the result: that of the input unless given. compute_kernel_config: does not
// change values. Throws RuntimeError (shapes, dtypes, layouts), OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/core/compute_kernel_config.hpp"
#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter::experimental {

Tensor rotary_embedding_hf(
    const Tensor& input_tensor, const Tensor& cos_cache, const Tensor& sin_cache, bool is_decode_mode = false,
    const OptionalMemoryConfig& memory_config = std::nullopt,
    const std::optional<DeviceComputeKernelConfig>& compute_kernel_config = std::nullopt);

}  // namespace tilemeter::experimental
