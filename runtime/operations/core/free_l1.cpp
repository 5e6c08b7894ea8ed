// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/free_l1.hpp"

namespace tilemeter {

std::optional<std::uint64_t> lowest_l1_tensor(Device& device) {
    return device.with_state([](const DeviceMemory& memory, const ProgramCache&) {
        return memory.allocator(record::MemoryType::kL1).lowest_allocated();
    });
}

std::uint64_t free_l1_below_tensors(Device& device) {
    const DeviceDescription& description = device.description();
    return lowest_l1_tensor(device).value_or(description.l1_size) - description.l1_unreserved_base;
}

std::uint64_t free_l1_in_all(Device& device) {
    return device.with_state([](const DeviceMemory& memory, const ProgramCache&) {
        return memory.allocator(record::MemoryType::kL1).statistics().free;
    });
}

}  // namespace tilemeter
