// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The placement of a program's memory: circular buffers, dataflow buffers and scratchpads, from the bottom of
// L1 upwards.
//
// The rule, found by recordings of TT-NN 0.81.1 (tests/data/programs): pieces are placed in the order of
// their declaration. Each begins at the highest end of the earlier pieces on any of its cores, rounded up to
// the alignment of DRAM (32 on n150, 64 on p150), since pages of DRAM are read into it. So disjoint sets of
// cores share addresses. A piece that borrows a tensor's buffer takes no memory.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/device/device_description.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/types/core_range.hpp"

namespace tilemeter {

/// One piece of memory that a program asks for, on each core of `cores`.
struct ProgramMemory {
    static constexpr int kOwn = -1;

    ProgramMemoryKind kind = ProgramMemoryKind::kCircularBuffer;
    std::uint64_t size_bytes = 0;  ///< per core
    CoreRangeSet cores;
    /// Index of the tensor whose buffer it borrows: inputs, then outputs, then the program's own tables.
    int shared_with = kOwn;
    std::uint64_t offset_bytes = 0;  ///< of a piece that borrows: from where that buffer begins
    friend bool operator==(const ProgramMemory&, const ProgramMemory&) = default;
};

/// Addresses, one per piece; 0 for pieces that borrow a tensor's buffer (theirs is the buffer's).
struct ProgramPlacement {
    std::vector<std::uint64_t> addresses;
    /// First free byte above everything, on the fullest core; the base when nothing is placed.
    std::uint64_t region_end = 0;
    CoreRange fullest;  ///< the first rectangle of the piece that ends highest
    ProgramMemoryKind highest_kind = ProgramMemoryKind::kCircularBuffer;  ///< of that piece
};

ProgramPlacement place_program_memory(std::span<const ProgramMemory> pieces, const DeviceDescription& device);

/// Throws ProgramMemoryTooLargeError or ProgramMemoryClashError if the program does not fit below the lowest L1 buffer
/// (none: no buffer is in L1). The figures are those that TT-NN names: the first rectangle in order of declaration that
/// is too full, and the highest end of what touches it. A region may end where a buffer begins.
void require_program_memory_fits(std::span<const ProgramMemory> pieces, const ProgramPlacement& placement,
                                 const DeviceDescription& device, std::uint64_t program,
                                 std::optional<std::uint64_t> lowest_buffer_address);

}  // namespace tilemeter
