// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The kind of a JSON file: a graph report or not, told by the keys of its outermost object.
//
// It is one if it has a graph that is an array, metadata with a rank, or a section that only reports have
// (cluster_descriptor, buffer_pages, ...). It is none if it is a complete JSON object without any of these,
// or begins as another JSON value, or is damaged but begins with a key that no report has. Anything else may
// be what is left of a report: an empty file, one that is cut behind its `{`, bytes that are no JSON.

#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "report/input.hpp"
#include "report/json_value.hpp"

namespace tilemeter::report {

/// Why a file is no report: what it is instead, as "an array". Nothing for a report, for what may be a
/// damaged one, and for what cannot be opened. Reads no further than it must: of a report some kilobytes.
std::optional<std::string> why_no_report(const Input& input);
std::optional<std::string> why_no_report(const std::filesystem::path& path);

/// A report's `version`, as found.
struct FoundVersion {
    JsonKind kind;
    std::string text;  ///< as Python's str() writes it

    static FoundVersion of(const JsonValue& version);
    /// 1, 1.0 or "1": the one that reports have.
    [[nodiscard]] bool is_known() const;
};

/// The version of a report that is sound as JSON, whatever else is wrong with it. Reads all of it.
std::optional<FoundVersion> version_of_report(const std::filesystem::path& path);

}  // namespace tilemeter::report
