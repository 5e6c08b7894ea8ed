// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <filesystem>

#include "report/analysis/nodes/node_list.hpp"

namespace tilemeter::analysis::internal {

/// Reads the sidecar of the report at `path`, X.python_io.json, into list.source. A sidecar that is missing
/// or damaged is no failure: the source says so.
void read_sidecar(const std::filesystem::path& path, NodeList& list);

}  // namespace tilemeter::analysis::internal
