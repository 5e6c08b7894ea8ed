// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/device_memory.hpp"

#include <stdexcept>
#include <string>

#include "runtime/device/errors.hpp"

namespace tilemeter {

namespace {

// The granularity of the trace region, per bank: recorded on n150 and p150 with regions of 1 byte to 1 MiB.
constexpr std::uint64_t kTraceGranularity = 8192;

std::uint64_t round_up_below(std::uint64_t size, std::uint64_t granularity, std::uint64_t limit,
                             const char* what) {
    if (size >= limit) {
        throw RuntimeError(std::string(what) + ": expected less than the " + std::to_string(limit) +
                           " B of a bank, found " + std::to_string(size) + " B in each bank");
    }
    const std::uint64_t rounded = (size + granularity - 1) / granularity * granularity;
    return rounded < limit ? rounded : limit;
}

std::uint64_t l1_small_begin(const DeviceDescription& device, const DeviceReservations& reservations) {
    return device.l1_size - round_up_below(reservations.l1_small_size, device.allocation_granularity,
                                           device.l1_size - device.l1_unreserved_base, "l1_small_size");
}

std::uint64_t trace_begin(const DeviceDescription& device, const DeviceReservations& reservations) {
    const std::uint64_t size = reservations.trace_region_size;
    const std::uint64_t per_bank = size / device.dram_banks + (size % device.dram_banks != 0 ? 1 : 0);
    return device.dram_bank_size - round_up_below(per_bank, kTraceGranularity,
                                                  device.dram_bank_size - device.dram_unreserved_base,
                                                  "trace_region_size");
}

}  // namespace

DeviceMemory::DeviceMemory(const DeviceDescription& description, const DeviceReservations& reservations)
    : l1_banks_(description.num_compute_cores()),
      dram_banks_(description.dram_banks),
      dram_(BankAllocator(description.dram_unreserved_base, trace_begin(description, reservations),
                          description.allocation_granularity, Direction::kBottomUp)),
      l1_(BankAllocator(description.l1_unreserved_base, l1_small_begin(description, reservations),
                        description.allocation_granularity, Direction::kTopDown)),
      l1_small_(BankAllocator(l1_small_begin(description, reservations), description.l1_size,
                              description.allocation_granularity, Direction::kTopDown)),
      trace_(BankAllocator(trace_begin(description, reservations), description.dram_bank_size,
                           description.allocation_granularity, Direction::kBottomUp)) {}

DeviceMemory DeviceMemory::borrowed(const DeviceMemory& memory) {
    return {memory.l1_banks_,
            memory.dram_banks_,
            Bank::borrowed(memory.dram_),
            Bank::borrowed(memory.l1_),
            Bank::borrowed(memory.l1_small_),
            Bank::borrowed(memory.trace_)};
}

const DeviceMemory::Bank& DeviceMemory::allocator_of(MemoryType type) const {
    switch (type) {
        case MemoryType::kDram:
            return dram_;
        case MemoryType::kL1:
            return l1_;
        case MemoryType::kL1Small:
            return l1_small_;
        case MemoryType::kTrace:
            return trace_;
        case MemoryType::kSystemMemory:
            break;
    }
    throw std::logic_error("allocator: expected a memory type of the device, found " +
                           std::to_string(static_cast<int>(type)));
}

const BankAllocator& DeviceMemory::allocator(MemoryType type) const {
    return allocator_of(type).read();
}

BankAllocator& DeviceMemory::allocator(MemoryType type) {
    return const_cast<Bank&>(allocator_of(type)).write();
}

bool DeviceMemory::has_banks_of(const DeviceMemory& other) const {
    const auto same = [](const Bank& a, const Bank& b) { return a.read().has_bounds_of(b.read()); };
    return l1_banks_ == other.l1_banks_ && dram_banks_ == other.dram_banks_ && same(dram_, other.dram_) &&
           same(l1_, other.l1_) && same(l1_small_, other.l1_small_) && same(trace_, other.trace_);
}

std::uint64_t DeviceMemory::num_banks(MemoryType type) const {
    switch (type) {
        case MemoryType::kDram:
        case MemoryType::kTrace:
            return dram_banks_;
        case MemoryType::kL1:
            return l1_banks_;
        case MemoryType::kL1Small:
            return l1_small_.read().begin() == l1_small_.read().end() ? 0 : l1_banks_;
        case MemoryType::kSystemMemory:
            break;
    }
    return 0;
}

}  // namespace tilemeter
