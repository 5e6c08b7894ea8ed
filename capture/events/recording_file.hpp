// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Writes a recording file (recording_blocks.hpp): takes definitions, and hands out its blocks, mapped, as chunks
// for thread logs. Each thread has one block that stays mapped. When it is full, what it holds is written to
// where it stays, and the thread goes on in the same block: having the file system map a fresh one takes six
// times as long. So memory does not grow with the file. Where the disk has no room any more, full blocks are kept in
// memory instead, as long as that has some, and stderr is told.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "capture/events/clock.hpp"
#include "capture/events/internal/crash_area.hpp"
#include "capture/events/internal/definitions.hpp"
#include "capture/events/recording_blocks.hpp"

namespace tilemeter::record::internal {

/// The header's description of a capture.
struct RecordingInfo {
    std::uint64_t wall_clock_ns;
    std::uint64_t begin_ticks;
    std::uint8_t run_mode;
    std::uint8_t detail;
    bool pages;
    std::uint8_t emitters;
};

class RecordingFile {
public:
    /// Makes the file; one that is there is replaced. `most_blocks`: of events, 0: up to what the disk
    /// takes; beyond them, `overwrite` says whether the oldest give way. Throws RecordingError.
    RecordingFile(std::filesystem::path path, const RecordingInfo& info, std::uint64_t most_blocks,
                  bool overwrite);
    ~RecordingFile();
    RecordingFile(const RecordingFile&) = delete;
    RecordingFile& operator=(const RecordingFile&) = delete;

    const std::filesystem::path& path() const { return path_; }
    int descriptor() const { return descriptor_; }

    /// An empty block; null if there is no room. `full` may be null; else it is one that nobody else holds,
    /// and comes back empty if it lies in this file.
    std::shared_ptr<Chunk> new_chunk(std::shared_ptr<Chunk> full);

    /// While anybody holds this, no block of events is used again but by who holds it.
    std::shared_ptr<const void> keep_blocks();

    void add_definition(DefinitionKind kind, std::uint32_t id, std::span<const char> bytes);

    /// The place where the process writes its cause of death; zeros at first. Valid as long as this object.
    CrashArea* crash_area() const;

    /// The file's own count of events that are not in it, so that who recovers it knows.
    std::shared_ptr<std::atomic<std::uint64_t>> lost_events() const;

    /// Full blocks that the disk had no room for, in no order.
    std::vector<std::shared_ptr<const Chunk>> chunks_in_memory();
    /// The number of lost_events() that they hold.
    std::uint64_t events_in_memory();

    /// Says in the file that the capture ended, and on stderr what is not in it.
    void end(std::uint64_t end_ticks);

private:
    class Mapping;
    struct KeepMapped;

    // REQUIRES for all: mutex_ held.
    std::shared_ptr<Mapping> map(std::uint64_t block) const;
    /// The number of a block that was never used, having made sure that the disk has room for it.
    std::optional<std::uint64_t> unused_block();
    /// The number of a block for events: unused, or, where there is a limit, the one of the oldest.
    std::optional<std::uint64_t> event_block();
    std::optional<std::uint64_t> oldest_block();
    std::shared_ptr<Chunk> map_chunk(std::uint64_t block) const;
    bool lies_here(const std::shared_ptr<Chunk>& chunk) const;
    /// Writes a block as it is in memory.
    bool write_block(std::uint64_t block, const Chunk& chunk);
    /// An empty block in memory, kept here; null where that has no room either.
    std::shared_ptr<Chunk> chunk_in_memory();
    /// The disk had no room: the reason is in `problem`.
    void disk_refused(int problem);
    void append_to_definitions(const char* bytes, std::size_t size);

    const std::filesystem::path path_;
    const std::uint64_t number_;  // of this file among those of the process
    const std::uint64_t most_blocks_;
    const bool overwrite_;  // the oldest blocks, where there is a limit
    int descriptor_ = -1;
    std::shared_ptr<Mapping> header_mapping_;
    RecordingHeader* header_ = nullptr;
    std::mutex mutex_;
    // Guarded by mutex_:
    std::uint64_t blocks_ = 0;     // used
    std::uint64_t allocated_ = 0;  // that the disk has room for
    struct EventBlock {
        std::uint64_t number;
        std::weak_ptr<Chunk> user;  // of none: nobody
    };
    std::deque<EventBlock> event_blocks_;  // oldest first; kept only where blocks are used again
    std::uint64_t events_blocks_made_ = 0;
    std::weak_ptr<const void> keeper_;
    std::shared_ptr<Chunk> definition_block_;  // its owner; what lies there is a DefinitionBlock
    std::uint64_t definition_sequence_ = 0;
    bool definitions_lost_ = false;                  // no room: what follows would not be understood
    std::vector<std::shared_ptr<Chunk>> in_memory_;  // full, or a thread's current one
    std::uint64_t events_in_memory_ = 0;             // that lost_events counts
    std::string disk_refusal_;                       // why the disk last had no room; empty: it always had
    bool told_memory_is_full_ = false;
};

}  // namespace tilemeter::record::internal
