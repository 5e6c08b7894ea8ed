// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "report/json_value.hpp"
#include "report/result.hpp"
#include "visualizer_import/graph/operation_graph.hpp"

namespace tilemeter::visualizer_import {

// A graph that Python recorded inside one operation: kept as it is, with the id that the viewer wants.
report::Status render_recorded_graph(const report::JsonValue& nodes, std::string& text,
                                     std::vector<Edge>& edges);

}  // namespace tilemeter::visualizer_import
