// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Heads of models whose numbers of heads are known.
//
// Input: [b, 1, s, width], TILE, interleaved, floating point; the heads have whole tiles of rows.
// memory_config: the input's unless given. Throws RuntimeError, OutOfMemoryError.

#pragma once

#include <vector>

#include "runtime/operations/transformer/attention_heads.hpp"

namespace tilemeter::experimental {

/// Falcon-7B, width 4672: 71 heads of queries, one of keys and one of values, of 64 elements.
struct NlpCreateQkvHeadsFalcon7b {
    using Self = NlpCreateQkvHeadsFalcon7b;
    Tensor input{};
    OptionalMemoryConfig memory_config{};

    static constexpr OperationInfo kOperation{
        "experimental.nlp_create_qkv_heads_falcon7b",
        "[b, 1, s, 4672] to (query [b, 71, s, 64], key, value [b, 1, s, 64]). TILE."};
    static constexpr auto kParameters = parameters(required<&Self::input>(), keyword<&Self::memory_config>());
    AttentionHeads call() const;
};
inline constexpr Operation<NlpCreateQkvHeadsFalcon7b> nlp_create_qkv_heads_falcon7b;

/// ViT, width 2304: 12 heads of queries, keys and values each, of 64 elements.
struct NlpCreateQkvHeadsVit {
    using Self = NlpCreateQkvHeadsVit;
    Tensor input{};
    OptionalMemoryConfig memory_config{};
    Ignored output_tensors{};

    static constexpr OperationInfo kOperation{
        "experimental.nlp_create_qkv_heads_vit",
        "[b, 1, s, 2304] to (query, key, value), each [b, 12, s, 64]. TILE."};
    static constexpr auto kParameters =
        parameters(required<&Self::input>(), keyword<&Self::memory_config, &Self::output_tensors>());
    AttentionHeads call() const;
};
inline constexpr Operation<NlpCreateQkvHeadsVit> nlp_create_qkv_heads_vit;

/// Segformer: rows [b, 1, s, h * 32] as h heads of 32 elements, which TT-NN returns three times: only the first of
/// the three has values there, and callers use one.
struct NlpCreateQkvHeadsSegformer {
    using Self = NlpCreateQkvHeadsSegformer;
    Tensor input{};
    OptionalMemoryConfig memory_config{};
    NotModelled output_tensors{};

    static constexpr OperationInfo kOperation{
        "experimental.nlp_create_qkv_heads_segformer",
        "[b, 1, s, h * 32] to (heads [b, h, s, 32], and two more of that shape, which hold zeros). TILE."};
    static constexpr auto kParameters =
        parameters(required<&Self::input>(), keyword<&Self::memory_config, &Self::output_tensors>());
    AttentionHeads call() const;
};
inline constexpr Operation<NlpCreateQkvHeadsSegformer> nlp_create_qkv_heads_segformer;

/// [x1, x2] -> [-x2, x1]. The padded size of the last dimension: a multiple of 64.
struct RotateHalf {
    Tensor input{};
    OptionalMemoryConfig memory_config{};

    static constexpr OperationInfo kOperation{
        "experimental.rotate_half",
        "The second half of the last dimension negated, then the first. TILE, a multiple of 64 wide."};
    static constexpr auto kParameters =
        parameters(required<&RotateHalf::input>(), keyword<&RotateHalf::memory_config>());
    Tensor body() const;
};
inline constexpr Operation<RotateHalf> rotate_half;

}  // namespace tilemeter::experimental

namespace tilemeter::unscoped {

/// Query, key, value: as part of another operation.
std::vector<Tensor> nlp_create_qkv_heads_falcon7b(const Tensor& input, const MemoryConfig& memory_config);

}  // namespace tilemeter::unscoped
