// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Hash functions of shapes, memory configs and tensor specs.

#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/types/tensor_spec.hpp"

namespace tilemeter {

/// Mixes one value into a hash (the multiplier is 2^64 over the golden ratio).
inline std::size_t mix_hash(std::size_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15U;
    return hash ^ hash >> 29U;
}

inline std::size_t hash_of(const Shape& shape) {
    std::size_t hash = shape.rank();
    for (const std::uint32_t dimension : shape.dimensions())
        hash = mix_hash(hash, dimension);
    return hash;
}

inline std::size_t hash_of(const MemoryConfig& config) {
    std::size_t hash = mix_hash(static_cast<std::uint64_t>(config.memory_layout),
                                static_cast<std::uint64_t>(config.buffer_type));
    if (config.nd_shard_spec) {
        for (const std::uint32_t size : config.nd_shard_spec->shape.dimensions())
            hash = mix_hash(hash, size);
        hash = mix_hash(hash, config.nd_shard_spec->grid.num_cores());
    }
    if (!config.shard_spec) return hash;
    for (const CoreRange& range : config.shard_spec->grid.ranges()) {
        hash = mix_hash(hash, std::uint64_t{range.start.x} << 32U | range.start.y);
        hash = mix_hash(hash, std::uint64_t{range.end.x} << 32U | range.end.y);
    }
    return mix_hash(hash, std::uint64_t{config.shard_spec->shape[0]} << 32U | config.shard_spec->shape[1]);
}

inline std::size_t hash_of(const TensorSpec& spec) {
    const auto types = static_cast<std::uint64_t>(spec.dtype) << 8U | static_cast<std::uint64_t>(spec.layout);
    const auto alignment = std::uint64_t{spec.alignment[0]} << 32U | spec.alignment[1];
    const auto tile = std::uint64_t{spec.tile.height} << 32U | spec.tile.width;
    return mix_hash(mix_hash(mix_hash(hash_of(spec.shape) ^ hash_of(spec.memory_config), types), alignment),
                    tile);
}

}  // namespace tilemeter
