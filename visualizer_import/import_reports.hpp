// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "report/result.hpp"
#include "visualizer_import/database/options.hpp"

namespace tilemeter::visualizer_import {

struct ImportSummary {
    std::filesystem::path database;
    std::vector<std::filesystem::path> imported;
    std::vector<std::string> skipped;                         // with the reason
    std::vector<std::pair<std::string, std::uint64_t>> rows;  // by table
    std::uint64_t size_bytes = 0;                             // of the database
    bool replaced = false;                                    // a database that was there
};

// Imports a report, or the reports of a folder, into output_folder/db_name. An importer's database that was
// there stays until the new one is complete, and then is replaced in one step; a file of another kind is an
// Error, unless options.force says to replace it. Of a failed import nothing remains. A
// report, or what belongs to it, is never replaced: that is an Error of wrong usage.
//
// JSON files of a folder that are no reports (report/report_kind.hpp) are left out, with a warning.
//
//     auto imported = import_reports("report.json", "out", {});
//     if (!imported) std::puts(imported.error().message().c_str());
report::Result<ImportSummary> import_reports(const std::filesystem::path& report_or_folder,
                                             const std::filesystem::path& output_folder,
                                             const ImportOptions& options,
                                             const ImportProgress& progress = {});

}  // namespace tilemeter::visualizer_import
