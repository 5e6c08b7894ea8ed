// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "report/result.hpp"

namespace tilemeter::visualizer_import {

// The reports that a path names: a file or a pipe itself ("-": standard input); of a directory the
// graph_capture_<n>_of_<m>.json, or without such all *.json that are no sidecars. *.json.gz and *.json.zst
// count as *.json where that is not there. In ascending order, numbers by value (text_order: as texts, 10
// before 2).
report::Result<std::vector<std::filesystem::path>> report_files(const std::filesystem::path& path,
                                                                bool text_order);

// The file that lies beside a report, as it is or compressed; empty for none.
std::filesystem::path python_io_sidecar(const std::filesystem::path& report);
// The one of that report, or the one of its folder.
std::filesystem::path comparison_sidecar(const std::filesystem::path& report, bool& of_folder);

}  // namespace tilemeter::visualizer_import
