// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Facts about memory in error texts of the runtime, and their consequences. Wordings of several versions are
// understood: circular buffers or dataflow buffers, with or without the free list's figures.
//
// Thread safety: const calls are free.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilemeter::analysis {

/// Why an operation failed.
enum class FailureCause : std::uint8_t {
    kNone,
    kClash,        ///< programs reach into tensors
    kExhausted,    ///< less is free than is needed
    kFragmented,   ///< enough is free, in pieces that are too small
    kNeverFits,    ///< more than there is on an empty device
    kOther,        ///< no lack of memory: a wrong shape, say
    kNotRecorded,  ///< it failed, and no message says why
};
const char* name_of(FailureCause cause);
/// True if the device refused for lack of memory.
bool is_lack_of_memory(FailureCause cause);

/// Program memory that ends above the lowest tensor.
struct Clash {
    std::uint64_t tensor_address = 0;
    std::uint64_t program_end = 0;
    std::string core_range;
    std::uint64_t overlap_bytes() const {
        return program_end > tensor_address ? program_end - tensor_address : 0;
    }
};

struct OutOfMemory {
    bool in_l1 = false;
    bool in_l1_small = false;
    std::uint64_t total_bytes = 0;
    std::uint64_t banks = 0;
    std::uint64_t per_bank_bytes = 0;
    std::optional<std::uint64_t> bank_size_bytes, allocated_bytes, free_bytes, largest_free_bytes;
    std::optional<std::uint64_t> device;  ///< its number, where the message has it
    FailureCause cause() const;
    /// The missing bytes: in the bank (exhausted, never fits) or in the largest hole (fragmented).
    std::uint64_t missing_bytes() const;
};

/// Program memory alone larger than the core.
struct ProgramTooLarge {
    std::uint64_t program_bytes = 0;
    std::uint64_t l1_bytes = 0;
    std::string core_range;
};

/// Program memory that an operation chooses by what is free below the tensors, and that is not there.
struct NoRoomForProgram {
    std::uint64_t program_bytes = 0;
    std::uint64_t free_bytes = 0;
    std::uint64_t missing_bytes() const {
        return program_bytes > free_bytes ? program_bytes - free_bytes : 0;
    }
};

/// The part of an exception's message about memory: at most one of the four.
struct FailureMessage {
    FailureCause cause = FailureCause::kNotRecorded;  ///< of an empty message
    std::optional<Clash> clash;
    std::optional<OutOfMemory> out_of_memory;
    std::optional<ProgramTooLarge> program_too_large;
    std::optional<NoRoomForProgram> no_room_for_program;
};
FailureMessage read_failure_message(std::string_view message);

std::optional<Clash> parse_clash(std::string_view message);
std::optional<OutOfMemory> parse_out_of_memory(std::string_view message);
std::optional<ProgramTooLarge> parse_program_too_large(std::string_view message);
std::optional<NoRoomForProgram> parse_no_room_for_program(std::string_view message);

}  // namespace tilemeter::analysis
