// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

#include "capture/events/internal/chunk_arena.hpp"
#include "capture/events/internal/room.hpp"
#include "capture/record/internal/signal_stack.hpp"
#include "capture/record/private_log.hpp"
#include "capture/record/window_state.hpp"

namespace tilemeter::record::internal {

namespace {

/// The window in memory with the highest limit; none if one has no limit.
const Window* limiting_window(const State& all) {
    const Window* most = nullptr;
    for (const Window& window : all.windows) {
        if (!window.in_memory()) continue;
        if (window.options.max_bytes == 0) return nullptr;
        if (most == nullptr || window.options.max_bytes > most->options.max_bytes) most = &window;
    }
    return most;
}

/// A log that can give a chunk away, that with the oldest; null if there is none.
ThreadLog* log_with_oldest_chunk(const State& all) {
    ThreadLog* oldest = nullptr;
    std::uint64_t oldest_ticks = std::numeric_limits<std::uint64_t>::max();
    for (const auto& log : all.logs) {
        if (log->chunk_count() < 2) continue;
        const std::uint64_t ticks = log->first_ticks();
        if (oldest == nullptr || ticks < oldest_ticks) {
            oldest = log.get();
            oldest_ticks = ticks;
        }
    }
    return oldest;
}

/// True if limits allow another chunk in memory. `recycled` becomes one that gave way for it, if nobody looks at it any
/// more: a ring that is full takes no memory, and stays in the cache if it is small.
bool make_way(const State& all, std::shared_ptr<Chunk>& recycled) {
    const Window* const limit = limiting_window(all);
    if (limit == nullptr) return true;
    const std::size_t most = std::max<std::size_t>(limit->options.max_bytes / sizeof(Chunk), 1);
    std::size_t held = 0;
    for (const auto& log : all.logs)
        held += log->chunk_count();
    if (held >= most && limit->options.when_full == FullPolicy::kDropNewest) return false;
    for (; held >= most; --held) {
        ThreadLog* const oldest = log_with_oldest_chunk(all);
        if (oldest == nullptr) break;
        auto chunk = oldest->take_oldest();
        if (is_held_alone(chunk)) recycled = std::move(chunk);
    }
    return true;
}

void make_room_in_windows(ThreadLog& log) {
    State& all = state();
    std::shared_ptr<Chunk> spare;  // taken without the lock: the kernel may have to clear its memory
    for (;;) {
        std::uint64_t epoch = 0;
        {
            const std::scoped_lock lock(all.mutex);
            std::shared_ptr<Chunk> chunk;
            std::shared_ptr<std::atomic<std::uint64_t>> lost;
            const bool in_memory = any_in_memory(all);
            if (const Window* recording = recording_window(all)) {
                ensure_signal_stack();
                chunk = recording->file->new_chunk(in_memory ? nullptr : log.take_current());
                if (!chunk) lost = recording->file->lost_events();
            }
            const bool wanted = !chunk && in_memory && make_way(all, chunk);
            if (wanted && !chunk) chunk = std::move(spare);
            if (chunk || !wanted) {
                log.continue_in(std::move(chunk), std::move(lost));
                log.drop_before(first_needed(all, &log));
                if (!in_memory) log.arena().let_go();
                return;
            }
            epoch = all.memory_epoch;
        }
        spare = log.arena().take(epoch);
    }
}

}  // namespace

void make_room(ThreadLog& log) {
    if (PrivateLog::find_room(log)) return;
    try {
        make_room_in_windows(log);
    } catch (const std::bad_alloc&) {
        // Whoever emits has nothing to do with it. Asking the kernel again for each event would take a millisecond of each
        // operation: events are counted until a window opens or closes.
        log.continue_in(nullptr);
    }
}

}  // namespace tilemeter::record::internal
