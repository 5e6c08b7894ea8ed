// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Attention heads of one token of each of b users, with TT-NN's names, arguments and defaults; the heads lie
// one user to a core.
//
//     [1, 1, b, (h + 2 kv) * d]  --nlp_create_qkv_heads_decode-->  q [1, b, h, d], k and v [1, b, kv, d]
//     [1, 1, 32, h * d]          <--nlp_concat_heads_decode--      [1, b, h, d]
//
// TILE; FLOAT32, BFLOAT16 or BFLOAT8_B; d is a multiple of 32; b at most 32. Both throw RuntimeError (shapes,
// dtypes, layouts), OutOfMemoryError.

#pragma once

#include <cstdint>
#include <optional>

#include "runtime/operations/transformer/attention_heads.hpp"

namespace tilemeter::experimental {

/// input_tensor interleaved, or WIDTH_SHARDED in shards of 32 rows (FLOAT32 or BFLOAT16). num_kv_heads:
/// num_heads unless given. The results are HEIGHT_SHARDED in L1, a shard [h or kv rounded up to 32, d] for
/// each user, on the first cores of the device or of the grid in `memory_config`, of which nothing else
/// counts. overlap_qk_coregrid: keys on the same cores as queries; else, of shards only, on those after them.
struct NlpCreateQkvHeadsDecode {
    using Self = NlpCreateQkvHeadsDecode;
    Tensor input_tensor{};
    std::uint32_t num_heads = 1;
    std::optional<std::uint32_t> num_kv_heads{};
    Ignored output_tensors{};
    std::optional<bool> overlap_qk_coregrid = true;
    Ignored batch_offset{};
    Ignored slice_size{};
    OptionalMemoryConfig memory_config{};

    static constexpr OperationInfo kOperation{
        "experimental::nlp_create_qkv_heads_decode",
        "One token of each of b users; results HEIGHT_SHARDED by users."};
    static constexpr auto kParameters =
        parameters(required<&Self::input_tensor>(), required_keyword<&Self::num_heads>(),
                   keyword<&Self::num_kv_heads, &Self::output_tensors, &Self::overlap_qk_coregrid,
                           &Self::batch_offset, &Self::slice_size, &Self::memory_config>());
    bool overlaps() const { return overlap_qk_coregrid.value_or(true); }
    AttentionHeads call() const;
};
inline constexpr Operation<NlpCreateQkvHeadsDecode> nlp_create_qkv_heads_decode;

/// input_tensor HEIGHT_SHARDED by users; its first num_heads heads. The result is WIDTH_SHARDED in L1, a
/// shard [32, d] for each head; rows beyond b are 0.
struct NlpConcatHeadsDecode {
    using Self = NlpConcatHeadsDecode;
    Tensor input_tensor{};
    std::uint32_t num_heads = 1;
    Ignored memory_config{};
    Ignored output_tensor{};
    OptionalCores sub_core_grids{};  ///< of no effect but that without them users lie on the first cores

    static constexpr OperationInfo kOperation{
        "experimental::nlp_concat_heads_decode",
        "The first num_heads heads of each user side by side; WIDTH_SHARDED."};
    static constexpr auto kParameters = parameters(
        required<&Self::input_tensor>(), required_keyword<&Self::num_heads>(),
        keyword<&Self::memory_config, &Self::output_tensor>(), unrecorded_keyword<&Self::sub_core_grids>());
    Tensor body() const;
};
inline constexpr Operation<NlpConcatHeadsDecode> nlp_concat_heads_decode;

}  // namespace tilemeter::experimental
