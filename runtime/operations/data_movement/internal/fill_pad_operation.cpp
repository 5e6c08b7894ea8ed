// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/internal/fill_pad_operation.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/operations/work/work_cores.hpp"

namespace tilemeter {

namespace {

// The number of matrices, of the last two dimensions.
std::uint64_t count_matrices(const Shape& padded) {
    std::uint64_t count = 1;
    for (std::size_t i = 0; i + 2 < padded.rank(); ++i)
        count *= padded.dimensions()[i];
    return count;
}

// Those of a shard grid that hold tiles of the tensor.
CoreRangeSet cores_with_values(const TensorSpec& spec) {
    const ShardSpec& shards = *spec.memory_config.shard_spec;
    const Shape padded = spec.padded_shape();
    const std::uint64_t down = ceil_div(padded.volume() / padded[-1], shards.shape[0]);
    const std::uint64_t across = ceil_div(padded[-1], shards.shape[1]);
    const bool by_rows = shards.orientation == ShardOrientation::ROW_MAJOR;
    std::vector<CoreCoord> cores = cores_of(shards.grid, by_rows);
    if (spec.memory_config.memory_layout != TensorMemoryLayout::BLOCK_SHARDED) {
        cores.resize(std::min<std::uint64_t>(cores.size(), down * across));
        // TT-NN's set of them begins with the leftmost.
        const CoreRangeSet merged = merge_cores(std::move(cores));
        std::vector<CoreRange> ranges(merged.ranges().begin(), merged.ranges().end());
        std::ranges::stable_sort(ranges, {},
                                 [](const CoreRange& each) { return std::pair(each.start.x, each.start.y); });
        return CoreRangeSet(std::move(ranges));
    }
    const CoreRange box = shards.grid.bounding_box();
    std::erase_if(cores, [&](CoreCoord core) {
        const std::uint64_t x = core.x - box.start.x, y = core.y - box.start.y;
        return by_rows ? y >= down || x >= across : x >= down || y >= across;
    });
    return merge_cores(std::move(cores));
}

}  // namespace

void FillPadDeviceOperation::validate(SpecsView inputs) const {
    const TensorSpec& input = inputs[0];
    require(input.layout == Layout::TILE, kName, ": input tensor: expected TILE layout, got ",
            name_of(input.layout));
    if (!input.memory_config.is_sharded() || input.memory_config.buffer_type != BufferType::L1) return;
    const std::uint64_t matrices = count_matrices(input.padded_shape());
    require(matrices == 1, "FillPadL1ShardedProgramFactory: N_slices > 1 not yet supported (got ", matrices,
            ")");
    require(input.memory_config.shard_spec.has_value(), kName,
            ": input tensor: expected shards that are whole rows, columns or blocks, got ",
            input.memory_config.to_string(true));
}

TensorSpecs FillPadDeviceOperation::infer(SpecsView inputs) const {
    return {inputs[0]};
}

ProgramPlan FillPadDeviceOperation::plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
    const TensorSpec& input = inputs[0];
    const Shape padded = input.padded_shape();
    const bool rows_padded = input.shape.rank() > 1 ? padded[-2] != input.shape[-2] : padded[-2] > 1;
    const bool columns_padded = input.shape.rank() == 0 || padded[-1] != input.shape[-1];
    const std::uint64_t height = padded[-2] / kTileHeight;
    const std::uint64_t width = padded[-1] / kTileWidth;
    const std::uint64_t matrices = count_matrices(padded);
    // Tiles that hold padding: the last column, the last row.
    std::uint64_t tiles = 0;
    if (columns_padded) tiles += height;
    if (rows_padded) tiles += width - (columns_padded ? 1 : 0);
    const bool in_shards =
        input.memory_config.is_sharded() && input.memory_config.buffer_type == BufferType::L1;
    const CoreRangeSet cores =
        in_shards ? cores_with_values(input)
                  : split_work(matrices * tiles, device.compute_grid, CoreWalk::kDownColumns).cores;
    const std::uint64_t tile = tile_size(input.dtype);
    ProgramPlan plan{
        {in_shards ? "ttnn::prim::FillPadL1ShardedProgramFactory" : "ttnn::prim::FillPadProgramFactory",
         in_shards ? 1U : 0U},
        {dataflow_buffer(2 * tile, cores)}};
    if (columns_padded) plan.memory.push_back(dataflow_buffer(tile, cores));
    if (rows_padded) plan.memory.push_back(dataflow_buffer(tile, cores));
    plan.memory.push_back(dataflow_buffer(2 * tile, cores));
    return plan;
}

std::vector<HostArray> FillPadDeviceOperation::compute(ArraysView inputs, SpecsView) const {
    return {*inputs[0]};
}

}  // namespace tilemeter
