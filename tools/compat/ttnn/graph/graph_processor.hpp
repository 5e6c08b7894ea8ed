// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// TT-NN's include path and namespace for code written against its capture API:
//
//     #include "ttnn/graph/graph_processor.hpp"
//     ttnn::graph::GraphProcessor::begin_graph_capture(ttnn::graph::RunMode::NORMAL);
//     auto result = ttnn::add(tensor_a, tensor_b);
//     auto graph = ttnn::graph::GraphProcessor::end_graph_capture();
//
// Link tilemeter::ttnn.

#pragma once

#include <nlohmann/json.hpp>

#include "capture/graph/graph_processor.hpp"
#include "runtime/operations.hpp"

namespace ttnn = tilemeter;  // NOLINT(misc-unused-alias-decls): it is what this header is for
