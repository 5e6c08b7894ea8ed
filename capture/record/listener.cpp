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

constinit thread_local EventListener* this_threads_listener = nullptr;
constinit thread_local ThreadLog* its_log = nullptr;  // of a thread that has a listener
constinit thread_local ShownValue shown_next;

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
    EventListener* const before = std::exchange(this_threads_listener, listener);
    shown_next = {};
    if ((before == nullptr) == (listener == nullptr)) return;
    if (listener != nullptr) {
        if (internal::this_thread_log == nullptr) internal::make_log();
        its_log = std::exchange(internal::this_thread_log, nullptr);
        count_listeners(1);
    } else {
        internal::this_thread_log = std::exchange(its_log, nullptr);
        count_listeners(-1);
    }
}

ScopedSilence::ScopedSilence() : silenced_(this_threads_listener) {
    set_listener(nullptr);
}

ScopedSilence::~ScopedSilence() {
    if (silenced_ != nullptr) set_listener(silenced_);
}

namespace internal {

ThreadLog* log_with_listener() {
    return its_log;
}

void tell_listener(const Event& event) {
    const ShownValue shown = std::exchange(shown_next, {});
    this_threads_listener->on_event(event, shown);
}

void publish_and_tell(ThreadLog& log) {
    const Event told = log.slot();  // the log's is a reader's as soon as it is published
    log.publish();
    tell_listener(told);
}

Event& slot_for_listener() {
    thread_local Event slot;
    return slot;
}

void show(const void* value, const std::type_info& type) {
    if (its_log != nullptr && this_thread_log == nullptr) shown_next = {value, &type};
}

void function_begun() {
    if (its_log == nullptr || this_thread_log != nullptr) return;
    try {
        this_threads_listener->on_function_begun();
    } catch (...) {
        const ScopedSilence silence;
        emit_function_aborted(TextId::kNone);
        throw;
    }
}

void forget_listener() {
    if (std::exchange(its_log, nullptr) != nullptr) count_listeners(-1);
    this_threads_listener = nullptr;
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
