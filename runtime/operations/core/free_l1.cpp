// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/free_l1.hpp"

#include "runtime/device/unlimited_memory.hpp"
#include "runtime/operations/core/planned_values.hpp"

namespace tilemeter {

namespace {

bool is_unlimited() {
    return ScopedUnlimitedMemory::is_in_force() && is_planned_only();
}

}  // namespace

std::optional<std::uint64_t> lowest_l1_tensor(Device& device) {
    return device.with_state([](const DeviceMemory& memory, const ProgramCache&) {
        return memory.allocator(record::MemoryType::kL1).lowest_allocated();
    });
}

std::uint64_t free_l1_below_tensors(Device& device) {
    const DeviceDescription& description = device.description();
    const std::uint64_t end =
        is_unlimited() ? description.l1_size : lowest_l1_tensor(device).value_or(description.l1_size);
    return end - description.l1_unreserved_base;
}

std::uint64_t free_l1_in_all(Device& device) {
    if (is_unlimited()) return free_l1_below_tensors(device);
    return device.with_state([](const DeviceMemory& memory, const ProgramCache&) {
        return memory.allocator(record::MemoryType::kL1).statistics().free;
    });
}

}  // namespace tilemeter
