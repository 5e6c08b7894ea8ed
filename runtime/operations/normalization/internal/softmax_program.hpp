// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The memory that the programs of softmax occupy: the rules of TT-NN 0.81.1.
//
//   along the last of four dimensions     whole rows of tiles (80 tiles at a time where they don't fit)
//   along the last, the last but one      whole rows or columns up to half a MiB, else two tiles at a time
//   along others                          two tiles at a time

#pragma once

#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"

namespace tilemeter {

/// Bytes of the tiles that a program keeps between its steps.
struct SoftmaxTiles {
    std::uint64_t sum = 0;     ///< of what is summed up
    std::uint64_t row = 0;     ///< of exponentials and maxima, along the last of four dimensions
    std::uint64_t helper = 0;  ///< of scale factors: they follow the input only in float32
};

/// Without a compute config exponentials follow the input only in float32; a config decides about them and
/// sums.
SoftmaxTiles softmax_tiles(const TensorSpec& input, const OptionalComputeKernelConfig& kernels);

/// `dimension` counts from the front. `mask`: what is added to the input first, null: nothing; only along the
/// last of four dimensions.
ProgramPlan plan_softmax(const TensorSpec& input, const TensorSpec* mask, const TensorSpec& output,
                         std::size_t dimension, bool numeric_stable, const SoftmaxTiles& kept,
                         const DeviceDescription& device);

/// The differences of a mask over the rows of shards.
enum class ShardMask : std::uint8_t { kOneRow, kCausal, kCausalForAll };

/// The place of shards; over their first `grid` cores. `mask`: null or what is added first.
ProgramPlan plan_softmax_in_shards(const TensorSpec& input, const TensorSpec* mask, ShardMask kind,
                                   CoreCoord grid, std::uint64_t block_w, bool numeric_stable,
                                   const SoftmaxTiles& kept, const DeviceDescription& device);

}  // namespace tilemeter
