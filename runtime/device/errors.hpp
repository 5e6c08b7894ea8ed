// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The exceptions of devices: memory that does not fit, and operations that take too long. Messages have
// TT-NN's text; the fields hold the same figures and the owners of the memory.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "capture/events/event.hpp"
#include "runtime/device/bank_allocator.hpp"
#include "runtime/types/core_range.hpp"
#include "runtime/types/runtime_error.hpp"

namespace tilemeter {

/// The owner of one allocation in the memory that was needed.
struct BufferOwner {
    std::uint64_t buffer = 0;  ///< id of the buffer in reports
    std::uint64_t address = 0;
    std::uint64_t size_per_bank_bytes = 0;
    std::vector<std::uint64_t> shape;  ///< shape of the tensor that it was made for
    std::string dtype;                 ///< "DataType::BFLOAT16"
    std::string layout;                ///< "Layout::TILE"
    std::string operation;             ///< the call that made it: "ttnn::add"; empty: none
    friend bool operator==(const BufferOwner&, const BufferOwner&) = default;
};

/// The request that did not fit, in TT-NN's words and figures.
class OutOfMemoryError : public RuntimeError {
public:
    OutOfMemoryError(record::MemoryType memory, std::uint64_t size_bytes, std::uint64_t num_banks,
                     std::uint64_t size_per_bank_bytes, const BankStatistics& bank);

    record::MemoryType memory;
    std::uint64_t size_bytes;
    std::uint64_t num_banks;  ///< banks of the device, or cores of the shard grid
    std::uint64_t size_per_bank_bytes;
    BankStatistics bank;
    unsigned device = 0;              ///< id in reports
    std::string operation;            ///< the user's call that failed: "ttnn::add"; empty: none
    std::vector<BufferOwner> owners;  ///< owners of that memory, highest address first
};

/// The text of a clash's message depends on the kind of program memory with the highest end.
using record::ProgramMemoryKind;

/// Program memory, growing from the bottom of L1, overlaps a tensor.
class ProgramMemoryClashError : public RuntimeError {
public:
    ProgramMemoryClashError(ProgramMemoryKind kind, std::uint64_t program, const CoreRange& cores,
                            std::uint64_t region_end, std::uint64_t lowest_buffer_address);

    ProgramMemoryKind kind;
    std::uint64_t program;
    CoreRange cores;
    std::uint64_t region_end;             ///< first byte above the program memory on the worst core
    std::uint64_t lowest_buffer_address;  ///< of the L1 buffers
    unsigned device = 0;                  ///< id in reports
    std::string operation;                ///< the user's call that failed: "ttnn::add"; empty: none
    std::vector<BufferOwner> owners;      ///< owners of L1, highest address first
};

/// Program memory that is larger than L1, even if L1 were empty.
class ProgramMemoryTooLargeError : public RuntimeError {
public:
    ProgramMemoryTooLargeError(ProgramMemoryKind kind, std::uint64_t program, const CoreRange& cores,
                               std::uint64_t region_end, std::uint64_t l1_size);

    ProgramMemoryKind kind;
    std::uint64_t program;
    CoreRange cores;
    std::uint64_t region_end;
    std::uint64_t l1_size;
    unsigned device = 0;
    std::string operation;
};

/// Operations that fit their programs to the free L1 (norms, convolutions and pools in slices) find none small enough.
/// The message is the operation's own; in another place, or at another time, the same call may run.
class ProgramMemoryExhaustedError : public RuntimeError {
public:
    using RuntimeError::RuntimeError;
};

/// An operation ran longer than the time that was set.
class OperationTimeoutError : public RuntimeError {
public:
    using RuntimeError::RuntimeError;
};

}  // namespace tilemeter
