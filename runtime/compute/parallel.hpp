// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Threads that compute.
//
// As many as the environment variable TILEMETER_THREADS says, else as the process may run on (its CPU affinity). They
// sleep while there is nothing to do. The calling thread takes part, and waits only for what another has begun, in a loop
// for some microseconds at most: on a busy machine, where the others do not come to run, it does all itself.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace tilemeter::compute {

/// The largest number of threads that compute, the calling one included.
std::size_t thread_limit();

/// Roughly so many simple steps (an addition of two floats in a cache, some ten of them in a nanosecond) are worth another
/// thread, which takes some tens of microseconds to wake.
inline constexpr std::uint64_t kStepsPerThread = 1U << 19U;

/// The number of threads for this number of steps.
std::size_t thread_count(std::uint64_t steps);

/// Calls `part(i)` for each i below `count`, in any order, in the number of threads that all steps are worth. What a
/// part throws is thrown here, the first of it.
void parallel_for(std::size_t count, std::uint64_t steps, const std::function<void(std::size_t)>& part);

struct BytesToCopy {
    std::byte* to;
    const std::byte* from;
    std::size_t count;
};

/// As std::memcpy(), in several threads where the bytes are many. REQUIRES: they share none.
void parallel_copy(const std::vector<BytesToCopy>& pieces);

}  // namespace tilemeter::compute
