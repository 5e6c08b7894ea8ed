// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The cut of wide tensors of tiles into blocks over the cores, for tilize and untilize, and the circular buffers of each core.

#pragma once

#include <cstdint>
#include <optional>

#include "tilemeter_ttnn/program_descriptors.hpp"
#include "tilemeter_ttnn/tensor.hpp"

namespace ttnn {

namespace operations::core::work_split {
/// Cores with whole blocks, those at the right edge (cliff_row), those at the lower one (cliff_col), and the corner's. Sizes
/// count tiles.
struct BlockSplitWH {
    std::uint32_t ncores = 0;
    CoreRangeSet all_cores{};
    CoreRangeSet core_range{};
    CoreRangeSet cliff_row_core_range{};
    CoreRangeSet cliff_col_core_range{};
    CoreRangeSet cliff_col_row_core_range{};
    std::uint32_t nblocks_per_core = 0;  ///< tiles of a block
    std::uint32_t single_block_size = 0;
    std::uint32_t single_block_size_cliff_row = 0;
    std::uint32_t single_block_size_cliff_col = 0;
    bool has_cliff_row = false;
    bool has_cliff_col = false;
    std::uint32_t full_cores_per_row = 0;
    std::uint32_t full_cores_per_col = 0;
    std::uint32_t single_sub_block_size = 0;  ///< of a block's row in L1 at a time
};
}  // namespace operations::core::work_split
using operations::core::work_split::BlockSplitWH;

namespace operations::data_movement {

/// Circular buffers of cores whose blocks are of one width.
struct BlockBufferSet {
    std::optional<std::uint8_t> staging_index{};  ///< of rows that are read, before they are aligned
    std::uint8_t input_index = 0;
    std::uint8_t output_index = 0;
    std::uint32_t block_tiles = 0;
    tt::tt_metal::CoreRangeSet core_ranges{};

    bool empty() const { return core_ranges.empty(); }
};

struct BlockPlan {
    BlockSplitWH split;
    BlockBufferSet full;
    BlockBufferSet cliffrow;

    /// Pairs of kernels that read and write.
    std::uint32_t num_dm_pairs() const { return (full.empty() ? 0U : 1U) + (cliffrow.empty() ? 0U : 1U); }
};

enum class BlockDirection : std::uint8_t { Tilize, Untilize };
/// The order in which cores get blocks.
enum class BlockCoreOrder : std::uint8_t { ColumnMajor, RowMajor };

/// By what is free of L1 now. Throws std::runtime_error for cores along rows out of a part of the grid, and where no blocks
/// are as few as the cores.
BlockPlan make_block_plan(BlockDirection direction, BlockCoreOrder core_order, const Tensor& input_tensor,
                          const Tensor& output_tensor, std::uint32_t input_single_tile_size,
                          std::uint32_t output_single_tile_size, std::uint32_t tile_height,
                          std::uint32_t tile_width,
                          const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids);
/// Throws std::runtime_error unless the core has blocks of just one width.
const BlockBufferSet& buffer_set_for_core(const BlockPlan& plan, const tt::tt_metal::CoreCoord& core);
/// The buffers of the set, as a program has them.
void push_buffer_set(tt::tt_metal::ProgramDescriptor& desc, const BlockBufferSet& set,
                     std::uint32_t input_single_tile_size, std::uint32_t output_single_tile_size,
                     tt::DataFormat input_cb_data_format, tt::DataFormat output_cb_data_format,
                     std::uint32_t dram_alignment, std::uint32_t tile_height,
                     const std::optional<tt::tt_metal::TileDescriptor>& tile = std::nullopt);

}  // namespace operations::data_movement
}  // namespace ttnn
