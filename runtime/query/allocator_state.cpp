// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/query/allocator_state.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "runtime/device/errors.hpp"

namespace tilemeter::query {

namespace {

constexpr std::array kTypes = {MemoryType::kDram, MemoryType::kL1, MemoryType::kL1Small, MemoryType::kTrace};

std::string_view text_of(MemoryType memory) {
    switch (memory) {
        case MemoryType::kDram:
            return "DRAM";
        case MemoryType::kL1:
            return "L1";
        case MemoryType::kL1Small:
            return "L1_SMALL";
        case MemoryType::kTrace:
            return "TRACE";
        case MemoryType::kSystemMemory:
            break;
    }
    return "SYSTEM_MEMORY";
}

DeviceMemory emptied(DeviceMemory memory) {
    for (const MemoryType type : kTypes) {
        const auto blocks = std::as_const(memory).allocator(type).blocks();
        for (const BankBlock& block : blocks)
            if (block.allocated) memory.allocator(type).free(block.address);
    }
    return memory;
}

std::string range_text(std::uint64_t begin, std::uint64_t end) {
    return "[" + std::to_string(begin) + ", " + std::to_string(end) + ")";
}

// "record 3 (L1, [4096, 8192))"
std::string text_of(std::size_t index, const AllocationRecord& record) {
    return "record " + std::to_string(index) + " (" + std::string(text_of(record.memory)) + ", " +
           range_text(record.address, record.address + record.size_per_bank) + ")";
}

// Why the record cannot be placed where others are placed already.
[[noreturn]] void refuse(std::span<const AllocationRecord> records, std::size_t index,
                         const std::string& what) {
    throw RuntimeError("with_allocations: " + text_of(index, records[index]) + ": " + what);
}

void place(std::span<const AllocationRecord> records, std::size_t index, DeviceMemory& memory) {
    const AllocationRecord& record = records[index];
    if (record.memory == MemoryType::kSystemMemory) refuse(records, index, "expected a memory of the device");
    const BankAllocator& bank = std::as_const(memory).allocator(record.memory);
    const std::uint64_t size = bank.end() - bank.begin();
    if (record.size_per_bank == 0) refuse(records, index, "expected at least 1 byte");
    if (record.address < bank.begin() || record.size_per_bank > size ||
        record.address - bank.begin() > size - record.size_per_bank)
        refuse(records, index, "expected within the bank, " + range_text(bank.begin(), bank.end()));
    if ((record.address - bank.begin()) % bank.granularity() != 0)
        refuse(records, index,
               "expected an address that is a multiple of " + std::to_string(bank.granularity()));
    if (memory.allocator(record.memory).allocate_at(record.address, record.size_per_bank)) return;
    for (std::size_t other = 0; other < index; ++other) {
        const AllocationRecord& each = records[other];
        if (each.memory != record.memory || each.address >= record.address + record.size_per_bank ||
            record.address >= each.address + each.size_per_bank)
            continue;
        refuse(records, index, "overlaps " + text_of(other, each));
    }
    refuse(records, index,
           "overlaps another record, whose end is rounded up to " + std::to_string(bank.granularity()));
}

}  // namespace

AllocatorState AllocatorState::of(const Device& device) {
    return AllocatorState(std::make_shared<const Content>(
        Content{device.memory(), device.description().name, device.number()}));
}

AllocatorState AllocatorState::empty(const Device& device) {
    return AllocatorState(std::make_shared<const Content>(
        Content{emptied(device.memory()), device.description().name, device.number()}));
}

AllocatorState AllocatorState::like(const AllocatorState& other, DeviceMemory memory) {
    return AllocatorState(std::make_shared<const Content>(
        Content{std::move(memory), other.content_->board, other.content_->device}));
}

void AllocatorState::require_content(const char* operation) const {
    if (!content_) {
        throw RuntimeError(std::string(operation) +
                           ": expected a state of a board (extract_mock_allocator_state), got an empty one");
    }
}

std::uint64_t AllocatorState::total_allocated_size() const {
    std::uint64_t sum = 0;
    for (const MemoryType type : kTypes)
        sum += total_allocated_size(type);
    return sum;
}

std::uint64_t AllocatorState::total_allocated_size(MemoryType memory) const {
    return content_ ? content_->memory.allocator(memory).statistics().allocated : 0;
}

std::optional<std::uint64_t> AllocatorState::lowest_occupied(MemoryType memory) const {
    return content_ ? content_->memory.allocator(memory).lowest_allocated() : std::nullopt;
}

std::vector<AllocationRecord> AllocatorState::allocations() const {
    std::vector<AllocationRecord> records;
    if (!content_) return records;
    for (const MemoryType type : kTypes)
        for (const BankBlock& block : content_->memory.allocator(type).blocks())
            if (block.allocated) records.push_back({type, block.address, block.size});
    return records;
}

AllocatorState AllocatorState::with_allocations(std::span<const AllocationRecord> records) const {
    require_content("with_allocations");
    DeviceMemory memory = emptied(content_->memory);
    for (std::size_t i = 0; i < records.size(); ++i)
        place(records, i, memory);
    return like(*this, std::move(memory));
}

void AllocatorState::put_on(Device& device) const {
    require_board(device, "override_mock_allocator_state");
    device.override_memory(content_->memory);
}

void AllocatorState::require_board(const Device& device, const char* operation) const {
    require_content(operation);
    if (content_->device == device.number()) return;
    const std::string& name = device.description().name;
    if (content_->board != name) {
        throw RuntimeError(std::string(operation) + ": expected a state of " + name + ", got one of " +
                           content_->board);
    }
    if (!device.memory().has_banks_of(content_->memory)) {
        throw RuntimeError(std::string(operation) + ": expected a state of banks like those of device " +
                           std::to_string(static_cast<unsigned>(device.id())) +
                           ", got one of other sizes (l1_small_size, trace_region_size, worker_l1_size)");
    }
}

bool operator==(const AllocatorState& a, const AllocatorState& b) {
    if (!a.content_ || !b.content_) return a.content_ == b.content_;
    return a.content_ == b.content_ ||
           (a.content_->board == b.content_->board && a.content_->memory == b.content_->memory);
}

}  // namespace tilemeter::query
