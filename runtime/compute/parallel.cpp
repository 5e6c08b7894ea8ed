// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <sched.h>
#include <unistd.h>

namespace tilemeter::compute {

namespace {

std::size_t cpus_of_process() {
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    if (sched_getaffinity(0, sizeof cpus, &cpus) == 0)
        return static_cast<std::size_t>(std::max(CPU_COUNT(&cpus), 1));
    return std::max<std::size_t>(std::thread::hardware_concurrency(), 1);
}

std::size_t limit_of_environment() {
    const char* const text = std::getenv("TILEMETER_THREADS");
    if (text == nullptr) return 0;
    std::size_t number = 0;
    const char* const end = text + std::strlen(text);
    const auto [rest, error] = std::from_chars(text, end, number);
    return error == std::errc() && rest == end ? number : 0;
}

void pause() {
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
}

// What the threads of one call share. A thread that comes late, when the call is over, finds it closed.
class Team {
public:
    Team(std::size_t count, const std::function<void(std::size_t)>& part) : count_(count), part_(part) {}

    void help() {
        {
            const std::lock_guard lock(mutex_);
            if (is_closed_) return;
            ++inside_;
        }
        work();
        const std::lock_guard lock(mutex_);
        if (--inside_ == 0) left_.notify_all();
    }

    void lead() {
        work();
        {
            const std::lock_guard lock(mutex_);
            is_closed_ = true;
        }
        // The others are about to end their last parts: to sleep and be woken would take longer, mostly.
        constexpr int kPauses = 300;  // some ten microseconds
        for (int i = 0; i < kPauses && inside_ != 0; ++i)
            pause();
        std::unique_lock lock(mutex_);
        left_.wait(lock, [&] { return inside_ == 0; });
        if (error_) std::rethrow_exception(error_);
    }

private:
    void work() {
        try {
            for (std::size_t i = next_++; i < count_; i = next_++)
                part_(i);
        } catch (...) {
            next_ = count_;
            const std::lock_guard lock(mutex_);
            if (!error_) error_ = std::current_exception();
        }
    }

    const std::size_t count_;
    const std::function<void(std::size_t)>& part_;  // alive until the call is over
    std::atomic<std::size_t> next_{0};
    std::mutex mutex_;
    std::condition_variable left_;
    std::atomic<std::size_t> inside_{0};  // changes under the mutex
    bool is_closed_ = false;
    std::exception_ptr error_;
};

// A forked process has the object without its threads, and begins others.
boost::asio::thread_pool& threads() {
    struct Pool {
        const pid_t process = getpid();
        boost::asio::thread_pool threads{thread_limit() - 1};
    };
    static std::atomic<Pool*> current{nullptr};  // never destroyed: tensors may be computed until the end
    Pool* pool = current.load(std::memory_order_acquire);
    while (pool == nullptr || pool->process != getpid()) {
        auto made = std::make_unique<Pool>();
        if (current.compare_exchange_strong(pool, made.get(), std::memory_order_acq_rel))
            return made.release()->threads;
    }
    return pool->threads;
}

}  // namespace

std::size_t thread_limit() {
    static const std::size_t kLimit = [] {
        const std::size_t given = limit_of_environment();
        return given > 0 ? given : cpus_of_process();
    }();
    return kLimit;
}

std::size_t thread_count(std::uint64_t steps) {
    return std::min<std::uint64_t>(thread_limit(), steps / kStepsPerThread + 1);
}

void parallel_for(std::size_t count, std::uint64_t steps, const std::function<void(std::size_t)>& part) {
    const std::size_t helpers = std::min(thread_count(steps), std::max<std::size_t>(count, 1)) - 1;
    if (helpers == 0) {
        for (std::size_t i = 0; i < count; ++i)
            part(i);
        return;
    }
    const auto team = std::make_shared<Team>(count, part);
    for (std::size_t i = 0; i < helpers; ++i)
        boost::asio::post(threads(), [team] { team->help(); });
    team->lead();
}

}  // namespace tilemeter::compute
