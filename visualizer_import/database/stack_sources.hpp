// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "visualizer_import/database/database.hpp"

namespace tilemeter::visualizer_import {

struct StackFrame {
    std::string_view file;
    std::int64_t line;
};

// The first `File "path", line N` at the start of a line: Python's innermost frame.
std::optional<StackFrame> first_frame(std::string_view stack_trace);

// The source files that stack traces name, stored once each.
class StackSources {
public:
    // roots: only files below one of them are read, since a report may come from anywhere.
    explicit StackSources(const std::vector<std::filesystem::path>& roots);

    // The id in source_files of the first file the stack names; none if it cannot be read here.
    std::optional<std::int64_t> source_file_id(Database& database, std::string_view stack_trace);

private:
    std::optional<std::string> read(const std::string& named, std::string& resolved) const;

    std::vector<std::filesystem::path> roots_;
    std::map<std::string, std::optional<std::int64_t>, std::less<>> known_;  // by the path in the stack
    std::map<std::string, std::int64_t, std::less<>> stored_;                // by the resolved path
};

}  // namespace tilemeter::visualizer_import
