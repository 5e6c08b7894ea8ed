// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A window: the events of all threads from one moment to another. Windows nest or overlap as they like; what
// happens while several are open belongs to each of them. Each has a run mode; operations are not dispatched
// while any open window says NO_DISPATCH.
//
// Events are kept in memory, or, of a window with a path, in a recording file that outlives the process
// (recording_reader.hpp reads it).
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "capture/events/clock.hpp"
#include "capture/events/ids.hpp"
#include "capture/events/thread_log.hpp"
#include "capture/record/detail.hpp"
#include "capture/record/run_mode.hpp"

namespace tilemeter::record {

/// The behaviour when a window is full. Either way the loss is counted.
enum class FullPolicy : std::uint8_t {
    kDropOldest,  ///< the newest stay: a ring
    kDropNewest   ///< the oldest stay
};

struct WindowOptions {
    RunMode mode = RunMode::NORMAL;
    Detail detail = Detail::kArguments;
    /// Not empty: events go into a recording file of this name, which is made, or replaced. Only one window
    /// at a time may have one.
    std::filesystem::path recording;
    /// Bytes of events to keep at the most, 64 per event; 0: no limit. It is kept by whole chunks of 64 KiB,
    /// and no thread gives its last one. While windows with and without a limit are open, there is none.
    std::uint64_t max_bytes = 0;
    FullPolicy when_full = FullPolicy::kDropOldest;
    /// Whose events it wants: bit n stands for EmitterId n; 0: all. What it does not want is left out when it
    /// is read; NO_DISPATCH is said to this library's runtime only by windows that want its events.
    std::uint8_t emitters = 0;
};

/// True if a window with these `emitters` wants events of `emitter`.
constexpr bool wants(std::uint8_t emitters, EmitterId emitter) {
    return emitters == 0 || (emitters >> static_cast<unsigned>(emitter) & 1U) != 0;
}

/// The events that a window saw.
struct Recording {
    RunMode mode = RunMode::NORMAL;
    Detail detail = Detail::kArguments;
    bool pages = false;  ///< where pages lie was to be recorded, by `detail` or by the process's switch
    std::uint64_t begin_ticks = 0;
    std::uint64_t end_ticks = 0;
    std::uint64_t wall_clock_ns = 0;  ///< time of day when the window opened, since 1970
    TickConversion conversion;
    std::vector<ThreadSlice> threads;  ///< threads without an event are left out
    EventCounts counted;               ///< events that were counted instead of kept: kCounters, or no room
    std::uint64_t overwritten = 0;     ///< events that gave way to newer ones
    FullPolicy when_full = FullPolicy::kDropOldest;
    FrameOrder frame_order = FrameOrder::kInnermostFirst;
    bool recovered = false;                  ///< read from a recording whose process did not end the capture
    std::uint64_t incomplete_functions = 0;  ///< of a recovered one: closed by the reader
};

/// The number of the calling thread in recordings (ThreadSlice::thread).
std::uint32_t this_threads_number();

/// Names one window; unique for the life of the process.
enum class WindowId : std::uint64_t {};

/// Opens a window. From the next event on, everything is in it. Throws RecordingError (recording_error.hpp)
/// if the recording file cannot be made, or another is open.
WindowId open_window(const WindowOptions& options);
WindowId open_window(RunMode mode);

/// The number of windows that this process has opened. Emitters use it to say once per capture what every capture must
/// hold.
std::uint64_t windows_opened();

/// Number of open windows.
std::uint32_t open_window_count();

/// The open window that was opened last, by whatever thread; none if no window is open.
std::optional<WindowId> innermost_window();

/// The events that a window saw so far; it stays open. None if it is not open (any more). Throws RecordingError if its
/// recording file cannot be read.
std::optional<Recording> peek_window(WindowId window);

/// Closes a window and gives what it saw. None, and nothing is closed, if it is not open (any more). Throws
/// as peek_window; the window is closed then, too.
std::optional<Recording> close_window(WindowId window);

/// Closes the innermost window and gives what it saw. None if no window is open.
std::optional<Recording> close_innermost_window();

/// 0 while operations really run. While any open window says NO_DISPATCH: a number that is the same from the
/// opening of the first such window to its closing and differs each time. Runtimes hang their shadow state on
/// it.
std::uint64_t shadow_epoch();

/// A number for a shadow of a runtime's own, which shadow_epoch() never is.
std::uint64_t new_shadow_epoch();

}  // namespace tilemeter::record
