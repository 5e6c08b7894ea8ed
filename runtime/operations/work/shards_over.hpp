// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The shard specs that TT-NN chooses where the caller gives none.

#pragma once

#include "runtime/types/core_range.hpp"
#include "runtime/types/tensor_spec.hpp"

namespace tilemeter {

/// Whole tiles, as few as the cores of `grid` allow, row by row of cores; blocks: rows of the tensor over
/// rows of cores. REQUIRES: TILE; `layout` is sharded.
ShardSpec shards_over(const TensorSpec& tensor, TensorMemoryLayout::Value layout, CoreCoord grid);

/// The memory config of `result` on the cores of `config`: one shard of whole tiles for each core. `config`
/// itself where `result` is ROW_MAJOR or `config` has no shards.
MemoryConfig on_its_cores(const TensorSpec& result, MemoryConfig config);

/// `config` with its shards cut anew for `tensor`, on the cores that it names. By rows or columns: as few tiles
/// (ROW_MAJOR: elements) as those cores allow. Blocks: by the most rows and columns of cores that divide the tensor's,
/// none (INTERLEAVED) where rows of elements are no whole 64 bytes. What is one shard of all rows of tiles counts as
/// sharded by width, as TT-NN calls it. `tensor`'s own memory config is not looked at. REQUIRES: `config` has a shard
/// spec.
MemoryConfig fitted_shards(const MemoryConfig& config, const TensorSpec& tensor);

/// The memory config of `from` with its shards stretched, so that as many of them hold a tensor of that shape.
MemoryConfig stretched_shards(const TensorSpec& from, const Shape& to);

/// True if it is sharded and has no shards: they are left open.
bool is_open(const MemoryConfig& config);

/// `config`; where it is open, with those of `operand` stretched to a result of shape
/// `result`, or, where `operand` has none of rows and columns, with whole tiles over the whole grid.
MemoryConfig with_open_shards(MemoryConfig config, const TensorSpec& operand, const Shape& result,
                              CoreCoord grid);

/// The cores that may hold shards: 0 without any.
std::uint64_t cores_of_shards(const MemoryConfig& config);

}  // namespace tilemeter
