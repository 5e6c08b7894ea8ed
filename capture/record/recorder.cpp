// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/recorder.hpp"

#include <memory>
#include <mutex>
#include <utility>

#include "capture/events/thread_log.hpp"
#include "capture/record/listener.hpp"
#include "capture/record/private_log.hpp"
#include "capture/record/window_state.hpp"

#if TILEMETER_RECORDING

namespace tilemeter::record::internal {

constinit std::atomic<std::uint32_t> listening{0};
constinit thread_local ThreadLog* this_thread_log [[gnu::tls_model("initial-exec")]] = nullptr;

namespace {

// Set when the thread's LogOwner is gone: what is destroyed later may still emit. Trivial, so it outlives
// all.
constinit thread_local bool owner_gone = false;

// Keeps the log alive as long as the thread runs, and lets go of it when the thread ends.
struct LogOwner {
    std::shared_ptr<ThreadLog> log;
    ~LogOwner() {
        forget_listener();
        this_thread_log = nullptr;
        owner_gone = true;
    }
};
thread_local LogOwner owner;

}  // namespace

ThreadLog* make_log() {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    // Threads may come and go in any number while a file takes their events.
    if (!any_in_memory(all)) release_unneeded_chunks(all);
    auto log = std::make_shared<ThreadLog>(all.threads_seen++);
    all.logs.push_back(log);
    this_thread_log = log.get();
    // Without an owner nobody says when this thread is done with its log: it stays for good.
    (owner_gone ? all.kept_for_good.emplace_back() : owner.log) = std::move(log);
    return this_thread_log;
}

}  // namespace tilemeter::record::internal

#endif

namespace tilemeter::record {

std::uint32_t this_threads_number() {
#if TILEMETER_RECORDING
    const ScopedAroundPrivateLog around;
    const ThreadLog* log = internal::this_thread_log;
    if (log == nullptr) log = internal::log_with_listener();
    return (log != nullptr ? log : internal::make_log())->thread();
#else
    return 0;
#endif
}

}  // namespace tilemeter::record
