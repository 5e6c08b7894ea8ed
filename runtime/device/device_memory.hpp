// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The allocators of one device: DRAM, L1, L1_SMALL and the trace region. Objects are values: a NO_DISPATCH
// capture works on a copy.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "capture/events/event.hpp"
#include "runtime/device/bank_allocator.hpp"
#include "runtime/device/device_description.hpp"
#include "runtime/types/copy_on_write.hpp"

namespace tilemeter {

using record::MemoryType;

/// The reservations of open_device() in bytes: per core for L1_SMALL, over all DRAM banks for the trace
/// region. Rounded up per bank, as recorded: L1_SMALL to the granularity, the trace region to 8192.
struct DeviceReservations {
    std::uint64_t l1_small_size = 0;
    std::uint64_t trace_region_size = 0;
};

/// A copy costs the same whatever is allocated: the copies share what none of them has changed.
class DeviceMemory {
public:
    /// L1_SMALL is at the top of L1, the trace region at the top of DRAM; both reduce the memory below them.
    /// Throws RuntimeError for a reservation as large as its bank.
    DeviceMemory(const DeviceDescription& description, const DeviceReservations& reservations);

    /// A copy that no other thread's copies slow down. REQUIRES: `memory` outlives it, unchanged.
    static DeviceMemory borrowed(const DeviceMemory& memory);

    /// REQUIRES: a memory type of the device, not kSystemMemory (checked: std::logic_error).
    BankAllocator& allocator(MemoryType type);
    const BankAllocator& allocator(MemoryType type) const;

    /// Number of banks a memory type has on this device; 0 for L1_SMALL that is not reserved.
    std::uint64_t num_banks(MemoryType type) const;

    /// True if all banks have the same addresses.
    bool has_banks_of(const DeviceMemory& other) const;

    friend bool operator==(const DeviceMemory&, const DeviceMemory&) = default;

private:
    using Bank = CopyOnWrite<BankAllocator>;
    DeviceMemory(std::uint64_t l1_banks, std::uint64_t dram_banks, Bank dram, Bank l1, Bank l1_small,
                 Bank trace)
        : l1_banks_(l1_banks),
          dram_banks_(dram_banks),
          dram_(std::move(dram)),
          l1_(std::move(l1)),
          l1_small_(std::move(l1_small)),
          trace_(std::move(trace)) {}
    const Bank& allocator_of(MemoryType type) const;

    std::uint64_t l1_banks_;
    std::uint64_t dram_banks_;
    Bank dram_;
    Bank l1_;
    Bank l1_small_;
    Bank trace_;
};

}  // namespace tilemeter
