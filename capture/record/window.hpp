// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A window: the events of all threads from one moment to another. Windows nest or overlap as they like; what
// happens while several are open belongs to each of them. Each has a run mode; operations are not dispatched
// while any open window says NO_DISPATCH.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "capture/record/clock.hpp"
#include "capture/record/run_mode.hpp"
#include "capture/record/thread_log.hpp"

namespace tilemeter::record {

/// What a window saw.
struct Trace {
    RunMode mode = RunMode::NORMAL;
    std::uint64_t begin_ticks = 0;
    std::uint64_t end_ticks = 0;
    std::uint64_t wall_clock_ns = 0;  ///< time of day when the window opened, since 1970
    TickConversion conversion;
    std::vector<ThreadSlice> threads;  ///< threads without an event are left out
};

/// Names one window; unique for the life of the process.
enum class WindowId : std::uint64_t {};

/// Opens a window. From the next event on, everything is in it.
WindowId open_window(RunMode mode);

/// How many windows this process has opened. Emitters use it to say once per capture what every capture must
/// hold.
std::uint64_t windows_opened();

/// Number of open windows.
std::uint32_t open_window_count();

/// Of the open windows the one opened last, by whatever thread; none if no window is open.
std::optional<WindowId> innermost_window();

/// What a window saw so far; it stays open. None if it is not open (any more).
std::optional<Trace> peek_window(WindowId window);

/// Closes a window and gives what it saw. None, and nothing is closed, if it is not open (any more).
std::optional<Trace> close_window(WindowId window);

/// Closes the innermost window and gives what it saw. None if no window is open.
std::optional<Trace> close_innermost_window();

/// 0 while operations really run. While any open window says NO_DISPATCH: a number that is the same from the
/// opening of the first such window to its closing and differs each time. Runtimes hang their shadow state on
/// it.
std::uint64_t shadow_epoch();

}  // namespace tilemeter::record
