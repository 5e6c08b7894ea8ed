// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// interleaved_to_sharded_partial, sharded_to_interleaved_partial: one of several slices of a tensor's rows, taken into
// shards and put back, for a model whose whole tensor does not fit into L1.
//
//     [.., H, W], num_slices -> [1, 1, rows / num_slices, W], rows: all of the padded shape

#pragma once

#include <array>
#include <cstdint>
#include <tuple>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct InterleavedToShardedPartial {
    Tensor input_tensor{};  ///< INTERLEAVED, TILE
    CoreCoord grid{};       ///< columns and rows of the cores to choose from
    std::array<std::uint32_t, 2> shard_shape{};
    std::int64_t num_slices = 1;   ///< divides the rows
    std::int64_t slice_index = 0;  ///< from 0
    TensorMemoryLayout::Value shard_scheme = TensorMemoryLayout::HEIGHT_SHARDED;
    ShardOrientation shard_orientation = ShardOrientation::ROW_MAJOR;
    OptionalDataType output_dtype{};

    static constexpr OperationInfo kOperation{
        "interleaved_to_sharded_partial",
        "One of num_slices equal slices of the rows, in shards in L1 on the first cores of a grid: [1, 1, rows / num_slices, "
        "width]. TILE layout."};
    static constexpr auto kParameters = parameters(
        required<&InterleavedToShardedPartial::input_tensor, &InterleavedToShardedPartial::grid,
                 &InterleavedToShardedPartial::shard_shape, &InterleavedToShardedPartial::num_slices,
                 &InterleavedToShardedPartial::slice_index, &InterleavedToShardedPartial::shard_scheme,
                 &InterleavedToShardedPartial::shard_orientation>(),
        keyword<&InterleavedToShardedPartial::output_dtype>());
    auto recorded() const { return std::tie(input_tensor, num_slices, slice_index, output_dtype); }
    /// Throws RuntimeError, OutOfMemoryError.
    Tensor body() const;
};

inline constexpr Operation<InterleavedToShardedPartial> interleaved_to_sharded_partial;

struct ShardedToInterleavedPartial {
    Tensor input_tensor{};                 ///< a slice, in shards in L1, TILE
    Tensor cache_tensor{};                 ///< INTERLEAVED; what is returned
    std::int64_t num_slices = 1;           ///< of the cache's rows
    std::int64_t slice_index = 0;          ///< from 0
    OptionalMemoryConfig memory_config{};  ///< that of cache_tensor
    OptionalDataType output_dtype{};       ///< that of cache_tensor

    static constexpr OperationInfo kOperation{
        "sharded_to_interleaved_partial",
        "Writes a slice in shards into its rows of cache_tensor, which is returned: one of num_slices equal slices. TILE "
        "layout."};
    static constexpr auto kParameters = parameters(
        required<&ShardedToInterleavedPartial::input_tensor>(),
        required<&ShardedToInterleavedPartial::cache_tensor>().output(),
        required<&ShardedToInterleavedPartial::num_slices, &ShardedToInterleavedPartial::slice_index>(),
        keyword<&ShardedToInterleavedPartial::memory_config, &ShardedToInterleavedPartial::output_dtype>());
    /// Throws RuntimeError.
    Tensor body() const;
};

inline constexpr Operation<ShardedToInterleavedPartial> sharded_to_interleaved_partial;

}  // namespace tilemeter
