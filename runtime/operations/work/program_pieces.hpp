// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Parts of TT-NN's program factories that many operations share: splitting work among cores, and declaring
// circular buffers.

#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "runtime/device/program_memory.hpp"
#include "runtime/types/core_range.hpp"
#include "runtime/types/rounding.hpp"

namespace tilemeter {

/// The order in which cores of the grid are taken.
enum class CoreWalk : std::uint8_t { kDownColumns, kAlongRows };

/// `units` of work over the cores of the grid: as many cores as there are units, at most all; the first of
/// them take one unit more where the division leaves a rest.
struct WorkSplit {
    CoreRangeSet cores;
    std::uint64_t num_cores = 0;
    std::uint64_t most = 0;   ///< units of the busiest core
    std::uint64_t least = 0;  ///< units of the idlest of the cores used
};

inline WorkSplit split_work(std::uint64_t units, CoreCoord grid, CoreWalk walk) {
    const std::uint64_t num_cores = std::min<std::uint64_t>(units, std::uint64_t{grid.x} * grid.y);
    if (num_cores == 0) return {};
    return {first_cores(num_cores, grid, walk == CoreWalk::kAlongRows), num_cores, ceil_div(units, num_cores),
            units / num_cores};
}

inline ProgramMemory dataflow_buffer(std::uint64_t size_bytes, const CoreRangeSet& cores) {
    return {ProgramMemoryKind::kDataflowBuffer, size_bytes, cores, ProgramMemory::kOwn};
}
/// One of each size, on the same cores.
inline std::vector<ProgramMemory> dataflow_buffers(const std::vector<std::uint64_t>& sizes,
                                                   const CoreRangeSet& cores) {
    std::vector<ProgramMemory> buffers;
    for (const std::uint64_t size : sizes)
        buffers.push_back(dataflow_buffer(size, cores));
    return buffers;
}
/// A circular buffer in the buffer of a tensor: inputs count from 0, outputs after them.
inline ProgramMemory borrowed_buffer(std::uint64_t size_bytes, const CoreRangeSet& cores, int tensor) {
    return {ProgramMemoryKind::kDataflowBuffer, size_bytes, cores, tensor};
}
inline ProgramMemory circular_buffer(std::uint64_t size_bytes, const CoreRangeSet& cores) {
    return {ProgramMemoryKind::kCircularBuffer, size_bytes, cores, ProgramMemory::kOwn};
}
inline std::vector<ProgramMemory> circular_buffers(const std::vector<std::uint64_t>& sizes,
                                                   const CoreRangeSet& cores) {
    std::vector<ProgramMemory> buffers;
    for (const std::uint64_t size : sizes)
        buffers.push_back(circular_buffer(size, cores));
    return buffers;
}
inline ProgramMemory scratchpad(std::uint64_t size_bytes, const CoreRangeSet& cores) {
    return {ProgramMemoryKind::kScratchpad, size_bytes, cores, ProgramMemory::kOwn};
}

}  // namespace tilemeter
