// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <nlohmann/json_fwd.hpp>

#include "capture/graph/node_graph.hpp"

namespace tilemeter::graph {

/// The node list as a JSON array, as TT-NN's end_graph_capture() gives it.
nlohmann::json to_json(const NodeGraph& graph);

}  // namespace tilemeter::graph
