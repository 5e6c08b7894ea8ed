// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Recording: emitters ask recording() and, if somebody listens, append() an event to their thread's log.
//
//     if (record::recording()) {
//         record::append(EventKind::kFunctionEnd, [](Event& slot, const Event* before) { slot = ...; });
//     }
//
// Off, that is one load and one predictable branch. On, it is the load, a thread-local pointer, 64 bytes
// written where they stay and one release store: no lock, no allocation, no text. Built with
// TILEMETER_RECORDING=OFF, recording() is the constant false and everything behind it disappears.
//
// A listener to events opens a window (window.hpp).

#pragma once

#include <atomic>
#include <cstdint>

#include "capture/events/event.hpp"

#ifndef TILEMETER_RECORDING
#define TILEMETER_RECORDING 1
#endif

namespace tilemeter::record {

class ThreadLog;

#if TILEMETER_RECORDING

namespace internal {
// The listeners and their wishes: one load tells all.
//   bits 0..15: number of open windows; above them, what any of these windows wants beyond plain events.
inline constexpr std::uint32_t kWindows = 0xffffU;
inline constexpr std::uint32_t kWantsArguments = 1U << 16;
inline constexpr std::uint32_t kWantsStacks = 1U << 17;
inline constexpr std::uint32_t kWantsPages = 1U << 18;
inline constexpr std::uint32_t kListeners = 1U << 20;  // of any thread (listener.hpp)
extern constinit std::atomic<std::uint32_t> listening;
// initial-exec: one load through the thread pointer instead of a call per access. It takes 8 bytes of the
// static thread-local space that libraries loaded late must share; the C library reserves far more than that.
extern constinit thread_local ThreadLog* this_thread_log [[gnu::tls_model("initial-exec")]];
ThreadLog* make_log();
}  // namespace internal

/// True if any capture is open.
inline bool recording() {
    return internal::listening.load(std::memory_order_relaxed) != 0;
}

/// True if an open capture wants the arguments of functions.
inline bool recording_arguments() {
    return (internal::listening.load(std::memory_order_relaxed) & internal::kWantsArguments) != 0;
}

/// True if an open capture wants the places that functions are called from.
inline bool recording_stacks() {
    return (internal::listening.load(std::memory_order_relaxed) & internal::kWantsStacks) != 0;
}

/// True if an open capture wants the place of each page of a buffer.
inline bool recording_pages() {
    return (internal::listening.load(std::memory_order_relaxed) & internal::kWantsPages) != 0;
}

/// True if any thread has a listener (listener.hpp).
inline bool recording_for_listeners() {
    return (internal::listening.load(std::memory_order_relaxed) & internal::kListeners) != 0;
}

/// Appends to this thread's log what `fill(slot, before, arguments...)` writes, or counts it. The slot holds anything
/// before, so all of it is to be written, and `kind` is to be its kind. `before`: the thread's event before
/// it, or null where the slot is the first of a chunk. `arguments` stay in registers where a big `fill` would
/// not. REQUIRES: recording() was true a moment ago.
template <typename Fill, typename... Arguments>
void append(EventKind kind, Fill fill, Arguments... arguments);

#else

constexpr bool recording() {
    return false;
}
constexpr bool recording_arguments() {
    return false;
}
constexpr bool recording_stacks() {
    return false;
}
constexpr bool recording_pages() {
    return false;
}
constexpr bool recording_for_listeners() {
    return false;
}
template <typename Fill, typename... Arguments>
void append(EventKind, Fill, Arguments...) {}

#endif

}  // namespace tilemeter::record

#if TILEMETER_RECORDING
#include "capture/record/recorder-inl.hpp"
#endif
