// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// An operation's scope that its caller begins and ends, to do something of its own in it, before the
// operation and after.
//
// Thread safety: of one thread.

#pragma once

#include "capture/record/ids.hpp"

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

    /// Whether an exception has ended the scope.
    static bool was_aborted();
};

}  // namespace tilemeter
