// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/window.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <utility>

#include "capture/events/recording_error.hpp"
#include "capture/record/internal/crash_handler.hpp"
#include "capture/record/internal/signal_stack.hpp"
#include "capture/record/modules.hpp"
#include "capture/record/open_file.hpp"
#include "capture/record/window_opened.hpp"
#include "capture/record/window_recording.hpp"
#include "capture/record/window_state.hpp"

namespace tilemeter::record {

using internal::any_no_dispatch;
using internal::recording_of;
using internal::State;
using internal::state;
using internal::Window;

namespace {

std::vector<Window>::iterator find(State& all, WindowId id) {
    return std::find_if(all.windows.begin(), all.windows.end(),
                        [id](const Window& window) { return window.id == id; });
}

Recording close(State& all, std::vector<Window>::iterator window) {
    const auto file = window->file;
    if (file != nullptr) {
        // Threads that are about to write into the file do so before, or elsewhere.
        internal::unwatch_crashes();
        internal::use_file_for_definitions(nullptr);
        file->end(now_ticks());
    }
    Recording recording;
    std::exception_ptr failure;
    try {
        recording = recording_of(all, *window);
    } catch (const RecordingError&) {
        failure = std::current_exception();  // the window closes all the same; its file holds what it saw
    }
    all.windows.erase(window);
    if (!any_no_dispatch(all)) all.shadow_epoch.store(0, std::memory_order_release);
    internal::announce_open_windows(all);
    internal::choose_storage(all);
    internal::release_unneeded_chunks(all);
    if (failure) std::rethrow_exception(failure);
    return recording;
}

}  // namespace

WindowId open_window(RunMode mode) {
    WindowOptions options;
    options.mode = mode;
    return open_window(options);
}

namespace {

constinit std::atomic<void (*)()> window_opened{nullptr};

WindowId open(State& all, const WindowOptions& options) {
    const std::uint64_t wall_clock_ns =
        static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                       std::chrono::system_clock::now().time_since_epoch())
                                       .count());
    const std::scoped_lock lock(all.mutex);
    const bool pages = options.detail >= Detail::kPages || all.buffer_pages;
    Window window{{}, options, pages, now_ticks(), wall_clock_ns, nullptr, {}};
    if (!options.recording.empty()) {
        if (const Window* other = internal::recording_window(all))
            throw RecordingError(options.recording.string() + ": a capture records into a file already, " +
                                 other->file->path().string() + "; only one at a time may");
        window.file = internal::make_file(options, wall_clock_ns, window.begin_ticks, pages);
        note_loaded_modules();  // a process that dies cannot say any more where its functions lay
        internal::use_file_for_definitions(window.file);
        internal::write_all_definitions();
    }
    const auto id = static_cast<WindowId>(all.windows_seen.fetch_add(1, std::memory_order_relaxed) + 1);
    window.id = id;
    for (const auto& log : all.logs)
        window.begin.emplace(log.get(), Window::Begin{log->published(), log->counts()});
    all.windows.push_back(std::move(window));
    if (internal::is_no_dispatch(options) && all.shadow_epoch.load(std::memory_order_relaxed) == 0) {
        all.shadow_epoch.store(++all.epochs, std::memory_order_release);
    }
    internal::choose_storage(all);
    internal::announce_open_windows(all);
    if (all.windows.back().file != nullptr) {
        internal::ensure_signal_stack();
        internal::watch_crashes(all.windows.back().file->crash_area());
    }
    return id;
}

}  // namespace

WindowId open_window(const WindowOptions& options) {
    State& all = state();
    const WindowId id = open(all, options);
    void (*const opened)() = window_opened.load(std::memory_order_relaxed);
    const bool keeps = options.detail != Detail::kCounters && wants(options.emitters, EmitterId::kRuntime);
    if (opened != nullptr && keeps) opened();
    return id;
}

void call_when_window_opens(void (*function)()) {
    window_opened.store(function, std::memory_order_relaxed);
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

std::optional<Recording> peek_window(WindowId window) {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    const auto found = find(all, window);
    if (found == all.windows.end()) return std::nullopt;
    return recording_of(all, *found);
}

std::optional<Recording> close_window(WindowId window) {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    const auto found = find(all, window);
    if (found == all.windows.end()) return std::nullopt;
    return close(all, found);
}

std::optional<Recording> close_innermost_window() {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    if (all.windows.empty()) return std::nullopt;
    return close(all, all.windows.end() - 1);
}

std::uint64_t shadow_epoch() {
    return state().shadow_epoch.load(std::memory_order_acquire);
}

std::uint64_t new_shadow_epoch() {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    return ++all.epochs;
}

std::string_view name_of(Detail detail) {
    constexpr std::array<std::string_view, 5> kNames = {"counters", "events", "arguments", "stacks", "pages"};
    const auto index = static_cast<std::size_t>(detail);
    return index < kNames.size() ? kNames[index] : "unknown";
}

void set_stack_traces(bool enabled, FrameOrder order) {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    all.stack_traces = enabled;
    if (enabled) all.frame_order = order;
    internal::announce_open_windows(all);
}

bool stack_traces_enabled() {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    return all.stack_traces;
}

void set_buffer_pages(bool enabled) {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    all.buffer_pages = enabled;
    for (Window& window : all.windows)
        window.pages = window.pages || enabled;
    internal::announce_open_windows(all);
}

bool buffer_pages_enabled() {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    return all.buffer_pages;
}

}  // namespace tilemeter::record
