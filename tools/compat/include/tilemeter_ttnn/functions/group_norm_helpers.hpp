// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Preparation of a group_norm: the grid of cores, shards, masks of the columns of each group.

#pragma once

#include <cstdint>
#include <optional>

#include "tilemeter_ttnn/tensor.hpp"

namespace ttnn::operations::normalization {

struct GroupNormShardedConfigAndGridSize {
    tt::tt_metal::MemoryConfig memory_config;
    CoreGrid core_grid;
};

/// Shards that a group_norm takes. Throws std::runtime_error for channels that are no whole groups and tiles.
GroupNormShardedConfigAndGridSize determine_expected_group_norm_sharded_config_and_grid_size(
    tt::tt_metal::CoreCoord device_compute_grid, std::uint32_t num_channels, int num_groups,
    std::uint32_t input_nhw, bool is_height_sharded, bool is_row_major);
/// Among how many columns of a grid the channels of an interleaved group_norm are shared out; 0: none fits.
std::uint32_t compute_num_virtual_cols(std::uint32_t grid_x, int num_groups, std::uint32_t num_channels);
/// The largest grid within `max_x` and `max_y` over which an interleaved group_norm is shared out evenly.
std::optional<CoreGrid> find_expected_dram_grid(std::uint32_t max_x, std::uint32_t max_y,
                                                std::uint32_t num_channels, int num_groups,
                                                std::uint32_t input_nhw, std::uint32_t num_batches = 1);

// Masks are host tensors [1, groups, tile_height, columns of a group's tiles]. These throw std::runtime_error for groups that
// cores cannot share out.
/// 1 where a column belongs to the group (0 where `is_negative_mask`), from the group's first tile on. Of an image whose rows
/// end within a tile there are twice as many groups: the second ones without the rows from `rows_in_last_tile` on.
Tensor create_group_norm_input_mask_impl(std::int64_t num_channel, std::int64_t num_groups,
                                         std::int64_t num_cores_across_channel,
                                         tt::tt_metal::DataType data_type, bool is_negative_mask,
                                         std::int64_t tile_height = 32, std::int64_t tile_width = 32,
                                         std::int64_t rows_in_last_tile = 0);
Tensor create_group_norm_input_mask(std::int64_t num_channel, std::int64_t num_groups,
                                    std::int64_t num_cores_across_channel,
                                    tt::tt_metal::DataType data_type = tt::tt_metal::DataType::BFLOAT16,
                                    std::int64_t tile_height = 32, std::int64_t tile_width = 32,
                                    std::int64_t rows_in_last_tile = 0);
Tensor create_group_norm_input_negative_mask(
    std::int64_t num_channel, std::int64_t num_groups, std::int64_t num_cores_across_channel,
    tt::tt_metal::DataType data_type = tt::tt_metal::DataType::BFLOAT16, std::int64_t tile_height = 32,
    std::int64_t tile_width = 32);
/// 1 in the first `rows_valid` rows of each group.
Tensor create_group_norm_row_mask(std::int64_t rows_valid, std::int64_t num_groups, std::int64_t mask_width,
                                  tt::tt_metal::DataType data_type = tt::tt_metal::DataType::BFLOAT16,
                                  std::int64_t tile_height = 32);
/// `input_mask`; where neither mask is given, one on the input's device.
Tensor get_mask_tensor(const Tensor& input_tensor, const std::optional<Tensor>& input_mask,
                       const std::optional<Tensor>& negative_mask, const CoreGrid& core_grid, int num_groups,
                       std::int64_t rows_in_last_tile = 0);

}  // namespace ttnn::operations::normalization
