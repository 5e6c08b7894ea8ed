// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What the programs of softmax occupy: the rules of TT-NN 0.81.1.
//
//   along the last of four dimensions     whole rows of tiles (80 tiles at a time where they don't fit)
//   along the last, the last but one      whole rows or columns up to half a MiB, else two tiles at a time
//   along others                          two tiles at a time
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/device_operation.hpp"

namespace tilemeter {

/// `dimension` counts from the front. `mask`: what is added to the input first, null: nothing; only along the
/// last of four dimensions.
ProgramPlan plan_softmax(const TensorSpec& input, const TensorSpec* mask, const TensorSpec& output,
                         std::size_t dimension, bool numeric_stable, const DeviceDescription& device);

/// How a mask differs over the rows of shards.
enum class ShardMask : std::uint8_t { kOneRow, kCausal, kCausalForAll };

/// Where shards lie; over their first `grid` cores. `mask`: null or what is added first.
ProgramPlan plan_softmax_in_shards(const TensorSpec& input, const TensorSpec* mask, ShardMask kind,
                                   CoreCoord grid, std::uint64_t block_w, bool numeric_stable,
                                   const DeviceDescription& device);

}  // namespace tilemeter
