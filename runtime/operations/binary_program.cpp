// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/binary_program.hpp"

#include <algorithm>

namespace tilemeter {

namespace {

/// Which of the two operands is repeated within a tile, so that the program needs a place to repeat it in.
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

}  // namespace

bool all_sharded_alike(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs) {
    const TensorSpec& first = inputs[0];
    if (!first.memory_config.is_sharded()) return false;
    const auto alike = [&](const TensorSpec& other) {
        return other.memory_config == first.memory_config && other.shape == first.shape;
    };
    return std::all_of(inputs.begin(), inputs.end(), alike) &&
           std::all_of(outputs.begin(), outputs.end(), alike);
}

ProgramPlan plan_binary(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                        const DeviceDescription& device) {
    ProgramPlan plan{"ttnn::operations::binary_ng::BinaryNgDeviceOperation::ProgramFactory", 0, {}, {}};
    const CoreRangeSet cores = whole_grid(device.compute_grid);
    const auto take = [&](std::uint64_t size, int shared_with = ProgramMemory::kOwn) {
        plan.memory.push_back({ProgramMemoryKind::kCircularBuffer, size, cores, shared_with});
    };
    const std::uint64_t out_tile = tile_size(outputs[0].dtype);
    const std::uint64_t left_tile = tile_size(inputs[0].dtype);
    if (inputs.size() == 1) {
        take(2 * left_tile);
        // One tile that holds the number; blocks would round it.
        take(is_block_float(inputs[0].dtype) ? tile_size(DataType::BFLOAT16) : left_tile);
        take(2 * out_tile);
        return plan;
    }
    const std::uint64_t right_tile = tile_size(inputs[1].dtype);
    if (all_sharded_alike(inputs, outputs)) {
        take(buffer_geometry(inputs[0], device).size_per_bank_bytes, 0);
        take(buffer_geometry(inputs[1], device).size_per_bank_bytes, 1);
        take(buffer_geometry(outputs[0], device).size_per_bank_bytes, 2);
        return plan;
    }
    take(2 * left_tile);
    take(2 * right_tile);
    switch (tile_broadcast(inputs[0].shape, inputs[1].shape)) {
        case TileBroadcast::kLeft:
            take(2 * left_tile);
            break;
        case TileBroadcast::kRight:
            take(2 * right_tile);
            break;
        case TileBroadcast::kNone:
            break;
    }
    take(2 * out_tile);
    return plan;
}

}  // namespace tilemeter
