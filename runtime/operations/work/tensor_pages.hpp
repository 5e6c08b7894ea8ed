// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The units of data-moving programs: tiles or rows of a tensor, and the cores that share them.

#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/operations/work/work_cores.hpp"
#include "runtime/types/tensor_spec.hpp"

namespace tilemeter {

/// One core per unit as far as the grid goes, down its columns or along its rows.
inline CoreRangeSet cores_down_columns(std::uint64_t units, const DeviceDescription& device) {
    return split_work(units, device.compute_grid, CoreWalk::kDownColumns).cores;
}
/// The same of sub_core_grids, if given.
inline CoreRangeSet cores_down_columns(std::uint64_t units, const DeviceDescription& device,
                                       const OptionalCores& sub_core_grids) {
    return split_work(units, sub_core_grids, device.compute_grid, CoreWalk::kDownColumns).cores;
}
/// As many of sub_core_grids, if given, as divide the units evenly.
inline CoreRangeSet dividing_cores(std::uint64_t units, const DeviceDescription& device,
                                   const OptionalCores& sub_core_grids, CoreWalk walk) {
    const WorkCores cores(sub_core_grids, device.compute_grid, walk);
    std::uint64_t count = std::min(units, cores.size());
    while (count > 1 && units % count != 0)
        --count;
    return cores.first(count);
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

/// True if every row of such a shard begins `alignment` bytes apart; of tiles, and without shards, nothing has to.
inline bool has_aligned_rows(Layout layout, const MemoryConfig& config, DataType dtype,
                             std::uint64_t alignment) {
    return layout != Layout::ROW_MAJOR || !config.shard_spec ||
           config.shard_spec->shape[1] * element_size(dtype) % alignment == 0;
}

/// The alignment of pages in this memory.
inline std::uint64_t page_alignment(const MemoryConfig& config, const DeviceDescription& device) {
    return config.buffer_type == BufferType::DRAM ? device.dram_alignment : device.l1_alignment;
}

}  // namespace tilemeter
