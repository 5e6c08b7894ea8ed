// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/program_memory.hpp"

#include <algorithm>

#include "runtime/types/rounding.hpp"

namespace tilemeter {

namespace {

bool share_cores(const CoreRangeSet& a, const CoreRangeSet& b) {
    return a == b || a.intersects(b);
}

}  // namespace

ProgramPlacement place_program_memory(std::span<const ProgramMemory> pieces,
                                      const DeviceDescription& device) {
    ProgramPlacement placement;
    placement.addresses.resize(pieces.size(), 0);
    placement.region_end = device.l1_unreserved_base;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (pieces[i].shared_with != ProgramMemory::kOwn) continue;
        // On no cores nothing lies before it.
        if (pieces[i].cores.empty()) {
            placement.addresses[i] = round_up(device.l1_unreserved_base, device.dram_alignment);
            continue;
        }
        std::uint64_t address = device.l1_unreserved_base;
        for (std::size_t j = 0; j < i; ++j) {
            const std::uint64_t end = placement.addresses[j] + pieces[j].size_bytes;
            if (placement.addresses[j] != 0 && end > address &&
                share_cores(pieces[i].cores, pieces[j].cores)) {
                address = end;
            }
        }
        address = round_up(address, device.dram_alignment);
        placement.addresses[i] = address;
        if (address + pieces[i].size_bytes > placement.region_end) {
            placement.region_end = address + pieces[i].size_bytes;
            placement.fullest = pieces[i].cores.ranges().front();
            placement.highest_kind = pieces[i].kind;
        }
    }
    return placement;
}

void require_program_memory_fits(std::span<const ProgramMemory> pieces, const ProgramPlacement& placement,
                                 const DeviceDescription& device, std::uint64_t program,
                                 std::optional<std::uint64_t> lowest_buffer_address) {
    const std::uint64_t limit = std::min(device.l1_size, lowest_buffer_address.value_or(device.l1_size));
    if (placement.region_end <= limit) return;
    for (const ProgramMemory& declared : pieces) {
        if (declared.shared_with != ProgramMemory::kOwn) continue;
        for (const CoreRange& range : declared.cores.ranges()) {
            std::uint64_t end = 0;
            ProgramMemoryKind kind = declared.kind;
            for (std::size_t i = 0; i < pieces.size(); ++i) {
                if (placement.addresses[i] + pieces[i].size_bytes > end && placement.addresses[i] != 0 &&
                    pieces[i].cores.intersects(range)) {
                    end = placement.addresses[i] + pieces[i].size_bytes;
                    kind = pieces[i].kind;
                }
            }
            if (end > device.l1_size) {
                throw ProgramMemoryTooLargeError(kind, program, range, end, device.l1_size);
            }
            if (end > limit) throw ProgramMemoryClashError(kind, program, range, end, limit);
        }
    }
}

}  // namespace tilemeter
