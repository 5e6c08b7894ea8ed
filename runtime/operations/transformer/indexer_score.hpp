// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// experimental.indexer_score_dsa: which keys a query of sparse attention should see. Blackhole only.

#pragma once

#include <cstdint>
#include <optional>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"

namespace tilemeter {

/// The spread of the scores over cores: rows of q and of k at a time, and heads of q that lie there at once (0: all).
struct IndexerScoreProgramConfig {
    std::uint32_t q_chunk_size = 32;
    std::uint32_t k_chunk_size = 32;
    std::uint32_t head_group_size = 1;
    friend bool operator==(const IndexerScoreProgramConfig&, const IndexerScoreProgramConfig&) = default;
};

namespace experimental {

/// q [1, h, s, d], k [1, 1, t, d], weights [1, 1, s, h] -> [1, 1, s, t], ROW_MAJOR: the sum over the heads of relu(q . k)
/// times the head's weight; -infinity for keys that come after the query, which is number chunk_start_idx + its row.
struct IndexerScoreDsa {
    using Self = IndexerScoreDsa;
    Tensor q{}, k{};   ///< BFLOAT16 or BFLOAT8_B; k may be a cache of several [n, 1, t, d]
    Tensor weights{};  ///< BFLOAT16
    std::optional<std::uint32_t> chunk_start_idx{};  ///< none: the queries are the last
    std::uint32_t key_compression_ratio = 1;         ///< or 4: a key stands for as many tokens
    IndexerScoreProgramConfig program_config{};
    OptionalComputeKernelConfig compute_kernel_config{};
    std::optional<std::uint32_t> cache_batch_idx{};  ///< which of the cache
    std::optional<std::uint32_t> kv_len{};           ///< keys that count; none: all
    OnlyDefault seq_shard_axes{};
    NotModelled block_cyclic_sp_axis{};
    NotModelled block_cyclic_chunk_local{};
    bool block_cyclic_cache_tp_sharded = false;  ///< not modelled

    static constexpr OperationInfo kOperation{
        "experimental::indexer_score_dsa",
        "q [1, h, s, d], k [1, 1, t, d], weights [1, 1, s, h] -> [1, 1, s, t]: for each query and key the sum over the heads "
        "of relu(q . k) * weight, -infinity for keys after the query. Blackhole only, on one chip."};
    static constexpr auto kParameters = parameters(
        required<&Self::q, &Self::k, &Self::weights>(),
        keyword<&Self::chunk_start_idx, &Self::key_compression_ratio>(),
        unrecorded_keyword<&Self::program_config, &Self::compute_kernel_config>(),
        keyword<&Self::cache_batch_idx, &Self::kv_len, &Self::seq_shard_axes, &Self::block_cyclic_sp_axis,
                &Self::block_cyclic_chunk_local, &Self::block_cyclic_cache_tp_sharded>());
    Tensor call() const;
};

inline constexpr Operation<IndexerScoreDsa> indexer_score_dsa;

}  // namespace experimental

}  // namespace tilemeter
