// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Capturing of operations: GraphProcessor, ScopedGraphCapture.

#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "capture/graph/graph_processor.hpp"

namespace tt::tt_metal {

/// What sees operations while they run.
class IGraphProcessor {
public:
    using RunMode = tilemeter::graph::RunMode;
    virtual ~IGraphProcessor() = default;
};

}  // namespace tt::tt_metal

namespace ttnn::graph {
using tilemeter::graph::CaptureError;
using tilemeter::graph::CaptureOptions;
using tilemeter::graph::GraphProcessor;
using tilemeter::graph::is_graph_capture_active;
using tilemeter::graph::RunMode;
using tilemeter::graph::ScopedGraphCapture;
}  // namespace ttnn::graph
