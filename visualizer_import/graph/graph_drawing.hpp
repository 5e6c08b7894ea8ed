// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "report/input.hpp"
#include "report/result.hpp"

namespace tilemeter::visualizer_import {

// The graph of a report in the language of Graphviz: a box per node, a cluster per function, an arrow per
// connection.
report::Result<std::string> graph_as_dot(const report::Input& report);

// Writes folder/<stem>.svg: drawn by the program dot, with its source as folder/<stem>; where dot is missing
// or fails, the call graph of report/render and no source. path: what the report is called.
report::Status draw_graph(const report::Input& report, const std::filesystem::path& path,
                          const std::filesystem::path& folder);

}  // namespace tilemeter::visualizer_import
