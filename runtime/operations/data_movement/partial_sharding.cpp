// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/partial_sharding.hpp"

#include <algorithm>
#include <span>
#include <tuple>
#include <vector>

#include "runtime/device/device.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/column_cores.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

/// A slice of a tensor's rows, those that fill its tiles included.
struct SliceOfRows {
    std::int64_t count;  ///< of slices
    std::int64_t index;

    auto attributes() const { return std::make_tuple(count, index); }
};

std::uint64_t rows_with_padding(const TensorSpec& spec) {
    const Shape padded = spec.padded_shape();
    return padded[-1] == 0 ? 0 : padded.volume() / padded[-1];
}

void require_slice(const SliceOfRows& slice, const TensorSpec& whole) {
    require(slice.index >= 0 && slice.index < slice.count,
            "Slice index and num_slices don't match! Index = ", slice.index, " num_slices = ", slice.count);
    require(rows_with_padding(whole) % static_cast<std::uint64_t>(slice.count) == 0,
            "Total height of a tensor must be divisible by num_slices!");
}

std::uint64_t tiles_of_shard(const ShardSpec& shard) {
    return std::uint64_t{shard.shape[0] / kTileHeight} * (shard.shape[1] / kTileWidth);
}

// For each row of the slice that is a row of the tensor `whole`, and no padding: its first element in the slice, and in
// the tensor. Rows of slices are as long as padded ones.
template <typename Visit>
void for_each_row(const SliceOfRows& slice, const Shape& whole, const Shape& padded, const Visit& visit) {
    const std::uint64_t rows = padded.volume() / padded[-1] / static_cast<std::uint64_t>(slice.count);
    for (std::uint64_t row = 0; row < rows; ++row) {
        const std::uint64_t of_whole = static_cast<std::uint64_t>(slice.index) * rows + row;
        const std::uint64_t matrix = of_whole / padded[-2], in_matrix = of_whole % padded[-2];
        if (in_matrix < whole[-2]) visit(row * padded[-1], (matrix * whole[-2] + in_matrix) * whole[-1]);
    }
}

struct InterleavedToShardedPartialOperation {
    static constexpr std::string_view kName = "InterleavedToShardedPartialDeviceOperation";
    static constexpr std::string_view kAttributesName = "InterleavedToShardedPartialParams";
    static constexpr bool kMakesOutputsFirst = true;

    CoreCoord grid;
    SliceOfRows slice;
    MemoryConfig memory_config;
    DataType dtype;

    auto attributes() const { return std::make_tuple(grid, slice.count, slice.index, memory_config, dtype); }

    void validate(SpecsView inputs, const DeviceDescription& device) const {
        const TensorSpec& input = inputs[0];
        require(input.layout == Layout::TILE, "Currently, only tile layout is supported for partial I->S");
        require_slice(slice, input);
        require(!input.memory_config.is_sharded(), "Input tensor must be Interleaved");
        require(grid.x <= device.compute_grid.x && grid.y <= device.compute_grid.y,
                "Grid size for sharding must be less than or equal to total grid available");
        const std::array<std::uint32_t, 2>& shard = memory_config.shard_spec->shape;
        require(shard[0] % kTileHeight == 0 && shard[1] % kTileWidth == 0, "Shard shape [", shard[0], ", ",
                shard[1], "] must be tile 32x32 sized!");
    }

    TensorSpecs infer(SpecsView inputs) const {
        TensorSpec out = inputs[0];
        out.shape = out.padded_shape();
        out.shape.set(0, 1);
        out.shape.set(1, 1);
        out.shape.set(2, static_cast<std::uint32_t>(rows_with_padding(inputs[0]) /
                                                    static_cast<std::uint64_t>(slice.count)));
        out.dtype = dtype;
        out.memory_config = memory_config;
        return {out};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        constexpr int kOutput = 1;
        constexpr std::uint64_t kReadsInFlight = 4;
        ProgramPlan plan{{"ttnn::prim::InterleavedToShardedPartialProgramFactory", 0}};
        const ShardSpec& shard = *memory_config.shard_spec;
        const std::uint64_t tiles = tiles_of_shard(shard), unit = tile_size(inputs[0].dtype);
        if (inputs[0].dtype != dtype) {
            plan.memory.push_back(circular_buffer(
                tiles * round_up(unit, alignment_of(inputs[0].memory_config, device)), shard.grid));
        }
        plan.memory.push_back(
            circular_buffer(tiles * round_up(tile_size(dtype), device.l1_alignment), shard.grid));
        plan.memory.back().shared_with = kOutput;
        // Tiles that do not begin where both memories are aligned go by way of a room of their own.
        const std::uint64_t aligned = device.dram_alignment;
        const bool in_dram = inputs[0].memory_config.buffer_type == BufferType::DRAM;
        if ((in_dram && unit % aligned != 0) || device.arch == "BLACKHOLE") {
            plan.memory.push_back(
                circular_buffer(kReadsInFlight * round_up(unit + aligned, aligned), shard.grid));
        }
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::vector<float> whole = inputs[0]->to_floats();
        const Shape& shape = inputs[0]->shape();
        std::vector<float> part(outputs[0].shape.volume());
        for_each_row(
            slice, shape, TensorSpec{shape, dtype, Layout::TILE, DRAM_MEMORY_CONFIG}.padded_shape(),
            [&](std::uint64_t to, std::uint64_t from) { std::copy_n(&whole[from], shape[-1], &part[to]); });
        return {HostArray::from_floats(part, outputs[0].dtype, outputs[0].shape)};
    }

private:
    static std::uint64_t alignment_of(const MemoryConfig& config, const DeviceDescription& device) {
        return config.buffer_type == BufferType::DRAM ? device.dram_alignment : device.l1_alignment;
    }
};

struct ShardedToInterleavedPartialOperation {
    static constexpr std::string_view kName = "ShardedToInterleavedPartialDeviceOperation";
    static constexpr std::string_view kAttributesName = "ShardedToInterleavedPartialParams";

    SliceOfRows slice;
    MemoryConfig memory_config;
    DataType dtype;

    auto attributes() const { return std::make_tuple(slice.count, slice.index, memory_config, dtype); }

    void validate(SpecsView inputs) const {
        require(inputs[0].layout == Layout::TILE,
                "Currently, only tile layout is supported for partial S->I");
        require_slice(slice, inputs[1]);
        require(inputs[0].memory_config.is_sharded(), "Input tensor must be sharded");
        const Shape padded = inputs[1].padded_shape();
        require(
            !inputs[1].memory_config.is_sharded() && inputs[1].layout == Layout::TILE &&
                inputs[0].shape[-1] == padded[-1] &&
                rows_with_padding(inputs[0]) * static_cast<std::uint64_t>(slice.count) ==
                    rows_with_padding(inputs[1]),
            "sharded_to_interleaved_partial: cache_tensor: expected INTERLEAVED tiles of which the input is a slice, got ",
            inputs[1].shape, " beside ", inputs[0].shape);
    }

    TensorSpecs infer(SpecsView inputs) const { return {inputs[1]}; }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription&) const {
        ProgramPlan plan{{"ttnn::prim::ShardedToInterleavedPartialProgramFactory", 0}};
        const ShardSpec& shard = *inputs[0].memory_config.shard_spec;
        const std::uint64_t tiles = tiles_of_shard(shard);
        plan.memory.push_back(circular_buffer(tiles * tile_size(inputs[0].dtype), shard.grid));
        plan.memory.back().shared_with = 0;
        if (inputs[0].dtype != outputs[0].dtype)
            plan.memory.push_back(circular_buffer(tiles * tile_size(outputs[0].dtype), shard.grid));
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::vector<float> part = inputs[0]->to_floats();
        std::vector<float> whole = inputs[1]->to_floats();
        const Shape& shape = outputs[0].shape;
        for_each_row(slice, shape, outputs[0].padded_shape(), [&](std::uint64_t from, std::uint64_t to) {
            std::copy_n(&part[from], shape[-1], &whole[to]);
        });
        return {HostArray::from_floats(whole, outputs[0].dtype, shape)};
    }
};

// As many of the grid's first cores as there are shards.
CoreRangeSet cores_of(const InterleavedToShardedPartial& arguments) {
    const TensorSpec& spec = arguments.input_tensor.spec();
    const std::uint64_t down = ceil_div(
        rows_with_padding(spec) / static_cast<std::uint64_t>(arguments.num_slices), arguments.shard_shape[0]);
    const std::uint64_t along = ceil_div(spec.padded_shape()[-1], arguments.shard_shape[1]);
    const std::uint64_t count = arguments.shard_scheme == TensorMemoryLayout::HEIGHT_SHARDED  ? down
                                : arguments.shard_scheme == TensorMemoryLayout::WIDTH_SHARDED ? along
                                                                                              : down * along;
    const std::uint64_t cores = std::uint64_t{arguments.grid.x} * arguments.grid.y;
    require(count <= cores, "interleaved_to_sharded_partial: grid: expected at least ", count, " cores, got ",
            cores);
    return arguments.shard_orientation == ShardOrientation::ROW_MAJOR
               ? first_cores(count, arguments.grid, true)
               : whole_columns_and_rest(count, arguments.grid);
}

}  // namespace

Tensor InterleavedToShardedPartial::body() const {
    constexpr const char* kCalled = "interleaved_to_sharded_partial";
    require_on_device(input_tensor, kCalled, "input_tensor");
    require(input_tensor.shape().rank() == 4, kCalled, ": input_tensor: expected 4 dimensions, got ",
            input_tensor.shape());
    require(shard_shape[0] != 0 && shard_shape[1] != 0 && num_slices > 0, kCalled,
            ": expected a shard_shape and num_slices above 0, got [", shard_shape[0], ", ", shard_shape[1],
            "] and ", num_slices);
    const MemoryConfig memory_config{shard_scheme, BufferType::L1,
                                     ShardSpec{cores_of(*this), shard_shape, shard_orientation}};
    return launch(
        InterleavedToShardedPartialOperation{
            grid, {num_slices, slice_index}, memory_config, output_dtype.value_or(input_tensor.dtype())},
        {input_tensor});
}

Tensor ShardedToInterleavedPartial::body() const {
    require_on_device(input_tensor, "sharded_to_interleaved_partial", "input_tensor");
    require_on_device(cache_tensor, "sharded_to_interleaved_partial", "cache_tensor");
    require(input_tensor.is_sharded() && input_tensor.memory_config().shard_spec,
            "Input tensor must have a shard spec");
    return launch_into(
        ShardedToInterleavedPartialOperation{{num_slices, slice_index},
                                             memory_config.value_or(input_tensor.memory_config()),
                                             output_dtype.value_or(input_tensor.dtype())},
        {input_tensor, cache_tensor}, cache_tensor);
}

}  // namespace tilemeter
