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
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <optional>

#include "runtime/operations/transformer/attention_heads.hpp"

namespace tilemeter::experimental {

/// input interleaved, or WIDTH_SHARDED in shards of 32 rows (FLOAT32 or BFLOAT16). num_kv_heads: num_heads
/// unless given. The results are HEIGHT_SHARDED in L1, a shard [h or kv rounded up to 32, d] for each user,
/// on the first cores of the device or of the grid in `memory_config`, which, if given, must ask for that.
/// overlap_qk_coregrid: keys on the same cores as queries; else, of shards only, on those after them.
AttentionHeads nlp_create_qkv_heads_decode(const Tensor& input, std::uint32_t num_heads,
                                           std::optional<std::uint32_t> num_kv_heads = std::nullopt,
                                           const OptionalMemoryConfig& memory_config = std::nullopt,
                                           bool overlap_qk_coregrid = true);

/// input HEIGHT_SHARDED by users; its first num_heads heads. The result is WIDTH_SHARDED in L1, a shard [32,
/// d] for each head; rows beyond b are 0.
Tensor nlp_concat_heads_decode(const Tensor& input, std::uint32_t num_heads);

}  // namespace tilemeter::experimental
