// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "report/analysis/node_list.hpp"
#include "report/analysis/scopes.hpp"

namespace tilemeter::cli {

/// What the sidecar of a report (X.python_io.json) says of the outermost operations: the n-th record of a
/// name belongs to the n-th operation of that name. Without a sidecar everything is empty.
class PythonRecords {
public:
    PythonRecords(const std::string& report, const graph::NodeList& list, const graph::Scopes& scopes);

    /// "model.py:51", the caller's line; empty where no stack was recorded.
    std::string source_line(std::uint32_t outermost_scope) const;
    /// The message of the exception that ended it; empty if none did.
    std::string error(std::uint32_t outermost_scope) const;

private:
    std::map<std::uint32_t, std::string> lines_;
    std::map<std::uint32_t, std::string> errors_;
};

}  // namespace tilemeter::cli
