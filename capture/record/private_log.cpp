// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/private_log.hpp"

#include <mutex>

#include "capture/record/recorder.hpp"
#include "capture/record/window_state.hpp"

namespace tilemeter::record {

namespace {

constinit thread_local const PrivateLog* innermost = nullptr;

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

bool has_private_log() {
    return innermost != nullptr;
}

bool is_private(const ThreadLog& log) {
    return innermost != nullptr && &innermost->log_ == &log;
}

}  // namespace tilemeter::record
