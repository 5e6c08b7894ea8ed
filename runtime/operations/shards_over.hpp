// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// How TT-NN cuts a tensor into shards when nobody says how.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/device/core_range.hpp"
#include "runtime/tensor/tensor_spec.hpp"

namespace tilemeter {

/// Whole tiles, as few as the cores of `grid` allow, row by row of cores; blocks: rows of the tensor over
/// rows of cores. REQUIRES: TILE; `layout` is sharded.
ShardSpec shards_over(const TensorSpec& tensor, TensorMemoryLayout::Value layout, CoreCoord grid);

}  // namespace tilemeter
