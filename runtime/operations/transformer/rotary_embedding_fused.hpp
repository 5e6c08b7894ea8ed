// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// rotary_embedding_llama of queries and keys of one token by one program, with TT-NN's name, arguments and
// defaults.
//
// BFLOAT16, HEIGHT_SHARDED by users, q and k on cores of their own: q [1, b, h, d], k [1, b, kv, d],
// cos_cache and sin_cache [1, 2 * b, 1, d] (first those of q, then those of k), trans_mat [1, 1, 32 * 2 * b,
// 32]; d at most 256. TILE. The results lie as q and k do. compute_kernel_config: does not change values.
// Throws RuntimeError (shapes, dtypes, layouts), OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <utility>

#include "runtime/operations/core/compute_kernel_config.hpp"
#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter::experimental {

std::pair<Tensor, Tensor> rotary_embedding_llama_fused_qk(
    const Tensor& q_input_tensor, const Tensor& k_input_tensor, const Tensor& cos_cache,
    const Tensor& sin_cache, const Tensor& trans_mat,
    const std::optional<DeviceComputeKernelConfig>& compute_kernel_config = std::nullopt);

}  // namespace tilemeter::experimental
