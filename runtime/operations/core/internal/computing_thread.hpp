// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The thread that an operation computes on while its caller waits for a limited time only.

#pragma once

#include <chrono>
#include <functional>

namespace tilemeter {

/// Runs `work` in a thread that belongs to the calling one and is kept for the next call; asks
/// `keeps_waiting` every `interval` until the work is done. When that says no or throws, the work is left to
/// itself - it has to own all it touches - and the next call gets a new thread.
/// Gives whether the work was done; throws what `keeps_waiting` throws. REQUIRES: `work` does not throw.
bool run_in_computing_thread(std::function<void()> work, std::chrono::nanoseconds interval,
                             const std::function<bool()>& keeps_waiting);

}  // namespace tilemeter
