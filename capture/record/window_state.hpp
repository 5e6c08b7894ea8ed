// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The open windows and the logs of all threads: what the parts of window.hpp's functions share.
//
// Thread safety: a State's fields and all that takes one need its mutex, if not said otherwise.

#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "capture/events/recording_file.hpp"
#include "capture/record/window.hpp"

namespace tilemeter::record::internal {

struct Window {
    WindowId id;
    WindowOptions options;
    bool pages;  // wanted at any time since it opened
    std::uint64_t begin_ticks;
    std::uint64_t wall_clock_ns;
    std::shared_ptr<internal::RecordingFile> file;

    struct Begin {
        std::uint64_t number = 0;  // of the thread's first event
        EventCounts counts;
    };
    std::map<const ThreadLog*, Begin> begin;  // threads not listed begin at 0

    std::uint64_t begin_of(const ThreadLog* log) const {
        const auto found = begin.find(log);
        return found == begin.end() ? 0 : found->second.number;
    }
    bool wants_events() const { return options.detail != Detail::kCounters; }
    bool in_memory() const { return wants_events() && file == nullptr; }
};

// The store of threads' events.
enum class Storage : std::uint8_t { kNowhere, kMemory, kFile };

struct State {
    std::mutex mutex;
    std::vector<std::shared_ptr<ThreadLog>> logs;
    std::vector<std::shared_ptr<ThreadLog>> kept_for_good;  // logs of threads that emit while they end
    std::vector<Window> windows;
    Storage storage = Storage::kMemory;
    std::uint64_t memory_epoch = 0;  // moves when no window needs memory any more
    bool stack_traces = false;
    FrameOrder frame_order = FrameOrder::kInnermostFirst;
    bool buffer_pages = false;
    std::uint32_t threads_seen = 0;
    int private_logs = 0;  // of all threads (private_log.hpp)
    int listeners = 0;     // of all threads (listener.hpp)
    std::atomic<std::uint64_t> windows_seen{0};
    std::uint64_t epochs = 0;
    std::atomic<std::uint64_t> shadow_epoch{0};
};

/// The state of the process.
State& state();

/// True if a window of `options` says NO_DISPATCH to this library's runtime.
bool is_no_dispatch(const WindowOptions& options);

/// True if any window does.
bool any_no_dispatch(const State& all);

/// The window that records into a file; null if there is none.
const Window* recording_window(const State& all);

bool any_in_memory(const State& all);

/// The first event of `log` that a window in memory holds.
std::uint64_t first_needed(const State& all, const ThreadLog* log);

/// Lets go of events that belong to no open window, and of logs of threads that have ended.
void release_unneeded_chunks(State& all);

/// Says what recording() and its kin are to answer. Compiled out, nobody reads it.
void announce_open_windows(const State& all);

/// Chooses the store of events from now on. Threads that keep theirs elsewhere move with their next event.
void choose_storage(State& all);

}  // namespace tilemeter::record::internal
