// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The choice of cores for convolutions and poolings: sticks over rows of cores, channels over columns, or both.
//
// The rules are those of TT-NN's public sources, held to recordings of 0.81.1: the largest number of cores
// that leaves none without work.

#pragma once

#include <cstdint>

#include "runtime/types/memory_config.hpp"

namespace tilemeter {

struct Parallelization {
    CoreRangeSet grid;
    TensorMemoryLayout::Value layout = TensorMemoryLayout::HEIGHT_SHARDED;
    ShardOrientation orientation = ShardOrientation::ROW_MAJOR;

    std::uint32_t cores_rows() const;      ///< among which sticks are shared out
    std::uint32_t cores_channels() const;  ///< among which channels are
    friend bool operator==(const Parallelization&, const Parallelization&) = default;
};

struct ParallelizationRequest {
    TensorMemoryLayout::Value layout = TensorMemoryLayout::HEIGHT_SHARDED;
    ShardOrientation block_orientation = ShardOrientation::ROW_MAJOR;
    std::uint64_t output_sticks = 1;
    std::uint32_t input_channels = 1;
    std::uint32_t output_channels = 1;
    std::uint32_t channels_alignment = 32;
    CoreCoord compute_grid;
    bool pad_channels = true;                ///< cores may take padded channels
    bool whole_tiles_of_rows = true;         ///< else single sticks
    bool whole_tiles_of_columns = true;      ///< else half tiles
    std::uint32_t act_block_h_override = 0;  ///< rows of sticks that a core works on at a time
};

/// Throws RuntimeError for a layout that is not sharded.
Parallelization choose_parallelization(const ParallelizationRequest& request);

/// The parallelization of the output of a convolution whose input lies so.
Parallelization output_parallelization(const Parallelization& input, CoreCoord compute_grid,
                                       std::uint32_t output_channels, bool is_matmul);

/// L1, in shards of whole rows of sticks (rounded up to `row_multiple`) and channels.
/// REQUIRES: `channels` is a multiple of the cores among which they are shared out.
MemoryConfig sharded_config(std::uint64_t sticks, std::uint32_t channels, const Parallelization& spread,
                            std::uint32_t row_multiple);

}  // namespace tilemeter
