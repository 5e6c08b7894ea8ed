// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/tilize_operations.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "runtime/compute/blocks.hpp"
#include "runtime/compute/rearrange.hpp"
#include "runtime/device/buffer_geometry.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/data_movement/internal/tiles_in_shards.hpp"
#include "runtime/operations/work/largest_divisor.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

constexpr int kOutput = 1;

void require_layout(const TensorSpec& input, Layout layout, const char* operation) {
    require(input.layout == layout, operation, ": input: expected ", name_of(layout), " layout, got ",
            name_of(input.layout));
}

void require_whole_tiles(const TensorSpec& input, const char* operation) {
    const Shape padded = input.padded_shape();
    const bool whole = padded.rank() >= 2 && padded[-1] % kTileWidth == 0 && padded[-2] % kTileHeight == 0;
    require(whole, operation, ": input ", input.shape,
            ": expected rows and columns in whole tiles of 32 x 32");
}

// A row of tiles in, a row of tiles out, whole rows shared evenly by the cores.
std::vector<ProgramMemory> row_buffers(const TileGrid& tiles, DataType from, DataType to,
                                       const WorkCores& all, std::uint64_t depth) {
    const CoreRangeSet cores = all.first(cores_for_even_rows(tiles.all_rows(), all.size()));
    return dataflow_buffers({depth * tiles.columns * tile_size(from), depth * tiles.columns * tile_size(to)},
                            cores);
}

// A row of a block in, a row of a block out.
std::vector<ProgramMemory> block_buffers(const BlockCores& blocks, DataType from, DataType to) {
    std::vector<ProgramMemory> memory{dataflow_buffer(blocks.full_width * tile_size(from), blocks.full),
                                      dataflow_buffer(blocks.full_width * tile_size(to), blocks.full)};
    if (blocks.edge_width == 0) return memory;
    memory.push_back(dataflow_buffer(blocks.edge_width * tile_size(from), blocks.edge));
    memory.push_back(dataflow_buffer(blocks.edge_width * tile_size(to), blocks.edge));
    return memory;
}

/// The bytes by which programs of one core leave half of L1 free.
std::uint64_t half_of_l1(const DeviceDescription& device) {
    return device.l1_size / 2 - device.l1_unreserved_base;
}

// The first core alone, by as many tiles of a row as divide it and leave half of L1 free.
std::vector<ProgramMemory> single_core_buffers(const TileGrid& tiles, DataType from, DataType to,
                                               const DeviceDescription& device) {
    const std::uint64_t most = half_of_l1(device) / (tile_size(from) + tile_size(to));
    const std::uint64_t at_once = largest_divisor(tiles.columns, most);
    const CoreRangeSet core(CoreRange{});
    return dataflow_buffers({at_once * tile_size(from), at_once * tile_size(to)}, core);
}

/// Rows of ROW_MAJOR blocks are read with their misalignment, and a tile's part of one.
std::uint64_t misalignment_of_rows(const DeviceDescription& device) {
    return 2 * device.dram_alignment;
}
std::uint64_t row_of_tile(DataType dtype) {
    return tile_size(dtype) / kTileHeight;
}

void add_reading_places(std::vector<ProgramMemory>& memory, const BlockCores& blocks, DataType from,
                        const DeviceDescription& device) {
    const auto place = [&](std::uint64_t width) {
        return width * row_of_tile(from) + misalignment_of_rows(device);
    };
    if (blocks.edge_width != 0) memory.push_back(scratchpad(place(blocks.edge_width), blocks.edge));
    memory.push_back(scratchpad(place(blocks.full_width), blocks.full));
}

ProgramPlan plan_in_blocks(const TileGrid& tiles, DataType from, DataType to, const WorkCores& cores,
                           StaticName factory, const DeviceDescription& device, std::uint64_t free_l1_bytes) {
    const std::uint64_t fixed = misalignment_of_rows(device);
    const std::uint64_t room = free_l1_bytes > fixed ? free_l1_bytes - fixed : 0;
    const BlockCores blocks =
        split_in_blocks(tiles, cores, room / (tile_size(from) + tile_size(to) + row_of_tile(from)));
    ProgramPlan plan{{factory, 1}, block_buffers(blocks, from, to)};
    add_reading_places(plan.memory, blocks, from, device);
    return plan;
}

ProgramPlan plan_rows_of_blocks(const TileGrid& tiles, DataType from, DataType to, const WorkCores& cores,
                                ProgramFactory factory, std::uint64_t free_l1_bytes) {
    const std::uint64_t most_tiles = free_l1_bytes / (tile_size(from) + tile_size(to));
    return {factory, block_buffers(split_in_blocks(tiles, cores, most_tiles), from, to)};
}

/// The work of the cores that hold shards of tiles, each with its own.
struct ShardWork {
    std::vector<CoreCoord> cores;  ///< without those that hold none; in DRAM banks
    std::uint64_t columns = 0;     ///< tiles across a shard
    std::uint64_t rows = 0;        ///< rows of tiles in the shards of one core
    CoreRangeSet all{};            ///< the grid of the shards
    bool has_all = false;          ///< every core of the grid holds one
};

// No shard of rows and columns is cut short by the tensor's end.
bool fills_its_shards(const TensorSpec& spec) {
    const Shape padded = spec.padded_shape();
    const auto [height, width] = spec.memory_config.shard_spec->shape;
    return padded[-1] % width == 0 && padded.volume() / padded[-1] % height == 0;
}

Shape shape_of_shards(const MemoryConfig& config) {
    if (config.nd_shard_spec) return config.nd_shard_spec->shape;
    return {config.shard_spec->shape[0], config.shard_spec->shape[1]};
}

// REQUIRES: sharded.
ShardWork shard_work(const TensorSpec& spec) {
    const MemoryConfig& config = spec.memory_config;
    const Shape shard = shape_of_shards(config);
    const Shape whole = spec.padded_shape().to_rank(shard.rank());
    const NdShardSpec* nd = config.nd_shard_spec.get();
    const CoreRangeSet& grid = nd ? nd->grid : config.shard_spec->grid;
    const bool by_rows =
        (nd ? nd->orientation : config.shard_spec->orientation) == ShardOrientation::ROW_MAJOR;
    ShardWork work{cores_of(grid, by_rows), ceil_div(shard[-1], kTileWidth), 0};
    std::uint64_t shards = 1;
    for (std::size_t i = 0; i < shard.rank(); ++i)
        shards *= ceil_div(whole.dimensions()[i], shard.dimensions()[i]);
    const std::uint64_t all_cores = work.cores.size();
    work.rows = ceil_div(shards, all_cores) * (shard.volume() / shard[-1] / kTileHeight);
    work.all = grid;
    work.has_all = shards >= all_cores;
    if (config.memory_layout != TensorMemoryLayout::BLOCK_SHARDED) {
        work.cores.resize(std::min<std::uint64_t>(shards, all_cores));
        return work;
    }
    // Blocks keep to the part of the grid that they cover.
    const CoreRange box = grid.bounding_box();
    const std::uint64_t down = ceil_div(whole.volume() / whole[-1], shard[-2]),
                        across = ceil_div(whole[-1], shard[-1]);
    std::erase_if(work.cores, [&](CoreCoord core) {
        const std::uint64_t x = core.x - box.start.x, y = core.y - box.start.y;
        return by_rows ? y >= down || x >= across : x >= down || y >= across;
    });
    return work;
}

// The cores themselves, or those beside the banks.
CoreRangeSet cores_near(const ShardWork& work, const MemoryConfig& config, const DeviceDescription& device) {
    if (config.buffer_type != BufferType::DRAM) return work.has_all ? work.all : merge_cores(work.cores);
    std::vector<CoreCoord> beside;
    for (const CoreCoord bank : work.cores) {
        require(bank.x < device.dram_bank_cores.size(),
                "shards in DRAM: dram_bank_cores: expected one for bank ", bank.x, " in the description of ",
                device.name, ", found ", device.dram_bank_cores.size());
        beside.push_back(device.dram_bank_cores[bank.x].noc_0);
    }
    return merge_cores_by_column(std::move(beside));
}

// The next row of tiles is read while one is written.
std::uint64_t depth_of(const ShardWork& work) {
    return work.rows > 1 ? 2 : 1;
}

ProgramMemory borrowed_circular_buffer(std::uint64_t size_bytes, const CoreRangeSet& cores, int tensor) {
    return {ProgramMemoryKind::kCircularBuffer, size_bytes, cores, tensor};
}

DataType untilized(DataType dtype) {
    // TT-NN's words, which name the wrong one of the block formats.
    require(dtype != DataType::BFLOAT4_B, "Only TILE layout is supported for BFLOAT8_B dtype!");
    return is_block_float(dtype) ? DataType::BFLOAT16 : dtype;
}

}  // namespace

bool row_of_tiles_fits(std::uint64_t columns, DataType from, DataType to, bool to_tiles,
                       const DeviceDescription& device, std::uint64_t free_l1_bytes) {
    const std::uint64_t both = columns * (tile_size(from) + tile_size(to));
    const std::uint64_t reading = to_tiles ? columns * row_of_tile(from) + misalignment_of_rows(device) : 0;
    return free_l1_bytes > both + reading;
}

TileGrid tile_grid(const Shape& shape) {
    const Shape matrices = shape.to_rank(3);
    return {matrices[0], ceil_div(matrices[1], kTileHeight), ceil_div(matrices[2], kTileWidth)};
}

void TilizeOperation::validate(SpecsView inputs) const {
    require_layout(inputs[0], Layout::ROW_MAJOR, "tilize");
    // TT-NN's words.
    const Shape padded = inputs[0].padded_shape().to_rank(std::max<std::size_t>(inputs[0].shape.rank(), 2));
    require(padded[-1] % kTileWidth == 0, "Input tensor width (", padded[-1],
            ") must be divisible by tile width (", kTileWidth, ")");
    require(padded[-2] % kTileHeight == 0, "Input tensor height (", padded[-2],
            ") must be divisible by tile height (", kTileHeight, ")");
}

TensorSpecs TilizeOperation::infer(SpecsView inputs) const {
    // Rows and columns that rows were padded with beyond tiles, to whole shards, are not there.
    return {TensorSpec{inputs[0].shape, dtype, Layout::TILE, memory_config}};
}

// Shards in L1 whose result lies in such shards as well, or, of rows, interleaved beside them.
bool TilizeOperation::works_in_shards(const TensorSpec& input) const {
    const MemoryConfig& from = input.memory_config;
    if (!from.shard_spec || from.buffer_type != BufferType::L1 || memory_config.buffer_type != BufferType::L1)
        return false;
    if (memory_config.memory_layout == from.memory_layout) return true;
    return memory_config.memory_layout == TensorMemoryLayout::INTERLEAVED &&
           from.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED &&
           from.shard_spec->orientation == ShardOrientation::ROW_MAJOR;
}

ProgramPlan TilizeOperation::plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device,
                                  std::uint64_t free_l1_bytes) const {
    if (!works_in_shards(inputs[0])) {
        const TileGrid tiles = tile_grid(inputs[0].shape);
        const DataType from = inputs[0].dtype;
        const CoreRangeSet first(CoreRange{});
        const WorkCores all(cores.sub_core_grids, device.compute_grid, CoreWalk::kDownColumns);
        const bool interleaved = !inputs[0].memory_config.is_sharded();
        const auto in_blocks = [&] {
            return plan_in_blocks(tiles, from, dtype, all, "ttnn::prim::TilizeMultiCoreBlockProgramFactory",
                                  device, free_l1_bytes);
        };
        // Rows of bytes may begin at places that only blocks are read from.
        if (interleaved && from == DataType::UINT8 && device.arch == "BLACKHOLE") return in_blocks();
        if (low_memory) {
            return {{"ttnn::prim::TilizeSingleCoreProgramFactory", 2},
                    dataflow_buffers({tile_size(from), tile_size(dtype)}, first)};
        }
        if (!cores.use_multicore) {
            return {{"ttnn::prim::TilizeSingleCoreProgramFactory", 2},
                    single_core_buffers(tiles, from, dtype, device)};
        }
        if (interleaved && (!row_fits || goes_in_blocks(tiles, all))) return in_blocks();
        return {{"ttnn::prim::TilizeMultiCoreDefaultProgramFactory", 0},
                row_buffers(tiles, from, dtype, all, 1)};
    }
    const ShardSpec& shard = *inputs[0].memory_config.shard_spec;
    ProgramPlan plan{{"ttnn::prim::TilizeMultiCoreShardedProgramFactory", 3}};
    plan.memory.push_back(
        borrowed_buffer(buffer_geometry(inputs[0], device).size_per_bank_bytes, shard.grid, 0));
    plan.memory.push_back(
        memory_config.is_sharded()
            ? borrowed_buffer(buffer_geometry(outputs[0], device).size_per_bank_bytes, shard.grid, kOutput)
            : dataflow_buffer(ceil_div(shard.shape[1], kTileWidth) * tile_size(dtype), shard.grid));
    return plan;
}

std::vector<HostArray> TilizeOperation::compute(ArraysView inputs, SpecsView) const {
    return {compute::converted(*inputs[0], dtype)};
}

void TilizeWithValPaddingOperation::validate(SpecsView inputs) const {
    require_layout(inputs[0], Layout::ROW_MAJOR, "tilize_with_val_padding");
    const Shape shape = inputs[0].shape.rank() < 2 ? inputs[0].shape.to_rank(2) : inputs[0].shape;
    bool fits = padded.rank() == shape.rank() && padded[-1] % kTileWidth == 0 &&
                padded[-2] % kTileHeight == 0 && padded[-1] >= shape[-1] && padded[-2] >= shape[-2];
    for (std::size_t i = 0; fits && i + 2 < shape.rank(); ++i)
        fits = padded[static_cast<std::int64_t>(i)] == shape[static_cast<std::int64_t>(i)];
    require(fits, "tilize_with_val_padding: output_tensor_shape: expected ", shape,
            " with more rows or columns, in whole tiles of 32 x 32, got ", padded);
    require(inputs[0].dtype != DataType::UINT8,
            "Can only tilize bfloat16/float32 or int32/uint32/uint16 or fp8_e4m3 tensors");
}

TensorSpecs TilizeWithValPaddingOperation::infer(SpecsView inputs) const {
    TensorSpec output{inputs[0].shape, dtype, Layout::TILE, memory_config};
    const Shape whole_tiles = output.padded_shape();
    if (padded[-2] != whole_tiles[-2]) output.alignment[0] = padded[-2];
    if (padded[-1] != whole_tiles[-1]) output.alignment[1] = padded[-1];
    if (is_in_columns(inputs[0]) && is_in_columns(output)) {
        output.memory_config.nd_shard_spec.reset();
        output.memory_config.shard_spec->shape[0] = static_cast<std::uint32_t>(padded.volume() / padded[-1]);
    }
    return {output};
}

ProgramPlan TilizeWithValPaddingOperation::plan(SpecsView inputs, SpecsView outputs,
                                                const DeviceDescription& device,
                                                std::uint64_t free_l1_bytes) const {
    if (row_fits && is_in_columns(inputs[0]) && is_in_columns(outputs[0]))
        return plan_columns(inputs[0], outputs[0], padded, device);
    const TileGrid tiles = tile_grid(padded);
    const DataType from = inputs[0].dtype;
    const WorkCores all(cores.sub_core_grids, device.compute_grid, CoreWalk::kDownColumns);
    const bool interleaved = !inputs[0].memory_config.is_sharded();
    // Rows that one core could not hold go in blocks whatever the caller says.
    if (row_fits && !cores.use_multicore) {
        return {{"ttnn::prim::TilizeWithValPaddingSingleCoreFactory", 0},
                single_core_buffers(tiles, from, dtype, device)};
    }
    if (interleaved && (!row_fits || goes_in_blocks(tiles, all))) {
        return plan_in_blocks(tiles, from, dtype, all,
                              "ttnn::prim::TilizeWithValPaddingMultiCoreBlockInterleavedFactory", device,
                              free_l1_bytes);
    }
    return {{"ttnn::prim::TilizeWithValPaddingMultiCoreDefaultFactory", 2},
            row_buffers(tiles, from, dtype, all, 1)};
}

std::vector<HostArray> TilizeWithValPaddingOperation::compute(ArraysView inputs, SpecsView) const {
    return {compute::converted(*inputs[0], dtype)};
}

void UntilizeOperation::validate(SpecsView inputs) const {
    require_layout(inputs[0], Layout::TILE, "untilize");
    // Shards are padded to whole tiles already, and stay so.
    if (!inputs[0].memory_config.is_sharded() || inputs[0].memory_config != memory_config)
        require_whole_tiles(inputs[0], "untilize");
    // TT-NN's words.
    require(!cores.sub_core_grids || tile_grid(inputs[0].shape).all_rows() <= 1, [&] {
        return "sub_core_grid untilize only supports tensors one tile row tall, got height " +
               std::to_string(tile_grid(inputs[0].shape).all_rows() * kTileHeight) + " with tile height " +
               std::to_string(kTileHeight);
    });
}

TensorSpecs UntilizeOperation::infer(SpecsView inputs) const {
    return {TensorSpec{inputs[0].shape, untilized(inputs[0].dtype), Layout::ROW_MAJOR, memory_config}};
}

ProgramPlan UntilizeOperation::plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device,
                                    std::uint64_t free_l1_bytes) const {
    const DataType from = inputs[0].dtype;
    const DataType to = outputs[0].dtype;
    const MemoryConfig& in = inputs[0].memory_config;
    if (in.is_sharded()) {
        const bool of_any_rank = in.memory_layout == TensorMemoryLayout::ND_SHARDED;
        const bool in_l1 = in.buffer_type == BufferType::L1;
        if (in_l1 && in == memory_config) {
            const std::uint64_t from_bytes = buffer_geometry(inputs[0], device).size_per_bank_bytes;
            const std::uint64_t to_bytes = buffer_geometry(outputs[0], device).size_per_bank_bytes;
            if (of_any_rank) {
                const CoreRangeSet& grid = in.nd_shard_spec->grid;
                return {
                    {"ttnn::prim::UntilizeMultiCoreInputAndOutputNDShardTypeAndShardSpecIdenticalProgramFactory",
                     4},
                    {borrowed_circular_buffer(from_bytes, grid, 0),
                     borrowed_circular_buffer(to_bytes, grid, kOutput)}};
            }
            const CoreRangeSet& grid = in.shard_spec->grid;
            return {
                {"ttnn::prim::UntilizeMultiCoreInputAndOutputShardTypeAndShardSpecIdenticalProgramFactory",
                 3},
                {borrowed_buffer(from_bytes, grid, 0), borrowed_buffer(to_bytes, grid, kOutput)}};
        }
        const ShardWork work = shard_work(inputs[0]);
        const CoreRangeSet near = cores_near(work, in, device);
        const std::uint64_t row = depth_of(work) * work.columns;
        if (of_any_rank) {
            return {{"ttnn::prim::UntilizeMultiCoreNDShardInputProgramFactory", 7},
                    dataflow_buffers({row * tile_size(from), row * tile_size(to)}, near)};
        }
        return {{"ttnn::prim::UntilizeMultiCoreProgramFactory", 6},
                {in_l1 && fills_its_shards(inputs[0])
                     ? borrowed_buffer(buffer_geometry(inputs[0], device).size_per_bank_bytes, near, 0)
                     : dataflow_buffer(row * tile_size(from), near),
                 dataflow_buffer(row * tile_size(to), near)}};
    }
    const TileGrid tiles = tile_grid(inputs[0].shape);
    const WorkCores all(cores.sub_core_grids, device.compute_grid, CoreWalk::kAlongRows);
    if (cores.sub_core_grids) {
        // As many cores as divide the row, a tile after the other.
        const CoreRangeSet dividing =
            dividing_cores(tiles.columns, device, cores.sub_core_grids, CoreWalk::kAlongRows);
        return {{"ttnn::prim::UntilizeMultiCoreSubCoreGridsProgramFactory", 1},
                dataflow_buffers({2 * tile_size(from), 2 * tile_size(to)}, dividing)};
    }
    const auto on_one_core = [&]() -> ProgramPlan {
        return {{"ttnn::prim::UntilizeSingleCoreProgramFactory", 0},
                single_core_buffers(tiles, from, to, device)};
    };
    if (!cores.use_multicore) return on_one_core();
    if (!memory_config.is_sharded() && (!row_fits || goes_in_blocks(tiles, all))) {
        return plan_rows_of_blocks(tiles, from, to, all,
                                   {"ttnn::prim::UntilizeMultiCoreBlockProgramFactory", 2}, free_l1_bytes);
    }
    if (tiles.columns > half_of_l1(device) / (2 * tile_size(from))) return on_one_core();
    // A core with more than one row reads the next while it writes one.
    const std::uint64_t depth = tiles.all_rows() > device.num_compute_cores() ? 2 : 1;
    return {{"ttnn::prim::UntilizeMultiCoreProgramFactory", 6}, row_buffers(tiles, from, to, all, depth)};
}

std::vector<HostArray> UntilizeOperation::compute(ArraysView inputs, SpecsView outputs) const {
    return {compute::converted(*inputs[0], outputs[0].dtype)};
}

namespace {

bool fills_tiles(const Shape& shape) {
    const Shape matrices = shape.to_rank(3);
    return matrices[-1] % kTileWidth == 0 && matrices[-2] % kTileHeight == 0;
}

/// The spread of tiles over cores in UntilizeCodegen: units of tiles beside each other.
struct UntilizeUnits {
    std::uint64_t count = 0;
    std::uint64_t columns = 0;
};

// Fewer rows of tiles than cores: each row goes to as many cores as divide it. A single row goes to all.
UntilizeUnits untilize_units(const TensorSpec& input, std::uint64_t num_cores) {
    const TileGrid tiles = tile_grid(input.shape);
    const std::uint64_t rows = tiles.all_rows();
    const bool padded = !fills_tiles(input.shape);
    // Rows that end within a tile stay whole.
    if (padded || tiles.columns <= 1 || (rows != 1 && rows >= num_cores)) return {rows, tiles.columns};
    if (rows == 1) {
        const std::uint64_t cores = std::min(tiles.columns, num_cores);
        return {cores, ceil_div(tiles.columns, cores)};
    }
    std::uint64_t parts = 1;
    for (std::uint64_t i = 2; i <= std::min(num_cores / rows, tiles.columns); ++i) {
        if (tiles.columns % i == 0) parts = i;
    }
    return {rows * parts, tiles.columns / parts};
}

/// Rows of units that fit in so much of a core, of the larger of both tiles.
std::uint64_t rows_that_fit(std::uint64_t columns, DataType from, DataType to, std::uint64_t free_l1_bytes) {
    return free_l1_bytes / (columns * std::max(tile_size(from), tile_size(to)));
}

}  // namespace

bool UntilizeCodegen::takes(const TensorSpec& input, const DeviceDescription& device,
                            std::uint64_t free_l1_bytes) const {
    constexpr std::uint64_t kWidestBytes = 800'000, kTileBytes = 2048, kRows = 2;
    if (input.dtype != DataType::BFLOAT16 && input.dtype != DataType::BFLOAT8_B) return false;
    if (input.memory_config.is_sharded() || memory_config.is_sharded()) return false;
    const TileGrid tiles = tile_grid(input.shape);
    const bool padded = !fills_tiles(input.shape);
    const UntilizeUnits units = untilize_units(input, device.num_compute_cores());
    if (padded && input.dtype != DataType::BFLOAT16) return false;
    if ((padded || tiles.all_rows() > 1) && kRows * tiles.columns * kTileBytes > kWidestBytes) return false;
    const std::uint64_t all = device.l1_size - device.l1_unreserved_base;
    if (!padded && tiles.all_rows() == 1 && tiles.columns > 1 && kRows * units.columns * kTileBytes > all)
        return false;
    return rows_that_fit(units.columns, input.dtype, DataType::BFLOAT16, free_l1_bytes) >= kRows;
}

void UntilizeCodegen::validate(SpecsView inputs) const {
    require_layout(inputs[0], Layout::TILE, "untilize");
}

TensorSpecs UntilizeCodegen::infer(SpecsView inputs) const {
    return {TensorSpec{inputs[0].shape, DataType::BFLOAT16, Layout::ROW_MAJOR, memory_config}};
}

ProgramPlan UntilizeCodegen::plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device,
                                  std::uint64_t free_l1_bytes) const {
    const UntilizeUnits units = untilize_units(inputs[0], device.num_compute_cores());
    // Double buffers as far as L1 goes.
    const std::uint64_t room = rows_that_fit(units.columns, inputs[0].dtype, outputs[0].dtype, free_l1_bytes);
    const std::uint64_t in_depth = room >= 3 ? 2 : 1;
    const std::uint64_t out_depth = room >= 4 ? 2 : 1;
    const CoreRangeSet cores = cores_along_rows(units.count, device);
    return {{"ttnn::prim::UntilizeCodegenProgramFactory", 0},
            circular_buffers({in_depth * units.columns * tile_size(inputs[0].dtype),
                              out_depth * units.columns * tile_size(outputs[0].dtype)},
                             cores)};
}

std::vector<HostArray> UntilizeCodegen::compute(ArraysView inputs, SpecsView outputs) const {
    return {compute::converted(*inputs[0], outputs[0].dtype)};
}

void UntilizeWithUnpaddingOperation::validate(SpecsView inputs) const {
    require_layout(inputs[0], Layout::TILE, "untilize_with_unpadding");
    const Shape padded = inputs[0].padded_shape();
    bool fits = last.rank() == inputs[0].shape.rank();
    for (std::size_t i = 0; fits && i < last.rank(); ++i) {
        const auto axis = static_cast<std::int64_t>(i) - static_cast<std::int64_t>(last.rank());
        fits = last[axis] < std::max(padded[axis], 1U);
    }
    require(fits, "untilize_with_unpadding: output_tensor_end: expected the index of an element of ", padded,
            ", got ", last);
    // TT-NN's words.
    const MemoryConfig& from = inputs[0].memory_config;
    require(from.memory_layout == TensorMemoryLayout::ND_SHARDED || !memory_config.nd_shard_spec ||
                from == memory_config,
            "Output memory config layout must not be ND_SHARDED");
    const bool in_columns_or_blocks = from.memory_layout == TensorMemoryLayout::WIDTH_SHARDED ||
                                      from.memory_layout == TensorMemoryLayout::BLOCK_SHARDED;
    require(!in_columns_or_blocks || memory_config.is_sharded() || num_rows(inputs[0]) == 0 ||
                padded.volume() == std::uint64_t{padded[-2]} * padded[-1],
            "Can only write unbatched output interleaved");
    require(from.memory_layout != TensorMemoryLayout::BLOCK_SHARDED ||
                memory_config.memory_layout != TensorMemoryLayout::BLOCK_SHARDED ||
                num_rows(inputs[0]) == 0 || padded.volume() == std::uint64_t{padded[-2]} * padded[-1],
            "Can only write unbatched output for BLOCK_SHARDED -> BLOCK_SHARDED");
    require(from.memory_layout != TensorMemoryLayout::WIDTH_SHARDED ||
                memory_config.memory_layout != TensorMemoryLayout::WIDTH_SHARDED ||
                memory_config.buffer_type == BufferType::L1,
            "WIDTH_SHARDED -> WIDTH_SHARDED output must be in L1; got buffer_type=BufferType::DRAM");
}

TensorSpecs UntilizeWithUnpaddingOperation::infer(SpecsView inputs) const {
    Shape shape = inputs[0].shape;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        const auto axis = static_cast<std::int64_t>(i);
        if (shape[axis] != 0) shape.set(axis, last[axis] + 1);
    }
    TensorSpec output{shape, untilized(inputs[0].dtype), Layout::ROW_MAJOR, memory_config};
    // Shards of columns lose the rows that were padding, shards of rows the columns; blocks keep room for
    // both.
    if (memory_config.shard_spec && inputs[0].memory_config.is_sharded()) {
        std::array<std::uint32_t, 2>& shard = output.memory_config.shard_spec->shape;
        if (memory_config.memory_layout == TensorMemoryLayout::WIDTH_SHARDED)
            shard[0] = static_cast<std::uint32_t>(num_rows(output));
        if (memory_config.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED)
            shard[1] = static_cast<std::uint32_t>(row_elements(output));
    }
    return {output};
}

ProgramPlan UntilizeWithUnpaddingOperation::plan(SpecsView inputs, SpecsView outputs,
                                                 const DeviceDescription& device,
                                                 std::uint64_t free_l1_bytes) const {
    if (inputs[0].memory_config.memory_layout == TensorMemoryLayout::ND_SHARDED) {
        const ShardWork work = shard_work(inputs[0]);
        const std::uint64_t row = depth_of(work) * work.columns;
        return {{"ttnn::prim::UntilizeWithUnpaddingMultiCoreNDShardedProgramFactory", 5},
                dataflow_buffers({row * tile_size(inputs[0].dtype), row * tile_size(outputs[0].dtype)},
                                 merge_cores(work.cores))};
    }
    if (inputs[0].memory_config.is_sharded())
        return plan_shards_without_padding(inputs[0], outputs[0], device);
    const TileGrid tiles = tile_grid(inputs[0].padded_shape());
    const DataType from = inputs[0].dtype;
    const DataType to = outputs[0].dtype;
    const WorkCores all(cores.sub_core_grids, device.compute_grid, CoreWalk::kDownColumns);
    const bool to_shards = memory_config.is_sharded();
    if (!to_shards && !cores.use_multicore) {
        return {{"ttnn::prim::UntilizeWithUnpaddingSingleCoreProgramFactory", 0},
                single_core_buffers(tiles, from, to, device)};
    }
    if (!to_shards && (!row_fits || goes_in_blocks(tiles, all))) {
        return plan_rows_of_blocks(
            tiles, from, to, all,
            {"ttnn::prim::UntilizeWithUnpaddingMultiCoreBlockInterleavedProgramFactory", 3}, free_l1_bytes);
    }
    return {{"ttnn::prim::UntilizeWithUnpaddingMultiCoreInterleavedProgramFactory", 1},
            row_buffers(tiles, from, to, all, 1)};
}

std::vector<HostArray> UntilizeWithUnpaddingOperation::compute(ArraysView inputs, SpecsView outputs) const {
    const HostArray rows = compute::converted(*inputs[0], outputs[0].dtype);
    const Shape& shape = outputs[0].shape;
    if (rows.shape() == shape) return {rows};
    Shape common = shape;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        const auto axis = static_cast<std::int64_t>(i);
        common.set(axis, std::min(shape[axis], rows.shape()[axis]));
    }
    const std::vector<std::uint32_t> zeros(shape.rank(), 0);
    const HostArray part = compute::sliced(rows, zeros, std::vector<std::uint32_t>(shape.rank(), 1), common);
    return {compute::padded(part, zeros, shape, 0)};
}

}  // namespace tilemeter
