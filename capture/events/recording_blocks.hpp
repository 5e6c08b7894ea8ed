// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The recording file: what its writer (recording_file.hpp) and its reader (recording_reader.hpp) agree on.
//
//   block 0        header; behind it what the process died of (crash_area.hpp)
//   block 1 ..     event blocks (a Chunk each) and definition blocks, in any order; zeros: not used yet
//
// All blocks have 64 KiB. Each thing is written before the word that says it is there, and a block that is used again
// is no block of events while it changes. So the file is sound whenever its process dies: the kernel keeps what was
// stored. (Of a machine that loses power, what had reached the disk.) A thread's full block is copied to another before
// it is used again; a process that dies in between leaves the same events twice, and readers take one of the two.
//
// Facts are one stream of records through all definition blocks in order of their sequence numbers:
//     u32 kind (DefinitionKind), u32 id, u32 size, size bytes
//
// Encoding: native byte order; the header says which.

#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "capture/events/thread_log.hpp"

namespace tilemeter::record::internal {

inline constexpr std::size_t kBlockBytes = sizeof(Chunk);
inline constexpr std::array<char, 8> kMagic = {'T', 'M', 'R', 'E', 'C', 'O', 'R', 'D'};
inline constexpr std::uint32_t kFormat = 1;  ///< moves whenever anything here does
inline constexpr std::uint32_t kByteOrderMark = 0x01020304;

/// Chunk::in_use and DefinitionBlock::in_use.
inline constexpr std::uint32_t kEventBlock = 0x544e5645;       // "EVNT"
inline constexpr std::uint32_t kDefinitionBlock = 0x54434146;  // "FACT"

struct RecordingHeader {
    std::atomic<std::uint64_t> magic;  ///< the bytes of kMagic
    std::uint32_t format;
    std::uint32_t byte_order;
    std::uint32_t event_bytes;
    std::uint32_t block_bytes;
    std::uint64_t process;
    std::uint64_t wall_clock_ns;  ///< when the capture began
    std::uint64_t begin_ticks;
    std::uint64_t start_ticks;  ///< both clocks at one moment, and
    std::uint64_t start_ns;
    std::atomic<std::uint64_t> later_ticks;  ///< at a later one
    std::atomic<std::uint64_t> later_ns;
    std::atomic<std::uint64_t> end_ticks;    ///< 0: the capture has not ended
    std::atomic<std::uint64_t> lost_events;  ///< overwritten, or without room
    std::uint8_t run_mode;
    std::uint8_t detail;
    std::uint8_t pages;
    std::uint8_t emitters;  ///< WindowOptions::emitters
};
static_assert(sizeof(RecordingHeader) <= kBlockBytes);

struct DefinitionBlock {
    std::array<char, offsetof(Chunk, published)> bytes;
    std::atomic<std::uint32_t> used;
    std::uint32_t unused;
    std::uint64_t sequence;  ///< from 0
    std::atomic<std::uint32_t> in_use;
    std::array<std::uint32_t, 11> reserved;
};
static_assert(sizeof(DefinitionBlock) == kBlockBytes);
static_assert(offsetof(DefinitionBlock, in_use) == offsetof(Chunk, in_use));

struct DefinitionHeader {
    std::uint32_t kind;
    std::uint32_t id;
    std::uint32_t size;
};

}  // namespace tilemeter::record::internal
