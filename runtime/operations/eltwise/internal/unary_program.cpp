// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/internal/unary_program.hpp"

#include "runtime/device/buffer_geometry.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

// True if a core reads and writes its shard where it lies: whole tiles of elements in L1, all cores with as much.
bool stays_in_shards(const TensorSpec& input, const TensorSpec& output) {
    const MemoryConfig &config = input.memory_config, &place = output.memory_config;
    if (!config.shard_spec || config.buffer_type != BufferType::L1) return false;
    // The attributes that they were made with make no difference.
    if (config.memory_layout != place.memory_layout || config.buffer_type != place.buffer_type ||
        config.shard_spec != place.shard_spec)
        return false;
    const auto [rows, columns] = config.shard_spec->shape;
    const Shape padded = input.padded_shape();
    const std::uint64_t height = padded[-1] == 0 ? 0 : padded.volume() / padded[-1];
    return height % rows == 0 && padded[-1] % columns == 0 &&
           std::uint64_t{rows} * columns % (std::uint64_t{kTileHeight} * kTileWidth) == 0;
}

}  // namespace

ProgramPlan plan_unary(const TensorSpec& input, const TensorSpec& output, const DeviceDescription& device,
                       const std::optional<CoreRangeSet>& sub_core_grids) {
    ProgramPlan plan{{"ttnn::operations::unary::UnaryDeviceOperation::ProgramFactory", 0}};
    const CoreRangeSet cores = sub_core_grids.value_or(whole_grid(device.compute_grid));
    if (stays_in_shards(input, output)) {
        plan.memory = {borrowed_buffer(buffer_geometry(input, device).size_per_bank_bytes, cores, 0),
                       borrowed_buffer(buffer_geometry(output, device).size_per_bank_bytes, cores, 1)};
    } else {
        plan.memory = dataflow_buffers({2 * tile_size(input.dtype), 2 * tile_size(output.dtype)}, cores);
    }
    return plan;
}

void append_unary_program_key(ProgramKey& key, const KeyedCall& call, const MemoryConfig& asked) {
    const TensorSpec& input = call.inputs[0];
    key.append(input.layout);
    key.append_kind(input);
    key.append(call.outputs[0].dtype);
    key.append(asked);
    key.append(stays_in_shards(input, call.outputs[0]));
    if (input.layout == Layout::ROW_MAJOR) key.append(input.shape);
}

}  // namespace tilemeter
