// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Logs in the place of a thread's own. A private one: while it is there, what the thread emits goes to it and to no window.
// So a function can be traced without a capture of another thread seeing anything of it.
//
// While any private log is there, recording() is true in all threads; without an open window, the others' events are
// counted and dropped.
//
// Thread safety: of one thread; a shared log is whoever's turn it is.

#pragma once

#include <cstdint>
#include <memory>

#include "capture/events/thread_log.hpp"

namespace tilemeter::record {

class PrivateLog {
public:
    /// Private logs nest in a thread: the innermost gets the events.
    PrivateLog();
    ~PrivateLog();
    PrivateLog(const PrivateLog&) = delete;
    PrivateLog& operator=(const PrivateLog&) = delete;

    /// The number of events so far.
    std::uint64_t size() const {
        const Event* const last = log_.before_slot();
        return before_chunk_ + (last == nullptr ? 0 : static_cast<std::uint64_t>(last - chunk_begin_) + 1);
    }
    /// All events so far.
    ThreadSlice events() const { return log_.slice_since(0); }

    /// True if `log`, the calling thread's, is a private one; it goes on in a chunk of its own then.
    static bool find_room(ThreadLog& log);

private:
    friend class ScopedAroundPrivateLog;

    ThreadLog log_;
    std::uint64_t before_chunk_ = 0;  // events before the current chunk
    const Event* chunk_begin_ = nullptr;
    ThreadLog* outer_log_;
    PrivateLog* const outer_;
};

/// Until the scope ends, what the calling thread emits goes where it went before its innermost private log was there.
/// Does nothing in a thread that has none.
class ScopedAroundPrivateLog {
public:
    ScopedAroundPrivateLog();
    ~ScopedAroundPrivateLog();
    ScopedAroundPrivateLog(const ScopedAroundPrivateLog&) = delete;
    ScopedAroundPrivateLog& operator=(const ScopedAroundPrivateLog&) = delete;

private:
    PrivateLog* const left_;
};

/// Until the scope ends, what the calling thread emits goes nowhere. Costs no other thread anything.
class ScopedDiscarding {
public:
    ScopedDiscarding();
    ~ScopedDiscarding();
    ScopedDiscarding(const ScopedDiscarding&) = delete;
    ScopedDiscarding& operator=(const ScopedDiscarding&) = delete;

private:
    friend class ScopedAroundDiscarding;

    ThreadLog* outer_log_;
    PrivateLog* const outer_;
    const bool was_silent_;
};

/// Until the scope ends, what the calling thread emits goes where it went before that silence, in which it is.
class ScopedAroundDiscarding {
public:
    explicit ScopedAroundDiscarding(ScopedDiscarding& silence);
    ~ScopedAroundDiscarding();
    ScopedAroundDiscarding(const ScopedAroundDiscarding&) = delete;
    ScopedAroundDiscarding& operator=(const ScopedAroundDiscarding&) = delete;

private:
    ScopedDiscarding& silence_;
    ThreadLog* const left_log_;
    PrivateLog* const left_;
};

/// True if the calling thread's events go to a private log, or nowhere.
bool has_private_log();

/// A log that threads take turns in: what they emit becomes one thread's list, in the order of their turns. Windows take it
/// as a thread of its own; it is kept for good.
ThreadLog& make_shared_log();

/// From here on the calling thread's events go to `log`; null: to its own. Gives where they went before, to be handed in
/// again. Only one thread at a time may have a shared log: the caller holds a lock meanwhile.
ThreadLog* exchange_log(ThreadLog* log);

}  // namespace tilemeter::record
