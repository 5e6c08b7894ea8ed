// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "visualizer_import/import_reports.hpp"

namespace tilemeter::visualizer_import {

// A folder of its own for one test, removed at the end.
class ScratchFolder {
public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    std::filesystem::path write(std::string_view name, std::string_view text) const;

private:
    std::filesystem::path path_;
};

// The rows of a query, values as SQLite's quote() writes them, joined by '|'.
std::vector<std::string> rows_of(const std::filesystem::path& database, const std::string& sql);
// Runs a script in a new database file.
void make_database(const std::filesystem::path& database, const std::string& script);

std::string read_file(const std::filesystem::path& path);

// A report around the given nodes: version 1, rank 0, device 0.
std::string report_of(std::string_view nodes, std::string_view more_sections = "");

}  // namespace tilemeter::visualizer_import
