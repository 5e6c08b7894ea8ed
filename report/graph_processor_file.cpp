// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The functions of capture/graph/graph_processor.hpp that need the report's format.

#include <string>
#include <utility>

#include "capture/graph/graph_processor.hpp"
#include "report/report_writer.hpp"

namespace tilemeter::graph {

namespace {

/// The window closes after its report is complete, so a failure changes nothing. What is recorded meanwhile
/// lies behind the end of what is written.
CapturedGraph save(record::WindowId window, const std::filesystem::path& path) {
    auto trace = record::peek_window(window);
    if (!trace) throw CaptureError("end of graph capture: this capture has ended before");
    CapturedGraph captured(*std::move(trace));
    if (const report::Status written = report::write_report(captured, path); !written)
        throw CaptureError("cannot write the report: " + written.error().message());
    record::close_window(window);
    return captured;
}

}  // namespace

CapturedGraph GraphProcessor::end_graph_capture_to_file(const std::filesystem::path& path) {
    const auto window = record::innermost_window();
    if (!window)
        throw CaptureError("end of graph capture: no capture is open; begin_graph_capture comes first");
    return save(*window, path);
}

ScopedGraphCapture::ScopedGraphCapture(RunMode mode, std::filesystem::path path)
    : window_(record::open_window(mode)), path_(std::move(path)), save_(&save) {}

CapturedGraph ScopedGraphCapture::end_graph_capture_to_file(const std::filesystem::path& path) {
    return save(window_, path);
}

}  // namespace tilemeter::graph
