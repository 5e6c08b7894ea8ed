// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Buffers that a replay at planned addresses overwrites: the live buffers, byte by byte and bank by bank, and what does
// it.
//
// A buffer that a replay makes counts as written as a whole, its pages in the banks that they lie in; program memory (circular
// buffers, dataflow buffers, scratchpads) on the cores of its program. Of a sharded buffer a core's whole shard counts.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "capture/record/records.hpp"
#include "runtime/device/allocation.hpp"
#include "runtime/device/device_description.hpp"
#include "runtime/device/program_memory.hpp"

namespace tilemeter::trace {

/// Bytes [begin, end) of one bank: a bank of DRAM, or one of L1, numbered as in reports from 0.
struct BankRange {
    std::uint32_t bank = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    friend auto operator<=>(const BankRange&, const BankRange&) = default;
};

enum class Overwriter : std::uint8_t {
    kBuffer,
    kProgramMemory,
    kItself,  ///< it is a result of the metal trace, which each execution writes anew
    kReader   ///< nobody: the metal trace reads it in the place of an input that was freed
};

struct Hazard {
    // The live buffer
    record::BufferId buffer{};
    record::MemoryType memory{};
    std::uint64_t address = 0;
    std::uint64_t size_per_bank_bytes = 0;
    record::TensorSpecId spec{};
    record::TextId operation{};  ///< the user's call that made it; kNone: none
    // The kind of overwriter
    Overwriter by = Overwriter::kBuffer;
    std::uint64_t by_address = 0;
    std::uint64_t by_size_bytes = 0;  ///< in each of its banks
    record::TextId by_operation{};    ///< the user's call in the replay
    /// The overwritten bytes, in order. Empty: not a byte is, but the allocator, which gives blocks in all banks at
    /// once, has no room for a buffer there. Of kReader: what is read.
    std::vector<BankRange> parts;

    bool is_in_l1() const;  ///< else in DRAM
    std::uint64_t overwritten_bytes() const;
    /// One line for people.
    std::string to_string() const;
};

/// The bytes of a buffer, bank by bank.
std::vector<BankRange> banks_of(const record::BufferRecord& buffer, const DeviceDescription& device);
/// Those of a piece of program memory at `address`.
std::vector<BankRange> banks_of(const ProgramMemory& piece, std::uint64_t address,
                                const DeviceDescription& device);

/// Collects what writes overwrite of what was live before.
class HazardFinder {
public:
    HazardFinder(std::vector<Allocation> live, const DeviceDescription& device);

    /// The buffer is gone from here on.
    void free(record::BufferId buffer);
    /// A buffer that takes a block of the allocator's.
    void write(const record::BufferRecord& buffer, record::TextId operation);
    void write(const ProgramMemory& piece, std::uint64_t address, record::TextId operation);
    /// The memory of a buffer that may be gone.
    void read(const record::BufferRecord& buffer, record::TextId operation);

    std::vector<Hazard> take() { return std::move(found_); }

private:
    struct Written {
        Overwriter by;
        bool is_l1;
        std::uint64_t address, size;
        record::TextId operation;
    };
    template <typename Banks>
    void find(const Written& written, Banks banks);

    std::vector<Allocation> live_;
    const DeviceDescription& device_;
    std::vector<Hazard> found_;
};

/// "3 live buffers, 12288 B: buffer 7 ...": the first ones. REQUIRES: not empty
std::string summary_of(const std::vector<Hazard>& hazards);

}  // namespace tilemeter::trace
