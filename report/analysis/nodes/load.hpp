// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The ways into a NodeList.

#pragma once

#include <filesystem>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "capture/graph/captured_graph.hpp"
#include "report/analysis/nodes/node_list.hpp"
#include "report/input.hpp"
#include "report/json_value.hpp"
#include "report/report_reader.hpp"
#include "report/result.hpp"

namespace tilemeter::analysis {

/// A capture that has just ended, without a detour through JSON.
NodeList node_list_of(const graph::CapturedGraph& graph);

/// A node list as JSON: what end_graph_capture() gives. An empty object reads as an empty list.
report::Result<NodeList> node_list_of(const report::JsonValue& list);
report::Result<NodeList> node_list_of_text(std::string_view json);
report::Result<NodeList> node_list_of(const nlohmann::json& list);

/// Adds what Python saw of a list's operations, as the sidecar of its report would: JSON text, an array of
/// records (X.python_io.json).
report::Status add_python_records(NodeList& list, std::string_view json);

/// A report of any dialect, or a file that is a node list; also through a pipe ("-": standard input) and
/// compressed by gzip or zstd. `listener` (may be null) is told what a report has while it is read, `progress` how far that
/// is.
report::Result<NodeList> load_node_list(const std::filesystem::path& path,
                                        report::ReportHandler* listener = nullptr,
                                        const report::ReadProgress& progress = {});
/// The same without what lies beside a file.
report::Result<NodeList> load_node_list(const report::Input& input, report::ReportHandler* listener = nullptr,
                                        const report::ReadProgress& progress = {});

}  // namespace tilemeter::analysis
