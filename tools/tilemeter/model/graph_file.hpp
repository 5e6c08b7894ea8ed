// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The file of a traced function's graph, as a verb's argument names it.

#pragma once

#include <string>

#include "capture/ir/graph.hpp"

namespace tilemeter::cli {

/// "-" is standard input. Throws ir::Error.
ir::Graph load_graph(const std::string& path);

}  // namespace tilemeter::cli
