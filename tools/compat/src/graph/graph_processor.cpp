// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <atomic>
#include <exception>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "capture/events/recording_error.hpp"
#include "capture/graph/captured_graph.hpp"
#include "capture/log/log.hpp"
#include "capture/record/emit.hpp"
#include "capture/record/private_log.hpp"
#include "capture/record/text.hpp"
#include "capture/record/window.hpp"
#include "report/report_writer.hpp"
#include "tilemeter_ttnn/graph/graph.hpp"
#include "tools/compat/src/graph/thread_tracker.hpp"

namespace ttnn::graph {

namespace metal = tt::tt_metal;
namespace record = tilemeter::record;
using metal::GraphTracker;
using tilemeter::compat::thread_tracker;
using tilemeter::graph::CapturedGraph;

bool ProcessorHooks::hook_allocate(const metal::Buffer* /*buffer*/) {
    return does_block_;
}
bool ProcessorHooks::hook_deallocate(metal::Buffer* /*buffer*/) {
    return does_block_;
}
bool ProcessorHooks::hook_program(metal::Program* /*program*/) {
    return does_block_;
}
bool ProcessorHooks::hook_write_to_device(const metal::Buffer* /*buffer*/) {
    return does_block_;
}
bool ProcessorHooks::hook_read_from_device(metal::Buffer* /*buffer*/) {
    return does_block_;
}
bool ProcessorHooks::hook_read_from_device(const metal::distributed::MeshBuffer* /*mesh_buffer*/) {
    return does_block_;
}
bool ProcessorHooks::hook_write_to_device(const metal::distributed::MeshBuffer* /*mesh_buffer*/) {
    return does_block_;
}

namespace {

record::WindowId open_capture(const CaptureOptions& options) {
    if (record::has_private_log())
        throw CaptureError("begin of graph capture: expected outside of a function that is traced");
    try {
        return record::open_window(options);
    } catch (const record::RecordingError& error) {
        throw CaptureError(std::string("begin of graph capture: ") + error.what());
    }
}

template <typename Visit>
void for_each_context(const record::ThreadSlice& slice, record::EventKind kind, const Visit& visit) {
    slice.for_each([&](const record::Event& event) {
        if (event.kind == kind) visit(event.id);
    });
}

// What `thread` did, and threads that worked for it.
record::Recording only_of(record::Recording recording, std::optional<std::uint32_t> thread) {
    if (!thread) {
        recording.threads.clear();
        return recording;
    }
    if (recording.threads.size() <= 1 &&
        (recording.threads.empty() || recording.threads[0].thread == *thread))
        return recording;
    std::set<std::uint64_t> handed_over;
    for (const record::ThreadSlice& each : recording.threads)
        if (each.thread == *thread)
            for_each_context(each, record::EventKind::kContextHandOver,
                             [&](std::uint64_t id) { handed_over.insert(id); });
    std::erase_if(recording.threads, [&](const record::ThreadSlice& each) {
        if (each.thread == *thread) return false;
        bool worked_for_it = false;
        for_each_context(each, record::EventKind::kContextEnter, [&](std::uint64_t id) {
            worked_for_it = worked_for_it || handed_over.contains(id);
        });
        return !worked_for_it;
    });
    return recording;
}

}  // namespace

struct GraphProcessor::Capture {
    explicit Capture(CaptureOptions wanted) : options(std::move(wanted)), window(open_capture(options)) {
        auto* const tracker = thread_tracker();
        if (tracker == nullptr || tracker->hook != nullptr) return;
        hook = std::make_shared<ProcessorHooks>();
        hook->set_block(options.mode == RunMode::NO_DISPATCH);
        tracker->hook = hook;
        tracker->hook_is_of_capture = true;
    }
    ~Capture() {
        close();
        auto* const tracker = thread_tracker();
        if (hook != nullptr && tracker != nullptr && tracker->hook == hook)
            GraphTracker::instance().clear_hook();
    }
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;

    std::optional<record::Recording> close() {
        if (!window) return std::nullopt;
        try {
            return record::close_window(*std::exchange(window, std::nullopt));
        } catch (const record::RecordingError& error) {
            tilemeter::logging::error({"a capture is lost: ", error.what()});
            return std::nullopt;
        }
    }

    // What it has seen so far: while it is pushed, or was pushed last.
    CapturedGraph seen() const {
        if (popped) return *popped;
        std::optional<record::Recording> recording;
        if (window) recording = record::peek_window(*window);
        return CapturedGraph(only_of(recording ? *std::move(recording) : record::Recording(), thread));
    }

    CaptureOptions options;
    std::optional<record::WindowId> window;
    std::optional<std::uint32_t> thread;  // that it is, or was, pushed in
    std::optional<CapturedGraph> popped;  // seen when it was popped, or ended
    std::shared_ptr<ProcessorHooks> hook;
};

GraphProcessor::GraphProcessor(RunMode mode) {
    begin_capture(mode);
}

GraphProcessor::GraphProcessor(const CaptureOptions& options)
    : capture_(std::make_unique<Capture>(options)) {}

GraphProcessor::~GraphProcessor() = default;

void GraphProcessor::begin_capture(RunMode mode) {
    CaptureOptions options;
    options.mode = mode;
    const std::optional<std::uint32_t> thread = capture_ != nullptr ? capture_->thread : std::nullopt;
    capture_.reset();
    capture_ = std::make_unique<Capture>(options);
    capture_->thread = thread;
}

void GraphProcessor::on_push() {
    if (!capture_->window || capture_->thread) return;
    capture_->thread = record::this_threads_number();
    if (!capture_->options.recording.empty()) return;
    // What has happened before is none of it. The new window is open before the old one closes, so that what was planned
    // stays.
    const record::WindowId before = *std::exchange(capture_->window, open_capture(capture_->options));
    record::close_window(before);
}

void GraphProcessor::on_pop() {
    if (capture_->window && !capture_->popped) capture_->popped = capture_->seen();
}

nlohmann::json GraphProcessor::end_capture() {
    if (!capture_->popped) {
        auto recording = capture_->close();
        capture_->popped =
            CapturedGraph(only_of(recording ? *std::move(recording) : record::Recording(), capture_->thread));
    }
    capture_->close();
    if (capture_->hook != nullptr && GraphTracker::instance().get_hook() == capture_->hook)
        GraphTracker::instance().clear_hook();
    return capture_->popped->to_json();
}

nlohmann::json GraphProcessor::get_report() const {
    return nlohmann::json::parse(tilemeter::report::report_text(capture_->seen()));
}

void GraphProcessor::save(const std::filesystem::path& path) {
    if (const tilemeter::report::Status written = tilemeter::report::write_report(capture_->seen(), path);
        !written)
        throw CaptureError("cannot write the report: " + written.error().message());
}

void GraphProcessor::begin_graph_capture(RunMode mode) {
    CaptureOptions options;
    options.mode = mode;
    begin_graph_capture(options);
}

std::shared_ptr<GraphProcessor> GraphProcessor::begin(const CaptureOptions& options) {
    auto processor = std::make_shared<GraphProcessor>(options);
    processor->capture_->thread = record::this_threads_number();
    GraphTracker::instance().push_processor(processor);
    return processor;
}

void GraphProcessor::begin_graph_capture(const CaptureOptions& options) {
    begin(options);
}

namespace {

const std::shared_ptr<metal::IGraphProcessor>& innermost() {
    const auto& processors = GraphTracker::instance().get_processors();
    if (processors.empty())
        throw CaptureError(
            "end of graph capture: no capture of this thread is open; begin_graph_capture comes first");
    return processors.back();
}

}  // namespace

nlohmann::json GraphProcessor::end_graph_capture() {
    const std::shared_ptr<metal::IGraphProcessor> processor = innermost();
    nlohmann::json graph = processor->end_capture();
    GraphTracker::instance().pop_processor();
    return graph;
}

nlohmann::json GraphProcessor::end_graph_capture_to_file(const std::filesystem::path& report_path) {
    const std::shared_ptr<metal::IGraphProcessor> processor = innermost();
    auto* const capture = dynamic_cast<GraphProcessor*>(processor.get());
    if (capture == nullptr)
        throw CaptureError("end of graph capture: expected a capture, found a processor of a client's own");
    capture->save(report_path);
    return end_graph_capture();
}

bool GraphProcessor::has_active_instance() {
    return std::ranges::any_of(GraphTracker::instance().get_processors(), [](const auto& each) {
        return dynamic_cast<const GraphProcessor*>(each.get()) != nullptr;
    });
}

void GraphProcessor::set_pending_program_factory(std::string type, std::size_t index, bool cache_hit) {
    if (has_active_instance()) record::emit_program_selected(record::intern(type), index, cache_hit);
}

void GraphProcessor::track_error(const std::string& type, const std::string& message,
                                 const std::string& operation) {
    if (record::recording())
        record::emit_error(record::intern(type), record::intern(message), record::intern(operation));
}

void GraphProcessor::enable_stack_traces() {
    tilemeter::graph::GraphProcessor::enable_stack_traces();
}
void GraphProcessor::disable_stack_traces() {
    tilemeter::graph::GraphProcessor::disable_stack_traces();
}
bool GraphProcessor::is_stack_trace_enabled() {
    return tilemeter::graph::GraphProcessor::is_stack_trace_enabled();
}
void GraphProcessor::enable_buffer_pages() {
    tilemeter::graph::GraphProcessor::enable_buffer_pages();
}
void GraphProcessor::disable_buffer_pages() {
    tilemeter::graph::GraphProcessor::disable_buffer_pages();
}
bool GraphProcessor::is_buffer_pages_enabled() {
    return tilemeter::graph::GraphProcessor::is_buffer_pages_enabled();
}

namespace {

CaptureOptions options_of(GraphProcessor::RunMode mode) {
    CaptureOptions options;
    options.mode = mode;
    return options;
}

}  // namespace

ScopedGraphCapture::ScopedGraphCapture(GraphProcessor::RunMode mode) : ScopedGraphCapture(options_of(mode)) {}

ScopedGraphCapture::ScopedGraphCapture(const CaptureOptions& options)
    : processor_(GraphProcessor::begin(options)) {}

ScopedGraphCapture::ScopedGraphCapture(GraphProcessor::RunMode mode, std::filesystem::path report_path) {
    if (const tilemeter::report::Status place = tilemeter::report::check_report_path(report_path); !place)
        throw CaptureError("cannot write a report: " + place.error().message());
    report_path_ = std::filesystem::absolute(report_path);
    processor_ = GraphProcessor::begin(options_of(mode));
}

ScopedGraphCapture::~ScopedGraphCapture() {
    if (processor_ == nullptr) return;
    try {
        if (!report_path_.empty() && processor_->capture_->window) processor_->save(report_path_);
    } catch (const std::exception& error) {
        // Nobody else can be told here; what was captured is kept where there is room.
        static std::atomic<unsigned> next{0};
        const std::string name = "tilemeter_" + std::to_string(::getpid()) + "_" + std::to_string(next++) +
                                 "_" + report_path_.filename().string();
        try {
            const std::filesystem::path kept = std::filesystem::temp_directory_path() / name;
            processor_->save(kept);
            tilemeter::logging::error({error.what(), "; kept: ", kept.native()});
        } catch (const std::exception& second) {
            tilemeter::logging::error({"a capture is lost: ", second.what()});
        }
    }
    forget();
}

GraphProcessor& ScopedGraphCapture::open() const {
    if (processor_ == nullptr) throw CaptureError("end of graph capture: this capture has ended before");
    return *processor_;
}

// Takes it from the thread's processors, wherever it stands; it ends with its last owner.
void ScopedGraphCapture::forget() {
    const std::shared_ptr<GraphProcessor> processor = std::exchange(processor_, nullptr);
    auto* const tracker = thread_tracker();
    if (tracker == nullptr) return;
    std::erase(tracker->processors, processor);
    tracker->adjust();
}

nlohmann::json ScopedGraphCapture::end_graph_capture() {
    nlohmann::json graph = open().end_capture();
    forget();
    return graph;
}

nlohmann::json ScopedGraphCapture::end_graph_capture_to_file(const std::filesystem::path& report_path) {
    open().save(report_path);
    return end_graph_capture();
}

nlohmann::json ScopedGraphCapture::get_report() const {
    return open().get_report();
}

}  // namespace ttnn::graph
