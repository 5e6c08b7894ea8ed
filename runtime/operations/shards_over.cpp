// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/shards_over.hpp"

#include <utility>

#include "runtime/operations/program_pieces.hpp"

namespace tilemeter {

ShardSpec shards_over(const TensorSpec& tensor, TensorMemoryLayout::Value layout, CoreCoord grid) {
    const std::uint64_t rows = tensor.tile_rows();
    const std::uint64_t columns = tensor.tile_columns();
    const std::uint64_t cores = std::uint64_t{grid.x} * grid.y;
    const auto spec = [](std::uint64_t height, std::uint64_t width, CoreRangeSet where) {
        return ShardSpec{std::move(where),
                         {static_cast<std::uint32_t>(height * kTileHeight),
                          static_cast<std::uint32_t>(width * kTileWidth)}};
    };
    if (layout == TensorMemoryLayout::HEIGHT_SHARDED) {
        const std::uint64_t height = ceil_div(rows, cores);
        return spec(height, columns, first_cores(ceil_div(rows, height), grid, true));
    }
    if (layout == TensorMemoryLayout::WIDTH_SHARDED) {
        const std::uint64_t width = ceil_div(columns, cores);
        return spec(rows, width, first_cores(ceil_div(columns, width), grid, true));
    }
    const std::uint64_t height = ceil_div(rows, grid.y);
    const std::uint64_t width = ceil_div(columns, grid.x);
    return spec(height, width,
                whole_grid({static_cast<std::uint32_t>(ceil_div(columns, width)),
                            static_cast<std::uint32_t>(ceil_div(rows, height))}));
}

}  // namespace tilemeter
