// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/errors.hpp"

#include "runtime/types/memory_config.hpp"

namespace tilemeter {

namespace {

std::string kind_text(ProgramMemoryKind kind) {
    switch (kind) {
        case ProgramMemoryKind::kCircularBuffer:
            return "circular buffer";
        case ProgramMemoryKind::kDataflowBuffer:
        case ProgramMemoryKind::kScratchpad:  // which TT-NN counts among them
            return "dataflow buffer";
        case ProgramMemoryKind::kOther:
            break;
    }
    return "program memory";
}

std::string bytes(std::uint64_t size) {
    return std::to_string(size) + " B";
}

std::string out_of_memory_text(record::MemoryType memory, std::uint64_t size_bytes, std::uint64_t num_banks,
                               std::uint64_t size_per_bank_bytes, const BankStatistics& bank) {
    std::string text = "Out of Memory: Not enough space to allocate " + bytes(size_bytes) + " " +
                       std::string(name_of(memory)) + " buffer across " + std::to_string(num_banks) +
                       " banks, where each bank needs to store " + bytes(size_per_bank_bytes) +
                       ", but bank size is " + bytes(bank.bank_size) +
                       " (allocated: " + bytes(bank.allocated) + ", free: " + bytes(bank.free) +
                       ", largest free block: " + bytes(bank.largest_free_block) + ").";
    if (memory == record::MemoryType::kL1Small) {
        text += bank.bank_size == 0
                    ? " The L1_SMALL region is 0 B because it is reserved at device open; set l1_small_size "
                      "large enough for this allocation when opening the device."
                    : " The L1_SMALL region is sized at device open; increase l1_small_size when opening the "
                      "device.";
    }
    return text;
}

}  // namespace

OutOfMemoryError::OutOfMemoryError(record::MemoryType memory_, std::uint64_t size_bytes_,
                                   std::uint64_t num_banks_, std::uint64_t size_per_bank_bytes_,
                                   const BankStatistics& bank_)
    : RuntimeError(out_of_memory_text(memory_, size_bytes_, num_banks_, size_per_bank_bytes_, bank_)),
      memory(memory_),
      size_bytes(size_bytes_),
      num_banks(num_banks_),
      size_per_bank_bytes(size_per_bank_bytes_),
      bank(bank_) {}

ProgramMemoryClashError::ProgramMemoryClashError(ProgramMemoryKind kind_, std::uint64_t program_,
                                                 const CoreRange& cores_, std::uint64_t region_end_,
                                                 std::uint64_t lowest_buffer_address_)
    : RuntimeError("Statically allocated " + kind_text(kind_) + "s in program " + std::to_string(program_) +
                   " clash with L1 buffers on core range " + cores_.to_string() +
                   ". L1 buffer allocated at " + std::to_string(lowest_buffer_address_) + " and static " +
                   kind_text(kind_) + " region ends at " + std::to_string(region_end_)),
      kind(kind_),
      program(program_),
      cores(cores_),
      region_end(region_end_),
      lowest_buffer_address(lowest_buffer_address_) {}

// TT-NN's text does not name the program here; the field does.
ProgramMemoryTooLargeError::ProgramMemoryTooLargeError(ProgramMemoryKind kind_, std::uint64_t program_,
                                                       const CoreRange& cores_, std::uint64_t region_end_,
                                                       std::uint64_t l1_size_)
    : RuntimeError("Statically allocated " + kind_text(kind_) + "s on core range " + cores_.to_string() +
                   " grow to " + bytes(region_end_) + " which is beyond max L1 size of " + bytes(l1_size_)),
      kind(kind_),
      program(program_),
      cores(cores_),
      region_end(region_end_),
      l1_size(l1_size_) {}

}  // namespace tilemeter
