// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/internal/transpose_operation.hpp"

#include <algorithm>
#include <array>

#include "runtime/compute/rearrange.hpp"
#include "runtime/device/buffer_geometry.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/tensor_pages.hpp"

namespace tilemeter {

namespace {

std::array<std::uint32_t, 4> order_of(TransposeOpDim dim) {
    switch (dim) {
        case TransposeOpDim::WH:
            return {0, 1, 3, 2};
        case TransposeOpDim::HC:
            return {0, 2, 1, 3};
        case TransposeOpDim::CN:
            break;
    }
    return {1, 0, 2, 3};
}

ProgramPlan plan_tiles(std::string_view factory, std::uint64_t index, std::size_t buffers,
                       const TensorSpec& input, const DeviceDescription& device) {
    ProgramPlan plan{{factory, index}};
    const CoreRangeSet cores = cores_down_columns(num_tiles(input), device);
    plan.memory.assign(buffers, dataflow_buffer(2 * tile_size(input.dtype), cores));
    return plan;
}

// Each core transposes the tiles of its shard where they are: rows of shards become columns of them.
bool shards_stay(const TensorSpec& input, const TensorSpec& output) {
    const MemoryConfig& from = input.memory_config;
    const MemoryConfig& to = output.memory_config;
    return from.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED &&
           to.memory_layout == TensorMemoryLayout::WIDTH_SHARDED && from.shard_spec && to.shard_spec &&
           from.shard_spec->grid == to.shard_spec->grid;
}

ProgramPlan plan_shards(const TensorSpec& input, const DeviceDescription& device) {
    ProgramPlan plan{{"ttnn::prim::TransposeWHShardedProgramFactory", 1}};
    const std::uint64_t shard = buffer_geometry(input, device).size_per_bank_bytes;
    const CoreRangeSet cores = whole_grid(device.compute_grid);
    plan.memory = {borrowed_buffer(shard, cores, 0), borrowed_buffer(shard, cores, 1)};
    return plan;
}

// Rows of tiles become tiles of their own; where C is no multiple of the tile's height, a face of padding.
ProgramPlan plan_rows_to_channels(const TensorSpec& input, const TensorSpec& output,
                                  const DeviceDescription& device) {
    constexpr std::uint64_t kFacesPerTile = 4;
    ProgramPlan plan{{"ttnn::prim::TransposeHCTiledInterleavedProgramFactory", 3}};
    const CoreRangeSet cores = cores_down_columns(std::max(num_tiles(input), num_tiles(output)), device);
    const std::uint64_t tile = tile_size(input.dtype);
    plan.memory.push_back(dataflow_buffer(2 * tile, cores));
    if (input.shape[1] % kTileHeight != 0)
        plan.memory.push_back(dataflow_buffer(tile / kFacesPerTile, cores));
    return plan;
}

}  // namespace

std::string_view TransposeOperation::dim_name() const {
    switch (dim) {
        case TransposeOpDim::WH:
            return "TransposeOpDim::WH";
        case TransposeOpDim::HC:
            return "TransposeOpDim::HC";
        case TransposeOpDim::CN:
            break;
    }
    return "TransposeOpDim::CN";
}

void TransposeOperation::validate(SpecsView inputs) const {
    require(inputs[0].shape.rank() == 4, "transpose: input: expected 4 dimensions, got ",
            inputs[0].shape.rank());
    require(inputs[0].layout == Layout::TILE,
            "transpose: input: expected TILE layout or interleaved, got ROW_MAJOR shards");
}

TensorSpecs TransposeOperation::infer(SpecsView inputs) const {
    Shape shape;
    for (const std::uint32_t dimension : order_of(dim))
        shape.push_back(inputs[0].shape.dimensions()[dimension]);
    return {TensorSpec{shape, inputs[0].dtype, inputs[0].layout, memory_config}};
}

ProgramPlan TransposeOperation::plan(SpecsView inputs, SpecsView outputs,
                                     const DeviceDescription& device) const {
    switch (dim) {
        case TransposeOpDim::WH:
            if (shards_stay(inputs[0], outputs[0])) return plan_shards(inputs[0], device);
            return plan_tiles("ttnn::prim::TransposeWHProgramFactory", 0, 2, inputs[0], device);
        case TransposeOpDim::HC:
            return plan_rows_to_channels(inputs[0], outputs[0], device);
        case TransposeOpDim::CN:
            break;
    }
    return plan_tiles("ttnn::prim::TransposeCNProgramFactory", 7, 1, inputs[0], device);
}

std::vector<HostArray> TransposeOperation::compute(ArraysView inputs, SpecsView) const {
    return {compute::permuted(*inputs[0], order_of(dim))};
}

}  // namespace tilemeter
