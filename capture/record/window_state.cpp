// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/window_state.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include "capture/record/recorder.hpp"

namespace tilemeter::record::internal {

State& state() {
    // Never destroyed: threads may still record while the process ends.
    static auto& the_state = *new State;
    return the_state;
}

#if TILEMETER_RECORDING
namespace {

// In `listening`, beside the flags of recorder.hpp.
constexpr std::uint32_t kPrivateLogs = 1U << 19U;

}  // namespace
#endif

bool is_no_dispatch(const WindowOptions& options) {
    return options.mode == RunMode::NO_DISPATCH && wants(options.emitters, EmitterId::kRuntime);
}

bool any_no_dispatch(const State& all) {
    return std::any_of(all.windows.begin(), all.windows.end(),
                       [](const Window& window) { return is_no_dispatch(window.options); });
}

// The last one that recorded into the file is the only one.
const Window* recording_window(const State& all) {
    const auto found = std::find_if(all.windows.begin(), all.windows.end(),
                                    [](const Window& window) { return window.file != nullptr; });
    return found == all.windows.end() ? nullptr : &*found;
}

bool any_in_memory(const State& all) {
    return std::any_of(all.windows.begin(), all.windows.end(),
                       [](const Window& window) { return window.in_memory(); });
}

std::uint64_t first_needed(const State& all, const ThreadLog* log) {
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
    for (const Window& window : all.windows) {
        if (window.in_memory()) first = std::min(first, window.begin_of(log));
    }
    return first;
}

// Logs of threads that have ended are only in our list; the others are also held by their thread.
void release_unneeded_chunks(State& all) {
    for (const auto& log : all.logs)
        log->drop_before(first_needed(all, log.get()));
    if (any_in_memory(all)) return;
    ++all.memory_epoch;
    for (auto log = all.logs.begin(); log != all.logs.end();) {
        // Its counts belong to windows that are still open.
        const bool needed =
            log->use_count() > 1 || (!all.windows.empty() && log->get()->counts().total() > 0);
        log = needed ? std::next(log) : all.logs.erase(log);
    }
}

void announce_open_windows([[maybe_unused]] const State& all) {
#if TILEMETER_RECORDING
    auto flags = static_cast<std::uint32_t>(all.windows.size());
    bool events = false;
    for (const Window& window : all.windows) {
        const Detail detail = window.options.detail;
        events = events || window.wants_events();
        if (detail >= Detail::kArguments) flags |= kWantsArguments;
        if (detail >= Detail::kStacks) flags |= kWantsStacks;
        if (window.wants_events() && window.pages) flags |= kWantsPages;
    }
    if (events && all.stack_traces) flags |= kWantsStacks;
    if (all.private_logs != 0) flags |= kPrivateLogs | kWantsArguments;
    if (all.listeners != 0) flags |= kListeners | kWantsArguments;
    listening.store(flags, std::memory_order_release);
#endif
}

void choose_storage(State& all) {
    Storage storage = Storage::kNowhere;
    if (recording_window(all) != nullptr) {
        storage = Storage::kFile;
    } else if (any_in_memory(all) || all.windows.empty()) {
        storage = Storage::kMemory;
    }
    for (const auto& log : all.logs) {
        if (storage != all.storage || log->is_counting()) log->leave_chunk();
    }
    all.storage = storage;
}

}  // namespace tilemeter::record::internal
