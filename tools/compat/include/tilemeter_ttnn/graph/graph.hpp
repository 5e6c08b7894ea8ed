// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Captures of a thread's operations as TT-NN's clients make them: by static functions, by objects that are pushed to the
// GraphTracker, for the life of a scope. Captures nest; what happens while several are open belongs to each. NO_DISPATCH holds
// for all threads of the process.

#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "capture/graph/graph_processor.hpp"
#include "tilemeter_ttnn/graph/graph_tracking.hpp"

namespace ttnn::graph {

using tilemeter::graph::CaptureError;
using tilemeter::graph::CaptureOptions;
using tilemeter::graph::is_graph_capture_active;
using tilemeter::graph::RunMode;
using node_id = int;

/// The hook of a capture: takes over everything, or nothing.
class ProcessorHooks : public tt::tt_metal::IGraphHooks {
public:
    bool hook_allocate(const tt::tt_metal::Buffer* buffer) override;
    bool hook_deallocate(tt::tt_metal::Buffer* buffer) override;
    bool hook_program(tt::tt_metal::Program* program) override;
    bool hook_write_to_device(const tt::tt_metal::Buffer* buffer) override;
    bool hook_read_from_device(tt::tt_metal::Buffer* buffer) override;
    bool hook_read_from_device(const tt::tt_metal::distributed::MeshBuffer* mesh_buffer) override;
    bool hook_write_to_device(const tt::tt_metal::distributed::MeshBuffer* mesh_buffer) override;

    void set_block(bool block) { does_block_ = block; }
    bool get_block() const { return does_block_; }

private:
    bool does_block_ = false;
};

/// Sees what the thread that pushes it does, from then until it is popped.
class GraphProcessor : public tt::tt_metal::IGraphProcessor {
public:
    using RunMode = tt::tt_metal::IGraphProcessor::RunMode;

    /// Begins a capture.
    GraphProcessor(RunMode mode);  // NOLINT: as TT-NN's
    explicit GraphProcessor(const CaptureOptions& options);
    /// Drops what an open capture saw.
    ~GraphProcessor() override;
    GraphProcessor(const GraphProcessor&) = delete;
    GraphProcessor& operator=(const GraphProcessor&) = delete;

    void begin_capture(RunMode mode) override;
    /// Ends the capture and gives its nodes; after that, the same again.
    nlohmann::json end_capture() override;
    /// The report of what it has seen so far.
    nlohmann::json get_report() const;

    static void begin_graph_capture(RunMode mode = RunMode::NORMAL);
    static void begin_graph_capture(const CaptureOptions& options);
    /// Ends the capture that was begun last in this thread. Throws CaptureError without one.
    static nlohmann::json end_graph_capture();
    /// The same with its report; one that cannot be written throws CaptureError, and the capture stays open.
    static nlohmann::json end_graph_capture_to_file(const std::filesystem::path& report_path);
    static bool has_active_instance();
    static bool is_graph_capture_active() { return tilemeter::graph::is_graph_capture_active(); }

    /// Says how the program of the function that is open came about.
    static void set_pending_program_factory(std::string type, std::size_t index, bool cache_hit);
    /// An error in the function that is open.
    static void track_error(const std::string& type, const std::string& message,
                            const std::string& operation);

    // The switches of tilemeter::graph::GraphProcessor.
    static void enable_stack_traces();
    static void disable_stack_traces();
    static bool is_stack_trace_enabled();
    static void enable_buffer_pages();
    static void disable_buffer_pages();
    static bool is_buffer_pages_enabled();
    static void enable_detailed_buffer_tracing() { enable_buffer_pages(); }
    static void disable_detailed_buffer_tracing() { disable_buffer_pages(); }
    static bool is_detailed_buffer_tracing_enabled() { return is_buffer_pages_enabled(); }

private:
    friend class tt::tt_metal::GraphTracker;
    friend class ScopedGraphCapture;
    struct Capture;
    static std::shared_ptr<GraphProcessor> begin(const CaptureOptions& options);
    void on_push();
    void on_pop();
    void save(const std::filesystem::path& path);

    std::unique_ptr<Capture> capture_;
};

/// A capture for the life of an object; whatever is thrown, and whatever else is open, it ends its own.
class ScopedGraphCapture {
public:
    explicit ScopedGraphCapture(GraphProcessor::RunMode mode);
    explicit ScopedGraphCapture(const CaptureOptions& options);
    /// Writes a report to `report_path` where it is still open at the end. Throws CaptureError, and opens none, where nothing
    /// can be written there.
    ScopedGraphCapture(GraphProcessor::RunMode mode, std::filesystem::path report_path);
    ~ScopedGraphCapture();
    ScopedGraphCapture(const ScopedGraphCapture&) = delete;
    ScopedGraphCapture& operator=(const ScopedGraphCapture&) = delete;

    /// Throws CaptureError where it has ended before.
    nlohmann::json end_graph_capture();
    nlohmann::json end_graph_capture_to_file(const std::filesystem::path& report_path);
    nlohmann::json get_report() const;

private:
    GraphProcessor& open() const;
    void forget();

    std::shared_ptr<GraphProcessor> processor_;
    std::filesystem::path report_path_;
};

}  // namespace ttnn::graph
