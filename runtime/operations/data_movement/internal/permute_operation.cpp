// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/internal/permute_operation.hpp"

#include <algorithm>

#include "runtime/compute/rearrange.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

constexpr std::uint64_t kFaceWidth = 16;

using Dims = std::span<const std::uint32_t>;

ProgramPlan plan_named(std::string_view factory, std::uint64_t index) {
    return {{factory, index}};
}

// The larger of two numbers of units decides the cores.
CoreRangeSet cores_for_most(std::uint64_t units, std::uint64_t other_units, const DeviceDescription& device) {
    return cores_down_columns(std::max(units, other_units), device);
}

// Whole rows move.
ProgramPlan plan_rows(const TensorSpec& input, const DeviceDescription& device) {
    ProgramPlan plan =
        plan_named("ttnn::operations::data_movement::PermuteDeviceOperation::MultiCoreRowInvariant", 0);
    const std::uint64_t row = round_up(row_bytes(input), page_alignment(input.memory_config, device));
    plan.memory = {dataflow_buffer(2 * row, cores_down_columns(num_rows(input), device))};
    return plan;
}

// TT-NN's programs divide by sizes that are 0 then, and its process dies.
void require_elements(const TensorSpec& input) {
    require(input.shape.volume() != 0, "PermuteDeviceOperation: input_tensor: expected elements, got ",
            input.shape);
}

// Rows are taken apart: blocks of 32 x 32 of the old and the new last dimension.
ProgramPlan plan_blocks(const TensorSpec& input, Dims dims, const DeviceDescription& device) {
    ProgramPlan plan =
        plan_named("ttnn::operations::data_movement::PermuteDeviceOperation::MultiCoreBlockedGeneric", 1);
    require_elements(input);
    const std::uint64_t width = row_elements(input);
    const std::uint64_t new_width = input.shape.dimensions()[dims.back()];
    const std::uint64_t blocks = input.shape.volume() / (width * new_width) * ceil_div(width, kTileWidth) *
                                 ceil_div(new_width, kTileWidth);
    const CoreRangeSet cores = cores_down_columns(blocks, device);
    const std::uint64_t two_blocks = 2 * kTileHeight * kTileWidth * element_size(input.dtype);
    plan.memory.assign(3, dataflow_buffer(two_blocks, cores));
    return plan;
}

// Tiles move as they are, or are transposed one by one.
ProgramPlan plan_whole_tiles(const TensorSpec& input, const TensorSpec& output, bool transposed,
                             const DeviceDescription& device) {
    ProgramPlan plan =
        plan_named("ttnn::operations::data_movement::PermuteDeviceOperation::MultiCoreTileInvariant", 2);
    const CoreRangeSet cores = cores_down_columns(num_tiles(output), device);
    plan.memory.assign(transposed ? 2 : 1, dataflow_buffer(2 * tile_size(input.dtype), cores));
    return plan;
}

// Rows of tiles move: one of the last two dimensions stays within the tile, `transposed`: as its other side.
ProgramPlan plan_tile_rows(const TensorSpec& input, const TensorSpec& output, bool transposed,
                           const DeviceDescription& device) {
    ProgramPlan plan =
        plan_named("ttnn::operations::data_movement::PermuteDeviceOperation::MultiCoreTileRowInvariant", 3);
    require_elements(input);
    // Only the last tiles along the new row dimension are padded.
    const Shape padded = output.padded_shape();
    const std::uint64_t padded_tiles = num_tiles(output) / (padded[transposed ? -1 : -2] / kTileHeight);
    const CoreRangeSet cores = cores_for_most(num_tiles(input), padded_tiles, device);
    const ProgramMemory two_tiles = dataflow_buffer(2 * tile_size(input.dtype), cores);
    plan.memory.push_back(two_tiles);
    if (output.shape[-2] % kTileHeight != 0) {
        plan.memory.push_back(dataflow_buffer(kFaceWidth * element_size(input.dtype), cores));
    }
    if (transposed) plan.memory.push_back(two_tiles);
    return plan;
}

// Tiles are taken apart: blocks of 32 x 32 of the old and the new last dimension.
ProgramPlan plan_tiles(const TensorSpec& input, const TensorSpec& output, Dims dims,
                       const DeviceDescription& device) {
    ProgramPlan plan =
        plan_named("ttnn::operations::data_movement::PermuteDeviceOperation::MultiCoreTiledGeneric", 4);
    require_elements(input);
    const std::span<const std::uint32_t> shape = input.shape.dimensions();
    const std::uint64_t width = shape.back();
    const std::uint64_t new_width = shape[dims.back()];
    const std::uint64_t blocks = input.shape.volume() / (width * new_width) * ceil_div(width, kTileWidth) *
                                 ceil_div(new_width, kTileWidth);
    const Shape padded = output.padded_shape();
    const std::uint64_t padded_tiles = num_tiles(output) / (padded[-2] / kTileHeight);
    const CoreRangeSet cores = cores_for_most(blocks, padded_tiles, device);
    // A read of one face row brings what lies before it up to the alignment.
    const std::uint64_t face_row = kFaceWidth * element_size(input.dtype);
    const std::uint64_t alignment = page_alignment(input.memory_config, device);
    const std::uint64_t misaligned = alignment > face_row ? alignment - face_row : 0;
    plan.memory.assign(3, dataflow_buffer(2 * (tile_size(output.dtype) + misaligned), cores));
    if (output.shape[-2] % kTileHeight != 0) plan.memory.push_back(dataflow_buffer(face_row, cores));
    return plan;
}

}  // namespace

void PermuteOperation::validate(SpecsView inputs) const {
    require(dims.size() == inputs[0].shape.rank(), "permute: dims: expected ", inputs[0].shape.rank(),
            " dimensions, got ", dims.size());
}

TensorSpecs PermuteOperation::infer(SpecsView inputs) const {
    Shape shape;
    for (const std::uint32_t dimension : dims)
        shape.push_back(inputs[0].shape.dimensions()[dimension]);
    return {TensorSpec{shape, inputs[0].dtype, inputs[0].layout, memory_config}};
}

ProgramPlan PermuteOperation::plan(SpecsView inputs, SpecsView outputs,
                                   const DeviceDescription& device) const {
    const auto rank = static_cast<std::uint32_t>(dims.size());
    const bool last_stays = dims[rank - 1] == rank - 1;
    if (inputs[0].layout == Layout::ROW_MAJOR) {
        return last_stays ? plan_rows(inputs[0], device) : plan_blocks(inputs[0], dims, device);
    }
    const bool rows_to_columns = dims[rank - 1] == rank - 2;
    if ((last_stays && dims[rank - 2] == rank - 2) || (rows_to_columns && dims[rank - 2] == rank - 1)) {
        return plan_whole_tiles(inputs[0], outputs[0], rows_to_columns, device);
    }
    if (last_stays || rows_to_columns) return plan_tile_rows(inputs[0], outputs[0], rows_to_columns, device);
    return plan_tiles(inputs[0], outputs[0], dims, device);
}

std::vector<HostArray> PermuteOperation::compute(ArraysView inputs, SpecsView) const {
    return {compute::permuted(*inputs[0], dims)};
}

}  // namespace tilemeter
