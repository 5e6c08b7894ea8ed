// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/internal/concat_operation.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "runtime/compute/rearrange.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/data_movement/block_split.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

std::uint64_t columns_of(SpecsView inputs) {
    std::uint64_t columns = 0;
    for (const TensorSpec& input : inputs)
        columns += input.tile_columns();
    return columns;
}

namespace {

// A core per tile row: it takes the inputs' tiles apart into rows and makes tiles of the joined rows.
ProgramPlan plan_partial_tiles(SpecsView inputs, const TensorSpec& output, const DeviceDescription& device) {
    ProgramPlan plan{{"ttnn::prim::ConcatTiledUnalignedProgramFactory", 6}};
    const std::uint64_t tile = tile_size(output.dtype);
    const std::uint64_t columns_in = columns_of(inputs);
    const std::uint64_t columns_out = output.tile_columns();
    // TT-NN lists these cores one by one.
    const WorkCores all(std::nullopt, device.compute_grid, CoreWalk::kDownColumns);
    std::vector<CoreRange> each;
    for (std::uint64_t i = 0; i < cores_for_even_rows(output.tile_rows(), all.size()); ++i)
        each.push_back({all[i], all[i]});
    const CoreRangeSet cores(std::move(each));
    plan.memory = circular_buffers(
        {2 * columns_in * tile, columns_in * tile, columns_out * tile, 2 * columns_out * tile}, cores);
    return plan;
}

/// The bytes of a shard's rows or tiles where both inputs lie side by side.
std::uint64_t rows_of_32_bytes(const TensorSpec& spec) {
    const std::array<std::uint32_t, 2>& shape = spec.memory_config.shard_spec->shape;
    return shape[0] * round_up(shape[1] * element_size(spec.dtype), 32);
}
std::uint64_t tiles_across(const TensorSpec& spec) {
    return spec.memory_config.shard_spec->shape[1] / kTileWidth;
}
std::uint64_t tiles_of_shard(const TensorSpec& spec) {
    return spec.memory_config.shard_spec->shape[0] / kTileHeight * tiles_across(spec) * tile_size(spec.dtype);
}

// Two tensors in shards, side by side: rows are copied, tiles are transposed, joined and transposed again.
ProgramPlan plan_two_in_shards(SpecsView inputs, const TensorSpec& output) {
    const CoreRangeSet& cores = inputs[0].memory_config.shard_spec->grid;
    if (output.layout == Layout::ROW_MAJOR) {
        return {{"ttnn::prim::ConcatS2SRMProgramFactory", 2},
                {borrowed_buffer(rows_of_32_bytes(inputs[0]), cores, 0),
                 borrowed_buffer(rows_of_32_bytes(inputs[1]), cores, 1),
                 borrowed_buffer(rows_of_32_bytes(output), cores, 2)}};
    }
    const std::uint64_t tile = tile_size(output.dtype);
    const std::uint64_t between = output.dtype == DataType::BFLOAT8_B ? tile_size(DataType::BFLOAT16) : tile;
    const std::uint64_t first = tiles_across(inputs[0]), second = tiles_across(inputs[1]);
    ProgramPlan plan{{"ttnn::prim::ConcatS2STiledProgramFactory", 3}};
    plan.memory = {borrowed_buffer(tiles_of_shard(inputs[0]), cores, 0),
                   borrowed_buffer(tiles_of_shard(inputs[1]), cores, 1),
                   borrowed_buffer(tiles_of_shard(output), cores, 2)};
    for (const std::uint64_t size :
         {first * between, second * between, (first + second) * between, (first + second) * tile})
        plan.memory.push_back(dataflow_buffer(size, cores));
    return plan;
}

// Circular buffers in the shards of the inputs and of the output, in this order; `bytes_of`: what one takes of a shard.
template <typename BytesOf>
void add_shards(ProgramPlan& plan, SpecsView inputs, const TensorSpec& output, BytesOf bytes_of) {
    const CoreRangeSet& cores = inputs[0].memory_config.shard_spec->grid;
    const auto add = [&](const TensorSpec& spec) {
        ProgramMemory piece = circular_buffer(bytes_of(spec), cores);
        piece.shared_with = static_cast<int>(plan.memory.size());
        plan.memory.push_back(piece);
    };
    for (const TensorSpec& input : inputs)
        add(input);
    add(output);
}

// Any number of tensors in shards: pages that all their rows are made of are copied.
ProgramPlan plan_shards(SpecsView inputs, const TensorSpec& output, const DeviceDescription& device) {
    const bool rows = output.layout == Layout::ROW_MAJOR;
    std::uint64_t page = tile_size(output.dtype), wide = kTileWidth, tall = kTileHeight;
    if (rows) {
        const std::uint64_t alignment = page_alignment(inputs[0].memory_config, device);
        const std::uint64_t element = element_size(output.dtype);
        // TT-NN counts the elements of the result, not their bytes.
        page = round_up(output.memory_config.shard_spec->shape[1], alignment);
        for (const TensorSpec& input : inputs) {
            const std::uint64_t row = input.memory_config.shard_spec->shape[1] * element;
            page = std::gcd(page, round_up(row, alignment));
        }
        wide = page / element;
        tall = 1;
    }
    ProgramPlan plan{{"ttnn::prim::ConcatS2SMultiProgramFactory", 4}};
    add_shards(plan, inputs, output, [&](const TensorSpec& spec) {
        const std::array<std::uint32_t, 2>& shape = spec.memory_config.shard_spec->shape;
        return page * ceil_div(shape[1], wide) * ceil_div(shape[0], tall);
    });
    return plan;
}

bool in_blocks(SpecsView inputs) {
    return inputs[0].memory_config.memory_layout == TensorMemoryLayout::BLOCK_SHARDED;
}

/// The unit in which blocks are copied: tiles, or elements.
std::uint64_t unit_of_blocks(const TensorSpec& spec) {
    return spec.layout == Layout::TILE ? tile_size(spec.dtype) : element_size(spec.dtype);
}
std::uint64_t units_of_block(const TensorSpec& spec) {
    const auto [rows, columns] = spec.memory_config.shard_spec->shape;
    return std::uint64_t{rows} * columns / (spec.layout == Layout::TILE ? kTileHeight * kTileWidth : 1);
}

// Blocks, which each core gathers from the cores that have its part.
ProgramPlan plan_blocks(SpecsView inputs, const TensorSpec& output) {
    ProgramPlan plan{{"ttnn::prim::ConcatBlockShardedProgramFactory", 5}};
    add_shards(plan, inputs, output,
               [](const TensorSpec& spec) { return units_of_block(spec) * unit_of_blocks(spec); });
    return plan;
}

// TT-NN's conditions, in its words; the result's buffer has a number of its own.
void validate_blocks(SpecsView inputs, const TensorSpec& output, const DeviceDescription& device) {
    constexpr std::uint64_t kMostPages = 65535;
    constexpr std::size_t kNumberOfOutput = 16;
    const auto require_aligned = [&](const std::string& which, const TensorSpec& spec) {
        const std::uint64_t columns = spec.memory_config.shard_spec->shape[1],
                            element = element_size(spec.dtype);
        require(columns * element % device.l1_alignment == 0, which, " shard row size (", columns * element,
                " bytes = ", columns, " elements x ", element, " bytes) is not L1-aligned (",
                device.l1_alignment,
                " bytes). Block-sharded RM concat requires aligned row sizes for correct NOC transfers.");
    };
    const auto require_countable = [&](std::size_t number, const TensorSpec& spec) {
        const std::uint64_t pages = units_of_block(spec);
        require(pages <= kMostPages, "For buffer index ", number, ", number of CB pages ", pages,
                " is greater than ", kMostPages, ". Would cause wraparound in the CB calculations.");
    };
    if (output.layout == Layout::ROW_MAJOR) {
        for (std::size_t i = 0; i < inputs.size(); ++i)
            require_aligned("Input " + std::to_string(i), inputs[i]);
        require_aligned("Output", output);
    }
    for (std::size_t i = 0; i < inputs.size(); ++i)
        require_countable(i, inputs[i]);
    require_countable(kNumberOfOutput, output);
}

/// The inputs of each group side by side, group after group.
HostArray concatenated_in_groups(ArraysView inputs, std::size_t dim, std::uint32_t groups) {
    std::vector<HostArray> parts;
    for (const HostArray* input : inputs) {
        const auto given = input->shape().dimensions();
        std::vector<std::uint32_t> apart(given.begin(), given.end());
        apart[dim] /= groups;
        apart.insert(apart.begin() + static_cast<std::ptrdiff_t>(dim), groups);
        parts.push_back(input->reshaped(Shape(apart)));
    }
    std::vector<const HostArray*> views;
    Shape joined = inputs[0]->shape();
    std::uint32_t size = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        views.push_back(&parts[i]);
        size += inputs[i]->shape().dimensions()[dim];
    }
    joined.set(static_cast<std::int64_t>(dim), size);
    return compute::concatenated(views, dim + 1).reshaped(joined);
}

}  // namespace

bool ConcatOperation::joins_partial_tiles(SpecsView inputs, std::size_t dim) {
    bool partial = false;
    for (const TensorSpec& input : inputs) {
        const bool joinable = input.layout == Layout::TILE && dim > 0 && dim + 1 == input.shape.rank() &&
                              (input.dtype == DataType::BFLOAT16 || input.dtype == DataType::FLOAT32) &&
                              !input.memory_config.is_sharded();
        if (!joinable) return false;
        partial = partial || input.shape[-1] % kTileWidth != 0;
    }
    return partial;
}

void ConcatOperation::validate(SpecsView inputs) const {
    const TensorSpec& first = inputs[0];
    for (const TensorSpec& input : inputs) {
        require(input.dtype == first.dtype && input.layout == first.layout, "concat: tensors: expected all ",
                name_of(first.dtype), " ", name_of(first.layout), ", got ", name_of(input.dtype), " ",
                name_of(input.layout));
        require(input.memory_config.is_sharded() == first.memory_config.is_sharded(),
                "All tensors must be sharded or all must be interleaved");
    }
    if (first.memory_config.is_sharded()) validate_shards(inputs);
}

// The refusals of TT-NN when it makes the program.
void ConcatOperation::validate_program(SpecsView inputs, const DeviceDescription& device) const {
    if (!inputs[0].memory_config.is_sharded() && inputs[0].layout == Layout::ROW_MAJOR) {
        const std::uint64_t row = place_of_row(inputs[0], infer(inputs)[0], device);
        const std::uint64_t all = device.l1_size - device.l1_unreserved_base;
        require(row <= all, "ttnn.concat: required DFB entry size (", row,
                " B) exceeds per-core L1 capacity (", all, " B); op cannot fit on this device.");
    }
    if (inputs[0].memory_config.is_sharded() && in_blocks(inputs))
        validate_blocks(inputs, infer(inputs).front(), device);
    if (!joins_two_in_shards(inputs)) return;
    const auto whole = [this](const TensorSpec& input) { return input.shape[-1] % groups == 0; };
    if (inputs[0].layout == Layout::ROW_MAJOR && std::all_of(inputs.begin(), inputs.end(), whole)) {
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const std::array<std::uint32_t, 2>& shape = inputs[i].memory_config.shard_spec->shape;
            const std::uint64_t needed = rows_of_32_bytes(inputs[i]);
            const std::uint64_t there = shape[0] * round_up(shape[1] * element_size(inputs[i].dtype),
                                                            page_alignment(inputs[i].memory_config, device));
            require(needed <= there, "DFB 's2s_rm_input_", i, "' (entry_size ", needed / shape[0],
                    " * num_entries ", shape[0], " = ", needed,
                    " bytes) is larger than the per-bank allocation of its borrowed TensorParameter 'input_",
                    i, "' (", there, " bytes).");
        }
        return;
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::uint32_t width = inputs[i].shape[-1], padded = inputs[i].padded_shape()[-1];
        require(width == padded, "Cannot have padding along width dimension in input tensor ", i, " (", width,
                " != ", padded, ")");
        require(padded % groups == 0, "Input tensor ", i,
                " columns must be evenly divisible by groups (W=", padded, ", groups=", groups, ")");
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::uint32_t group = inputs[i].padded_shape()[-1] / groups;
        require(group >= kTileHeight / 2, "Group size must be at least 16 for input", i, " (was ", group,
                ")");
    }
}

// TT-NN makes the result of shards before it looks at them.
TensorSpecs ConcatOperation::outputs_when_refused(SpecsView inputs,
                                                  const DeviceDescription& /*device*/) const {
    if (!inputs[0].memory_config.is_sharded()) validate(inputs);
    return infer(inputs);
}

TensorSpecs ConcatOperation::infer(SpecsView inputs) const {
    const auto axis = static_cast<std::int64_t>(dim);
    Shape shape = inputs[0].shape;
    for (const TensorSpec& input : inputs.subspan(1))
        shape.set(axis, shape[axis] + input.shape[axis]);
    return {TensorSpec{shape, inputs[0].dtype, inputs[0].layout, memory_config}};
}

ProgramPlan ConcatOperation::plan(SpecsView inputs, SpecsView outputs,
                                  const DeviceDescription& device) const {
    if (joins_partial_tiles(inputs, dim)) return plan_partial_tiles(inputs, outputs[0], device);
    if (inputs[0].memory_config.is_sharded() && in_blocks(inputs)) return plan_blocks(inputs, outputs[0]);
    if (joins_two_in_shards(inputs)) return plan_two_in_shards(inputs, outputs[0]);
    if (inputs[0].memory_config.is_sharded()) return plan_shards(inputs, outputs[0], device);
    ProgramPlan plan{{"ttnn::prim::ConcatProgramFactory", 0}};
    const TensorSpec& output = outputs[0];
    if (output.layout == Layout::TILE) {
        plan.memory = {dataflow_buffer(2 * tile_size(output.dtype), cores_for(num_tiles(output), device))};
        return plan;
    }
    // The next row is read while one is written, unless two take more than half of L1.
    const std::uint64_t row = place_of_row(inputs[0], output, device);
    const std::uint64_t depth = 2 * row > device.l1_size / 2 - device.l1_unreserved_base ? 1 : 2;
    plan.memory = {dataflow_buffer(depth * row, cores_for(num_rows(output), device))};
    return plan;
}

// Only the program of two tensors in shards knows of groups.
std::vector<HostArray> ConcatOperation::compute(ArraysView inputs, SpecsView outputs) const {
    const bool grouped =
        groups > 1 && inputs.size() == 2 && outputs[0].memory_config.is_sharded() && dim == 3;
    if (grouped) return {concatenated_in_groups(inputs, dim, groups)};
    return {compute::concatenated(inputs, dim)};
}

std::uint64_t ConcatOperation::place_of_row(const TensorSpec& input, const TensorSpec& output,
                                            const DeviceDescription& device) {
    return round_up(row_bytes(output), std::max(page_alignment(input.memory_config, device),
                                                page_alignment(output.memory_config, device)));
}

bool ConcatOperation::joins_two_in_shards(SpecsView inputs) const {
    return inputs.size() == 2 && inputs[0].memory_config.is_sharded() && !in_blocks(inputs) &&
           inputs[0].shape.rank() > 1 && dim + 1 == inputs[0].shape.rank();
}

void ConcatOperation::validate_shards(SpecsView inputs) const {
    const MemoryConfig& first = inputs[0].memory_config;
    for (const TensorSpec& input : inputs) {
        require(input.memory_config.shard_spec->grid == first.shard_spec->grid,
                "Sharded tensors must have the same grid.");
        require(input.memory_config.memory_layout == first.memory_layout,
                "Sharded tensors must have the same memory layout.");
        require(input.memory_config.shard_spec->orientation == first.shard_spec->orientation,
                "Sharded tensors must have the same shard orientation.");
    }
    require(memory_config.memory_layout == first.memory_layout,
            "Sharded output and inputs must have the same memory layout.");
    require(memory_config.shard_spec && memory_config.shard_spec->grid == first.shard_spec->grid,
            "Sharded output and inputs must have the same grid.");
    require(memory_config.shard_spec->orientation == first.shard_spec->orientation,
            "Sharded output and inputs must have the same shard orientation.");
    const std::size_t rank = inputs[0].shape.rank();
    if (dim + 1 == rank) {
        require(first.memory_layout != TensorMemoryLayout::WIDTH_SHARDED,
                "Only support width concat on height-sharded or block-sharded tensors.");
    } else {
        require(dim + 2 == rank, "Only width or height concat on sharded tensors");
        require(first.memory_layout != TensorMemoryLayout::HEIGHT_SHARDED,
                "Only support height concat on width-sharded or block-sharded tensors.");
    }
    if (in_blocks(inputs) && dim + 1 == rank) require_aligned_places(inputs);
    require(groups == 1 || first.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED,
            "Groups > 1 is only supported on height-sharded tensors (groups=", groups,
            " and memory_layout=TensorMemoryLayout::", name_of(first.memory_layout), " was provided)");
}

// TT-NN's words.
void ConcatOperation::require_aligned_places(SpecsView inputs) {
    constexpr std::uint64_t kAlignment = 16;
    if (inputs[0].layout != Layout::ROW_MAJOR) return;
    const std::uint64_t element = element_size(inputs[0].dtype);
    std::uint64_t column = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        require(
            column * element % kAlignment == 0, "Width concat: input ", i, " starts at column ", column, " (",
            column * element, " bytes), not L1-aligned (", kAlignment,
            " bytes). A ragged width puts the boundary inside a shard and the NOC cannot write at an unaligned "
            "offset. Pad each width to a multiple of ",
            kAlignment / element, " elements, or concat before sharding.");
        column += inputs[i].shape[-1];
    }
}

CoreRangeSet ConcatOperation::cores_for(std::uint64_t pages, const DeviceDescription& device) const {
    return sub_core_grids ? dividing_cores(pages, device, sub_core_grids, CoreWalk::kDownColumns)
                          : cores_down_columns(pages, device);
}

}  // namespace tilemeter
