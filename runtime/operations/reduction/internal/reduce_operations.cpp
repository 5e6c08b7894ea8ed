// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/reduction/internal/reduce_operations.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "runtime/compute/reduce.hpp"
#include "runtime/device/buffer_geometry.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/largest_divisor.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/operations/work/shards_over.hpp"
#include "runtime/operations/work/tensor_pages.hpp"
#include "runtime/operations/work/work_cores.hpp"

namespace tilemeter {

namespace {

constexpr std::uint64_t kTileElements = std::uint64_t{kTileHeight} * kTileWidth;

// The number that tiles are multiplied with lies in a tile of its own.
std::uint64_t scaler_tile(DataType dtype) {
    return tile_size(dtype == DataType::FLOAT32 ? DataType::FLOAT32 : DataType::BFLOAT16);
}

// The number of tiles, of `depth` above each other, that are read at a time: equal shares of at most eight.
std::uint64_t share_of_depth(std::uint64_t depth) {
    return largest_divisor(depth, 8);
}

// Four tiles are read at a time, twice, where even the idlest core has as many.
std::uint64_t tiles_read_ahead(std::uint64_t tiles_of_idlest_core) {
    return tiles_of_idlest_core >= 4 ? 8 : 2;
}

compute::ReduceKind kind_of(ReduceOpMath math) {
    switch (math) {
        case ReduceOpMath::SUM:
        case ReduceOpMath::AVG:
            break;
        case ReduceOpMath::MAX:
            return compute::ReduceKind::kMax;
        case ReduceOpMath::MIN:
            return compute::ReduceKind::kMin;
    }
    return compute::ReduceKind::kSum;
}

std::string name_of(ReduceOpMath math) {
    static constexpr std::string_view kNames[] = {"SUM", "AVG", "MAX", "MIN"};
    return "ReduceOpMath::" + std::string(kNames[static_cast<std::size_t>(math)]);
}
std::string name_of(ReduceOpDim dim) {
    static constexpr std::string_view kNames[] = {"H", "W", "HW"};
    return "ReduceOpDim::" + std::string(kNames[static_cast<std::size_t>(dim)]);
}

void require_tiled(const TensorSpec& input, std::string_view operation) {
    require(input.layout == Layout::TILE, operation, ": input tensor: expected TILE layout, got ",
            name_of(input.layout));
}

// Over the grid, or over the cores that the caller names, which are listed in new rectangles even where all work.
WorkSplit split_over(const OptionalCores& cores, std::uint64_t units, CoreWalk walk,
                     const DeviceDescription& device) {
    WorkSplit split = split_work(units, cores, device.compute_grid, walk);
    if (cores) split.cores = WorkCores(cores, device.compute_grid, walk).first(split.num_cores);
    return split;
}

ProgramPlan plan_width(const TensorSpec& input, const TensorSpec& output, const DeviceDescription& device,
                       const OptionalCores& cores = std::nullopt) {
    const WorkSplit split = split_over(cores, input.tile_rows(), CoreWalk::kDownColumns, device);
    const std::uint64_t ahead = tiles_read_ahead(split.least * input.tile_columns());
    return {{"ttnn::prim::ReduceDeviceOperation::ReduceMultiCoreWProgramFactory", 2},
            dataflow_buffers(
                {ahead * tile_size(input.dtype), scaler_tile(input.dtype), 2 * tile_size(output.dtype)},
                split.cores)};
}

std::uint64_t columns_of_all_batches(const TensorSpec& input) {
    return input.shape[0] * std::uint64_t{input.shape[1]} * ceil_div(input.shape[3], kTileWidth);
}

WorkSplit split_columns(const TensorSpec& input, const DeviceDescription& device) {
    return split_work(columns_of_all_batches(input), device.compute_grid, CoreWalk::kDownColumns);
}

// Tiles of negatives that a core keeps when it reduces columns: a whole number of its columns, whether it has
// the most of them or the least.
std::uint64_t tiles_apart(const TensorSpec& input, const DeviceDescription& device) {
    const WorkSplit split = split_columns(input, device);
    return ceil_div(input.shape[2], kTileHeight) * std::lcm(split.most, split.least);
}

// A minimum of blocks is the negative of the maximum of the negatives: they are kept apart.
ProgramPlan plan_negated(const TensorSpec& input, const TensorSpec& output, ReduceOpDim dim,
                         const DeviceDescription& device) {
    const bool by_rows = dim == ReduceOpDim::W;
    ProgramPlan plan =
        by_rows ? plan_width(input, output, device)
                : ProgramPlan{{"ttnn::prim::ReduceDeviceOperation::ReduceMultiCoreHProgramFactory", 1}};
    const std::uint64_t in_tile = tile_size(input.dtype), out_tile = tile_size(output.dtype);
    const CoreRangeSet cores = by_rows ? plan.memory.front().cores : split_columns(input, device).cores;
    const std::uint64_t rows =
        split_work(input.tile_rows(), device.compute_grid, CoreWalk::kDownColumns).least;
    const std::uint64_t ahead = by_rows ? (rows > 1 ? tiles_read_ahead(rows * input.tile_columns()) : 2) : 4;
    const std::uint64_t apart = by_rows ? 1 : tiles_apart(input, device);
    plan.memory = dataflow_buffers({ahead * in_tile, scaler_tile(input.dtype), (by_rows ? 2 : 4) * out_tile,
                                    apart * in_tile, apart * in_tile},
                                   cores);
    return plan;
}

// Rows that are made tiles on the way, at most eight tiles of the reduced dimension at a time.
ProgramPlan plan_of_rows(const TensorSpec& input, const TensorSpec& output, ReduceOpDim dim,
                         std::uint64_t slices, const OptionalCores& cores, const DeviceDescription& device) {
    constexpr std::uint64_t kMostTiles = 8;
    const bool by_rows = dim == ReduceOpDim::W;
    const std::uint64_t depth = std::clamp<std::uint64_t>(
        by_rows ? ceil_div(input.shape[3], kTileWidth) : ceil_div(input.shape[2], kTileHeight), 1,
        kMostTiles);
    const WorkSplit split =
        by_rows ? split_over(cores, num_rows(input), CoreWalk::kAlongRows, device)
                : split_over(cores, columns_of_all_batches(input) * slices, CoreWalk::kDownColumns, device);
    const std::uint64_t in_tile = tile_size(input.dtype), out_tile = tile_size(output.dtype);
    return {{by_rows ? "ttnn::prim::ReduceDeviceOperation::ReduceMultiCoreWProgramFactory"
                     : "ttnn::prim::ReduceDeviceOperation::ReduceMultiCoreHProgramFactory",
             by_rows ? 2U : 1U},
            dataflow_buffers(
                {2 * (by_rows ? depth : 1) * in_tile, in_tile, out_tile,
                 std::max<std::uint64_t>(2, depth) * in_tile, scaler_tile(input.dtype), 2 * out_tile},
                split.cores)};
}

ProgramPlan plan_height(const TensorSpec& input, const TensorSpec& output, ReduceDeviceOperation::Stage stage,
                        std::uint64_t slices, const OptionalCores& cores, const DeviceDescription& device) {
    ProgramPlan plan{{"ttnn::prim::ReduceDeviceOperation::ReduceMultiCoreHProgramFactory", 1}};
    const std::uint64_t columns = columns_of_all_batches(input);
    const bool in_slices = stage == ReduceDeviceOperation::Stage::kSlices;
    const WorkSplit split =
        split_over(cores, in_slices ? columns * slices : columns, CoreWalk::kDownColumns, device);
    std::uint64_t ahead = tiles_read_ahead(split.least);
    if (in_slices) ahead = input.dtype == DataType::FLOAT32 ? 2 : 8;
    plan.memory = dataflow_buffers(
        {ahead * tile_size(input.dtype), scaler_tile(input.dtype), 2 * tile_size(output.dtype)}, split.cores);
    return plan;
}

// True if each core has whole rows (or columns) of the input and keeps their results.
bool stays_on_its_cores(const TensorSpec& input, const TensorSpec& output, ReduceOpDim dim) {
    const auto all = [](const TensorSpec& spec, TensorMemoryLayout::Value layout) {
        return spec.memory_config.memory_layout == layout && spec.memory_config.buffer_type == BufferType::L1;
    };
    if (dim == ReduceOpDim::H) {
        return all(input, TensorMemoryLayout::WIDTH_SHARDED) &&
               all(output, TensorMemoryLayout::WIDTH_SHARDED);
    }
    if (dim != ReduceOpDim::W || !all(input, TensorMemoryLayout::HEIGHT_SHARDED) ||
        !all(output, TensorMemoryLayout::HEIGHT_SHARDED)) {
        return false;
    }
    const ShardSpec& shards = *input.memory_config.shard_spec;
    return shards.shape[0] / kTileHeight * shards.grid.num_cores() == input.tile_rows() &&
           output.memory_config.shard_spec->grid == shards.grid;
}

ProgramPlan plan_in_place(const TensorSpec& input, const TensorSpec& output, ReduceOpDim dim,
                          const DeviceDescription& device) {
    const CoreRangeSet& cores = input.memory_config.shard_spec->grid;
    return {{dim == ReduceOpDim::W ? "ttnn::prim::ReduceDeviceOperation::ReduceMultiCoreWProgramFactory"
                                   : "ttnn::prim::ReduceDeviceOperation::ReduceMultiCoreHProgramFactory",
             dim == ReduceOpDim::W ? 2U : 1U},
            {dataflow_buffer(2 * tile_size(input.dtype), cores),
             borrowed_buffer(buffer_geometry(input, device).size_per_bank_bytes, cores, 0),
             dataflow_buffer(scaler_tile(input.dtype), cores),
             borrowed_buffer(buffer_geometry(output, device).size_per_bank_bytes, cores, 1)}};
}

}  // namespace

std::tuple<std::string, std::string, float, MemoryConfig, DataType, std::string, std::string, bool, int,
           std::string, std::uint64_t, bool, bool, int, Layout>
ReduceDeviceOperation::attributes() const {
    return {name_of(math),
            name_of(dim),
            scaler,
            memory_config,
            output_dtype,
            "ComputeKernelConfig(math_fidelity=HiFi3,math_approx_mode=0,fp32_dest_acc_en=1,packer_l1_acc=0,"
            "dst_full_sync_en=0,throttle_level=ThrottleLevel::NO_THROTTLE)",
            sub_core_grids ? sub_core_grids->to_string() : "std::nullopt",
            false,
            1,
            "ScalerMode::ScalerTile",
            slices,
            false,
            false,
            static_cast<int>(stage),
            output_layout};
}

bool takes_negatives(DataType dtype) {
    return is_block_float(dtype) || dtype == DataType::UINT32;
}

bool keeps_negatives_apart(const TensorSpec& input, const DeviceDescription& device) {
    return 2 * tiles_apart(input, device) * tile_size(input.dtype) <
           device.l1_size - device.l1_unreserved_base;
}

void ReduceDeviceOperation::validate(SpecsView inputs, const DeviceDescription& device) const {
    const TensorSpec& input = inputs[0];
    require_on_grid(sub_core_grids, device.compute_grid, "reduction");
    const bool on_chosen_cores = !input.memory_config.is_sharded() && dim != ReduceOpDim::HW &&
                                 !(math == ReduceOpMath::MIN && takes_negatives(input.dtype));
    if (sub_core_grids && !on_chosen_cores) {
        refuse("reduction", "sub_core_grids", "None for shards, single tiles and minima of blocks",
               sub_core_grids->to_string());
    }
    const bool sums = math == ReduceOpMath::SUM || math == ReduceOpMath::AVG;
    if (stage != Stage::kOfSlices && (!sums || dim == ReduceOpDim::HW)) require_tiled(input, kName);
    require(input.shape.rank() == 4, kName, ": input tensor: expected four dimensions, got ", input.shape);
    const bool integer_sum = input.dtype == DataType::UINT32 || input.dtype == DataType::INT32;
    require(input.dtype == DataType::BFLOAT16 || input.dtype == DataType::FLOAT32 ||
                input.dtype == DataType::BFLOAT8_B || integer_sum,
            "Only FLOAT32, BFLOAT16, BFLOAT8_B, and UINT32 are supported for generic reduction (INT32 "
            "is supported for MAX/MIN/SUM) - got DataType::",
            tilemeter::name_of(input.dtype));
}

// The asked place, with the cores of the input where it names none.
MemoryConfig ReduceDeviceOperation::on_cores_of(const TensorSpec& input) const {
    MemoryConfig place = memory_config;
    if (place.shard_spec || place.nd_shard_spec) return place;
    require(!input.memory_config.is_sharded() || place.buffer_type == input.memory_config.buffer_type,
            "Sharded memory layout TensorMemoryLayout::", tilemeter::name_of(place.memory_layout),
            " on an output with buffer type BufferType::", tilemeter::name_of(place.buffer_type),
            " requires an explicit shard_spec (cannot fall back to the input tensor's BufferType::",
            tilemeter::name_of(input.memory_config.buffer_type), " shard grid)");
    place.nd_shard_spec = input.memory_config.as_nd_shards();
    if (place.memory_layout == TensorMemoryLayout::ND_SHARDED || !place.nd_shard_spec) return place;
    place.shard_spec = ShardSpec{place.nd_shard_spec->grid, {}, place.nd_shard_spec->orientation};
    place.nd_shard_spec.reset();
    return place;
}

// Shards of the reduced dimensions hold one element of them, in whole tiles.
MemoryConfig ReduceDeviceOperation::with_shards_of_one_row_or_column(MemoryConfig place) const {
    require(
        place.nd_shard_spec != nullptr,
        "ND_SHARDED memory layout requires nd_shard_spec to be set on the output memory config or the input tensor");
    auto shards = std::make_shared<NdShardSpec>(*place.nd_shard_spec);
    const bool in_tiles = output_layout == Layout::TILE;
    if (dim != ReduceOpDim::H) shards->shape.set(-1, in_tiles ? kTileWidth : 1);
    if (dim != ReduceOpDim::W && shards->shape.rank() > 1) shards->shape.set(-2, in_tiles ? kTileHeight : 1);
    place.nd_shard_spec = std::move(shards);
    return place;
}

TensorSpecs ReduceDeviceOperation::infer(SpecsView inputs) const {
    Shape shape = inputs[0].shape;
    if (dim != ReduceOpDim::W) shape.set(2, static_cast<std::uint32_t>(slices));
    if (dim != ReduceOpDim::H) shape.set(3, 1);
    if (stage == Stage::kOfSlices) shape.set(2, 1);
    TensorSpec output{shape, output_dtype, output_layout, memory_config};
    if (!memory_config.is_sharded()) return {output};
    MemoryConfig place = on_cores_of(inputs[0]);
    if (place.memory_layout == TensorMemoryLayout::ND_SHARDED) {
        output.memory_config = with_shards_of_one_row_or_column(std::move(place));
        return {output};
    }
    require(
        place.shard_spec.has_value(),
        "Sharded memory layout TensorMemoryLayout::", tilemeter::name_of(memory_config.memory_layout),
        " requires either nd_shard_spec or shard_spec to be set on the output memory config or the input tensor");
    if (place.memory_layout == TensorMemoryLayout::BLOCK_SHARDED) {
        const std::size_t ranges = place.shard_spec->grid.ranges().size();
        require(ranges == 1, "Block sharding requires a single CoreRange, got ", ranges, " ranges");
        output.memory_config = on_its_cores(output, place);
    } else {
        output.memory_config = fitted_shards(place, output);
    }
    return {output};
}

ProgramPlan ReduceDeviceOperation::plan(SpecsView inputs, SpecsView outputs,
                                        const DeviceDescription& device) const {
    const TensorSpec& input = inputs[0];
    const bool negated = math == ReduceOpMath::MIN && takes_negatives(input.dtype) && dim != ReduceOpDim::HW;
    if (stays_on_its_cores(input, outputs[0], dim)) {
        ProgramPlan plan = plan_in_place(input, outputs[0], dim, device);
        if (negated) {
            // In columns those of one matrix count.
            const std::uint64_t tiles = dim == ReduceOpDim::W
                                            ? 1
                                            : std::uint64_t{input.padded_shape()[-2]} / kTileHeight *
                                                  (input.memory_config.shard_spec->shape[1] / kTileWidth);
            const std::uint64_t apart = tiles * tile_size(input.dtype);
            plan.memory.insert(plan.memory.end(), 2, dataflow_buffer(apart, plan.memory[1].cores));
        }
        return plan;
    }
    if (negated) return plan_negated(input, outputs[0], dim, device);
    if (input.layout == Layout::ROW_MAJOR)
        return plan_of_rows(input, outputs[0], dim, slices, sub_core_grids, device);
    switch (dim) {
        case ReduceOpDim::W:
            return plan_width(input, outputs[0], device, sub_core_grids);
        case ReduceOpDim::H:
            return plan_height(input, outputs[0], stage, slices, sub_core_grids, device);
        case ReduceOpDim::HW:
            break;
    }
    return {{"ttnn::prim::ReduceDeviceOperation::ReduceSingleCoreHwProgramFactory", 0},
            dataflow_buffers(
                {2 * tile_size(input.dtype), scaler_tile(input.dtype), 2 * tile_size(outputs[0].dtype)},
                CoreRange{{0, 0}, {0, 0}})};
}

std::vector<HostArray> ReduceDeviceOperation::compute(ArraysView inputs, SpecsView outputs) const {
    const HostArray& input = *inputs[0];
    Shape shape = input.shape();
    const compute::ReduceKind kind = kind_of(math);
    if (stage == Stage::kSlices) {
        // As many as there are; which rows fall into which does not matter to the result.
        std::vector<float> rows = compute::reduce_evenly(kind, input.to_floats(), shape, 2, slices);
        for (float& value : rows)
            value *= scaler;
        return {HostArray::from_floats(rows, outputs[0].dtype, outputs[0].shape)};
    }
    const auto along = [&](auto values) {
        if (dim != ReduceOpDim::H) {
            values = compute::reduce(kind, values, shape, 3, std::max<std::uint32_t>(shape[3], 1));
            shape.set(3, 1);
        }
        if (dim != ReduceOpDim::W)
            values = compute::reduce(kind, values, shape, 2, std::max<std::uint32_t>(shape[2], 1));
        return values;
    };
    if (!is_floating_point(input.dtype())) {
        return {HostArray::from_integers(along(input.to_integers()), outputs[0].dtype, outputs[0].shape)};
    }
    std::vector<float> values = along(input.to_floats());
    for (float& value : values)
        value *= scaler;
    return {HostArray::from_floats(values, outputs[0].dtype, outputs[0].shape)};
}

void FastReduceNCDeviceOperation::validate(SpecsView inputs) const {
    require_tiled(inputs[0], kName);
    const std::size_t rank = inputs[0].shape.rank();
    require(rank <= 8, "FastReduceNC input rank ", rank, " exceeds maximum 8");
}

TensorSpecs FastReduceNCDeviceOperation::infer(SpecsView inputs) const {
    Shape shape = inputs[0].padded_shape();
    shape.set(static_cast<std::int64_t>(dimension), 1);
    return {TensorSpec{shape, output_dtype, Layout::TILE, memory_config}};
}

ProgramPlan FastReduceNCDeviceOperation::plan(SpecsView inputs, SpecsView outputs,
                                              const DeviceDescription& device) const {
    const TensorSpec& input = inputs[0];
    const std::uint64_t depth = input.shape.dimensions()[dimension];
    const CoreRangeSet cores =
        split_over(sub_core_grids, outputs[0].shape.volume() / kTileElements, CoreWalk::kAlongRows, device)
            .cores;
    return {{"ttnn::experimental::prim::FastReduceNCProgramFactory", 0},
            dataflow_buffers({2 * share_of_depth(depth) * tile_size(input.dtype),
                              tile_size(DataType::BFLOAT16), 2 * tile_size(outputs[0].dtype)},
                             cores)};
}

std::vector<HostArray> FastReduceNCDeviceOperation::compute(ArraysView inputs, SpecsView outputs) const {
    const HostArray& input = *inputs[0];
    Shape shape = input.shape();
    const std::vector<float> sums =
        compute::reduce(compute::ReduceKind::kSum, input.to_floats(), shape, dimension,
                        std::max<std::uint32_t>(shape.dimensions()[dimension], 1));
    // The result is as large as its tiles: what was padding in the input is zero.
    const Shape& out = outputs[0].shape;
    std::vector<float> padded(out.volume());
    const std::uint64_t rows = shape[-2];
    const std::uint64_t columns = shape[-1];
    for (std::uint64_t i = 0; i < sums.size(); ++i) {
        const std::uint64_t matrix = i / (rows * columns);
        const std::uint64_t row = i / columns % rows;
        padded[(matrix * out[-2] + row) * out[-1] + i % columns] = sums[i];
    }
    return {HostArray::from_floats(padded, outputs[0].dtype, out)};
}

}  // namespace tilemeter
