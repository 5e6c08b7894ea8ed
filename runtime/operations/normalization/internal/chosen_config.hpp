// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What queries are told of program configs.

#pragma once

#include <variant>

#include "runtime/device/query_shadow.hpp"
#include "runtime/operations/normalization/normalization.hpp"
#include "runtime/operations/normalization/softmax.hpp"

namespace tilemeter {

/// The config that was given, or the one that TT-NN makes of the input's shards.
inline void note_config(const OptionalLayerNormProgramConfig& given, const MemoryConfig& input) {
    QueryShadow* const query = QueryShadow::current();
    if (query == nullptr) return;
    if (given) return query->note_config(*given);
    std::variant<LayerNormDefaultProgramConfig, LayerNormShardedMultiCoreProgramConfig> chosen;
    if (input.shard_spec) {
        const CoreRange around = input.shard_spec->grid.bounding_box();
        LayerNormShardedMultiCoreProgramConfig of_shards;
        of_shards.compute_with_storage_grid_size = {around.end.x - around.start.x + 1,
                                                    around.end.y - around.start.y + 1};
        of_shards.block_h = input.shard_spec->shape[0] / kTileHeight;
        of_shards.block_w = input.shard_spec->shape[1] / kTileWidth;
        chosen = of_shards;
    }
    query->note_config(chosen);
}

/// None: the one of interleaved tensors.
inline void note_config(const OptionalSoftmaxProgramConfig& config) {
    if (QueryShadow* const query = QueryShadow::current()) query->note_config(config);
}

}  // namespace tilemeter
