// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tilemeter_ttnn/functions/block_plan.hpp"

#include <vector>

#include "runtime/operations/data_movement/block_split.hpp"
#include "tilemeter_ttnn/device_facts.hpp"
#include "tilemeter_ttnn/functions/data_movement_helpers.hpp"
#include "tools/compat/src/fatal.hpp"
#include "tools/compat/src/model.hpp"

namespace ttnn::operations::data_movement {

namespace {

namespace metal = tt::tt_metal;
using tilemeter::compat::from_model;
using tilemeter::compat::refuse_as_fatal;
using tilemeter::compat::to_model;

// The numbers of circular buffers: of whole blocks, of those at the edge.
struct Indices {
    std::uint8_t staging, input, output;
};
constexpr Indices kOfFull{1, 0, 16}, kOfEdge{3, 2, 17};

// Blocks row by row, each on the next core.
BlockSplitWH split_of(const tilemeter::TileGrid& tiles, const tilemeter::WorkCores& cores,
                      std::uint64_t most_tiles) {
    const tilemeter::BlockCores blocks = tilemeter::split_in_blocks(tiles, cores, most_tiles);
    const auto side = static_cast<std::uint32_t>(blocks.side);
    const auto columns = static_cast<std::uint32_t>(tiles.columns),
               rows = static_cast<std::uint32_t>(tiles.rows);
    BlockSplitWH split;
    split.nblocks_per_core = side * side;
    split.single_block_size = side;
    split.single_sub_block_size = static_cast<std::uint32_t>(blocks.full_width);
    split.full_cores_per_row = columns / side;
    split.full_cores_per_col = rows / side;
    split.single_block_size_cliff_row = columns % side;
    split.single_block_size_cliff_col = rows % side;
    split.has_cliff_row = columns % side != 0;
    split.has_cliff_col = rows % side != 0;
    std::vector<tilemeter::CoreCoord> whole, right, below, corner, all;
    const auto take_row = [&](std::vector<tilemeter::CoreCoord>& inside,
                              std::vector<tilemeter::CoreCoord>& edge) {
        for (std::uint32_t i = 0; i < split.full_cores_per_row + (split.has_cliff_row ? 1 : 0); ++i) {
            all.push_back(cores[all.size()]);
            (i < split.full_cores_per_row ? inside : edge).push_back(all.back());
        }
    };
    for (std::uint32_t row = 0; row < split.full_cores_per_col; ++row)
        take_row(whole, right);
    if (split.has_cliff_col) take_row(below, corner);
    split.ncores = static_cast<std::uint32_t>(all.size());
    const auto merged = [](std::vector<tilemeter::CoreCoord> part) {
        return from_model(tilemeter::merge_cores(std::move(part)));
    };
    split.all_cores = merged(all);
    split.core_range = merged(whole);
    split.cliff_row_core_range = merged(right);
    split.cliff_col_core_range = merged(below);
    split.cliff_col_row_core_range = merged(corner);
    return split;
}

}  // namespace

BlockPlan make_block_plan(BlockDirection direction, BlockCoreOrder core_order, const Tensor& input_tensor,
                          const Tensor& output_tensor, std::uint32_t input_single_tile_size,
                          std::uint32_t output_single_tile_size, std::uint32_t tile_height,
                          std::uint32_t tile_width,
                          const std::optional<metal::CoreRangeSet>& sub_core_grids) {
    const bool to_tiles = direction == BlockDirection::Tilize,
               by_rows = core_order == BlockCoreOrder::RowMajor;
    if (by_rows && sub_core_grids)
        refuse_as_fatal("core_order == BlockCoreOrder::ColumnMajor || !sub_core_grids.has_value()",
                        "sub_core_grids: expected none for cores along rows");
    return tilemeter::compat::as_fatal("make_block_plan", [&] {
        const Shape& padded = to_tiles ? output_tensor.padded_shape() : input_tensor.padded_shape();
        const tilemeter::TileGrid tiles{1, padded[-2] / tile_height, padded[-1] / tile_width};
        // Rows of DRAM are read with their misalignment.
        const std::uint32_t row = to_tiles ? input_single_tile_size / tile_height : 0;
        const std::uint32_t fixed = to_tiles ? 2 * metal::hal::get_dram_alignment() : 0;
        const std::uint32_t free = get_max_l1_space(input_tensor);
        const std::uint32_t of_tile = input_single_tile_size + output_single_tile_size + row;
        const std::uint32_t most = free > fixed && of_tile != 0 ? (free - fixed) / of_tile : 0;
        const tilemeter::WorkCores cores(
            to_model(sub_core_grids), to_model(input_tensor.device()->compute_with_storage_grid_size()),
            by_rows ? tilemeter::CoreWalk::kAlongRows : tilemeter::CoreWalk::kDownColumns);
        BlockPlan plan;
        plan.split = split_of(tiles, cores, most);
        const auto buffers = [&](const Indices& indices, std::uint32_t width,
                                 const metal::CoreRangeSet& inside, const metal::CoreRangeSet& below) {
            return BlockBufferSet{to_tiles ? std::optional(indices.staging) : std::nullopt, indices.input,
                                  indices.output, width, inside.merge(below)};
        };
        plan.full = buffers(kOfFull, plan.split.single_sub_block_size, plan.split.core_range,
                            plan.split.cliff_col_core_range);
        plan.cliffrow = buffers(kOfEdge, plan.split.single_block_size_cliff_row,
                                plan.split.cliff_row_core_range, plan.split.cliff_col_row_core_range);
        return plan;
    });
}

const BlockBufferSet& buffer_set_for_core(const BlockPlan& plan, const metal::CoreCoord& core) {
    const bool in_full = plan.full.core_ranges.contains(core),
               in_edge = plan.cliffrow.core_ranges.contains(core);
    if (in_full == in_edge)
        refuse_as_fatal(
            "in_full != in_cliffrow",
            "core " + core.str() + ": expected blocks of one width, found " + (in_full ? "both" : "none"));
    return in_full ? plan.full : plan.cliffrow;
}

void push_buffer_set(metal::ProgramDescriptor& desc, const BlockBufferSet& set,
                     std::uint32_t input_single_tile_size, std::uint32_t output_single_tile_size,
                     tt::DataFormat input_cb_data_format, tt::DataFormat output_cb_data_format,
                     std::uint32_t dram_alignment, std::uint32_t tile_height,
                     const std::optional<metal::TileDescriptor>& tile) {
    const auto push = [&](std::uint8_t index, std::uint32_t size, std::uint32_t page, tt::DataFormat format,
                          const std::optional<metal::TileDescriptor>& of_pages) {
        metal::CBDescriptor buffer;
        buffer.total_size = size;
        buffer.core_ranges = set.core_ranges;
        buffer.format_descriptors.push_back({index, format, page, of_pages, {}});
        desc.cbs.push_back(std::move(buffer));
    };
    if (set.staging_index) {
        const std::uint32_t row = input_single_tile_size / tile_height * set.block_tiles + 2 * dram_alignment;
        push(*set.staging_index, row, row, input_cb_data_format, std::nullopt);
    }
    push(set.input_index, set.block_tiles * input_single_tile_size, input_single_tile_size,
         input_cb_data_format, tile);
    push(set.output_index, set.block_tiles * output_single_tile_size, output_single_tile_size,
         output_cb_data_format, tile);
}

}  // namespace ttnn::operations::data_movement
