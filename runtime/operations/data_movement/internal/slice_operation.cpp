// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/internal/slice_operation.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "runtime/compute/rearrange.hpp"
#include "runtime/device/buffer_geometry.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/data_movement/block_split.hpp"
#include "runtime/operations/data_movement/tilize_operations.hpp"
#include "runtime/operations/work/largest_divisor.hpp"
#include "runtime/operations/work/tensor_pages.hpp"
#include "runtime/types/rounding.hpp"

namespace tilemeter {

namespace {

/// Rows on their way, or the chunks of a row: bytes of one, and how many at a time.
struct RowsInFlight {
    std::uint64_t bytes = 0;
    std::uint64_t count = 0;
};

// Chunks of a row that no core has room for twice: two, four, ... of at most 8 KiB, aligned.
RowsInFlight chunks_of_row(std::uint64_t row, std::uint64_t alignment, std::uint64_t free_l1_bytes) {
    constexpr std::uint64_t kChunk = 8192, kInFlight = 2;
    const auto aligned = [alignment](std::uint64_t bytes) { return bytes / alignment * alignment; };
    std::uint64_t chunk = aligned(std::min(kChunk, free_l1_bytes / 8));
    require(chunk >= alignment, "ttnn::slice: L1 budget ", free_l1_bytes,
            " B too small for sub-row chunking (alignment ", alignment, " B)");
    if (ceil_div(row, chunk) % kInFlight != 0) {
        const std::uint64_t smaller = aligned(row / (ceil_div(row, chunk) + 1));
        if (smaller >= alignment && ceil_div(row, smaller) % kInFlight == 0) chunk = smaller;
    }
    return {chunk, ceil_div(row, chunk) % kInFlight == 0 ? kInFlight : 1};
}

// Batches of rows, which are equal parts of what a core has (in 32s), of 4 KiB at most. Where rows begin at unaligned
// places each takes twice the alignment, and is never cut.
RowsInFlight rows_in_flight(const TensorSpec& input, const TensorSpec& output, std::uint32_t first_column,
                            std::uint64_t num_cores, const DeviceDescription& device,
                            std::uint64_t free_l1_bytes) {
    constexpr std::uint64_t kBatch = 4096;
    constexpr std::uint64_t kCounted = 32;
    const std::uint64_t in_alignment = page_alignment(input.memory_config, device);
    const std::uint64_t alignment = std::max(in_alignment, page_alignment(output.memory_config, device));
    const std::uint64_t misalignment = first_column * element_size(input.dtype) % in_alignment;
    const std::uint64_t bytes = row_bytes(output);
    const std::uint64_t place = round_up(bytes, misalignment == 0 ? alignment : 2 * alignment);
    if (misalignment == 0 && 2 * place > free_l1_bytes && place > alignment)
        return chunks_of_row(bytes, alignment, free_l1_bytes);
    require(2 * place <= free_l1_bytes, "ttnn::slice: required DFB size ", 2 * place,
            " B exceeds per-core L1 budget ", free_l1_bytes, " B (row_bytes=", bytes,
            ", misalignment=", misalignment, "); consider slicing along a non-width dim");
    const std::uint64_t rows = round_up(ceil_div(num_rows(output), num_cores), kCounted);
    return {place, largest_divisor(rows, std::max<std::uint64_t>(kBatch / round_up(bytes, alignment), 1))};
}

// True if each core reads rows of other cores' shards into its own, all from a column that begins at an aligned place.
bool keeps_rows_in_shards(const TensorSpec& input, const TensorSpec& output, std::uint32_t first_column,
                          const DeviceDescription& device) {
    return input.memory_config.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED &&
           output.memory_config.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED &&
           first_column * element_size(input.dtype) % device.l1_alignment == 0;
}

// The start of the slice, a word per dimension.
ProgramMemory start_place(const TensorSpec& input, const CoreRangeSet& cores) {
    return scratchpad(input.shape.rank() * sizeof(std::uint32_t), cores);
}

}  // namespace

void SliceOperation::validate(SpecsView inputs) const {
    const Shape& shape = inputs[0].shape;
    const auto refuse = [&](const std::string& what) {
        refuse_with("slice: ", shape, " from ", Shape(begin), " to ", Shape(end), ": expected ", what);
    };
    require(begin.size() == shape.rank() && end.size() == shape.rank() && step.size() == shape.rank(),
            "Input rank ", shape.rank(), " and begins ", begin.size(), " must have the same size");
    const Shape padded = inputs[0].padded_shape();  // of a row in tiles: a dimension more, of its tiles' rows
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        const std::uint32_t size = padded.dimensions()[padded.rank() - shape.rank() + i];
        // In tiles the padding can be cut out, too.
        const bool in_tiles = inputs[0].layout == Layout::TILE && i + 2 >= shape.rank();
        const std::uint64_t last = in_tiles ? round_up(end[i], kTileWidth) : end[i];
        require(last <= size, "Ends ", last, " must be less than or equal to the shape of the tensor ", size);
        require(end[i] >= begin[i], "End ", end[i], " must be greater than or equal to start ", begin[i]);
        if (step[i] == 0) refuse("steps of at least 1");
    }
    if (!given_output) return;
    const Shape needed = infer(inputs).front().padded_shape();
    require(*given_output == needed, [&] {
        return "The preallocated output tensor needs a padded shape of " + needed.to_string() +
               ", however it is " + given_output->to_string();
    });
}

// TT-NN's words.
void SliceOperation::validate_program(SpecsView inputs, const DeviceDescription& device) const {
    const TensorSpec& input = inputs[0];
    const TensorSpec output = infer(inputs).front();
    if (input.layout == Layout::TILE || !keeps_rows_in_shards(input, output, begin.back(), device)) return;
    const auto require_l1 = [](const TensorSpec& tensor, const char* buffer, const char* name) {
        require(
            tensor.memory_config.buffer_type == BufferType::L1, "DFB '", buffer,
            "' borrows memory from TensorParameter '", name,
            "', but its TensorSpec is not L1-resident (L1 is required). Both L1 and L1_SMALL are accepted.");
    };
    require_l1(input, "sharded_in", "input");
    require_l1(output, "sharded_out", "output");
}

void SliceOperation::append_program_key(ProgramKey& key, const KeyedCall& call) const {
    const TensorSpec& input = call.inputs[0];
    key.append(begin);
    for (std::size_t i = 0; i < end.size(); ++i) {
        const std::uint32_t tile = input.layout == Layout::ROW_MAJOR ? 1
                                   : i + 1 == end.size()             ? input.tile.width
                                   : i + 2 == end.size()             ? input.tile.height
                                                                     : 1;
        key.append(round_up(end[i], tile));
    }
    key.append(step);
    key.append(memory_config);
    key.append(sub_core_grids);
    key.append(call.inputs);
    key.append(call.gives_outputs);
    if (call.gives_outputs) key.append(call.outputs);
}

SliceOperation SliceOperation::into(const TensorSpec& output) const {
    SliceOperation operation = *this;
    operation.given_output = output.padded_shape();
    return operation;
}

TensorSpecs SliceOperation::infer(SpecsView inputs) const {
    Shape shape;
    for (std::size_t i = 0; i < begin.size(); ++i)
        shape.push_back(static_cast<std::uint32_t>(ceil_div(end[i] - begin[i], step[i])));
    return {TensorSpec{shape, inputs[0].dtype, inputs[0].layout, memory_config}};
}

ProgramPlan SliceOperation::plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device,
                                 std::uint64_t free_l1_bytes) const {
    const TensorSpec& input = inputs[0];
    const TensorSpec& output = outputs[0];
    if (input.layout == Layout::TILE) {
        const CoreRangeSet cores = cores_down_columns(num_tiles(output), device, sub_core_grids);
        return {{"ttnn::prim::SliceTileProgramFactory", 3},
                {dataflow_buffer(2 * tile_size(input.dtype), cores), start_place(input, cores)}};
    }
    if (keeps_rows_in_shards(input, output, begin.back(), device)) {
        const CoreRangeSet& shards = output.memory_config.shard_spec->grid;
        return {{"ttnn::prim::SliceRmShardedProgramFactory", 1},
                {borrowed_buffer(buffer_geometry(input, device).size_per_bank_bytes, shards, 0),
                 borrowed_buffer(buffer_geometry(output, device).size_per_bank_bytes, shards, 1)}};
    }
    const CoreRangeSet cores = cores_down_columns(num_rows(output), device, sub_core_grids);
    if (std::any_of(step.begin(), step.end(), [](std::uint32_t each) { return each != 1; })) {
        const std::uint64_t row = round_up(row_bytes(input), page_alignment(input.memory_config, device));
        return {{"ttnn::prim::SliceRmStrideProgramFactory", 2}, {dataflow_buffer(2 * row, cores)}};
    }
    const RowsInFlight rows =
        rows_in_flight(input, output, begin.back(), cores.num_cores(), device, free_l1_bytes);
    return {{"ttnn::prim::SliceRmProgramFactory", 0},
            {dataflow_buffer(2 * rows.count * rows.bytes, cores), start_place(input, cores)}};
}

// Padding reads as zeros.
std::vector<HostArray> SliceOperation::compute(ArraysView inputs, SpecsView outputs) const {
    const Shape& whole = outputs[0].shape;
    Shape inside;
    for (std::size_t i = 0; i < whole.rank(); ++i) {
        const std::uint32_t size = inputs[0]->shape().dimensions()[i];
        const std::uint32_t left = size > begin[i] ? size - begin[i] : 0;
        inside.push_back(std::min(whole.dimensions()[i], (left + step[i] - 1) / step[i]));
    }
    if (inside.volume() == 0) return {HostArray(outputs[0].dtype, whole)};
    HostArray values = compute::sliced(*inputs[0], begin, step, inside);
    if (inside == whole) return {std::move(values)};
    const std::vector<std::uint32_t> zeros(whole.rank(), 0);
    return {compute::padded(values, zeros, whole, 0.0F)};
}

void SplitOperation::validate(SpecsView inputs) const {
    const Shape& shape = inputs[0].shape;
    require(shape.rank() == 4 && parts != 0 && shape[-1] % (parts * kTileWidth) == 0, "split: ", shape,
            ": expected four dimensions and ", parts, " equal parts of whole tiles");
}

TensorSpecs SplitOperation::infer(SpecsView inputs) const {
    TensorSpec part{inputs[0].shape, inputs[0].dtype, inputs[0].layout, memory_config};
    part.shape.set(-1, part.shape[-1] / parts);
    return TensorSpecs(parts, part);
}

ProgramPlan SplitOperation::plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
    const TileGrid tiles = tile_grid(inputs[0].shape);
    // Each batch and each part has cores of its own, which share its tile rows and columns evenly.
    const CoreCoord grid = device.compute_grid;
    const auto x = static_cast<std::uint32_t>(
        tiles.batch * largest_divisor(tiles.rows, std::max<std::uint64_t>(grid.x / tiles.batch, 1)));
    const auto y = static_cast<std::uint32_t>(
        parts * largest_divisor(tiles.columns / parts, std::max(grid.y / parts, 1U)));
    return {{"ttnn::prim::SplitProgramFactory", 0},
            {dataflow_buffer(2 * tile_size(inputs[0].dtype), CoreRange{{0, 0}, {x - 1, y - 1}})}};
}

std::vector<HostArray> SplitOperation::compute(ArraysView inputs, SpecsView outputs) const {
    const std::vector<std::uint32_t> step(4, 1);
    std::vector<HostArray> made;
    for (std::uint32_t part = 0; part < parts; ++part) {
        const std::vector<std::uint32_t> begin{0, 0, 0, part * outputs[0].shape[-1]};
        made.push_back(compute::sliced(*inputs[0], begin, step, outputs[0].shape));
    }
    return made;
}

}  // namespace tilemeter
