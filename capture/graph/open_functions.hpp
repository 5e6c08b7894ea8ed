// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>

#include "capture/graph/node_graph.hpp"

namespace tilemeter::graph {

/// The number of functions without an end in it: of threads that were still in them when the window closed.
inline std::size_t count_open_functions(const NodeGraph& graph) {
    std::size_t open = 0;
    for (const CapturedNode& node : graph.nodes) {
        if (node.type == NodeType::kFunctionStart) ++open;
        if (node.type == NodeType::kFunctionEnd && open > 0) --open;
    }
    return open;
}

}  // namespace tilemeter::graph
