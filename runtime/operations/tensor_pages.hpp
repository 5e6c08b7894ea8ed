// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What data-moving programs count: tiles, rows, and the cores that share them.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/operations/program_pieces.hpp"
#include "runtime/tensor/tensor_spec.hpp"

namespace tilemeter {

/// One core per unit as far as the grid goes, down its columns or along its rows.
inline CoreRangeSet cores_down_columns(std::uint64_t units, const DeviceDescription& device) {
    return split_work(units, device.compute_grid, CoreWalk::kDownColumns).cores;
}
inline CoreRangeSet cores_along_rows(std::uint64_t units, const DeviceDescription& device) {
    return split_work(units, device.compute_grid, CoreWalk::kAlongRows).cores;
}

/// Tiles of the padded tensor. REQUIRES: TILE.
inline std::uint64_t num_tiles(const TensorSpec& spec) {
    return spec.tile_rows() * spec.tile_columns();
}

/// Elements of a row of a ROW_MAJOR tensor, and rows: all dimensions but the last, folded.
inline std::uint64_t row_elements(const TensorSpec& spec) {
    return spec.shape.rank() == 0 ? 1 : spec.shape[-1];
}
inline std::uint64_t num_rows(const TensorSpec& spec) {
    return row_elements(spec) == 0 ? 0 : spec.shape.volume() / row_elements(spec);
}
inline std::uint64_t row_bytes(const TensorSpec& spec) {
    return row_elements(spec) * element_size(spec.dtype);
}

/// What pages in this memory are aligned to.
inline std::uint64_t page_alignment(const MemoryConfig& config, const DeviceDescription& device) {
    return config.buffer_type == BufferType::DRAM ? device.dram_alignment : device.l1_alignment;
}

}  // namespace tilemeter
