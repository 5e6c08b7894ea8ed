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
#include <optional>
#include <thread>
#include <vector>

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

// Parts that wait to be done, neighbours. They are taken from both ends.
class Waiting {
public:
    void fill(std::size_t first, std::size_t end) { ends_ = packed(first, end); }

    std::optional<std::size_t> take_first() {
        return take([](std::size_t& first, std::size_t&) { return first++; });
    }

    std::optional<std::size_t> take_last() {
        return take([](std::size_t&, std::size_t& end) { return --end; });
    }

private:
    static std::uint64_t packed(std::size_t first, std::size_t end) {
        return std::uint64_t{end} << 32U | first;
    }

    template <typename Take>
    std::optional<std::size_t> take(const Take& take_of) {
        std::uint64_t seen = ends_;
        for (;;) {
            std::size_t first = seen & 0xFFFF'FFFFU;
            std::size_t end = seen >> 32U;
            if (first >= end) return std::nullopt;
            const std::size_t taken = take_of(first, end);
            if (ends_.compare_exchange_weak(seen, packed(first, end))) return taken;
        }
    }

    std::atomic<std::uint64_t> ends_{0};
};

// The state that the threads of one call share. A thread that comes late, when the call is over, finds it closed.
//
// Each thread begins with a share of neighbours, the same in each call: what it wrote in the last call lies in its core's
// cache. Then it takes from the end of the others' shares.
class Team {
public:
    Team(std::size_t threads, std::size_t count, const std::function<void(std::size_t)>& part)
        : shares_(threads), part_(part) {
        for (std::size_t i = 0; i < threads; ++i)
            shares_[i].fill(count * i / threads, count * (i + 1) / threads);
    }

    // `number`: of the helping thread, the same in each call.
    void help(std::size_t number) {
        {
            const std::lock_guard lock(mutex_);
            if (is_closed_) return;
            ++inside_;
        }
        work(1 + number % (shares_.size() - 1));
        const std::lock_guard lock(mutex_);
        if (--inside_ == 0) left_.notify_all();
    }

    void lead() {
        work(0);
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
    void work(std::size_t own) {
        try {
            while (const auto i = shares_[own].take_first())
                part_(*i);
            for (std::size_t after = 1; after < shares_.size(); ++after)
                while (const auto i = shares_[(own + after) % shares_.size()].take_last())
                    part_(*i);
        } catch (...) {
            for (Waiting& share : shares_)
                share.fill(0, 0);
            const std::lock_guard lock(mutex_);
            if (!error_) error_ = std::current_exception();
        }
    }

    std::vector<Waiting> shares_;
    const std::function<void(std::size_t)>& part_;  // alive until the call is over
    std::mutex mutex_;
    std::condition_variable left_;
    std::atomic<std::size_t> inside_{0};  // changes under the mutex
    bool is_closed_ = false;
    std::exception_ptr error_;
};

// The threads of a process that help.
//
// The scheduler puts a thread that is woken beside the one that wakes it more often than one should think (in a virtual
// machine, idle CPUs look taken), where it would wait until that one's time is over. So the leader's CPU is none of theirs.
class Helpers {
public:
    bool are_of_this_process() const { return process_ == getpid(); }

    void post(const std::shared_ptr<Team>& team, std::size_t count) {
        leave_cpu(sched_getcpu());
        for (std::size_t i = 0; i < count; ++i)
            boost::asio::post(threads_, [this, team] { team->help(number_of_this_thread()); });
    }

private:
    std::size_t number_of_this_thread() {
        thread_local const std::size_t kNumber = [this] {
            const std::lock_guard lock(mutex_);
            ids_.push_back(gettid());
            left_cpu_ = -1;
            return ids_.size() - 1;
        }();
        return kNumber;
    }

    void leave_cpu(int cpu) {
        if (cpu < 0 || cpu == left_cpu_) return;
        cpu_set_t others;
        CPU_ZERO(&others);
        if (sched_getaffinity(0, sizeof others, &others) != 0) return;
        CPU_CLR(static_cast<std::size_t>(cpu), &others);
        const std::lock_guard lock(mutex_);
        left_cpu_ = cpu;
        if (CPU_COUNT(&others) == 0) return;
        for (const pid_t id : ids_)
            sched_setaffinity(id, sizeof others, &others);
    }

    const pid_t process_ = getpid();
    boost::asio::thread_pool threads_{thread_limit() - 1};
    std::mutex mutex_;
    std::vector<pid_t> ids_;          // of those that have helped
    std::atomic<int> left_cpu_ = -1;  // changes under the mutex
};

// A forked process has the object without its threads, and begins others.
Helpers& helpers() {
    static std::atomic<Helpers*> current{nullptr};  // never destroyed: tensors may be computed until the end
    Helpers* found = current.load(std::memory_order_acquire);
    while (found == nullptr || !found->are_of_this_process()) {
        auto made = std::make_unique<Helpers>();
        if (current.compare_exchange_strong(found, made.get(), std::memory_order_acq_rel))
            return *made.release();
    }
    return *found;
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
    const std::size_t threads = std::min(thread_count(steps), std::max<std::size_t>(count, 1));
    if (threads == 1) {
        for (std::size_t i = 0; i < count; ++i)
            part(i);
        return;
    }
    const auto team = std::make_shared<Team>(threads, count, part);
    helpers().post(team, threads - 1);
    team->lead();
}

void parallel_copy(const std::vector<BytesToCopy>& pieces) {
    constexpr std::size_t kBytesOfPart = 1U << 16U;
    constexpr std::size_t kBytesPerStep = 2;
    std::vector<BytesToCopy> parts;
    std::uint64_t bytes = 0;
    for (const BytesToCopy& piece : pieces) {
        bytes += piece.count;
        for (std::size_t first = 0; first < piece.count; first += kBytesOfPart)
            parts.push_back(
                {piece.to + first, piece.from + first, std::min(kBytesOfPart, piece.count - first)});
    }
    parallel_for(parts.size(), bytes / kBytesPerStep,
                 [&](std::size_t i) { std::memcpy(parts[i].to, parts[i].from, parts[i].count); });
}

}  // namespace tilemeter::compute
