// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/listener.hpp"

#include <mutex>
#include <utility>

#include "capture/events/thread_log.hpp"
#include "capture/record/emit.hpp"
#include "capture/record/private_log.hpp"
#include "capture/record/window_state.hpp"

namespace tilemeter::record {

#if TILEMETER_RECORDING

namespace {

/// What a thread with a listener has.
struct Hearing {
    EventListener* listener = nullptr;
    ThreadLog* log = nullptr;
    ShownValue shown_next;
    Event slot;  // for an event that the log has no room for
};

// One pointer: threads have little room for what is loaded late.
constinit thread_local Hearing* hearing = nullptr;

/// `event` is the caller's: the listener may go meanwhile, and what it had with it.
void tell(const Event& event) {
    const ShownValue shown = std::exchange(hearing->shown_next, {});
    hearing->listener->on_event(event, shown);
}

void count_listeners(int change) {
    internal::State& all = internal::state();
    const std::scoped_lock lock(all.mutex);
    all.listeners += change;
    internal::announce_open_windows(all);
}

}  // namespace

void set_listener(EventListener* listener) {
    // A traced function's calls go to its own log: the thread's is behind it.
    const ScopedAroundPrivateLog around;
    if (listener == nullptr) {
        if (hearing == nullptr) return;
        internal::this_thread_log = hearing->log;
        delete std::exchange(hearing, nullptr);
        count_listeners(-1);
    } else if (hearing != nullptr) {
        hearing->listener = listener;
        hearing->shown_next = {};
    } else {
        if (internal::this_thread_log == nullptr) internal::make_log();
        hearing = new Hearing{.listener = listener,
                              .log = std::exchange(internal::this_thread_log, nullptr),
                              .shown_next = {},
                              .slot = {}};
        count_listeners(1);
    }
}

ScopedSilence::ScopedSilence() : silenced_(hearing == nullptr ? nullptr : hearing->listener) {
    set_listener(nullptr);
}

ScopedSilence::~ScopedSilence() {
    if (silenced_ != nullptr) set_listener(silenced_);
}

namespace internal {

ThreadLog* log_with_listener() {
    return hearing == nullptr ? nullptr : hearing->log;
}

void tell_listener(const Event& event) {
    const Event told = event;
    tell(told);
}

void publish_and_tell(ThreadLog& log) {
    const Event told = log.slot();  // the log's is a reader's as soon as it is published
    log.publish();
    tell(told);
}

Event& slot_for_listener() {
    return hearing->slot;
}

void show(const void* value, const std::type_info& type) {
    if (hearing != nullptr && this_thread_log == nullptr) hearing->shown_next = {value, &type};
}

void function_begun() {
    if (hearing == nullptr || this_thread_log != nullptr) return;
    try {
        hearing->listener->on_function_begun();
    } catch (...) {
        const ScopedSilence silence;
        emit_function_aborted(TextId::kNone);
        throw;
    }
}

void forget_listener() {
    if (hearing == nullptr) return;
    delete std::exchange(hearing, nullptr);
    count_listeners(-1);
}

}  // namespace internal

#else

void set_listener(EventListener* /*listener*/) {}
ScopedSilence::ScopedSilence() : silenced_(nullptr) {}
ScopedSilence::~ScopedSilence() = default;
void internal::show(const void* /*value*/, const std::type_info& /*type*/) {}
void internal::function_begun() {}
void internal::forget_listener() {}

#endif

}  // namespace tilemeter::record
