// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/free_l1.hpp"

#include <algorithm>

#include "runtime/device/buffer_geometry.hpp"
#include "runtime/device/unlimited_memory.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/types/rounding.hpp"

namespace tilemeter {

namespace {

constinit thread_local const ScopedReferencePlanning* innermost_reference = nullptr;

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
    if (const auto free = ScopedReferencePlanning::free_l1()) return *free;
    const DeviceDescription& description = device.description();
    const std::uint64_t end =
        is_unlimited() ? description.l1_size : lowest_l1_tensor(device).value_or(description.l1_size);
    return end - description.l1_unreserved_base;
}

std::uint64_t l1_for_tensors(Device& device) {
    return device.with_state([](const DeviceMemory& memory, const ProgramCache&) {
        const BankAllocator& l1 = memory.allocator(record::MemoryType::kL1);
        return l1.end() - l1.begin();
    });
}

std::uint64_t free_l1_beside(Device& device, const TensorSpec& output) {
    const std::uint64_t free = free_l1_below_tensors(device);
    const MemoryConfig& place = output.memory_config;
    if (place.buffer_type != BufferType::L1 || place.is_sharded()) return free;
    const DeviceDescription& description = device.description();
    const std::uint64_t granularity = description.allocation_granularity;
    const std::uint64_t taken = std::max(
        round_up(buffer_geometry(output, description).size_per_bank_bytes, granularity), granularity);
    return free > taken ? free - taken : 0;
}

std::uint64_t free_l1_in_all(Device& device) {
    if (is_unlimited()) return free_l1_below_tensors(device);
    return device.with_state([](const DeviceMemory& memory, const ProgramCache&) {
        return memory.allocator(record::MemoryType::kL1).statistics().free;
    });
}

std::uint64_t largest_free_l1(Device& device) {
    if (is_unlimited()) return free_l1_below_tensors(device);
    return device.with_state([](const DeviceMemory& memory, const ProgramCache&) {
        return memory.allocator(record::MemoryType::kL1).statistics().largest_free_block;
    });
}

ScopedReferencePlanning::ScopedReferencePlanning(Device& device)
    : free_l1_(free_l1_below_tensors(device)), outer_(innermost_reference) {
    innermost_reference = this;
}

ScopedReferencePlanning::~ScopedReferencePlanning() {
    innermost_reference = outer_;
}

std::optional<std::uint64_t> ScopedReferencePlanning::free_l1() {
    if (innermost_reference == nullptr) return std::nullopt;
    return innermost_reference->free_l1_;
}

}  // namespace tilemeter
