// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// One thread's events, in chunks. The owner appends; anybody may read what has been published.
//
//   ThreadLog ──▶ chunk 0 ──▶ chunk 1 ──▶ ... ──▶ current chunk
//                 full        full or left early  events[0 .. published) readable, the rest the owner's
//
// A chunk lies in memory or in a recording file (recording_file.hpp), which has blocks of its size and form.
//
// Thread safety: slots and publish() are the owning thread's; all else may be called from
// any thread.

#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <memory>
#include <mutex>
#include <vector>

#include "capture/events/event.hpp"

namespace tilemeter::record {

namespace internal {
class ChunkArena;
}

/// 64 KiB: large enough that asking for one (a lock, an allocation, page faults) costs under 1 ns per
/// event, small enough for a thread that records a handful of events.
struct Chunk {
    static constexpr std::uint32_t kEvents = 1023;
    std::array<Event, kEvents> events;
    std::atomic<std::uint32_t> published{0};  ///< events[0 .. published) may be read
    std::uint32_t thread = 0;
    std::uint64_t first_index = 0;           ///< number of events of this thread before this chunk
    std::atomic<std::uint32_t> in_use{0};    ///< in a recording file: which kind of block this is
    std::array<std::uint32_t, 11> reserved;  ///< fills the block
};
static_assert(sizeof(Chunk) == 65536);
static_assert(std::atomic<std::uint32_t>::is_always_lock_free, "shared with files and other processes");

/// Part of one thread's events: the half-open range [begin, end) of its running numbers.
struct ThreadSlice {
    std::uint32_t thread = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::vector<std::shared_ptr<const Chunk>>
        chunks;  ///< all that hold a part of the range, in order, no gap

    /// Calls visit(event) for the events [from, to). REQUIRES: begin <= from, to <= end.
    template <typename Visit>
    void for_each(std::uint64_t from, std::uint64_t to, Visit visit) const {
        if (from >= to) return;
        auto chunk = std::prev(std::upper_bound(
            chunks.begin(), chunks.end(), from,
            [](std::uint64_t index, const auto& each) { return index < each->first_index; }));
        while (from < to) {
            // A chunk may have been left before it was full: it ends where the next begins.
            const auto next = std::next(chunk);
            const std::uint64_t stop = next == chunks.end() ? to : std::min(to, (*next)->first_index);
            const Event* event = &(*chunk)->events[from - (*chunk)->first_index];
            for (; from < stop; ++from)
                visit(*event++);
            chunk = next;
        }
    }

    /// The same for all events of the slice.
    template <typename Visit>
    void for_each(Visit visit) const {
        for_each(begin, end, visit);
    }
};

/// Events that were counted instead of kept.
struct EventCounts {
    std::array<std::uint64_t, static_cast<std::size_t>(EventKind::kCount)> by_kind{};

    std::uint64_t total() const {
        std::uint64_t sum = 0;
        for (const std::uint64_t each : by_kind)
            sum += each;
        return sum;
    }
    EventCounts& operator+=(const EventCounts& other) {
        for (std::size_t i = 0; i < by_kind.size(); ++i)
            by_kind[i] += other.by_kind[i];
        return *this;
    }
    EventCounts operator-(const EventCounts& other) const {
        EventCounts difference;
        for (std::size_t i = 0; i < by_kind.size(); ++i)
            difference.by_kind[i] = by_kind[i] - other.by_kind[i];
        return difference;
    }
};

/// True if `chunk` has no other holder; all that others read of it has then happened before.
bool is_held_alone(const std::shared_ptr<Chunk>& chunk);

class ThreadLog {
public:
    explicit ThreadLog(std::uint32_t thread);
    ~ThreadLog();
    ThreadLog(const ThreadLog&) = delete;
    ThreadLog& operator=(const ThreadLog&) = delete;

    /// True if there is room for the owner's next event; else it must find_slot() first.
    bool has_slot() const { return used_ < limit_.load(std::memory_order_relaxed); }

    /// Goes on elsewhere; false if the event was counted instead of being kept.
    bool find_slot(EventKind kind);

    /// The place of the owner's next event. REQUIRES: has_slot() or find_slot() said so.
    Event& slot() { return current_->events[used_]; }

    /// The event before it; null where the chunk holds none.
    const Event* before_slot() const { return used_ == 0 ? nullptr : &current_->events[used_ - 1]; }

    /// The event in the slot may be read.
    void publish() { current_->published.store(++used_, std::memory_order_release); }

    std::uint32_t thread() const { return thread_; }

    /// The number of events that this thread has published since it began.
    std::uint64_t published() const;

    /// The events from running number `begin` up to now; those of them that are still kept.
    ThreadSlice slice_since(std::uint64_t begin) const;

    /// Lets go of all chunks but the current one that hold nothing from running number `index` on. Slices
    /// keep their own. Gives the number of chunks that went.
    std::size_t drop_before(std::uint64_t index);

    std::size_t chunk_count() const;    ///< that are held
    std::uint64_t first_ticks() const;  ///< of the first event held; the highest number if there is none

    /// Lets go of the oldest chunk and gives it. REQUIRES: chunk_count() >= 2.
    std::shared_ptr<Chunk> take_oldest();

    /// Lets go of the current chunk and gives it, if it is the only one and nobody else looks at it; else
    /// null. REQUIRES: called by the owner, who continues elsewhere next.
    std::shared_ptr<Chunk> take_current();

    /// Null if there is none.
    std::shared_ptr<const Chunk> current() const;

    /// The source of chunks, for the owner and nobody else.
    internal::ChunkArena& arena() { return *arena_; }

    /// From the owner's next event on: a chunk of its own choice (window_room.cpp). May be called by any
    /// thread.
    void leave_chunk() {
        limit_.store(0, std::memory_order_relaxed);
        counting_.store(false, std::memory_order_relaxed);
    }

    /// Events go on in `chunk`, or, if null, are counted and dropped; `lost`, if given, is counted up with
    /// each of them. REQUIRES: called by the owner.
    void continue_in(std::shared_ptr<Chunk> chunk, std::shared_ptr<std::atomic<std::uint64_t>> lost = {});

    bool is_counting() const { return counting_.load(std::memory_order_relaxed); }

    EventCounts counts() const;

private:
    void count(EventKind kind);

    const std::uint32_t thread_;
    std::uint32_t used_ = 0;               // the owner's: events written to current_
    std::atomic<std::uint32_t> limit_{0};  // at which the owner must go elsewhere
    std::atomic<bool> counting_{false};    // nothing is kept
    Chunk* current_ = nullptr;             // the owner's: chunks_.back()
    std::array<std::atomic<std::uint64_t>, static_cast<std::size_t>(EventKind::kCount)> counts_{};
    std::shared_ptr<std::atomic<std::uint64_t>> lost_;  // the owner's
    mutable std::mutex mutex_;
    std::deque<std::shared_ptr<Chunk>> chunks_;  // guarded by mutex_
    std::uint64_t next_index_ = 0;               // guarded by mutex_; behind chunks_.back() when it is left
    const std::unique_ptr<internal::ChunkArena> arena_;  // the owner's
};

}  // namespace tilemeter::record
