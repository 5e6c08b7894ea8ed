// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Heads of BERT's large form: queries, keys and values of all heads in one row, split and joined on a grid with a core
// for each row of tiles of each batch.
//
// Tensors are TILE, BFLOAT16 or BFLOAT8_B. memory_config: the input's unless given. compute_with_storage_grid_size: the
// grid of the device. Throws RuntimeError, OutOfMemoryError.

#pragma once

#include <cstdint>

#include "runtime/operations/transformer/attention_heads.hpp"

namespace tilemeter::experimental {

/// [b, 1, s, 3 * h * d] -> query [b, h, s, d], key [b, h, d, s], value [b, h, s, d]. Interleaved: 7 to 9 batches.
/// BLOCK_SHARDED: a core holds [queries | keys | values] of its heads; memory_config must then be sharded.
struct SplitFusedHeads {
    using Self = SplitFusedHeads;
    Tensor input_tensor{};
    CoreCoord compute_with_storage_grid_size{};
    OptionalMemoryConfig memory_config{};
    std::uint32_t num_heads = 16;
    NotModelled output_tensors{};

    static constexpr OperationInfo kOperation{
        "experimental.split_query_key_value_and_split_heads",
        "[b, 1, s, 3 * h * d] to (query [b, h, s, d], key [b, h, d, s], value [b, h, s, d]). TILE; 7 to 9 batches, "
        "or blocks with the queries, keys and values of two heads to a core."};
    static constexpr auto kParameters =
        parameters(required<&Self::input_tensor, &Self::compute_with_storage_grid_size>(),
                   keyword<&Self::memory_config, &Self::num_heads, &Self::output_tensors>());
    AttentionHeads call() const;
};
inline constexpr Operation<SplitFusedHeads> split_query_key_value_and_split_heads;

/// [b, 16, 384, 64] -> [b, 1, 384, 1024]; 7 to 9 batches.
struct ConcatenateFusedHeads {
    using Self = ConcatenateFusedHeads;
    Tensor input_tensor{};
    CoreCoord compute_with_storage_grid_size{};
    OptionalMemoryConfig memory_config{};
    NotModelled output_tensor{};

    static constexpr OperationInfo kOperation{"experimental.concatenate_heads",
                                              "[b, 16, 384, 64] to [b, 1, 384, 1024], b from 7 to 9. TILE."};
    static constexpr auto kParameters =
        parameters(required<&Self::input_tensor, &Self::compute_with_storage_grid_size>(),
                   keyword<&Self::memory_config, &Self::output_tensor>());
    Tensor body() const;
};
inline constexpr Operation<ConcatenateFusedHeads> concatenate_heads;

}  // namespace tilemeter::experimental
