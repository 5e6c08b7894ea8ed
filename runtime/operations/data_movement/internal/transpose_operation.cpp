// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/internal/transpose_operation.hpp"

#include <algorithm>

#include "runtime/compute/rearrange.hpp"
#include "runtime/device/buffer_geometry.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/data_movement/internal/scaled_shards.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

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

namespace {

ProgramPlan plan_tiles(std::string_view factory, std::uint64_t index, std::size_t buffers,
                       const TensorSpec& input, const DeviceDescription& device) {
    ProgramPlan plan{{factory, index}};
    const CoreRangeSet cores = cores_down_columns(num_tiles(input), device);
    plan.memory.assign(buffers, dataflow_buffer(2 * tile_size(input.dtype), cores));
    return plan;
}

// True if each core transposes its own shard into its shard: full ones on the same cores, as wide as the tensor. Rows
// of shards become columns of them, or stay rows of other matrices.
bool shards_stay(const TensorSpec& input, const TensorSpec& output) {
    if (!has_full_shards(input) || !has_full_shards(output)) return false;
    const ShardSpec& from = *input.memory_config.shard_spec;
    const std::uint32_t height = input.padded_shape()[-2];
    return from.grid == output.memory_config.shard_spec->grid && from.shape[1] == input.padded_shape()[-1] &&
           (input.layout == Layout::TILE || from.shape[0] % height == 0);
}

ProgramPlan plan_shards(const TensorSpec& input, const DeviceDescription& device) {
    ProgramPlan plan{{"ttnn::prim::TransposeWHShardedProgramFactory", 1}};
    const std::uint64_t shard = buffer_geometry(input, device).size_per_bank_bytes;
    const CoreRangeSet cores = whole_grid(device.compute_grid);
    plan.memory = {borrowed_buffer(shard, cores, 0), borrowed_buffer(shard, cores, 1)};
    return plan;
}

// The buffer of a shard of rows, without what aligns each of them.
ProgramMemory circular_buffer_in(const TensorSpec& spec, const CoreRangeSet& cores, int tensor,
                                 const DeviceDescription& device) {
    const std::uint64_t row = spec.memory_config.shard_spec->shape[1] * element_size(spec.dtype);
    const std::uint64_t rows =
        buffer_geometry(spec, device).size_per_bank_bytes / round_up(row, device.l1_alignment);
    return {ProgramMemoryKind::kCircularBuffer, rows * row, cores, tensor};
}

// Rows of a matrix are made tiles, two rows of tiles at a time; tall ones are made rows again on the way.
ProgramPlan plan_shards_of_rows(const TensorSpec& input, const TensorSpec& output,
                                const DeviceDescription& device) {
    constexpr std::uint64_t kTallest = 8;
    const CoreRangeSet& cores = input.memory_config.shard_spec->grid;
    const std::uint64_t tile = tile_size(input.dtype);
    const std::uint64_t height = ceil_div(input.shape[-2], kTileHeight);
    const std::uint64_t width = ceil_div(input.shape[-1], kTileWidth);
    ProgramPlan plan{
        {"ttnn::prim::TransposeWHShardedRMProgramFactory", 2},
        {circular_buffer_in(input, cores, 0, device), circular_buffer_in(output, cores, 1, device),
         circular_buffer(2 * width * tile, cores), circular_buffer(height * width * tile, cores)}};
    if (height > kTallest) {
        plan.memory.push_back(circular_buffer(height * tile, cores));
        plan.memory.push_back(circular_buffer(2 * height * tile, cores));
    }
    return plan;
}

// A core for each matrix, which it makes tiles of as a whole.
ProgramPlan plan_matrices_of_rows(const TensorSpec& input, const DeviceDescription& device) {
    const std::uint64_t tile = tile_size(input.dtype);
    const std::uint64_t height = ceil_div(input.shape[-2], kTileHeight);
    const std::uint64_t width = ceil_div(input.shape[-1], kTileWidth);
    return {{"ttnn::prim::TransposeWHProgramFactory", 0},
            dataflow_buffers({2 * width * tile, 2 * height * tile, height * width * tile},
                             cores_down_columns(input.shape[0] * input.shape[1], device))};
}

// Rows find their places alone: from shard to shard, or over all cores.
ProgramPlan plan_moved_rows(const TensorSpec& input, const TensorSpec& output,
                            const DeviceDescription& device) {
    const bool in_shards = has_full_shards(input) && has_full_shards(output) &&
                           input.memory_config.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED &&
                           input.memory_config.shard_spec->grid == output.memory_config.shard_spec->grid;
    if (in_shards) {
        const CoreRangeSet& cores = input.memory_config.shard_spec->grid;
        return {{"ttnn::prim::TransposeHCShardedProgramFactory", 4},
                {circular_buffer_in(input, cores, 0, device), circular_buffer_in(output, cores, 1, device)}};
    }
    // TT-NN divides by it, and its process dies.
    require(input.shape[-1] != 0, "TransposeDeviceOperation: input_tensor: expected elements, got ",
            input.shape);
    const std::uint64_t rows = input.shape.volume() / input.shape[-1];
    const std::uint64_t row = round_up(input.shape[-1] * element_size(input.dtype), device.l1_alignment);
    return {
        {"ttnn::prim::TransposeHCRMProgramFactory", 5},
        {dataflow_buffer(ceil_div(rows, device.num_compute_cores()) * row, whole_grid(device.compute_grid))}};
}

// Rows of tiles become tiles of their own; where C is no multiple of the tile's height, a face of padding.
ProgramPlan plan_rows_to_channels(const TensorSpec& input, const TensorSpec& output,
                                  const DeviceDescription& device) {
    constexpr std::uint64_t kFace = 16 * 16;  // elements, in block formats of a byte each
    ProgramPlan plan{{"ttnn::prim::TransposeHCTiledInterleavedProgramFactory", 3}};
    const CoreRangeSet cores = cores_down_columns(std::max(num_tiles(input), num_tiles(output)), device);
    const std::uint64_t tile = tile_size(input.dtype);
    plan.memory.push_back(dataflow_buffer(2 * tile, cores));
    if (input.shape[1] % kTileHeight != 0)
        plan.memory.push_back(
            dataflow_buffer(kFace * (is_block_float(input.dtype) ? 1 : element_size(input.dtype)), cores));
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
}

TensorSpecs TransposeOperation::infer(SpecsView inputs) const {
    Shape shape;
    for (const std::uint32_t dimension : order_of(dim))
        shape.push_back(inputs[0].shape.dimensions()[dimension]);
    return {TensorSpec{shape, inputs[0].dtype, inputs[0].layout, memory_config}};
}

ProgramPlan TransposeOperation::plan(SpecsView inputs, SpecsView outputs,
                                     const DeviceDescription& device) const {
    const bool by_rows = inputs[0].layout == Layout::ROW_MAJOR;
    switch (dim) {
        case TransposeOpDim::WH: {
            const bool stays = shards_stay(inputs[0], outputs[0]);
            if (by_rows) {
                return stays ? plan_shards_of_rows(inputs[0], outputs[0], device)
                             : plan_matrices_of_rows(inputs[0], device);
            }
            if (stays) return plan_shards(inputs[0], device);
            return plan_tiles("ttnn::prim::TransposeWHProgramFactory", 0, 2, inputs[0], device);
        }
        case TransposeOpDim::HC:
            return by_rows ? plan_moved_rows(inputs[0], outputs[0], device)
                           : plan_rows_to_channels(inputs[0], outputs[0], device);
        case TransposeOpDim::CN:
            break;
    }
    constexpr std::string_view kOutermost = "ttnn::prim::TransposeCNProgramFactory";
    if (!by_rows) return plan_tiles(kOutermost, 7, 1, inputs[0], device);
    const std::uint64_t row = inputs[0].shape[-1] * element_size(inputs[0].dtype);
    return {{kOutermost, 7}, {dataflow_buffer(2 * row, cores_down_columns(num_rows(inputs[0]), device))}};
}

std::vector<HostArray> TransposeOperation::compute(ArraysView inputs, SpecsView) const {
    return {compute::permuted(*inputs[0], order_of(dim))};
}

}  // namespace tilemeter
