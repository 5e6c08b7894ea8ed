// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/fixed_address.hpp"

#include "runtime/device/device.hpp"
#include "runtime/device/planning.hpp"

namespace tilemeter {

namespace {

constinit thread_local std::optional<std::uint64_t> address_now;

}  // namespace

ScopedAddress::ScopedAddress(std::uint64_t address) : outer_(address_now) {
    address_now = address;
}

ScopedAddress::~ScopedAddress() {
    address_now = outer_;
}

std::optional<std::uint64_t> ScopedAddress::current() {
    return address_now;
}

std::vector<Allocation> live_allocations(Device& device) {
    // An allocation of no bytes takes a place in the list and no memory: from there both ends can be reached.
    AllocationList::Node mark;
    mark.allocation.buffer_record.memory = record::MemoryType::kDram;
    device.allocate(mark, 0);
    const std::uint64_t epoch = planning_epoch();
    std::vector<Allocation> live;
    device.with_state([&](DeviceMemory&, ProgramCache&) {
        const AllocationList::Node* node = &mark;
        while (node->newer != nullptr)
            node = node->newer;
        for (; node != nullptr; node = node->older) {
            const Allocation& each = node->allocation;
            const bool is_seen = each.shadow_epoch == 0 || each.shadow_epoch == epoch;
            const bool is_freed =
                epoch != 0 && each.shadow_epoch == 0 && node->shadows_without_it.load() != 0;
            if (is_seen && !is_freed && each.buffer_record.size_bytes != 0) live.push_back(each);
        }
    });
    device.free(mark);
    return live;
}

}  // namespace tilemeter
