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
/// Publishes the slot that has been filled, and tells the listener of it.
void publish_and_tell(ThreadLog& log);
/// For an event of such a thread that its log has no room for; the listener is told of it all the same.
Event& slot_for_listener();
void tell_listener(const Event& event);

}  // namespace internal

template <typename Fill>
inline void append(EventKind kind, Fill fill) {
    ThreadLog* log = internal::this_thread_log;
    bool is_heard = false;
    if (log == nullptr) [[unlikely]] {
        log = internal::log_with_listener();
        is_heard = log != nullptr;
        if (!is_heard) log = internal::make_log();
    }
    if (!log->has_slot()) [[unlikely]] {
        if (!log->find_slot(kind)) {
            if (is_heard) {
                Event& slot = internal::slot_for_listener();
                fill(slot, nullptr);
                internal::tell_listener(slot);
            }
            return;
        }
    }
    fill(log->slot(), log->before_slot());
    if (is_heard) [[unlikely]]
        return internal::publish_and_tell(*log);
    log->publish();
}

}  // namespace tilemeter::record
