// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The shards of a tensor whose dimensions have been exchanged, where the caller does not say where it lies.

#pragma once

#include "runtime/device/device_description.hpp"
#include "runtime/operations/core/device_operation.hpp"

namespace tilemeter {

/// True if the tensor lies in shards in L1, of rows or of columns, that are all full; ROW_MAJOR shards have as many
/// elements as whole tiles.
bool has_full_shards(const TensorSpec& spec);

/// The memory config of `to` with the shards of `from` on the same cores, scaled as the tensor is; nothing
/// where its sides do not stay whole (in tiles: whole tiles). REQUIRES: `from` has a shard spec.
std::optional<MemoryConfig> scaled_shards(const TensorSpec& from, const TensorSpec& to);

/// The memory config of a tensor `to` with as many shards along each dimension as `from` has in its ND shards; where
/// `to` has fewer dimensions, those in front count together. REQUIRES: `from` has an NdShardSpec.
MemoryConfig as_many_nd_shards(const TensorSpec& from, const TensorSpec& to);

/// `wanted`; where it names shards without their size, that of `from` with the same memory layout, scaled as
/// above, or one for shards over the whole grid of cores.
MemoryConfig with_shards(const MemoryConfig& wanted, const TensorSpec& from, const TensorSpec& to,
                         const DeviceDescription& device);

/// The same of the memory layout of `from`; without a shard spec its memory config.
MemoryConfig scaled_or_new_shards(const TensorSpec& from, const TensorSpec& to,
                                  const DeviceDescription& device);

}  // namespace tilemeter
