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
// In shards: nlp_create_qkv_heads takes one row of tiles, WIDTH_SHARDED, a core holds the queries, key and
// value of one group, and gives HEIGHT_SHARDED heads, one to a core; split_query_key_value_and_split_heads is
// create_qkv_heads (grouped_heads.hpp); heads joined in shards (HEIGHT_SHARDED, whole heads to a core) become
// WIDTH_SHARDED or BLOCK_SHARDED.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <optional>
#include <tuple>

#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

/// Query, key, value.
using AttentionHeads = std::tuple<Tensor, Tensor, Tensor>;

namespace experimental {

/// input [b, 1, s, (num_heads + 2 * num_kv_heads) * d]; or, with input_kv [b, 1, s, 2 * num_kv_heads * d],
/// input [b, 1, s, num_heads * d]. num_kv_heads: num_heads unless given. transpose_k_heads: k is [b, kv, d,
/// s].
AttentionHeads nlp_create_qkv_heads(const Tensor& input, const OptionalTensor& input_kv = std::nullopt,
                                    std::uint32_t num_heads = 1,
                                    std::optional<std::uint32_t> num_kv_heads = std::nullopt,
                                    bool transpose_k_heads = true,
                                    const OptionalMemoryConfig& memory_config = std::nullopt);

/// [b, heads, s, d] -> [b, 1, s, heads * d].
Tensor nlp_concat_heads(const Tensor& input, const OptionalMemoryConfig& memory_config = std::nullopt);

}  // namespace experimental

namespace transformer {

/// nlp_create_qkv_heads of inputs with three dimensions, [b, s, (num_heads + 2 * num_kv_heads) * d].
AttentionHeads split_query_key_value_and_split_heads(
    const Tensor& input_tensor, const OptionalTensor& kv_input_tensor = std::nullopt,
    std::uint32_t num_heads = 1, std::optional<std::uint32_t> num_kv_heads = std::nullopt,
    bool transpose_key = true, const OptionalMemoryConfig& memory_config = std::nullopt);

/// [b, heads, s, d] -> [b, s, heads * d].
Tensor concatenate_heads(const Tensor& input_tensor,
                         const OptionalMemoryConfig& memory_config = std::nullopt);

}  // namespace transformer

}  // namespace tilemeter
