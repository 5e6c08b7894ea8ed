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

namespace internal {

/// An event of a thread that has no log yet, a full chunk or a listener. A function of its own, so that callers save
/// registers for its calls only here.
template <typename Fill, typename... Arguments>
[[gnu::noinline, gnu::cold]] void append_rarely(EventKind kind, Fill fill, Arguments... arguments) {
    ThreadLog* log = this_thread_log;
    bool is_heard = false;
    if (log == nullptr) {
        log = log_with_listener();
        is_heard = log != nullptr;
        if (!is_heard) log = make_log();
    }
    if (!log->has_slot() && !log->find_slot(kind)) {
        if (!is_heard) return;
        Event& slot = slot_for_listener();
        fill(slot, nullptr, arguments...);
        return tell_listener(slot);
    }
    fill(log->slot(), log->before_slot(), arguments...);
    if (is_heard) return publish_and_tell(*log);
    log->publish();
}

}  // namespace internal

template <typename Fill, typename... Arguments>
[[gnu::always_inline]] inline void append(EventKind kind, Fill fill, Arguments... arguments) {
    ThreadLog* log = internal::this_thread_log;
    if (log == nullptr || !log->has_slot()) [[unlikely]]
        return internal::append_rarely(kind, fill, arguments...);
    fill(log->slot(), log->before_slot(), arguments...);
    log->publish();
}

}  // namespace tilemeter::record
