// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "report/analysis/memory_lives.hpp"
#include "report/analysis/node_list.hpp"

namespace tilemeter::cli {

/// The file's node list; Failure with one line if it cannot be read.
graph::NodeList load(const std::string& path);

/// What the report at `path` recorded of programs; empty for an empty path.
graph::ProgramLibrary load_programs(const std::string& path);

}  // namespace tilemeter::cli
