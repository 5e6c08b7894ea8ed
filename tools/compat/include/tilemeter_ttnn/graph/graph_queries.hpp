// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What a call would need, without running it: the callable runs in a NO_DISPATCH capture.

#pragma once

#include <utility>

#include <nlohmann/json.hpp>

#include "tilemeter_ttnn/graph/graph.hpp"
#include "tilemeter_ttnn/graph/graph_trace_utils.hpp"

namespace ttnn::graph {

/// The nodes of what `callable` does.
template <typename Callable>
nlohmann::json query_trace(Callable&& callable) {
    ScopedGraphCapture capture(GraphProcessor::RunMode::NO_DISPATCH);
    { [[maybe_unused]] const auto output = std::forward<Callable>(callable)(); }
    return capture.end_graph_capture();
}

template <typename Callable>
auto query_peak_L1_memory_usage(Callable&& callable) {
    return extract_peak_L1_memory_usage(query_trace(std::forward<Callable>(callable)));
}

template <typename Callable>
auto query_output_info(Callable&& callable) {
    return extract_output_info(query_trace(std::forward<Callable>(callable)));
}

}  // namespace ttnn::graph
