// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// rotary_embedding_llama of queries and keys of one token by one program, with TT-NN's name, arguments and
// defaults.
//
// BFLOAT16, HEIGHT_SHARDED by users, q and k on cores of their own: q [1, b, h, d], k [1, b, kv, d],
// cos_cache and sin_cache [1, 2 * b, 1, d] (first those of q, then those of k), trans_mat [1, 1, 32 * 2 * b,
// 32]; d at most 256. TILE. The results lie as q and k do. compute_kernel_config: does not change values.
// Throws RuntimeError (shapes, dtypes, layouts), OutOfMemoryError.

#pragma once

#include <utility>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"

namespace tilemeter::experimental {

struct RotaryEmbeddingLlamaFusedQk {
    using Self = RotaryEmbeddingLlamaFusedQk;
    Tensor q_input_tensor{}, k_input_tensor{};
    Tensor cos_cache{}, sin_cache{};
    Tensor trans_mat{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "experimental::rotary_embedding_llama_fused_qk",
        "rotary_embedding_llama of queries [1, b, h, d] and keys [1, b, kv, d], HEIGHT_SHARDED by users."};
    static constexpr auto kParameters =
        parameters(required<&Self::q_input_tensor, &Self::k_input_tensor, &Self::cos_cache, &Self::sin_cache,
                            &Self::trans_mat>(),
                   unrecorded_keyword<&Self::compute_kernel_config>());
    std::pair<Tensor, Tensor> call() const;
};
inline constexpr Operation<RotaryEmbeddingLlamaFusedQk> rotary_embedding_llama_fused_qk;

}  // namespace tilemeter::experimental
