// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/graph/graph_processor.hpp"

#include <exception>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "capture/events/recording_error.hpp"
#include "capture/log/log.hpp"
#include "capture/record/emit.hpp"
#include "capture/record/private_log.hpp"
#include "capture/record/text.hpp"

namespace tilemeter::graph {

namespace {

// The calls of a traced function are in no capture; one that begins in it would miss it, and have part of a call.
void require_not_tracing() {
    if (record::has_private_log())
        throw CaptureError(
            "begin of graph capture: expected outside of a function that is traced, whose calls no capture sees; hint: "
            "capture its replay");
}

record::WindowId open(const CaptureOptions& options) {
    require_not_tracing();
    try {
        const record::WindowId window = record::open_window(options);
        logging::debug({"a capture begins at level ", record::name_of(options.detail),
                        options.recording.empty() ? ", in memory" : ", into ", options.recording.native()});
        return window;
    } catch (const record::RecordingError& error) {
        throw CaptureError(std::string("begin of graph capture: ") + error.what());
    }
}

}  // namespace

void GraphProcessor::begin_graph_capture(RunMode mode) {
    require_not_tracing();
    record::open_window(mode);
}

void GraphProcessor::begin_graph_capture(const CaptureOptions& options) {
    open(options);
}

nlohmann::json GraphProcessor::end_graph_capture() {
    return end_capture().to_json();
}

CapturedGraph GraphProcessor::end_capture() {
    auto recording = record::close_innermost_window();
    if (!recording)
        throw CaptureError("end of graph capture: no capture is open; begin_graph_capture comes first");
    return CapturedGraph(*std::move(recording));
}

bool GraphProcessor::is_graph_capture_active() {
    return record::open_window_count() != 0;
}

void GraphProcessor::enable_stack_traces(FrameOrder order) {
    record::set_stack_traces(true, order);
}
void GraphProcessor::disable_stack_traces() {
    record::set_stack_traces(false);
}
bool GraphProcessor::is_stack_trace_enabled() {
    return record::stack_traces_enabled();
}

void GraphProcessor::enable_buffer_pages() {
    record::set_buffer_pages(true);
}
void GraphProcessor::disable_buffer_pages() {
    record::set_buffer_pages(false);
}
bool GraphProcessor::is_buffer_pages_enabled() {
    return record::buffer_pages_enabled();
}

void GraphProcessor::track_function_start(std::string_view name) {
    if (record::recording()) record::emit_function_begin(record::intern(name), 0);
}

void GraphProcessor::track_function_end() {
    record::emit_function_end();
}

ScopedGraphCapture::ScopedGraphCapture(RunMode mode) : window_(record::open_window(mode)) {}

ScopedGraphCapture::ScopedGraphCapture(const CaptureOptions& options) : window_(open(options)) {}

ScopedGraphCapture::~ScopedGraphCapture() {
    try {
        if (save_ != nullptr) save_(window_, path_);
    } catch (const std::exception& error) {
        logging::error({"a capture is lost: ", error.what()});  // nobody else can be told here
    }
    try {
        record::close_window(window_);
    } catch (const record::RecordingError&) {
        // Nobody asked for what it saw.
    }
}

nlohmann::json ScopedGraphCapture::end_graph_capture() {
    return end_capture().to_json();
}

CapturedGraph ScopedGraphCapture::end_capture() {
    auto recording = record::close_window(window_);
    if (!recording) throw CaptureError("end of graph capture: this capture has ended before");
    return CapturedGraph(*std::move(recording));
}

}  // namespace tilemeter::graph
