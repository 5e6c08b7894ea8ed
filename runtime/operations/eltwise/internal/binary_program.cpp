// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/internal/binary_program.hpp"

#include <algorithm>

#include "runtime/device/buffer_geometry.hpp"

namespace tilemeter {

namespace {

/// The operand that is repeated within a tile: the program needs a place to repeat it in.
enum class TileBroadcast : std::uint8_t { kNone, kLeft, kRight };

// By the last two dimensions, which are inside the tile; of a row and a column it is the row.
TileBroadcast tile_broadcast(const Shape& a, const Shape& b) {
    const Shape left = a.to_rank(std::max<std::size_t>(a.rank(), 2));
    const Shape right = b.to_rank(std::max<std::size_t>(b.rank(), 2));
    for (const int dimension : {-2, -1}) {
        if (left[dimension] < right[dimension]) return TileBroadcast::kLeft;
        if (right[dimension] < left[dimension]) return TileBroadcast::kRight;
    }
    return TileBroadcast::kNone;
}

// Whatever they are called.
bool in_same_shards(const MemoryConfig& a, const MemoryConfig& b) {
    return a.memory_layout == b.memory_layout && a.buffer_type == b.buffer_type &&
           a.shard_spec == b.shard_spec;
}

std::uint32_t width_of(const Shape& shape) {
    return shape.rank() == 0 ? 1 : shape[-1];
}

// Rows in shards, whole ones, beside a column (or one element) that is not sharded.
bool rows_beside_column(SpecsView inputs, SpecsView outputs) {
    const TensorSpec& rows = inputs[0];
    const TensorSpec& column = inputs[1];
    return rows.memory_config.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED && fills_its_shards(rows) &&
           in_same_shards(rows.memory_config, outputs[0].memory_config) && rows.shape == outputs[0].shape &&
           !column.memory_config.is_sharded() && width_of(column.shape) == 1 && width_of(rows.shape) != 1;
}

// For a number, whatever the shards are called.
bool keeps_full_shards(const TensorSpec& input, const TensorSpec& output) {
    return fills_its_shards(input) && fills_its_shards(output) &&
           input.memory_config.shard_spec == output.memory_config.shard_spec;
}

bool rows_stay_in_shards(SpecsView inputs, SpecsView outputs) {
    return inputs.size() == 2 && rows_beside_column(inputs, outputs);
}

}  // namespace

std::uint32_t repeated_dimensions(const Shape& a, const Shape& b) {
    const Shape left = a.to_rank(std::max<std::size_t>(a.rank(), 2));
    const Shape right = b.to_rank(std::max<std::size_t>(b.rank(), 2));
    std::uint32_t repeated = 0;
    for (const int dimension : {-2, -1}) {
        repeated = repeated << 2U | (left[dimension] < right[dimension] ? 1U : 0U) |
                   (right[dimension] < left[dimension] ? 2U : 0U);
    }
    return repeated;
}

std::uint64_t number_tile_size(DataType beside) {
    return tile_size(is_block_float(beside) ? DataType::BFLOAT16 : beside);
}

bool fills_its_shards(const TensorSpec& spec) {
    const MemoryConfig& config = spec.memory_config;
    if (!config.shard_spec || config.buffer_type != BufferType::L1) return false;
    const auto [rows, columns] = config.shard_spec->shape;
    const Shape padded = spec.padded_shape();
    return padded[-1] != 0 && padded.volume() / padded[-1] % rows == 0 && padded[-1] % columns == 0;
}

bool all_sharded_alike(SpecsView inputs, SpecsView outputs) {
    const TensorSpec& first = inputs[0];
    if (!first.memory_config.is_sharded() || first.memory_config.buffer_type != BufferType::L1) return false;
    if (inputs.size() > 1 && !first.memory_config.shard_spec) return false;
    // For results in rows, columns and blocks it makes no difference what they were made with.
    const auto in_same_place = [&](const MemoryConfig& place) {
        const MemoryConfig& own = first.memory_config;
        if (!own.shard_spec || !place.shard_spec) return place == own;
        return place.memory_layout == own.memory_layout && place.buffer_type == own.buffer_type &&
               place.shard_spec == own.shard_spec;
    };
    return std::ranges::all_of(inputs,
                               [&](const TensorSpec& other) {
                                   return other.memory_config == first.memory_config &&
                                          other.shape == first.shape;
                               }) &&
           std::ranges::all_of(outputs, [&](const TensorSpec& result) {
               return in_same_place(result.memory_config) && result.shape == first.shape;
           });
}

void append_rows_in_shards(ProgramKey& key, const KeyedCall& call) {
    const auto is_sharded = [](const TensorSpec& each) { return each.memory_config.is_sharded(); };
    if (std::ranges::none_of(call.inputs, is_sharded) && std::ranges::none_of(call.outputs, is_sharded))
        return;
    for (const SpecsView specs : {call.inputs, call.outputs}) {
        for (const TensorSpec& each : specs) {
            const Shape padded = each.padded_shape();
            key.append(padded.rank() == 0 || padded[-1] == 0 ? 0 : padded.volume() / padded[-1]);
            key.append(padded.rank() == 0 ? 0 : padded[-1]);
        }
    }
}

void append_binary_program_key(ProgramKey& key, const KeyedCall& call, const MemoryConfig& asked) {
    for (const TensorSpec& each : call.inputs) {
        key.append_kind(each);
        key.append(each.layout);
        key.append(each.alignment);
    }
    key.append(call.outputs[0].dtype);
    key.append(asked);
    append_rows_in_shards(key, call);
    if (call.inputs.size() < 2) return;
    key.append(repeated_dimensions(call.inputs[0].shape, call.inputs[1].shape));
    key.append(all_sharded_alike(call.inputs, call.outputs));
    key.append(rows_stay_in_shards(call.inputs, call.outputs));
}

ProgramPlan plan_binary(SpecsView inputs, SpecsView outputs, const DeviceDescription& device,
                        const ChangedOperands& changed, const std::optional<CoreRangeSet>& sub_core_grids) {
    ProgramPlan plan{{"ttnn::operations::binary_ng::BinaryNgDeviceOperation::ProgramFactory", 0}};
    const CoreRangeSet cores = sub_core_grids.value_or(whole_grid(device.compute_grid));
    const auto take = [&](std::uint64_t size, int shared_with = ProgramMemory::kOwn) {
        plan.memory.push_back({ProgramMemoryKind::kCircularBuffer, size, cores, shared_with});
    };
    const bool of_number = inputs.size() == 1;
    // Two tensors stay where they lie even if their last shards are not full.
    const bool alike =
        of_number ? keeps_full_shards(inputs[0], outputs[0]) : all_sharded_alike(inputs, outputs);
    const bool rows_stay = !alike && rows_stay_in_shards(inputs, outputs);
    // Rows fill as many tiles as their elements do.
    const auto shard_bytes = [&](const TensorSpec& spec) -> std::uint64_t {
        if (spec.layout == Layout::TILE || !spec.memory_config.shard_spec)
            return buffer_geometry(spec, device).size_per_bank_bytes;
        const auto [rows, columns] = spec.memory_config.shard_spec->shape;
        return std::uint64_t{rows} * columns / (kTileHeight * kTileWidth) * tile_size(spec.dtype);
    };
    const auto take_tensor = [&](const TensorSpec& spec, int index, bool stays) {
        stays ? take(shard_bytes(spec), index) : take(2 * tile_size(spec.dtype));
    };
    const std::uint64_t tiles = alike ? changed.tiles_at_once : 1;
    take_tensor(inputs[0], 0, alike || rows_stay);
    if (changed.left) take(tiles * *changed.left);
    if (of_number) {
        take(number_tile_size(inputs[0].dtype));
    } else {
        take_tensor(inputs[1], 1, alike);
    }
    if (changed.right) take(tiles * *changed.right);
    if (!of_number && !alike) {
        const TileBroadcast repeated = tile_broadcast(inputs[0].shape, inputs[1].shape);
        if (repeated == TileBroadcast::kLeft) take(2 * tile_size(inputs[0].dtype));
        if (repeated == TileBroadcast::kRight) take(2 * tile_size(inputs[1].dtype));
    }
    take_tensor(outputs[0], static_cast<int>(inputs.size()), alike || rows_stay);
    return plan;
}

}  // namespace tilemeter
