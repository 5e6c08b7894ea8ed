// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>

#include "report/analysis/memory_lives.hpp"

namespace tilemeter::graph {

/// The call graph as SVG: one line per function down to `max_level`, indented by level, so that thousands
/// stay readable; data flow between them as arcs on the left; time and L1 peak as bars on the right. A
/// `max_level` of 0 means 2, or 1 where that would be more than 5,000 lines.
std::string svg_graph(const NodeList& list, const MemoryLives& lives, std::int32_t max_level,
                      const std::string& title);

}  // namespace tilemeter::graph
