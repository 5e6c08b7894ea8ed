// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Ctrl-C in what takes long.

#pragma once

#include <chrono>
#include <future>
#include <thread>
#include <utility>

#include <nanobind/nanobind.h>

namespace tilemeter::python {

/// Lets Python handle its signals and throws what a handler raised (KeyboardInterrupt). Does nothing in
/// threads that Python doesn't handle signals in. May be called with and without the interpreter lock.
inline void check_signals() {
    const nanobind::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

/// `work()`, without the interpreter lock, in another thread: when a signal's handler raises meanwhile, the
/// call ends at once and the work, which has to own all it touches, is left to end by itself.
template <typename Work>
auto interruptible(Work work) {
    using Result = decltype(work());
    const nanobind::gil_scoped_release unlocked;
    std::packaged_task<Result()> task(std::move(work));
    std::future<Result> result = task.get_future();
    std::thread thread(std::move(task));
    while (result.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
        try {
            check_signals();
        } catch (...) {
            thread.detach();
            throw;
        }
    }
    thread.join();
    return result.get();
}

}  // namespace tilemeter::python
