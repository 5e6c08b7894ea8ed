// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The cause of death of a process that dies while it records: in the recording's first block, behind the header.
// crash_handler.cpp writes it from a signal handler, crash.cpp reads it. The block is mapped and has its room on the
// disk, so that writing takes no system call and cannot fail.
//
// Zeros: nothing happened; what older recordings have there, and older readers pass over. Each step is
// written before the word that says so, since writing itself may fail in a process that is damaged.

#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "capture/events/recording_blocks.hpp"

namespace tilemeter::record::internal {

inline constexpr std::size_t kCrashAreaAt = 4096;  ///< in the first block

/// The progress of writing.
enum class CrashStep : std::uint32_t {
    kNothing = 0,
    kCause = 1,     ///< all but what follows
    kFrames = 2,    ///< and the frames
    kMappings = 3,  ///< and the mappings
};

struct CrashArea {
    static constexpr std::size_t kMostFrames = 128;

    std::atomic<std::uint32_t> step;  ///< CrashStep
    std::int32_t signal;              ///< 0: none, std::terminate was called
    std::int32_t signal_code;         ///< si_code: who sent it
    std::uint32_t terminate;          ///< 1: std::terminate was called before
    std::uint64_t process;
    std::uint64_t sender;  ///< the process that sent it; 0: none did
    std::uint64_t thread;  ///< the kernel's number of it
    std::uint64_t log;     ///< the recorder's number of the thread plus 1; 0: it recorded nothing
    std::uint64_t ticks;
    std::uint64_t address;          ///< that could not be accessed, for SIGSEGV and SIGBUS
    std::uint64_t program_counter;  ///< of the instruction that the signal interrupted; 0: not known
    std::array<char, 16> thread_name;
    std::array<char, 256> exception_type;               ///< mangled; empty: no exception
    std::array<char, 1024> message;                     ///< what() of it
    std::array<std::uint64_t, kMostFrames + 1> frames;  ///< return addresses, innermost first; 0 ends them
    std::array<char, 32768> mappings;  ///< lines of /proc/self/maps: those that frames lie in
};
static_assert(kCrashAreaAt + sizeof(CrashArea) <= kBlockBytes);
static_assert(sizeof(RecordingHeader) <= kCrashAreaAt);

}  // namespace tilemeter::record::internal
