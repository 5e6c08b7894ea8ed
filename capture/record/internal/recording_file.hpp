// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Writes a recording file (recording_blocks.hpp): hands out its blocks, mapped, as chunks for thread logs,
// and takes facts. What is full is unmapped as soon as no log holds it, so memory does not grow with the
// file.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>

#include "capture/record/clock.hpp"
#include "capture/record/internal/facts.hpp"
#include "capture/record/internal/recording_blocks.hpp"

namespace tilemeter::record::internal {

/// What the header says of a capture.
struct RecordingFacts {
    std::uint64_t wall_clock_ns;
    std::uint64_t begin_ticks;
    std::uint8_t run_mode;
    std::uint8_t detail;
    bool pages;
};

class RecordingFile {
public:
    /// Makes the file; one that is there is replaced. `most_blocks`: of events, 0 for as many as the disk
    /// takes; beyond them, `overwrite` says whether the oldest give way. Throws RecordingError.
    RecordingFile(std::filesystem::path path, const RecordingFacts& facts, std::uint64_t most_blocks,
                  bool overwrite);
    ~RecordingFile();
    RecordingFile(const RecordingFile&) = delete;
    RecordingFile& operator=(const RecordingFile&) = delete;

    const std::filesystem::path& path() const { return path_; }
    int descriptor() const { return descriptor_; }

    /// An unused block; null if there is no room.
    std::shared_ptr<Chunk> new_chunk();

    void add_fact(FactKind kind, std::uint32_t id, std::span<const char> bytes);

    /// The file's own count of events that found no room, so that who recovers it knows.
    std::shared_ptr<std::atomic<std::uint64_t>> lost_events() const;

    /// Says in the file that the capture ended.
    void end(std::uint64_t end_ticks);

private:
    class Mapping;
    struct KeepMapped;

    // REQUIRES for all: mutex_ held.
    std::shared_ptr<Mapping> map(std::uint64_t first_block, std::uint64_t blocks) const;
    /// Maps the next blocks of the file, having made sure that the disk has room for them.
    bool grow();
    std::shared_ptr<Chunk> next_block();
    std::shared_ptr<Chunk> oldest_chunk();
    void append_to_facts(const char* bytes, std::size_t size);

    const std::filesystem::path path_;
    const std::uint64_t most_blocks_;
    const bool overwrite_;
    int descriptor_ = -1;
    std::shared_ptr<Mapping> header_mapping_;
    RecordingHeader* header_ = nullptr;
    std::mutex mutex_;
    // Guarded by mutex_:
    std::uint64_t blocks_ = 0;  // of the file
    std::shared_ptr<Mapping> segment_;
    std::uint64_t segment_used_ = 0;  // blocks of segment_ handed out
    struct EventBlock {
        std::uint64_t number;
        std::weak_ptr<Chunk> user;
    };
    std::deque<EventBlock> event_blocks_;  // oldest first; kept only where blocks are used again
    std::uint64_t events_blocks_made_ = 0;
    std::shared_ptr<Chunk> fact_block_;  // its owner; what lies there is a FactBlock
    std::uint64_t fact_sequence_ = 0;
    bool facts_lost_ = false;  // no room: what follows would not be understood
};

}  // namespace tilemeter::record::internal
