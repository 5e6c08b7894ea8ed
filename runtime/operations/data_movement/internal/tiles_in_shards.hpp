// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The programs that make tiles of rows in shards, or rows of tiles, where these lie.

#pragma once

#include "runtime/operations/core/device_operation.hpp"

namespace tilemeter {

/// True if the tensor lies in shards of columns in L1.
bool is_in_columns(const TensorSpec& spec);

/// Each core tilizes its columns where they lie, a matrix at a time; a row of the value lies beside them. `padded`: the
/// shape in whole tiles. REQUIRES: both lie in columns.
ProgramPlan plan_columns(const TensorSpec& input, const TensorSpec& output, const Shape& padded,
                         const DeviceDescription& device);

/// Each core untilizes its shard where it lies. Shards of the result are written at once, rows of an interleaved one tile
/// row by tile row. The last shard of rows ends where the tensor does: its size is what TT-NN declares.
ProgramPlan plan_shards_without_padding(const TensorSpec& input, const TensorSpec& output,
                                        const DeviceDescription& device);

}  // namespace tilemeter
