// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/thread_log.hpp"

namespace tilemeter::record {

ThreadLog::ThreadLog(std::uint32_t thread) : thread_(thread) {
    chunks_.push_back(std::make_shared<Chunk>());
    current_ = chunks_.back().get();
}

void ThreadLog::append_chunk() {
    auto next = std::make_shared<Chunk>();
    next->first_index = current_->first_index + Chunk::kEvents;
    const std::scoped_lock lock(mutex_);
    chunks_.push_back(std::move(next));
    current_ = chunks_.back().get();
    used_ = 0;
}

std::uint64_t ThreadLog::published() const {
    const std::scoped_lock lock(mutex_);
    const Chunk& last = *chunks_.back();
    return last.first_index + last.published.load(std::memory_order_acquire);
}

ThreadSlice ThreadLog::slice_since(std::uint64_t begin) const {
    const std::scoped_lock lock(mutex_);
    const Chunk& last = *chunks_.back();
    ThreadSlice slice{thread_, begin, last.first_index + last.published.load(std::memory_order_acquire), {}};
    for (const auto& chunk : chunks_) {
        if (chunk->first_index < slice.end && chunk->first_index + Chunk::kEvents > begin)
            slice.chunks.push_back(chunk);
    }
    return slice;
}

void ThreadLog::drop_full_chunks() {
    const std::scoped_lock lock(mutex_);
    chunks_.erase(chunks_.begin(), chunks_.end() - 1);
}

}  // namespace tilemeter::record
