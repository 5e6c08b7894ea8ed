// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/window.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "capture/record/recorder.hpp"

namespace tilemeter::record {

namespace {

struct Window {
    WindowId id;
    RunMode mode;
    std::uint64_t begin_ticks;
    std::uint64_t wall_clock_ns;
    std::map<const ThreadLog*, std::uint64_t>
        begin;  // running number per thread; threads not listed begin at 0
};

struct State {
    std::mutex mutex;
    std::vector<std::shared_ptr<ThreadLog>> logs;
    std::vector<std::shared_ptr<ThreadLog>> kept_for_good;  // logs of threads that emit while they end
    std::vector<Window> windows;
    std::uint32_t threads_seen = 0;
    std::atomic<std::uint64_t> windows_seen{0};
    std::uint64_t epochs = 0;
    std::atomic<std::uint64_t> shadow_epoch{0};
};

State& state() {
    // Never destroyed: threads may still record while the process ends.
    static auto& the_state = *new State;
    return the_state;
}

bool any_no_dispatch(const std::vector<Window>& windows) {
    for (const Window& window : windows) {
        if (window.mode == RunMode::NO_DISPATCH) return true;
    }
    return false;
}

Trace trace_of(const State& all, const Window& window) {
    Trace trace;
    trace.mode = window.mode;
    trace.begin_ticks = window.begin_ticks;
    trace.wall_clock_ns = window.wall_clock_ns;
    for (const auto& log : all.logs) {
        const auto begin = window.begin.find(log.get());
        ThreadSlice slice = log->slice_since(begin == window.begin.end() ? 0 : begin->second);
        if (slice.begin != slice.end) trace.threads.push_back(std::move(slice));
    }
    const ClockReading now = read_clocks();
    trace.end_ticks = now.ticks;
    trace.conversion = TickConversion(process_start_reading(), now);
    return trace;
}

// Logs of threads that have ended are only in our list; the others are also held by their thread.
void drop_what_nobody_needs(State& all) {
    std::erase_if(all.logs, [](const std::shared_ptr<ThreadLog>& log) { return log.use_count() == 1; });
    for (const auto& log : all.logs)
        log->drop_full_chunks();
}

}  // namespace

#if TILEMETER_RECORDING

namespace internal {

constinit std::atomic<std::uint32_t> open_windows{0};
constinit thread_local ThreadLog* this_thread_log [[gnu::tls_model("initial-exec")]] = nullptr;

namespace {

// Set when the thread's LogOwner is gone: what is destroyed later may still emit. Trivial, so it outlives
// all.
constinit thread_local bool owner_gone = false;

// Keeps the log alive as long as the thread runs, and lets go of it when the thread ends.
struct LogOwner {
    std::shared_ptr<ThreadLog> log;
    ~LogOwner() {
        this_thread_log = nullptr;
        owner_gone = true;
    }
};
thread_local LogOwner owner;

}  // namespace

void append_first(const Event& event) {
    State& all = state();
    {
        const std::scoped_lock lock(all.mutex);
        auto log = std::make_shared<ThreadLog>(all.threads_seen++);
        all.logs.push_back(log);
        this_thread_log = log.get();
        // Without an owner nobody says when this thread is done with its log: it stays for good.
        (owner_gone ? all.kept_for_good.emplace_back() : owner.log) = std::move(log);
    }
    append(event);
}

}  // namespace internal

#endif

namespace {

// What recording() reads. Compiled out, nobody reads it.
void announce_open_windows([[maybe_unused]] const State& all) {
#if TILEMETER_RECORDING
    internal::open_windows.store(static_cast<std::uint32_t>(all.windows.size()), std::memory_order_release);
#endif
}

std::vector<Window>::iterator find(State& all, WindowId id) {
    return std::find_if(all.windows.begin(), all.windows.end(),
                        [id](const Window& window) { return window.id == id; });
}

Trace close(State& all, std::vector<Window>::iterator window) {
    Trace trace = trace_of(all, *window);
    all.windows.erase(window);
    if (!any_no_dispatch(all.windows)) all.shadow_epoch.store(0, std::memory_order_release);
    announce_open_windows(all);
    if (all.windows.empty()) drop_what_nobody_needs(all);
    return trace;
}

}  // namespace

WindowId open_window(RunMode mode) {
    State& all = state();
    const auto wall_clock = std::chrono::system_clock::now().time_since_epoch();
    const std::scoped_lock lock(all.mutex);
    Window window{
        static_cast<WindowId>(all.windows_seen.fetch_add(1, std::memory_order_relaxed) + 1),
        mode,
        now_ticks(),
        static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(wall_clock).count()),
        {}};
    const WindowId id = window.id;
    for (const auto& log : all.logs)
        window.begin.emplace(log.get(), log->published());
    all.windows.push_back(std::move(window));
    if (mode == RunMode::NO_DISPATCH && all.shadow_epoch.load(std::memory_order_relaxed) == 0) {
        all.shadow_epoch.store(++all.epochs, std::memory_order_release);
    }
    announce_open_windows(all);
    return id;
}

std::uint32_t open_window_count() {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    return static_cast<std::uint32_t>(all.windows.size());
}

std::uint64_t windows_opened() {
    return state().windows_seen.load(std::memory_order_relaxed);
}

std::optional<WindowId> innermost_window() {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    if (all.windows.empty()) return std::nullopt;
    return all.windows.back().id;
}

std::optional<Trace> peek_window(WindowId window) {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    const auto found = find(all, window);
    if (found == all.windows.end()) return std::nullopt;
    return trace_of(all, *found);
}

std::optional<Trace> close_window(WindowId window) {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    const auto found = find(all, window);
    if (found == all.windows.end()) return std::nullopt;
    return close(all, found);
}

std::optional<Trace> close_innermost_window() {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    if (all.windows.empty()) return std::nullopt;
    return close(all, all.windows.end() - 1);
}

std::uint64_t shadow_epoch() {
    return state().shadow_epoch.load(std::memory_order_acquire);
}

}  // namespace tilemeter::record
