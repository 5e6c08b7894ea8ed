// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/scratch_folder.hpp"
#include "visualizer_import/import_reports.hpp"

namespace tilemeter::visualizer_import {

using test::ScratchFolder;

// The rows of a query, values as SQLite's quote() writes them, joined by '|'.
std::vector<std::string> rows_of(const std::filesystem::path& database, const std::string& sql);
// Runs a script in a new database file.
void make_database(const std::filesystem::path& database, const std::string& script);

// The committed reports of TT-NN, and the largest of them.
std::filesystem::path reports_folder();
std::filesystem::path largest_report();

// A committed report of TT-NN by its operation, on n150 in NORMAL.
std::filesystem::path report_path(std::string_view operation);

// A report around the given nodes: version 1, rank 0, device 0.
std::string report_of(std::string_view nodes, std::string_view more_sections = "");

}  // namespace tilemeter::visualizer_import
