// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/events/thread_log.hpp"

#include <limits>
#include <utility>

#include "capture/events/internal/chunk_arena.hpp"
#include "capture/events/internal/room.hpp"
#include "capture/events/recording_blocks.hpp"

namespace tilemeter::record {

bool is_held_alone(const std::shared_ptr<Chunk>& chunk) {
    if (chunk.use_count() != 1) return false;
    // The count is read without an order. Letting go of a copy is a release and an acquire: it comes after
    // what the holders before did.
    std::shared_ptr<Chunk>(chunk).reset();
    return true;
}

ThreadLog::ThreadLog(std::uint32_t thread)
    : thread_(thread), arena_(std::make_unique<internal::ChunkArena>()) {}

ThreadLog::~ThreadLog() = default;

bool ThreadLog::find_slot(EventKind kind) {
    while (!is_counting()) {
        internal::make_room(*this);
        if (has_slot()) return true;
    }
    count(kind);
    return false;
}

void ThreadLog::count(EventKind event_kind) {
    const auto kind = static_cast<std::size_t>(event_kind);
    if (kind >= counts_.size()) return;
    // Only the owner writes.
    counts_[kind].store(counts_[kind].load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (lost_) lost_->fetch_add(1, std::memory_order_relaxed);
}

void ThreadLog::continue_in(std::shared_ptr<Chunk> chunk, std::shared_ptr<std::atomic<std::uint64_t>> lost) {
    const std::scoped_lock lock(mutex_);
    counting_.store(chunk == nullptr, std::memory_order_relaxed);
    limit_.store(0, std::memory_order_relaxed);
    lost_ = std::move(lost);
    if (chunk == nullptr) return;
    if (!chunks_.empty()) {
        next_index_ = chunks_.back()->first_index + used_;
        if (used_ == 0) chunks_.pop_back();
    }
    chunk->thread = thread_;
    chunk->first_index = next_index_;
    chunk->published.store(0, std::memory_order_relaxed);
    // Whoever finds the block in use finds the rest.
    chunk->in_use.store(internal::kEventBlock, std::memory_order_release);
    current_ = chunk.get();
    chunks_.push_back(std::move(chunk));
    used_ = 0;
    limit_.store(Chunk::kEvents, std::memory_order_relaxed);
}

std::uint64_t ThreadLog::published() const {
    const std::scoped_lock lock(mutex_);
    if (chunks_.empty()) return next_index_;
    const Chunk& last = *chunks_.back();
    return last.first_index + last.published.load(std::memory_order_acquire);
}

ThreadSlice ThreadLog::slice_since(std::uint64_t begin) const {
    const std::scoped_lock lock(mutex_);
    if (chunks_.empty()) return {thread_, next_index_, next_index_, {}};
    const Chunk& last = *chunks_.back();
    ThreadSlice slice{thread_,
                      std::max(begin, chunks_.front()->first_index),
                      last.first_index + last.published.load(std::memory_order_acquire),
                      {}};
    for (auto chunk = chunks_.begin(); chunk != chunks_.end(); ++chunk) {
        const auto next = std::next(chunk);
        const std::uint64_t end = next == chunks_.end() ? slice.end : (*next)->first_index;
        if ((*chunk)->first_index < slice.end && end > slice.begin) slice.chunks.push_back(*chunk);
    }
    return slice;
}

std::size_t ThreadLog::drop_before(std::uint64_t index) {
    const std::scoped_lock lock(mutex_);
    auto last = chunks_.begin();
    while (last != chunks_.end() && std::next(last) != chunks_.end() &&
           (*std::next(last))->first_index <= index)
        ++last;
    const auto dropped = static_cast<std::size_t>(last - chunks_.begin());
    chunks_.erase(chunks_.begin(), last);
    return dropped;
}

std::size_t ThreadLog::chunk_count() const {
    const std::scoped_lock lock(mutex_);
    return chunks_.size();
}

std::shared_ptr<Chunk> ThreadLog::take_oldest() {
    const std::scoped_lock lock(mutex_);
    auto oldest = std::move(chunks_.front());
    chunks_.pop_front();
    return oldest;
}

std::shared_ptr<Chunk> ThreadLog::take_current() {
    const std::scoped_lock lock(mutex_);
    if (chunks_.size() != 1 || !is_held_alone(chunks_.front())) return nullptr;
    next_index_ = chunks_.front()->first_index + used_;
    auto current = std::move(chunks_.front());
    chunks_.clear();
    current_ = nullptr;
    used_ = 0;
    limit_.store(0, std::memory_order_relaxed);
    return current;
}

std::shared_ptr<const Chunk> ThreadLog::current() const {
    const std::scoped_lock lock(mutex_);
    return chunks_.empty() ? nullptr : chunks_.back();
}

std::uint64_t ThreadLog::first_ticks() const {
    const std::scoped_lock lock(mutex_);
    if (chunks_.empty() || chunks_.front()->published.load(std::memory_order_acquire) == 0)
        return std::numeric_limits<std::uint64_t>::max();
    return chunks_.front()->events.front().time_ticks;
}

EventCounts ThreadLog::counts() const {
    EventCounts counts;
    for (std::size_t i = 0; i < counts_.size(); ++i)
        counts.by_kind[i] = counts_[i].load(std::memory_order_relaxed);
    return counts;
}

}  // namespace tilemeter::record
