// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Recording: emitters ask recording() and, if somebody listens, append() an event to their thread's log.
//
//     if (record::recording()) record::append(event);
//
// Off, that is one load and one predictable branch. On, it is the load, a thread-local pointer, 64 bytes
// written and one release store: no lock, no allocation, no text. Built with TILEMETER_RECORDING=OFF,
// recording() is the constant false and everything behind it disappears.
//
// Who wants events opens a window (window.hpp).

#pragma once

#include <atomic>
#include <cstdint>

#include "capture/record/event.hpp"

#ifndef TILEMETER_RECORDING
#define TILEMETER_RECORDING 1
#endif

namespace tilemeter::record {

class ThreadLog;

#if TILEMETER_RECORDING

namespace internal {
extern constinit std::atomic<std::uint32_t> open_windows;
// initial-exec: one load through the thread pointer instead of a call per access. It takes 8 bytes of the
// static thread-local space that libraries loaded late must share; the C library reserves far more than that.
extern constinit thread_local ThreadLog* this_thread_log [[gnu::tls_model("initial-exec")]];
void append_first(const Event& event);
}  // namespace internal

/// Whether any capture is open.
inline bool recording() {
    return internal::open_windows.load(std::memory_order_relaxed) != 0;
}

/// Appends to this thread's log. REQUIRES: recording() was true a moment ago.
inline void append(const Event& event);

#else

constexpr bool recording() {
    return false;
}
inline void append(const Event&) {}

#endif

}  // namespace tilemeter::record

#if TILEMETER_RECORDING
#include "capture/record/recorder-inl.hpp"
#endif
