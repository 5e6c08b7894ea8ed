// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// From rows of hidden values to attention heads and back, with TT-NN's names, arguments and defaults.
//
//     [b, 1, s, (q + 2 kv) * d]  --nlp_create_qkv_heads-->   q [b, q, s, d], k and v [b, kv, s, d]
//     [b, 1, s, q * d]           <--nlp_concat_heads--       [b, q, s, d]
//
// TILE; FLOAT32, BFLOAT16 or BFLOAT8_B; the head size d is a multiple of 32. The results have the input's
// dtype. memory_config of the results: that of the input unless given. All throw RuntimeError (shapes,
// dtypes, layouts), OutOfMemoryError.
//
// In shards: nlp_create_qkv_heads takes one row of tiles, WIDTH_SHARDED, a core holds the queries, key and value of one
// group, and gives HEIGHT_SHARDED heads, one to a core. split_query_key_value_and_split_heads is create_qkv_heads
// (grouped_heads.hpp). Heads joined in shards (HEIGHT_SHARDED, whole heads to a core) become WIDTH_SHARDED or
// BLOCK_SHARDED.

#pragma once

#include <cstdint>
#include <optional>
#include <tuple>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

/// Query, key, value.
using AttentionHeads = std::tuple<Tensor, Tensor, Tensor>;

namespace experimental {

/// input [b, 1, s, (num_heads + 2 * num_kv_heads) * d]; or, with input_kv [b, 1, s, 2 * num_kv_heads * d],
/// input [b, 1, s, num_heads * d]. num_kv_heads: num_heads unless given. transpose_k_heads: k is [b, kv, d,
/// s].
struct NlpCreateQkvHeads {
    using Self = NlpCreateQkvHeads;
    Tensor input{};
    OptionalTensor input_kv{};
    std::uint32_t num_heads = 1;
    std::optional<std::uint32_t> num_kv_heads{};
    bool transpose_k_heads = true;
    bool kv_tied = false;  ///< has no effect
    OptionalMemoryConfig memory_config{};
    Ignored output_tensors{};

    static constexpr OperationInfo kOperation{
        "experimental::nlp_create_qkv_heads",
        "[b, 1, s, (h + 2 * kv) * d] -> q [b, h, s, d], k and v [b, kv, s, d]."};
    static constexpr auto kParameters = parameters(
        required<&Self::input>(), optional<&Self::input_kv>(), required_keyword<&Self::num_heads>(),
        keyword<&Self::num_kv_heads, &Self::transpose_k_heads>(), unrecorded_keyword<&Self::kv_tied>(),
        keyword<&Self::memory_config, &Self::output_tensors>());
    AttentionHeads call() const;
};
inline constexpr Operation<NlpCreateQkvHeads> nlp_create_qkv_heads;

struct NlpConcatHeads {
    Tensor input_tensor{};
    OptionalMemoryConfig memory_config{};

    static constexpr OperationInfo kOperation{"experimental::nlp_concat_heads",
                                              "[b, h, s, d] -> [b, 1, s, h * d]."};
    static constexpr auto kParameters =
        parameters(required<&NlpConcatHeads::input_tensor>(), keyword<&NlpConcatHeads::memory_config>());
    Tensor body() const;
};
inline constexpr Operation<NlpConcatHeads> nlp_concat_heads;

}  // namespace experimental

namespace transformer {

/// nlp_create_qkv_heads of inputs with three dimensions, [b, s, (num_heads + 2 * num_kv_heads) * d].
/// use_falcon7b_backend: nlp_create_qkv_heads_falcon7b, which takes its widths only, num_kv_heads, no keys of their own and
/// nothing to transpose.
struct SplitQueryKeyValueAndSplitHeads {
    using Self = SplitQueryKeyValueAndSplitHeads;
    Tensor input_tensor{};
    OptionalTensor kv_input_tensor{};
    std::uint32_t num_heads = 1;
    std::optional<std::uint32_t> num_kv_heads{};
    bool transpose_key = true;
    OptionalMemoryConfig memory_config{};
    bool use_falcon7b_backend = false;

    static constexpr OperationInfo kOperation{
        "transformer::split_query_key_value_and_split_heads",
        "[b, s, (h + 2 * kv) * d] -> q [b, h, s, d], k [b, kv, d, s] if transposed, v [b, kv, s, d]."};
    static constexpr auto kParameters =
        parameters(required<&Self::input_tensor>(), optional<&Self::kv_input_tensor>(),
                   required_keyword<&Self::num_heads>(),
                   keyword<&Self::num_kv_heads, &Self::transpose_key, &Self::memory_config>(),
                   unrecorded_keyword<&Self::use_falcon7b_backend>());
    AttentionHeads call() const;
};
inline constexpr Operation<SplitQueryKeyValueAndSplitHeads> split_query_key_value_and_split_heads;

struct ConcatenateHeads {
    Tensor input_tensor{};
    OptionalMemoryConfig memory_config{};

    static constexpr OperationInfo kOperation{"transformer::concatenate_heads",
                                              "[b, h, s, d] -> [b, s, h * d]."};
    static constexpr auto kParameters =
        parameters(required<&ConcatenateHeads::input_tensor>(), keyword<&ConcatenateHeads::memory_config>());
    Tensor body() const;
};
inline constexpr Operation<ConcatenateHeads> concatenate_heads;

}  // namespace transformer

}  // namespace tilemeter
