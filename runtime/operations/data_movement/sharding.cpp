// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/sharding.hpp"

#include <stdexcept>
#include <tuple>

#include "runtime/device/device.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/copy.hpp"
#include "runtime/operations/data_movement/sharding_operations.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

// Rows that a core cannot place at aligned addresses are copied one by one.
bool rows_unaligned(const Tensor& input, const MemoryConfig& memory_config, DataType dtype) {
    return !has_aligned_rows(input.layout(), memory_config, dtype, input.device().description().l1_alignment);
}

bool in_nd_shards(const MemoryConfig& memory_config) {
    return memory_config.memory_layout == TensorMemoryLayout::ND_SHARDED;
}

// Row-major shards of other widths in another arrangement go by way of DRAM.
bool by_way_of_dram(const Tensor& input, const MemoryConfig& memory_config) {
    const MemoryConfig& from = input.memory_config();
    return input.layout() == Layout::ROW_MAJOR &&
           (from.memory_layout != memory_config.memory_layout || in_nd_shards(from)) &&
           shard_width(from) != shard_width(memory_config);
}

bool in_blocks_in_dram(const MemoryConfig& memory_config) {
    return memory_config.memory_layout == TensorMemoryLayout::BLOCK_SHARDED &&
           memory_config.buffer_type == BufferType::DRAM;
}

// True if an empty core has room for the part of a shard that such a program keeps; other shards are copied.
bool has_room(const Tensor& input, std::uint64_t bytes) {
    const DeviceDescription& device = input.device().description();
    return bytes < device.l1_size - device.l1_unreserved_base;
}

/// A shard as programs take it from there or to there: tiles, or rows.
struct ShardUnits {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;  ///< of one
};

ShardUnits units_of(const ShardSpec& shard, Layout layout, DataType dtype) {
    if (layout == Layout::ROW_MAJOR)
        return {shard.shape[0], std::uint64_t{shard.shape[1]} * element_size(dtype)};
    return {std::uint64_t{shard.shape[0] / kTileHeight} * (shard.shape[1] / kTileWidth), tile_size(dtype)};
}

// Rows on their way, four at a time, which TT-NN counts of tiles, too; what is converted; what is written to DRAM.
bool has_room_into_shards(const Tensor& input, const MemoryConfig& place, DataType dtype) {
    constexpr std::uint64_t kInFlight = 4;
    const DeviceDescription& device = input.device().description();
    const ShardUnits from = units_of(*place.shard_spec, input.layout(), input.dtype());
    std::uint64_t bytes = kInFlight * round_up(from.bytes + device.dram_alignment, device.dram_alignment);
    if (dtype != input.dtype())
        bytes += from.count * round_up(from.bytes, page_alignment(input.memory_config(), device));
    if (place.buffer_type == BufferType::DRAM) {
        const ShardUnits to = units_of(*place.shard_spec, input.layout(), dtype);
        bytes += to.count * round_up(to.bytes, page_alignment(place, device));
    }
    return has_room(input, bytes);
}

bool has_room_out_of_shards(const Tensor& input, const MemoryConfig& place, DataType dtype) {
    if (dtype == input.dtype() || !input.memory_config().shard_spec) return true;
    const ShardUnits to = units_of(*input.memory_config().shard_spec, input.layout(), dtype);
    return has_room(input,
                    to.count * round_up(to.bytes, page_alignment(place, input.device().description())));
}

// Height shards whose rows are not aligned are read by way of a copy; a row of those from DRAM into DRAM lies in L1.
bool has_room_between_shards(const Tensor& input, const MemoryConfig& place) {
    const MemoryConfig& from = input.memory_config();
    const DeviceDescription& device = input.device().description();
    const bool from_dram = from.buffer_type == BufferType::DRAM,
               into_dram = place.buffer_type == BufferType::DRAM;
    if (from_dram && into_dram) {
        const std::uint64_t page = input.layout() == Layout::TILE ? tile_size(input.dtype())
                                                                  : std::uint64_t{input.padded_shape()[-1]} *
                                                                        element_size(input.dtype());
        return has_room(input, round_up(page, device.dram_alignment));
    }
    const auto in_rows = [](const MemoryConfig& config) {
        return config.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED && config.shard_spec;
    };
    if (!in_rows(from) || !in_rows(place)) return true;
    const MemoryConfig &local = into_dram ? from : place, &remote = into_dram ? place : from;
    const std::uint64_t unit = units_of(*from.shard_spec, input.layout(), input.dtype()).bytes;
    const std::uint64_t count = units_of(*remote.shard_spec, input.layout(), input.dtype()).count;
    const std::uint64_t padded = round_up(unit, page_alignment(remote, device));
    const bool aligned = padded == unit && unit % page_alignment(local, device) == 0;
    return aligned || has_room(input, count * padded);
}

// Refuses rows that end within a shard: TT-NN's copy takes none in shards of any number of dimensions that are rows or
// columns after all.
void require_even_rows(const Tensor& input, const MemoryConfig& place) {
    if (input.layout() != Layout::ROW_MAJOR || !place.shard_spec) return;
    const std::uint64_t shard = place.shard_spec->shape[1];
    const std::uint64_t whole = round_up(input.shape()[-1], shard);
    require(whole == input.shape()[-1],
            "Alignment mismatch for sharded tensor: Expected physical shard shape ", shard,
            " to be aligned to ", whole, " along the width for Row Major layout.");
}

Tensor between_shards(const Tensor& input, const MemoryConfig& memory_config, DataType dtype) {
    const ReshardOperation reshard{memory_config};
    if (by_way_of_dram(input, memory_config) ||
        !reshard.refusal(input.spec(), input.device().description()).empty() ||
        !has_room_between_shards(input, memory_config)) {
        const bool comes_out = input.memory_config().buffer_type != BufferType::DRAM &&
                               !in_nd_shards(input.memory_config()) &&
                               !rows_unaligned(input, input.memory_config(), input.dtype()) &&
                               has_room_out_of_shards(input, DRAM_MEMORY_CONFIG, dtype);
        if (comes_out) {
            const ScopedTensor interleaved(
                unscoped::sharded_to_interleaved(input, DRAM_MEMORY_CONFIG, dtype));
            // TT-NN makes it for rows that are not aligned, and for shards of more dimensions, too, but copies these
            // from the shards themselves.
            const bool goes_in = !rows_unaligned(input, memory_config, dtype) && !in_nd_shards(memory_config);
            if (goes_in && has_room_into_shards(*interleaved, memory_config, dtype))
                return unscoped::interleaved_to_sharded(*interleaved, memory_config, dtype);
        }
        return unscoped::copy_to(input, memory_config, dtype);
    }
    require(dtype == input.dtype(), "to_memory_config: dtype: expected none from shards to shards, got ",
            name_of(dtype));
    return launch(reshard, {input});
}

}  // namespace

namespace unscoped {

Tensor interleaved_to_sharded(const Tensor& input, const MemoryConfig& memory_config,
                              const OptionalDataType& dtype) {
    const DataType to = dtype.value_or(input.dtype());
    require_on_device(input, "interleaved_to_sharded", "input");
    if (memory_config.nd_shard_spec) {
        const TensorSpec placed =
            placed_shards({input.shape(), to, input.layout(), memory_config, {}, input.spec().tile});
        return launch(InterleavedToShardedOperation{placed.memory_config, to}, {input});
    }
    return launch(InterleavedToShardedOperation{memory_config, to}, {input});
}

Tensor sharded_to_interleaved(const Tensor& input, const MemoryConfig& memory_config,
                              const OptionalDataType& dtype) {
    // TT-NN returns what has no shards of rows and columns as it is.
    if (in_nd_shards(input.memory_config())) return input;
    return launch(ShardedToInterleavedOperation{memory_config, dtype.value_or(input.dtype())}, {input});
}

Tensor to_shards_of(const Tensor& input, const Tensor& output) {
    const MemoryConfig& config = output.memory_config();
    if (!input.is_sharded())
        return launch_into(InterleavedToShardedOperation{config, output.dtype()}, {input}, output);
    if (!by_way_of_dram(input, config)) return launch_into(ReshardOperation{config}, {input}, output);
    const ScopedTensor interleaved(
        unscoped::sharded_to_interleaved(input, DRAM_MEMORY_CONFIG, output.dtype()));
    return launch_into(InterleavedToShardedOperation{config, output.dtype()}, {*interleaved}, output);
}

Tensor to_memory_config(const Tensor& input, const MemoryConfig& memory_config,
                        const OptionalDataType& dtype) {
    require_on_device(input, "to_memory_config", "input");
    if (input.memory_config() == memory_config) return input;
    const DataType to = dtype.value_or(input.dtype());
    const MemoryConfig place =
        memory_config.nd_shard_spec
            ? placed_shards({input.shape(), to, input.layout(), memory_config, {}, input.spec().tile})
                  .memory_config
            : memory_config;
    const bool unaligned =
        rows_unaligned(input, place, to) || rows_unaligned(input, input.memory_config(), input.dtype());
    // Asked for as shards of any number of dimensions, rows that are not aligned are copied one by one whatever they become;
    // within DRAM they need no alignment.
    const bool in_dram =
        input.memory_config().buffer_type == BufferType::DRAM && place.buffer_type == BufferType::DRAM;
    if (unaligned && !in_dram && memory_config.nd_shard_spec && !memory_config.shard_spec &&
        input.is_sharded())
        return unscoped::copy_to(input, place, to);
    require(!in_blocks_in_dram(input.memory_config()) && !in_blocks_in_dram(place),
            "We don't support DRAM block sharding");
    if (place.is_sharded() && input.is_sharded()) return between_shards(input, place, to);
    const bool in_banks = input.is_sharded() && input.memory_config().buffer_type == BufferType::DRAM;
    if (in_banks || in_nd_shards(place) || in_nd_shards(input.memory_config()) || unaligned)
        return unscoped::copy_to(input, place, to);
    if (place.is_sharded() && has_room_into_shards(input, place, to))
        return unscoped::interleaved_to_sharded(input, place, to);
    if (input.is_sharded() && has_room_out_of_shards(input, place, to))
        return unscoped::sharded_to_interleaved(input, place, to);
    if (!memory_config.shard_spec) require_even_rows(input, place);
    return unscoped::copy_to(input, place, to);
}

}  // namespace unscoped

Tensor InterleavedToSharded::body() const {
    if (!preallocated_output)
        return unscoped::interleaved_to_sharded(input_tensor, sharded_memory_config, output_dtype);
    const DataType dtype = output_dtype.value_or(input_tensor.dtype());
    return launch_into(InterleavedToShardedOperation{sharded_memory_config, dtype}, {input_tensor},
                       *preallocated_output);
}

Tensor InterleavedToShardsOfShape::call() const {
    if (shard_shape.size() != 2) throw std::invalid_argument("shard_shape: expected [height, width]");
    const auto* whole = std::get_if<CoreCoord>(&grid);
    const CoreRangeSet cores = whole != nullptr ? whole_grid(*whole) : std::get<CoreRangeSet>(grid);
    const ShardSpec spec{cores, {shard_shape[0], shard_shape[1]}, shard_orientation};
    return call_operation(InterleavedToSharded{.input_tensor = input_tensor,
                                               .sharded_memory_config = {shard_scheme, BufferType::L1, spec},
                                               .output_dtype = output_dtype});
}

Tensor ShardedToInterleaved::body() const {
    // TT-NN returns an interleaved tensor as it is.
    if (!input_tensor.is_sharded()) return input_tensor;
    return unscoped::sharded_to_interleaved(input_tensor, place(), output_dtype);
}

Tensor Reshard::body() const {
    const ReshardOperation operation{output_memory_config};
    return launch(operation, {input_tensor}, output_tensor);
}

std::variant<std::tuple<const Tensor&, const MemoryConfig&, const OptionalDataType&>,
             std::tuple<const Tensor&, const Tensor&>>
ToMemoryConfig::recorded() const {
    if (output_tensor) return std::tie(tensor, *output_tensor);
    return std::tie(tensor, memory_config, dtype);
}

Tensor ToMemoryConfig::body() const {
    if (!output_tensor) return unscoped::to_memory_config(tensor, memory_config, dtype);
    const Tensor& output = *output_tensor;
    require_on_device(tensor, "to_memory_config", "tensor");
    require_on_device(output, "to_memory_config", "output_tensor");
    if (output.is_sharded()) return unscoped::to_shards_of(tensor, output);
    return unscoped::copy(tensor, output);
}

}  // namespace tilemeter
