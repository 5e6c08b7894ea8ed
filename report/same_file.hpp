// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Whoever names the input as the output loses the input. Each writer of a file that was made from files asks
// here first.

#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "report/result.hpp"

namespace tilemeter::report {

/// True if both names lead to one file: its device and inode, so links and relative paths count. False where either
/// leads nowhere.
bool same_file(const std::filesystem::path& one, const std::filesystem::path& other);

/// An Error of wrong usage where `output` is one of `inputs`.
Status refuse_input_as_output(const std::filesystem::path& output,
                              std::span<const std::filesystem::path> inputs);

/// A report and the sidecars that belong to it, whether they are there or not: X.json, X.python_io.json,
/// X.comparison_records.json and the folder's comparison_records.json, each as it is or compressed. Of
/// standard input ("-") what it is redirected from.
std::vector<std::filesystem::path> files_of_report(const std::filesystem::path& report);

}  // namespace tilemeter::report
