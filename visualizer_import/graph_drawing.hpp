// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "report/result.hpp"

namespace tilemeter::visualizer_import {

// The graph of a report in the language of Graphviz: a box per node, a cluster per function, an arrow per
// connection.
report::Result<std::string> graph_as_dot(const std::filesystem::path& report);

// Writes folder/<stem> (the source) and folder/<stem>.svg. The second needs the program dot.
report::Status draw_graph(const std::filesystem::path& report, const std::filesystem::path& folder);

}  // namespace tilemeter::visualizer_import
