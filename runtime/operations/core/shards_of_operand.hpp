// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Sharded memory configs without a shard spec, like L1_HEIGHT_SHARDED_MEMORY_CONFIG: completed from an
// operand.

#pragma once

#include "runtime/types/memory_config.hpp"

namespace tilemeter {

/// `config`, with the shard spec of an operand where `config` is sharded and has none.
inline MemoryConfig with_shards_of(MemoryConfig config, const MemoryConfig& operand) {
    if (config.is_sharded() && !config.shard_spec && operand.shard_spec)
        config.shard_spec = operand.shard_spec;
    return config;
}

}  // namespace tilemeter
