// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/private_log.hpp"

#include <mutex>
#include <utility>

#include "capture/events/internal/chunk_arena.hpp"
#include "capture/record/recorder.hpp"
#include "capture/record/window_state.hpp"

namespace tilemeter::record {

namespace {

constinit thread_local PrivateLog* innermost = nullptr;
constinit thread_local bool is_silent = false;

// A log that counts what it is given and keeps nothing.
ThreadLog& silent_log() {
    // One for all threads, never destroyed: what it counts nobody reads.
    static ThreadLog& log = []() -> ThreadLog& {
        auto& made = *new ThreadLog(0);
        made.continue_in(nullptr);
        return made;
    }();
    return log;
}

ThreadLog*& this_threads_log() {
#if TILEMETER_RECORDING
    return internal::this_thread_log;
#else
    static constinit thread_local ThreadLog* nobody_emits = nullptr;
    return nobody_emits;
#endif
}

void count_private_logs(int change) {
    internal::State& all = internal::state();
    const std::scoped_lock lock(all.mutex);
    all.private_logs += change;
    internal::announce_open_windows(all);
}

}  // namespace

PrivateLog::PrivateLog() : log_(0), outer_log_(this_threads_log()), outer_(innermost) {
    count_private_logs(1);
    this_threads_log() = &log_;
    innermost = this;
}

PrivateLog::~PrivateLog() {
    innermost = outer_;
    this_threads_log() = outer_log_;
    count_private_logs(-1);
}

ScopedAroundPrivateLog::ScopedAroundPrivateLog() : left_(innermost) {
    if (left_ == nullptr) return;
    innermost = left_->outer_;
    this_threads_log() = left_->outer_log_;
}

ScopedAroundPrivateLog::~ScopedAroundPrivateLog() {
    if (left_ == nullptr) return;
    left_->outer_log_ = this_threads_log();  // the thread may have got its first one meanwhile
    this_threads_log() = &left_->log_;
    innermost = left_;
}

ScopedDiscarding::ScopedDiscarding()
    : outer_log_(std::exchange(this_threads_log(), &silent_log())),
      outer_(std::exchange(innermost, nullptr)),
      was_silent_(std::exchange(is_silent, true)) {}

ScopedDiscarding::~ScopedDiscarding() {
    this_threads_log() = outer_log_;
    innermost = outer_;
    is_silent = was_silent_;
}

ScopedAroundDiscarding::ScopedAroundDiscarding(ScopedDiscarding& silence)
    : silence_(silence),
      left_log_(std::exchange(this_threads_log(), silence.outer_log_)),
      left_(std::exchange(innermost, silence.outer_)) {
    is_silent = silence.was_silent_;
}

ScopedAroundDiscarding::~ScopedAroundDiscarding() {
    silence_.outer_log_ = this_threads_log();  // the thread may have got its first one meanwhile
    this_threads_log() = left_log_;
    innermost = left_;
    is_silent = true;
}

bool has_private_log() {
    return innermost != nullptr || is_silent;
}

ThreadLog& make_shared_log() {
    internal::State& all = internal::state();
    const std::scoped_lock lock(all.mutex);
    auto log = std::make_shared<ThreadLog>(all.threads_seen++);
    all.logs.push_back(log);
    return *all.kept_for_good.emplace_back(std::move(log));
}

ThreadLog* exchange_log(ThreadLog* log) {
    return std::exchange(this_threads_log(), log);
}

bool PrivateLog::find_room(ThreadLog& log) {
    if (innermost == nullptr || &innermost->log_ != &log) return false;
    PrivateLog& own = *innermost;
    own.before_chunk_ = log.published();
    log.continue_in(log.arena().take(0));  // where the process keeps the memory of logs before it
    own.chunk_begin_ = &log.slot();
    return true;
}

}  // namespace tilemeter::record
