// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A listener to what the calling thread emits: it is told of each event when it has been recorded, while the emitter waits.
// It may throw, and emit itself.
//
// While any thread has one, recording() is true in all threads. An event without listeners costs what it did: a thread with
// a listener has no log where the others have theirs, and takes the way of a thread that emits for the first time.
//
// Thread safety: of one thread.

#pragma once

#include <typeinfo>

#include "capture/events/event.hpp"
#include "capture/record/recorder.hpp"

namespace tilemeter::record {

/// The value that an event stands for, where its emitter shows it: an argument, an output, a program.
struct ShownValue {
    const void* value = nullptr;
    const std::type_info* type = nullptr;

    /// Null for another type.
    template <typename T>
    const T* as() const {
        return type != nullptr && *type == typeid(T) ? static_cast<const T*>(value) : nullptr;
    }
};

class EventListener {
public:
    virtual ~EventListener() = default;

    /// `shown`: its value is there during the call.
    virtual void on_event(const Event& event, const ShownValue& shown) = 0;

    /// The function that has begun last has told all its arguments and inputs. Not told by those that have none.
    virtual void on_function_begun() = 0;
};

/// The calling thread's listener from now on; null: none.
void set_listener(EventListener* listener);

/// While it is there, the thread's listener hears nothing.
class ScopedSilence {
public:
    ScopedSilence();
    ~ScopedSilence();
    ScopedSilence(const ScopedSilence&) = delete;
    ScopedSilence& operator=(const ScopedSilence&) = delete;

private:
    EventListener* const silenced_;
};

namespace internal {

void show(const void* value, const std::type_info& type);
void function_begun();
/// The thread's log goes.
void forget_listener();

}  // namespace internal

/// Shows a listener what the thread's next event stands for.
template <typename T>
void show_next(const T& value) {
    if (recording_for_listeners()) [[unlikely]]
        internal::show(&value, typeid(T));
}

/// For who has emitted a function's begin with its arguments and inputs. Where the listener throws, the function has been
/// ended as aborted.
inline void emit_function_begun() {
    if (recording_for_listeners()) [[unlikely]]
        internal::function_begun();
}

}  // namespace tilemeter::record
