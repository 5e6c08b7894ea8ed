// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Graphs as files: the text form (text.hpp) with a checksum.

#pragma once

#include <filesystem>

#include "capture/ir/graph.hpp"

namespace tilemeter::ir {

/// Writes the whole file or, on an error, leaves what was at `path`. Throws Error (kFile).
void save(const Graph& graph, const std::filesystem::path& path);

/// Throws Error: kFile, or what parse() throws with the path before it: "FILE: line 3, column 7: found ...".
Graph load(const std::filesystem::path& path);

}  // namespace tilemeter::ir
