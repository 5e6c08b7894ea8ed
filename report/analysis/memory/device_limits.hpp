// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The memory of a device for programs and tensors: the denominators of all answers. "Allocatable" is what the allocator
// can give out; the physical size, which is larger by what firmware and runtime keep, stands beside.
//
//   L1 of a core     0 ── reserved ── l1_begin ── programs ▸ ... ◂ tensors ── L1_SMALL ── l1_physical_bytes
//   a bank of DRAM   0 ── reserved ── tensors ▸ ........................ traces ── dram_bank_physical_bytes
//
// Sizes in bytes. Thread safety: const calls are free.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "report/analysis/memory/memory_lifetimes.hpp"

namespace tilemeter::analysis {

struct DeviceLimits {
    std::string name = {};  ///< "n150"; of a device known from a report only, its architecture and grid
    std::string arch = {};  ///< "WORMHOLE_B0"
    std::uint64_t grid_x = 0, grid_y = 0;  ///< compute cores

    std::uint64_t l1_begin = 0;           ///< first address that programs may take
    std::uint64_t l1_bytes = 0;           ///< per core, for programs, tensors and L1_SMALL together
    std::uint64_t l1_small_bytes = 0;     ///< of these, set aside for L1_SMALL
    std::uint64_t l1_physical_bytes = 0;  ///< per core
    std::uint64_t l1_banks = 0;

    std::uint64_t dram_begin = 0;       ///< first address that tensors may take
    std::uint64_t dram_bank_bytes = 0;  ///< allocatable
    std::uint64_t dram_bank_physical_bytes = 0;
    std::uint64_t dram_banks = 0;
    std::uint64_t granularity = 32;  ///< requests are rounded up to it, in L1 and DRAM

    /// A device of another framework: it has no cores with memory of their own, and no figure of them.
    bool has_no_l1() const {
        return grid_x == 0 && grid_y == 0 && l1_begin == 0 && l1_physical_bytes == 0 && l1_banks == 0;
    }
    /// Nothing is missing that a limit is made of.
    bool is_complete() const {
        const bool has_l1 =
            grid_x != 0 && grid_y != 0 && l1_begin != 0 && l1_physical_bytes != 0 && l1_banks != 0;
        return (has_l1 || has_no_l1()) && dram_bank_physical_bytes != 0 && dram_banks != 0;
    }
    /// The bytes that a request takes.
    std::uint64_t rounded(std::uint64_t bytes) const {
        return (bytes + granularity - 1) / granularity * granularity;
    }
    /// The end of the addresses that programs and tensors share.
    std::uint64_t l1_end() const { return l1_begin + l1_bytes - l1_small_bytes; }
};

/// As the report describes its device. What the runtime keeps of each DRAM bank does not stand there; it is
/// that of the architecture (TT-NN 0.81.1), 0 for one not known here.
DeviceLimits limits_of(const ListedDevice& device);

/// The limits of a device of the list: by its own record, else by the only record there is; nothing where the list
/// describes no device.
std::optional<DeviceLimits> limits_of(const NodeList& list, const MemoryLifetimes& lifetimes,
                                      std::uint16_t device);

/// True if operations plan alike on both: same architecture, compute grid, sizes and banks.
bool is_same_kind(const DeviceLimits& a, const DeviceLimits& b);

}  // namespace tilemeter::analysis
