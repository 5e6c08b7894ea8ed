// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Attention heads of block shards whose columns are groups, one for each key head, with TT-NN's names,
// arguments and defaults.
//
//     create_qkv_heads   [b, 1, s, kv * ((h / kv + 2) * d)], a group is [its queries | key | value]
//                        -->  q [b, h, s, d], k and v [b, kv, s, d]
//     ..._from_separate_tensors   [b, 1, s, h * d] and [b, 1, t, kv * (2 * d)], a group is [key | value]
//
// TILE; FLOAT32, BFLOAT16 or BFLOAT8_B; BLOCK_SHARDED: one batch to a row of cores, whole groups to a core.
// The results are HEIGHT_SHARDED (memory_config, if given, must ask for that) on the input's cores. Heads
// whose key is transposed are [b, kv, d, s]. All throw RuntimeError (shapes, dtypes, shards),
// OutOfMemoryError.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/operations/transformer/attention_heads.hpp"

namespace tilemeter {

namespace experimental {

/// num_kv_heads: num_heads unless given.
struct CreateQkvHeads {
    using Self = CreateQkvHeads;
    Tensor input{};
    std::uint32_t num_heads = 1;
    std::optional<std::uint32_t> num_kv_heads{};
    bool transpose_k_heads = true;
    OptionalMemoryConfig memory_config{};
    Ignored output_tensors{};

    static constexpr OperationInfo kOperation{
        "experimental::create_qkv_heads",
        "BLOCK_SHARDED [b, 1, s, kv * (h / kv + 2) * d], groups of queries, key and value -> q [b, h, s, d], "
        "k and v [b, kv, s, d], HEIGHT_SHARDED."};
    static constexpr auto kParameters =
        parameters(required<&Self::input>(), required_keyword<&Self::num_heads>(),
                   keyword<&Self::num_kv_heads, &Self::transpose_k_heads, &Self::memory_config,
                           &Self::output_tensors>());
    AttentionHeads call() const;
};
inline constexpr Operation<CreateQkvHeads> create_qkv_heads;

struct CreateQkvHeadsFromSeparateTensors {
    using Self = CreateQkvHeadsFromSeparateTensors;
    Tensor input{};
    Tensor input_kv{};
    std::uint32_t num_heads = 1;
    std::optional<std::uint32_t> num_kv_heads{};
    bool transpose_k_heads = true;
    OptionalMemoryConfig memory_config{};
    Ignored output_tensors{};

    static constexpr OperationInfo kOperation{
        "experimental::create_qkv_heads_from_separate_tensors",
        "BLOCK_SHARDED [b, 1, s, h * d] and [b, 1, t, kv * 2 * d], pairs of key and value -> q [b, h, s, d], "
        "k and v [b, kv, t, d], HEIGHT_SHARDED."};
    static constexpr auto kParameters =
        parameters(required<&Self::input, &Self::input_kv>(), required_keyword<&Self::num_heads>(),
                   keyword<&Self::num_kv_heads, &Self::transpose_k_heads, &Self::memory_config,
                           &Self::output_tensors>());
    AttentionHeads call() const;
};
inline constexpr Operation<CreateQkvHeadsFromSeparateTensors> create_qkv_heads_from_separate_tensors;

}  // namespace experimental

namespace unscoped {
/// Query, key, value.
std::vector<Tensor> create_qkv_heads(const Tensor& input, std::uint32_t num_heads, std::uint32_t num_kv_heads,
                                     bool transpose_k_heads, const OptionalMemoryConfig& memory_config);
}  // namespace unscoped

}  // namespace tilemeter
