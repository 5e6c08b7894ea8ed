// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The public door of capturing, spelled as in TT-NN:
//
//     GraphProcessor::begin_graph_capture(RunMode::NORMAL);
//     auto result = add(a, b);
//     nlohmann::json graph = GraphProcessor::end_graph_capture();
//
// A capture sees what all threads do between its begin and its end. Captures nest: each gets exactly what
// happened within it, with levels counted from its own outside. A function that was begun before a capture is
// not part of it, one that has not ended when the capture does has no function_end.
//
// Thread safety: all functions may be called from any thread. Begin and end are pairs by order: an end closes
// the capture begun last, by whatever thread. ScopedGraphCapture closes its own.

#pragma once

#include <filesystem>
#include <stdexcept>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "capture/graph/captured_graph.hpp"
#include "capture/record/run_mode.hpp"
#include "capture/record/window.hpp"

namespace tilemeter::graph {

using RunMode = record::RunMode;
using CaptureOptions = record::WindowOptions;
using FrameOrder = record::FrameOrder;

/// An end without a begin, a begin in a function that is traced (runtime/trace/device/), or a report that cannot be written. The text says which, in one line.
class CaptureError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class GraphProcessor {
public:
    using RunMode = graph::RunMode;

    static void begin_graph_capture(RunMode mode = RunMode::NORMAL);

    /// With a path in `options.recording`, what is captured lies in that file from the first event on, memory
    /// stays the same however long the capture, and what a process that dies has recorded can be read from it
    /// (report/recover.hpp). The file stays when the capture has ended. Throws CaptureError if it cannot be
    /// made.
    static void begin_graph_capture(const CaptureOptions& options);

    /// Ends the innermost capture and gives its list of nodes. Throws CaptureError if there is none.
    static nlohmann::json end_graph_capture();

    /// The same without making JSON of it.
    static CapturedGraph end_capture();

    /// Ends the innermost capture and writes its report. Missing parent directories are made. If the report
    /// cannot be written, throws CaptureError and the capture stays open, unharmed: it can be saved elsewhere
    /// or ended. What other threads do while the file is written is not part of the capture any more. Defined
    /// in tilemeter::report, which owns the format: link that.
    static CapturedGraph end_graph_capture_to_file(const std::filesystem::path& path);

    static bool is_graph_capture_active();

    /// For captures that are open and those to come: function_start nodes say from where they were called, in
    /// `stack_trace`, innermost frame first or as `order` says.
    static void enable_stack_traces(FrameOrder order = FrameOrder::kInnermostFirst);
    static void disable_stack_traces();
    static bool is_stack_trace_enabled();

    /// For captures that are open and those to come: reports say where each page of a buffer in L1 lies, and
    /// which buffers were live at the end of each outermost function. The first is the older name.
    static void enable_buffer_pages();
    static void disable_buffer_pages();
    static bool is_buffer_pages_enabled();
    static void enable_detailed_buffer_tracing() { enable_buffer_pages(); }
    static void disable_detailed_buffer_tracing() { disable_buffer_pages(); }
    static bool is_detailed_buffer_tracing_enabled() { return is_buffer_pages_enabled(); }

    /// A scope of the user's own, in this thread, shown like an operation. Nothing happens without a capture.
    static void track_function_start(std::string_view name);
    /// Ends the innermost scope of this thread. Without one, nothing happens.
    static void track_function_end();
};

inline bool is_graph_capture_active() {
    return GraphProcessor::is_graph_capture_active();
}

/// A capture for the life of an object.
class ScopedGraphCapture {
public:
    explicit ScopedGraphCapture(RunMode mode = RunMode::NORMAL);
    explicit ScopedGraphCapture(const CaptureOptions& options);

    /// Writes a report to `path` when the object goes away while the capture is still open. Throws
    /// CaptureError, and opens no capture, if nothing can be written there. What turns out only at the end (a
    /// full disk, a folder that has gone) leaves the report in the temporary folder, and a line on stderr.
    /// Link tilemeter::report.
    ScopedGraphCapture(RunMode mode, const std::filesystem::path& path);

    /// Ends the capture, if still open, and drops what it saw or writes it to the constructor's path.
    ~ScopedGraphCapture();

    /// Ends the capture and gives its list of nodes. Throws CaptureError if it has ended before.
    nlohmann::json end_graph_capture();
    CapturedGraph end_capture();

    /// Ends the capture and writes its report; failures as in GraphProcessor. Link tilemeter::report.
    CapturedGraph end_graph_capture_to_file(const std::filesystem::path& path);

    ScopedGraphCapture(const ScopedGraphCapture&) = delete;
    ScopedGraphCapture& operator=(const ScopedGraphCapture&) = delete;

private:
    using Save = CapturedGraph (*)(record::WindowId, const std::filesystem::path&);

    record::WindowId window_;
    std::filesystem::path path_;
    Save save_ = nullptr;  // set by the constructor with a path, which lives in tilemeter::report
};

}  // namespace tilemeter::graph
