// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The allocators of one device: DRAM, L1, L1_SMALL and the trace region. Objects are values: a NO_DISPATCH
// capture works on a copy.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <cstdint>
#include <optional>

#include "capture/events/event.hpp"
#include "runtime/device/bank_allocator.hpp"
#include "runtime/device/device_description.hpp"

namespace tilemeter {

using record::MemoryType;

/// The reservations of open_device() in bytes: per core for L1_SMALL, over all DRAM banks for the trace
/// region. Rounded up per bank, as recorded: L1_SMALL to the granularity, the trace region to 8192.
struct DeviceReservations {
    std::uint64_t l1_small_size = 0;
    std::uint64_t trace_region_size = 0;
};

class DeviceMemory {
public:
    /// L1_SMALL is at the top of L1, the trace region at the top of DRAM; both reduce the memory below them.
    /// Throws RuntimeError for a reservation as large as its bank.
    DeviceMemory(const DeviceDescription& description, const DeviceReservations& reservations);

    /// REQUIRES: a memory type of the device, not kSystemMemory (checked: std::logic_error).
    BankAllocator& allocator(MemoryType type);
    const BankAllocator& allocator(MemoryType type) const;

    /// Number of banks a memory type has on this device; 0 for L1_SMALL that is not reserved.
    std::uint64_t num_banks(MemoryType type) const;

    friend bool operator==(const DeviceMemory&, const DeviceMemory&) = default;

private:
    std::uint64_t l1_banks_;
    std::uint64_t dram_banks_;
    BankAllocator dram_;
    BankAllocator l1_;
    BankAllocator l1_small_;
    BankAllocator trace_;
};

}  // namespace tilemeter
