// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A scope of an operation that the caller begins and ends, so that its own work before and after the
// operation is recorded in that scope.
//
// Thread safety: of one thread.

#pragma once

#include "capture/events/ids.hpp"

namespace tilemeter {

/// While it lives, the calling thread's next scope called `name` is the caller's, who has begun it: the
/// operation fills it, but neither begins nor ends it - unless it is left by an exception. One at a time in a
/// thread.
class ScopedHeldScope {
public:
    explicit ScopedHeldScope(record::TextId name);
    ~ScopedHeldScope();
    ScopedHeldScope(const ScopedHeldScope&) = delete;
    ScopedHeldScope& operator=(const ScopedHeldScope&) = delete;

    /// True if an exception has ended the scope.
    static bool was_aborted();
};

}  // namespace tilemeter
