// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The reports that a gate is asked about, and the baseline of each.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "report/result.hpp"

namespace tilemeter::analysis {

struct FoundReports {
    std::vector<std::filesystem::path> files;  ///< each once, in the order of the arguments, folders by name
    std::vector<std::string> left_out;  ///< "FILE: no graph report, but an array", of folders and patterns
    std::vector<report::Error> errors;  ///< arguments that lead to nothing
};
/// Reports of each argument:
///   a file            itself, whatever is in it
///   a folder          its *.json, and */report.json below it (as TT-NN lays reports out), no deeper
///   "reports/*.json"  where no file has that name, what matches the pattern (*, ?, [..])
/// Files of folders and patterns that are no reports are left out; sidecars of reports that are asked about without a
/// word, also where a shell has expanded the pattern.
FoundReports find_reports(const std::vector<std::string>& arguments);

/// The name of a report and its baseline: the file's name; of a report.json the name of its folder.
std::string name_of_report(const std::filesystem::path& report);

}  // namespace tilemeter::analysis
