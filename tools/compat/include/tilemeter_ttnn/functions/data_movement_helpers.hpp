// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Sizes and shapes that programs which move data are planned with: shards, tiles, pages, room in L1.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "tilemeter_ttnn/tensor.hpp"

namespace ttnn::operations::data_movement {

enum class ShardStrategy : std::uint8_t { BLOCK, HEIGHT, WIDTH };

// Memory configs.
bool is_nd_sharded_memory_config(const MemoryConfig& config);
/// Equal but for which form of the shards was given.
bool is_functionally_same_memory_config(const MemoryConfig& a, const MemoryConfig& b);
/// Without the shards of any number of dimensions, where those of two say the same.
MemoryConfig drop_normalized_nd_shard_spec(const MemoryConfig& config);
/// As many shards along each dimension as `config` has of the old shape. Throws std::runtime_error unless it is ND sharded.
MemoryConfig derive_nd_shard_spec_for_reshaped_output(const MemoryConfig& config,
                                                      const Shape& old_padded_shape,
                                                      const Shape& new_padded_shape, bool is_tiled);
/// True where a shard does not divide a dimension.
bool is_uneven_nd_sharding(const Shape& shape, const Shape& shard_shape);
/// Throws std::runtime_error for one dimension, and for shards of TILE tensors that are no whole tiles.
MemoryConfig create_sharded_memory_config(
    const Shape& logical_shape, const CoreRangeSet& core_grid, const ShardStrategy& strategy,
    const ShardOrientation& orientation,
    std::optional<std::array<std::uint32_t, 2>> shard_shape = std::nullopt,
    const Layout& layout = Layout::ROW_MAJOR);

// Shards of a matrix [height, width].
/// Throws std::runtime_error unless the grid has `total_num_cores`.
std::array<std::uint32_t, 2> compute_block_sharded_shard_shape(
    const std::array<std::uint32_t, 2>& squeezed_tensor_hw, const Layout& layout, const CoreCoord& grid_size,
    const ShardOrientation& orientation, std::uint32_t total_num_cores);
std::array<std::uint32_t, 2> compute_height_sharded_shard_shape(
    const std::array<std::uint32_t, 2>& squeezed_tensor_hw, const Layout& layout,
    std::uint32_t total_num_cores);
std::array<std::uint32_t, 2> compute_width_sharded_shard_shape(
    const std::array<std::uint32_t, 2>& squeezed_tensor_hw, std::uint32_t total_num_cores);
/// The number of the shard that has an element, and the element's place in it.
std::pair<std::uint32_t, std::array<std::uint32_t, 2>> tensor_coord_to_height_sharded_coord(
    const std::span<const std::uint32_t>& tensor_shape, const std::span<const std::uint32_t>& shard_shape,
    const std::span<const std::uint32_t>& tensor_coord);

// Shapes with whole tiles of 32x32.
Shape compute_padded_shape(Shape logical_shape, std::uint32_t tile_height = 32,
                           std::uint32_t tile_width = 32);
Shape pad_to_tile_shape(const Shape& unpadded_shape);
/// Padded by the operation pad where it has parts of tiles.
Tensor pad_to_tile_vol(const Tensor& tensor, float value, bool use_multicore,
                       const std::optional<MemoryConfig>& memory_config);
/// Leading dimensions as one: four at most.
Shape squeeze_output_shape(const Shape& shape);

// Numbers.
std::uint32_t wrap_index(int index, int size);
std::uint16_t float_to_uint16(float value);  ///< rounded; limits beyond the range, 0 for no number
std::uint32_t pack_two_uint16_into_uint32(std::pair<std::uint16_t, std::uint16_t> two_uint16s);

// Pages and room. Bytes.
std::uint32_t get_num_pages(const Tensor& tensor);
std::uint32_t per_shard_page_size_bytes(const Tensor& tensor, std::uint32_t row_bytes);
std::uint32_t get_static_l1_space(const Tensor& tensor);  ///< of a core, for programs and tensors
std::uint32_t get_max_l1_space(const Tensor& tensor);     ///< of a core, below what tensors take now
std::uint32_t get_estimated_size_of_cbs(const Tensor& tensor, std::uint32_t input_single_tile_size,
                                        std::uint32_t output_single_tile_size,
                                        std::uint32_t num_tiles_per_row,
                                        std::uint32_t staging_bytes_per_tile = 0,
                                        std::uint32_t fixed_staging_bytes = 0);
bool is_enough_space(const Tensor& tensor, std::uint32_t input_single_tile_size,
                     std::uint32_t output_single_tile_size, std::uint32_t num_tiles_per_row,
                     std::uint32_t staging_bytes_per_tile = 0, std::uint32_t fixed_staging_bytes = 0,
                     std::uint32_t reserved_l1_bytes_per_core = 0);
/// True of tensors on Wormhole and Blackhole.
bool codegen_supported_on_arch(const Tensor& input);

}  // namespace ttnn::operations::data_movement
