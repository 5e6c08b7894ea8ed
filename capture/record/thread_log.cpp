// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/thread_log.hpp"

#include <limits>
#include <utility>

#include "capture/record/internal/recording_blocks.hpp"
#include "capture/record/internal/room.hpp"

namespace tilemeter::record {

void ThreadLog::append_elsewhere(const Event& event) {
    if (!counting_.load(std::memory_order_relaxed)) {
        internal::make_room(*this);
        if (!counting_.load(std::memory_order_relaxed)) return append(event);
    }
    count(event);
}

void ThreadLog::count(const Event& event) {
    const auto kind = static_cast<std::size_t>(event.kind);
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

std::uint64_t ThreadLog::end_of_first_chunk() const {
    const std::scoped_lock lock(mutex_);
    return chunks_.size() < 2 ? next_index_ : chunks_[1]->first_index;
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
