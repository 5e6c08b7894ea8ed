// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "runtime/types/rounding.hpp"
#include "tilemeter_ttnn/functions/group_norm_helpers.hpp"
#include "tools/compat/src/fatal.hpp"

namespace ttnn::operations::normalization {

namespace {

namespace metal = tt::tt_metal;
using tilemeter::compat::refuse_as_fatal;

constexpr std::uint32_t kTile = 32;

void require(bool condition, const char* text, const std::string& refusal) {
    if (!condition) refuse_as_fatal(text, refusal);
}

std::uint32_t whole(std::uint64_t value, std::uint64_t unit) {
    return static_cast<std::uint32_t>(tilemeter::round_up(value, unit));
}

std::uint32_t largest_divisor(std::uint32_t number, std::uint32_t start) {
    while (start > 1 && number % start != 0)
        --start;
    return start;
}

Tensor host_tensor(const Shape& shape, metal::DataType dtype, const std::vector<float>& values) {
    return Tensor::from_vector<float>(
        values, metal::TensorSpec(
                    shape, metal::TensorLayout(dtype, metal::PageConfig(Layout::TILE), DRAM_MEMORY_CONFIG)));
}

Shape shape_of(std::int64_t groups, std::int64_t height, std::int64_t width) {
    return {1, static_cast<std::uint32_t>(groups), static_cast<std::uint32_t>(height),
            static_cast<std::uint32_t>(width)};
}

// Tiles that a group of columns touches at most.
std::int64_t most_tiles(std::int64_t columns, std::int64_t group, std::int64_t tile) {
    std::int64_t most = 0;
    for (std::int64_t begin = 0; begin < columns; begin += group)
        most = std::max(most, (begin + group - 1) / tile - begin / tile + 1);
    return most;
}

std::int64_t cores_across_channels(const Tensor& input, const CoreGrid& grid, int groups) {
    const metal::MemoryConfig& config = input.memory_config();
    const auto channels = static_cast<std::uint32_t>(input.padded_shape()[-1]);
    if (config.buffer_type() != BufferType::L1) {
        const std::uint32_t columns =
            compute_num_virtual_cols(static_cast<std::uint32_t>(grid.x), groups, channels);
        require(columns > 0, "num_virtual_cols > 0",
                "group_norm: no columns of a grid " + std::to_string(grid.x) + " wide share out " +
                    std::to_string(channels) + " channels in " + std::to_string(groups) + " groups");
        return columns;
    }
    const auto& shards = config.shard_spec();
    if (config.memory_layout() == TensorMemoryLayout::HEIGHT_SHARDED) return 1;
    if (config.memory_layout() != TensorMemoryLayout::BLOCK_SHARDED)
        return static_cast<std::int64_t>(grid.x * grid.y);
    const bool by_rows = shards && shards->orientation == ShardOrientation::ROW_MAJOR;
    return static_cast<std::int64_t>(by_rows ? grid.x : grid.y);
}

}  // namespace

GroupNormShardedConfigAndGridSize determine_expected_group_norm_sharded_config_and_grid_size(
    CoreCoord device_compute_grid, std::uint32_t num_channels, int num_groups, std::uint32_t input_nhw,
    bool is_height_sharded, bool is_row_major) {
    const auto groups = static_cast<std::uint32_t>(num_groups);
    require(groups != 0 && num_channels % groups == 0, "num_channels % num_groups == 0",
            "group_norm: expected " + std::to_string(num_channels) + " channels in whole groups, found " +
                std::to_string(num_groups) + " groups");
    require(num_channels % kTile == 0, "num_channels % TILE_SIZE == 0",
            "group_norm: channels: expected a multiple of 32, found " + std::to_string(num_channels));
    auto along = static_cast<std::uint32_t>(device_compute_grid.x),
         down = static_cast<std::uint32_t>(device_compute_grid.y);
    if (is_row_major) std::swap(along, down);
    const std::uint32_t tiles = whole(input_nhw, kTile) / kTile;
    const std::uint32_t rows = largest_divisor(tiles, is_height_sharded ? along * down : along);
    const std::uint32_t height = whole(input_nhw, std::uint64_t{rows} * kTile) / rows;
    const auto result = [&](TensorMemoryLayout layout, std::uint32_t x, std::uint32_t y,
                            std::array<std::uint32_t, 2> shard, ShardOrientation orientation) {
        const CoreRangeSet cores(CoreRange({0, 0}, {x - 1, y - 1}));
        return GroupNormShardedConfigAndGridSize{
            metal::MemoryConfig(layout, BufferType::L1, metal::ShardSpec(cores, shard, orientation)),
            CoreGrid(x, y)};
    };
    if (is_height_sharded) {
        const std::uint32_t x = std::min(rows, along);
        return result(TensorMemoryLayout::HEIGHT_SHARDED, x,
                      static_cast<std::uint32_t>(tilemeter::ceil_div(rows, along)), {height, num_channels},
                      ShardOrientation::ROW_MAJOR);
    }
    const std::uint32_t group = num_channels / groups;
    std::uint32_t columns = down;
    const auto fits = [&](std::uint32_t count) {
        return num_channels / 8 % count == 0 && num_channels / count % group == 0 &&
               num_channels / count >= kTile;
    };
    while (columns > 1 && !fits(columns))
        --columns;
    const std::uint32_t width = num_channels / columns;
    if (is_row_major)
        return result(TensorMemoryLayout::BLOCK_SHARDED, columns, rows, {height, width},
                      ShardOrientation::ROW_MAJOR);
    return result(TensorMemoryLayout::BLOCK_SHARDED, rows, columns, {width, height},
                  ShardOrientation::COL_MAJOR);
}

std::uint32_t compute_num_virtual_cols(std::uint32_t grid_x, int num_groups, std::uint32_t num_channels) {
    const auto groups = static_cast<std::uint32_t>(num_groups);
    std::uint32_t columns = std::min(grid_x, groups);
    while (columns > 0 && (num_channels / columns % kTile != 0 || groups % columns != 0))
        --columns;
    return columns;
}

std::optional<CoreGrid> find_expected_dram_grid(std::uint32_t max_x, std::uint32_t max_y,
                                                std::uint32_t num_channels, int num_groups,
                                                std::uint32_t input_nhw, std::uint32_t num_batches) {
    const std::uint32_t tiles = whole(input_nhw, kTile) / kTile;
    for (std::uint32_t x = max_x; x >= 1; --x) {
        const std::uint32_t columns = compute_num_virtual_cols(x, num_groups, num_channels);
        if (columns == 0 || x % columns != 0) continue;
        const std::uint32_t rows_of_cores = x / columns;
        for (std::uint32_t y = std::min(tiles / rows_of_cores, max_y); y >= 1; --y) {
            const std::uint32_t rows = rows_of_cores * y;
            if (tiles % rows == 0 && (rows < num_batches || rows % num_batches == 0)) return CoreGrid(x, y);
        }
    }
    return std::nullopt;
}

Tensor create_group_norm_input_mask_impl(std::int64_t num_channel, std::int64_t num_groups,
                                         std::int64_t num_cores_across_channel, metal::DataType data_type,
                                         bool is_negative_mask, std::int64_t tile_height,
                                         std::int64_t tile_width, std::int64_t rows_in_last_tile) {
    require(num_channel > 0, "W > 0", "channels: expected at least 1, found " + std::to_string(num_channel));
    require(num_groups > 0 && num_channel / num_groups > 0, "group_size > 0",
            "expected at least a channel in each of " + std::to_string(num_groups) + " groups");
    require(num_cores_across_channel > 0 && num_groups % num_cores_across_channel == 0,
            "num_groups % num_cores_across_channel == 0",
            "create_group_norm_input_mask: num_groups (" + std::to_string(num_groups) +
                ") must be divisible by num_cores_across_channel (" +
                std::to_string(num_cores_across_channel) + ")");
    const std::int64_t group = num_channel / num_groups;
    const std::int64_t groups_of_core = num_groups / num_cores_across_channel;
    const std::int64_t width = most_tiles(num_channel, group, tile_width) * tile_width;
    const std::int64_t sets = rows_in_last_tile != 0 ? 2 : 1;
    const float inside = is_negative_mask ? 0.0F : 1.0F;
    std::vector<float> values(static_cast<std::size_t>(sets * num_groups * tile_height * width), 1 - inside);
    for (std::int64_t set = 0; set < sets; ++set) {
        const std::int64_t rows = set == 0 ? tile_height : rows_in_last_tile;
        for (std::int64_t index = 0; index < num_groups; ++index) {
            const std::int64_t begin = index % groups_of_core * group % tile_width;
            for (std::int64_t row = 0; row < rows; ++row) {
                const auto first = values.begin() + ((set * num_groups + index) * tile_height + row) * width;
                std::fill(first + begin, first + std::min(begin + group, width), inside);
            }
        }
    }
    return host_tensor(shape_of(sets * num_groups, tile_height, width), data_type, values);
}

Tensor create_group_norm_input_mask(std::int64_t num_channel, std::int64_t num_groups,
                                    std::int64_t num_cores_across_channel, metal::DataType data_type,
                                    std::int64_t tile_height, std::int64_t tile_width,
                                    std::int64_t rows_in_last_tile) {
    return create_group_norm_input_mask_impl(num_channel, num_groups, num_cores_across_channel, data_type,
                                             false, tile_height, tile_width, rows_in_last_tile);
}

Tensor create_group_norm_input_negative_mask(std::int64_t num_channel, std::int64_t num_groups,
                                             std::int64_t num_cores_across_channel, metal::DataType data_type,
                                             std::int64_t tile_height, std::int64_t tile_width) {
    return create_group_norm_input_mask_impl(num_channel, num_groups, num_cores_across_channel, data_type,
                                             true, tile_height, tile_width);
}

Tensor create_group_norm_row_mask(std::int64_t rows_valid, std::int64_t num_groups, std::int64_t mask_width,
                                  metal::DataType data_type, std::int64_t tile_height) {
    require(rows_valid > 0 && rows_valid < tile_height, "rows_valid > 0 && rows_valid < tile_height",
            "create_group_norm_row_mask: rows_valid (" + std::to_string(rows_valid) +
                ") must be in (0, tile_height=" + std::to_string(tile_height) + ")");
    require(num_groups > 0, "num_groups > 0",
            "create_group_norm_row_mask: num_groups (" + std::to_string(num_groups) + ") must be > 0");
    std::vector<float> values(static_cast<std::size_t>(num_groups * tile_height * mask_width), 0.0F);
    for (std::int64_t index = 0; index < num_groups; ++index)
        std::fill_n(values.begin() + index * tile_height * mask_width, rows_valid * mask_width, 1.0F);
    return host_tensor(shape_of(num_groups, tile_height, mask_width), data_type, values);
}

Tensor get_mask_tensor(const Tensor& input_tensor, const std::optional<Tensor>& input_mask,
                       const std::optional<Tensor>& negative_mask, const CoreGrid& core_grid, int num_groups,
                       std::int64_t rows_in_last_tile) {
    if (input_mask || negative_mask) return input_mask.value_or(Tensor());
    const metal::Tile tile = input_tensor.tensor_spec().tile();
    return create_group_norm_input_mask(input_tensor.padded_shape()[-1], num_groups,
                                        cores_across_channels(input_tensor, core_grid, num_groups),
                                        metal::DataType::BFLOAT16, tile.get_height(), tile.get_width(),
                                        rows_in_last_tile)
        .to_device(input_tensor.device());
}

}  // namespace ttnn::operations::normalization
