// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Inline body of recorder.hpp's hot path.

#pragma once

#include "capture/events/thread_log.hpp"

namespace tilemeter::record {

namespace internal {

/// The log of a thread that has a listener, which this_thread_log leaves out: so nobody else pays for asking. Null: it has
/// none.
ThreadLog* log_with_listener();
void tell_listener(const Event& event);

template <typename Fill>
[[gnu::noinline, gnu::cold]] void append_and_tell(ThreadLog& log, EventKind kind, Fill& fill) {
    Event told;
    if (log.has_slot() || log.find_slot(kind)) {
        fill(log.slot(), log.before_slot());
        told = log.slot();
        log.publish();
    } else {
        fill(told, nullptr);
    }
    tell_listener(told);
}

}  // namespace internal

template <typename Fill>
inline void append(EventKind kind, Fill fill) {
    ThreadLog* log = internal::this_thread_log;
    if (log == nullptr) [[unlikely]] {
        log = internal::log_with_listener();
        if (log != nullptr) return internal::append_and_tell(*log, kind, fill);
        log = internal::make_log();
    }
    if (!log->has_slot()) [[unlikely]] {
        if (!log->find_slot(kind)) return;
    }
    fill(log->slot(), log->before_slot());
    log->publish();
}

}  // namespace tilemeter::record
