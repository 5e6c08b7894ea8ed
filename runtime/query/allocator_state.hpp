// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What is allocated on a device, as a value: for questions about a moment that the device is not in.
//
//     AllocatorState state = AllocatorState::of(device);
//     state = state.with_allocations(records);  // the same banks, these allocations instead
//
// Copies cost the same whatever is allocated, and share what they have in common.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/device/device.hpp"
#include "runtime/device/device_memory.hpp"

namespace tilemeter::query {

/// One allocation, in every bank of its memory.
struct AllocationRecord {
    MemoryType memory = MemoryType::kL1;
    std::uint64_t address = 0;
    std::uint64_t size_per_bank = 0;
    friend bool operator==(const AllocationRecord&, const AllocationRecord&) = default;
};

class AllocatorState {
public:
    /// Of no board: nothing is allocated, and no query takes it.
    AllocatorState() = default;

    /// What is allocated now, for the calling thread.
    static AllocatorState of(const Device& device);
    /// Nothing.
    static AllocatorState empty(const Device& device);
    /// These allocators, of the board of `other`.
    static AllocatorState like(const AllocatorState& other, DeviceMemory memory);

    /// Bytes of one bank, of all memories together.
    std::uint64_t total_allocated_size() const;
    std::uint64_t total_allocated_size(MemoryType memory) const;
    bool is_empty(MemoryType memory) const { return total_allocated_size(memory) == 0; }
    std::optional<std::uint64_t> lowest_occupied(MemoryType memory) const;

    /// All allocations, in order of memory and address; neighbours as they were made.
    std::vector<AllocationRecord> allocations() const;

    /// The same banks with these allocations instead. Throws RuntimeError for records that overlap or lie outside of their
    /// bank, and where this state is of no board.
    AllocatorState with_allocations(std::span<const AllocationRecord> records) const;

    /// Override of a device's allocators. Throws RuntimeError for another board.
    void put_on(Device& device) const;

    /// Throws RuntimeError, in one line, unless it is of a board like the device's.
    void require_board(const Device& device, const char* operation) const;

    /// The allocators. REQUIRES: of a board.
    const DeviceMemory& memory() const { return content_->memory; }
    /// "n150"; empty: of no board.
    std::string board() const { return content_ ? content_->board : ""; }

    friend bool operator==(const AllocatorState& a, const AllocatorState& b);

private:
    struct Content {
        DeviceMemory memory;
        std::string board;
        std::uint64_t device;  ///< Device::number() of the one that it was taken from
    };
    explicit AllocatorState(std::shared_ptr<const Content> content) : content_(std::move(content)) {}
    void require_content(const char* operation) const;

    std::shared_ptr<const Content> content_;
};

}  // namespace tilemeter::query
