// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "report/analysis/memory/memory_lifetimes.hpp"

namespace tilemeter::analysis {

/// The call graph as SVG: one line per function down to `max_level`, indented by level, so that thousands stay
/// readable; data flow between them as arcs on the left; time and L1 peak as bars on the right. A `max_level` of 0
/// means 2, or 1 where that would be more than `most_lines`. Beyond, functions that follow each other are folded into
/// one line, with their number, the sum of their times and the highest of their peaks. 0 lines: never folded; browsers
/// are slow beyond some 10,000.
std::string svg_graph(const NodeList& list, const MemoryLifetimes& lifetimes, std::int32_t max_level,
                      const std::string& title, std::size_t most_lines = 5000);

}  // namespace tilemeter::analysis
