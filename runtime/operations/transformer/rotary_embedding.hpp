// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Rotary position embeddings, with TT-NN's names, arguments and defaults.
//
//     rotary_embedding        x * cos + rotate_half(x) * sin,  rotate_half([a b]) = [-b a]
//     rotary_embedding_llama  x * cos + (x . trans_mat) * sin, trans_mat applied to each 32 columns
//
// TILE, where not said otherwise. memory_config of the result: that of the input unless given.
// compute_kernel_config: does not change values. All throw RuntimeError (shapes, dtypes, layouts),
// OutOfMemoryError.

#pragma once

#include <cstdint>
#include <optional>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"

namespace tilemeter::experimental {

/// input_tensor [..., s, d], d 32 or a multiple of 64, interleaved or HEIGHT_SHARDED; cos_cache, sin_cache
/// [1, 1, t, d], interleaved. Row i of the input takes row i of the caches, t >= s; with token_index, where
/// the input is [1, 1, b, d] or [1, h, b, d], every row takes row token_index. The result's rows are filled
/// up to a multiple of 32, as TT-NN's are. What is ROW_MAJOR is tilized first.
struct RotaryEmbedding {
    using Self = RotaryEmbedding;
    Tensor input_tensor{};
    Tensor cos_cache{}, sin_cache{};
    std::optional<std::uint32_t> token_index{};
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "experimental::rotary_embedding",
        "Rows turned by their position; cos_cache, sin_cache [1, 1, t, d]."};
    static constexpr auto kParameters = parameters(
        required<&Self::input_tensor, &Self::cos_cache, &Self::sin_cache>(), optional<&Self::token_index>(),
        keyword<&Self::memory_config>(), unrecorded_keyword<&Self::compute_kernel_config>());
    Tensor body() const;
};
inline constexpr Operation<RotaryEmbedding> rotary_embedding;

/// BFLOAT16 throughout, d at most 256; trans_mat [..., 32]: its first 32 rows are used. Prefill: input_tensor
/// [b, h, s, d], cos and sin [1, 1 or h, t, d], trans_mat [1, 1, 32, 32], interleaved. is_decode_mode: one
/// token for each of b users, all HEIGHT_SHARDED by users: input_tensor [1, b, h, d], cos and sin [1, b, 1,
/// d], trans_mat [1, 1, 32 * b, 32].
struct RotaryEmbeddingLlama {
    using Self = RotaryEmbeddingLlama;
    Tensor input_tensor{};
    Tensor cos_cache{}, sin_cache{};
    Tensor trans_mat{};
    bool is_decode_mode = false;
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "experimental::rotary_embedding_llama",
        "Rows turned by their position, by a product with trans_mat [1, 1, 32, 32]."};
    static constexpr auto kParameters =
        parameters(required<&Self::input_tensor, &Self::cos_cache, &Self::sin_cache, &Self::trans_mat>(),
                   keyword<&Self::is_decode_mode, &Self::memory_config>(),
                   unrecorded_keyword<&Self::compute_kernel_config>());
    Tensor body() const;
};
inline constexpr Operation<RotaryEmbeddingLlama> rotary_embedding_llama;

}  // namespace tilemeter::experimental
