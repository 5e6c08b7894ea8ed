// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/parallelization.hpp"

#include "runtime/device/errors.hpp"
#include "runtime/operations/work/largest_divisor.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/types/dtype.hpp"

namespace tilemeter {

namespace {

// The most cores, at most `start`, of which each has work when all get the same number of units, a multiple
// of `multiple`.
std::uint64_t most_busy_cores(std::uint64_t units, std::uint64_t start, std::uint64_t multiple = 1) {
    std::uint64_t cores = start;
    while (cores > 1) {
        const std::uint64_t padded = round_up(units, cores * multiple);
        if (padded - units < padded / cores) break;
        --cores;
    }
    return cores;
}

std::uint64_t largest_common_divisor(std::uint64_t a, std::uint64_t b, std::uint64_t start) {
    std::uint64_t divisor = start;
    while (a % divisor != 0 || b % divisor != 0)
        --divisor;
    return divisor;
}

CoreRangeSet block_of_cores(std::uint64_t rows, std::uint64_t channels, ShardOrientation orientation) {
    const bool by_rows = orientation == ShardOrientation::ROW_MAJOR;
    const auto x = static_cast<std::uint32_t>(by_rows ? channels : rows);
    const auto y = static_cast<std::uint32_t>(by_rows ? rows : channels);
    return CoreRange{{0, 0}, {x - 1, y - 1}};
}

}  // namespace

std::uint32_t Parallelization::cores_rows() const {
    if (layout == TensorMemoryLayout::WIDTH_SHARDED) return 1;
    if (layout == TensorMemoryLayout::HEIGHT_SHARDED) return static_cast<std::uint32_t>(grid.num_cores());
    const CoreRange box = grid.bounding_box();
    return orientation == ShardOrientation::COL_MAJOR ? box.end.x - box.start.x + 1
                                                      : box.end.y - box.start.y + 1;
}

std::uint32_t Parallelization::cores_channels() const {
    if (layout == TensorMemoryLayout::HEIGHT_SHARDED) return 1;
    if (layout == TensorMemoryLayout::WIDTH_SHARDED) return static_cast<std::uint32_t>(grid.num_cores());
    const CoreRange box = grid.bounding_box();
    return orientation == ShardOrientation::COL_MAJOR ? box.end.y - box.start.y + 1
                                                      : box.end.x - box.start.x + 1;
}

Parallelization choose_parallelization(const ParallelizationRequest& request) {
    const CoreCoord grid = request.compute_grid;
    const std::uint64_t all_cores = std::uint64_t{grid.x} * grid.y;
    const std::uint64_t row_units =
        ceil_div(request.output_sticks, request.whole_tiles_of_rows ? kTileHeight : 1);
    const std::uint64_t column_unit = request.whole_tiles_of_columns ? kTileWidth : kTileWidth / 2;
    const std::uint64_t rows_at_once =
        request.act_block_h_override == 0 ? 1 : request.act_block_h_override / kTileHeight;
    switch (request.layout) {
        case TensorMemoryLayout::HEIGHT_SHARDED:
            return {first_cores(most_busy_cores(row_units, all_cores, rows_at_once), grid, true),
                    request.layout, ShardOrientation::ROW_MAJOR};
        case TensorMemoryLayout::WIDTH_SHARDED: {
            const std::uint64_t units = ceil_div(request.input_channels, column_unit);
            const std::uint64_t cores =
                request.pad_channels ? most_busy_cores(units, all_cores) : largest_divisor(units, all_cores);
            return {first_cores(cores, grid, true), request.layout, ShardOrientation::ROW_MAJOR};
        }
        case TensorMemoryLayout::BLOCK_SHARDED: {
            const bool by_rows = request.block_orientation == ShardOrientation::ROW_MAJOR;
            const std::uint64_t rows = most_busy_cores(row_units, by_rows ? grid.y : grid.x, rows_at_once);
            const std::uint64_t channel_cores = by_rows ? grid.x : grid.y;
            const std::uint64_t blocks = ceil_div(request.input_channels, request.channels_alignment);
            const std::uint64_t channels =
                request.pad_channels ? most_busy_cores(blocks, channel_cores)
                                     : largest_common_divisor(ceil_div(request.output_channels, column_unit),
                                                              blocks, channel_cores);
            return {block_of_cores(rows, channels, request.block_orientation), request.layout,
                    request.block_orientation};
        }
        default:
            refuse_with("Conv2d supports Height, Block or Width Sharded Layouts but got TensorMemoryLayout::",
                        name_of(request.layout));
    }
}

Parallelization output_parallelization(const Parallelization& input, CoreCoord compute_grid,
                                       std::uint32_t output_channels, bool is_matmul) {
    Parallelization output = input;
    if (is_matmul || input.layout == TensorMemoryLayout::HEIGHT_SHARDED) return output;
    const std::uint64_t tiles = ceil_div(output_channels, kTileWidth);
    if (input.layout == TensorMemoryLayout::WIDTH_SHARDED) {
        const std::uint64_t all_cores = std::uint64_t{compute_grid.x} * compute_grid.y;
        output.grid = first_cores(most_busy_cores(tiles, all_cores), compute_grid, true);
    } else {
        const bool by_rows = input.orientation == ShardOrientation::ROW_MAJOR;
        const std::uint64_t cores = most_busy_cores(tiles, by_rows ? compute_grid.x : compute_grid.y);
        output.grid = block_of_cores(input.cores_rows(), cores, input.orientation);
    }
    return output;
}

MemoryConfig sharded_config(std::uint64_t sticks, std::uint32_t channels, const Parallelization& spread,
                            std::uint32_t row_multiple) {
    const bool by_width = spread.layout == TensorMemoryLayout::WIDTH_SHARDED;
    const std::uint64_t rows =
        by_width ? sticks
                 : round_up(sticks, std::uint64_t{spread.cores_rows()} * row_multiple) / spread.cores_rows();
    return {spread.layout, BufferType::L1,
            ShardSpec{spread.grid,
                      {static_cast<std::uint32_t>(rows), channels / spread.cores_channels()},
                      spread.orientation}};
}

}  // namespace tilemeter
