// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Planning that goes on where a device has no more room, to see what a function does that does not fit as it is written.
//
// Thread safety: a scope is of the thread that made it.

#pragma once

#include <utility>

namespace tilemeter {

/// While it lasts, what this thread plans finds room: buffers that have none in their banks lie behind the banks' end, and
/// programs may lie under buffers; calls choose their programs as if all of L1 were free. What a thread runs is not touched, nor are
/// programs that are too large for L1 alone.
class ScopedUnlimitedMemory {
public:
    ScopedUnlimitedMemory() : outer_(std::exchange(is_in_force_, true)) {}
    ~ScopedUnlimitedMemory() { is_in_force_ = outer_; }
    ScopedUnlimitedMemory(const ScopedUnlimitedMemory&) = delete;
    ScopedUnlimitedMemory& operator=(const ScopedUnlimitedMemory&) = delete;

    /// True if the calling thread is in one.
    static bool is_in_force() { return is_in_force_; }

private:
    static inline constinit thread_local bool is_in_force_ = false;
    const bool outer_;
};

}  // namespace tilemeter
