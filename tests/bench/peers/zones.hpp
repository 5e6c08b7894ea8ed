// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The work of each peer's program: so many pairs of begin and end, in so many threads, at the cost of so many
// nanoseconds of a thread's CPU time per pair. tools/bench-peers builds and runs them.

#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thread>
#include <vector>

namespace peers {

inline double cpu_ns() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

/// `program PAIRS THREADS`: prints nanoseconds per pair, the mean of the threads.
template <typename Pair>
int run(int argc, char** argv, Pair pair) {
    if (argc != 3) return 2;
    const long pairs = std::atol(argv[1]);
    const int threads = std::atoi(argv[2]);
    std::vector<double> times(static_cast<std::size_t>(threads));
    std::vector<std::thread> workers;
    for (double& time : times) {
        workers.emplace_back([&time, pairs, pair] {
            for (long i = 0; i < 1000; ++i)
                pair();  // first use
            const double begin = cpu_ns();
            for (long i = 0; i < pairs; ++i)
                pair();
            time = (cpu_ns() - begin) / static_cast<double>(pairs);
        });
    }
    double sum = 0;
    for (std::size_t i = 0; i < workers.size(); ++i) {
        workers[i].join();
        sum += times[i];
    }
    std::printf("%.2f\n", sum / threads);
    std::fflush(stdout);
    return 0;
}

}  // namespace peers
