// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/internal/computing_thread.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include <unistd.h>

namespace tilemeter {

namespace {

// The state that caller and computing thread share; it lives until both have let go of it.
struct Handover {
    std::mutex mutex;
    std::condition_variable changed;
    std::function<void()> work;  // empty: none waits to be begun
    bool is_done = false;
    bool is_left = false;  // nobody brings work any more
};

void serve(const std::shared_ptr<Handover>& handover) {
    std::unique_lock lock(handover->mutex);
    while (true) {
        handover->changed.wait(lock, [&] { return handover->work || handover->is_left; });
        if (!handover->work) return;
        std::function<void()> work = std::exchange(handover->work, nullptr);
        lock.unlock();
        work();
        work = nullptr;  // its objects go before the caller hears of it
        lock.lock();
        handover->is_done = true;
        handover->changed.notify_all();
    }
}

// The calling thread's end. Teams of threads that a library keeps per caller stay warm in the other one.
class ComputingThread {
public:
    ComputingThread() : handover_(std::make_shared<Handover>()) {
        std::thread([handover = handover_] { serve(handover); }).detach();
    }
    ~ComputingThread() {
        if (!is_usable()) {
            // The object of a process that was forked: whoever holds its mutex is not here.
            new std::shared_ptr<Handover>(std::move(handover_));  // NOLINT: kept for ever
            return;
        }
        const std::lock_guard lock(handover_->mutex);
        handover_->is_left = true;
        handover_->changed.notify_all();
    }
    ComputingThread(const ComputingThread&) = delete;
    ComputingThread& operator=(const ComputingThread&) = delete;

    // A forked process has the object without the thread.
    bool is_usable() const { return process_ == getpid(); }

    void begin(std::function<void()> work) {
        const std::lock_guard lock(handover_->mutex);
        handover_->work = std::move(work);
        handover_->is_done = false;
        handover_->changed.notify_all();
    }
    bool wait(std::chrono::nanoseconds interval) {
        std::unique_lock lock(handover_->mutex);
        return handover_->changed.wait_for(lock, interval, [&] { return handover_->is_done; });
    }

private:
    std::shared_ptr<Handover> handover_;
    pid_t process_ = getpid();
};

}  // namespace

bool run_in_computing_thread(std::function<void()> work, std::chrono::nanoseconds interval,
                             const std::function<bool()>& keeps_waiting) {
    thread_local std::unique_ptr<ComputingThread> kept;
    // Taken out while in use: work that is left takes its thread with it.
    std::unique_ptr<ComputingThread> thread = std::move(kept);
    if (!thread || !thread->is_usable()) thread = std::make_unique<ComputingThread>();
    thread->begin(std::move(work));
    while (!thread->wait(interval))
        if (!keeps_waiting()) return false;
    kept = std::move(thread);
    return true;
}

}  // namespace tilemeter
