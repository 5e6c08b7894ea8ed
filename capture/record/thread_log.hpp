// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// One thread's events, in chunks. The owner appends; anybody may read what has been published.
//
//   ThreadLog ──▶ chunk 0 ──▶ chunk 1 ──▶ ... ──▶ current chunk
//                 full        full                events[0 .. published) readable, the rest the owner's
//
// Thread safety: append() belongs to the owning thread; all else may be called from any thread.

#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "capture/record/event.hpp"

namespace tilemeter::record {

/// 64 KiB in all: large enough that asking for one (a lock, an allocation, page faults) costs under 1 ns per
/// event, small enough that a thread which records a handful of events wastes little.
struct Chunk {
    static constexpr std::uint32_t kEvents = 1023;
    std::array<Event, kEvents> events;
    std::atomic<std::uint32_t> published{0};  ///< events[0 .. published) may be read
    std::uint64_t first_index = 0;            ///< number of events of this thread before this chunk
};
static_assert(sizeof(Chunk) <= 65536);

/// Part of one thread's events: the half-open range [begin, end) of its running numbers.
struct ThreadSlice {
    std::uint32_t thread = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::vector<std::shared_ptr<const Chunk>> chunks;  ///< all that hold a part of the range, in order

    /// Calls visit(event) for the events [from, to). REQUIRES: begin <= from, to <= end.
    template <typename Visit>
    void for_each(std::uint64_t from, std::uint64_t to, Visit visit) const {
        if (from >= to) return;
        // Chunks follow each other without a gap, so the first event's chunk is found by division.
        auto chunk = chunks.begin() +
                     static_cast<std::ptrdiff_t>((from - chunks.front()->first_index) / Chunk::kEvents);
        while (from < to) {
            const std::uint64_t stop = std::min(to, (*chunk)->first_index + Chunk::kEvents);
            for (; from < stop; ++from)
                visit((*chunk)->events[from - (*chunk)->first_index]);
            ++chunk;
        }
    }

    /// The same for all events of the slice.
    template <typename Visit>
    void for_each(Visit visit) const {
        for_each(begin, end, visit);
    }
};

class ThreadLog {
public:
    explicit ThreadLog(std::uint32_t thread);

    /// The only thing that runs per event: write the slot, publish it with one release store.
    void append(const Event& event) {
        if (used_ == Chunk::kEvents) [[unlikely]]
            append_chunk();
        current_->events[used_] = event;
        current_->published.store(++used_, std::memory_order_release);
    }

    std::uint32_t thread() const { return thread_; }

    /// How many events of this thread have been published since it began.
    std::uint64_t published() const;

    /// The events from running number `begin` up to now.
    ThreadSlice slice_since(std::uint64_t begin) const;

    /// Lets go of all chunks but the current one. REQUIRES: no open capture needs them (slices keep their
    /// own).
    void drop_full_chunks();

private:
    void append_chunk();

    const std::uint32_t thread_;
    std::uint32_t used_ = 0;    // the owner's: events written to current_
    Chunk* current_ = nullptr;  // the owner's: chunks_.back()
    mutable std::mutex mutex_;
    std::vector<std::shared_ptr<Chunk>> chunks_;  // guarded by mutex_; never empty
};

}  // namespace tilemeter::record
