// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The functions of capture/graph/graph_processor.hpp that need the report's format.

#include <atomic>
#include <cstdio>
#include <string>
#include <utility>

#include <unistd.h>

#include "capture/graph/graph_processor.hpp"
#include "report/report_writer.hpp"

namespace tilemeter::graph {

namespace {

/// The window closes after its report is complete, so a failure changes nothing. What is recorded meanwhile
/// lies behind the end of what is written.
CapturedGraph save(record::WindowId window, const std::filesystem::path& path) {
    auto recording = record::peek_window(window);
    if (!recording) throw CaptureError("end of graph capture: this capture has ended before");
    CapturedGraph captured(*std::move(recording));
    if (const report::Status written = report::write_report(captured, path); !written)
        throw CaptureError("cannot write the report: " + written.error().message());
    record::close_window(window);
    return captured;
}

/// For who can't be told: what cannot be written to `path` is kept in the temporary folder, and stderr says
/// so.
CapturedGraph save_or_keep(record::WindowId window, const std::filesystem::path& path) {
    try {
        return save(window, path);
    } catch (const CaptureError& error) {
        if (!record::peek_window(window)) throw;  // it has ended before
        static std::atomic<unsigned> next{0};
        const std::string name = "tilemeter_" + std::to_string(::getpid()) + "_" + std::to_string(next++) +
                                 "_" + path.filename().string();
        const std::filesystem::path kept = std::filesystem::temp_directory_path() / name;
        CapturedGraph captured = save(window, kept);
        std::fprintf(stderr, "tilemeter: %s; kept: %s\n", error.what(), kept.c_str());
        return captured;
    }
}

record::WindowId open_window_for(RunMode mode, const std::filesystem::path& path) {
    if (const report::Status place = report::check_report_path(path); !place)
        throw CaptureError("cannot write a report: " + place.error().message());
    return record::open_window(mode);
}

}  // namespace

CapturedGraph GraphProcessor::end_graph_capture_to_file(const std::filesystem::path& path) {
    const auto window = record::innermost_window();
    if (!window)
        throw CaptureError("end of graph capture: no capture is open; begin_graph_capture comes first");
    return save(*window, path);
}

ScopedGraphCapture::ScopedGraphCapture(RunMode mode, const std::filesystem::path& path)
    : window_(open_window_for(mode, path)), path_(std::filesystem::absolute(path)), save_(&save_or_keep) {}

CapturedGraph ScopedGraphCapture::end_graph_capture_to_file(const std::filesystem::path& path) {
    return save(window_, path);
}

}  // namespace tilemeter::graph
