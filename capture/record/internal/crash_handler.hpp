// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The cause of death of a process, written into its recording while it dies: SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT
// and std::terminate. Whoever handled these before does so afterwards, as if nobody had looked: the handler puts back
// what it replaced and has the signal come again. Signals that are ignored stay so.
//
// A handler that somebody installs later, over this one, stays in its place; what it calls then is this one,
// which does nothing unless a recording is open.

#pragma once

#include "capture/events/internal/crash_area.hpp"

namespace tilemeter::record::internal {

/// Until unwatch_crashes() what the process dies of is written to `area`. One at a time. REQUIRES: called
/// under the lock of the open windows, as the two below.
void watch_crashes(CrashArea* area);

/// Afterwards nobody writes to the area. The handlers are as before, but for those that were replaced since.
void unwatch_crashes();

/// In a child made by fork(), whose parent owns the area.
void unwatch_crashes_in_child();

}  // namespace tilemeter::record::internal
