// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The figures of a capture, for a person.

#pragma once

#include <string>

#include "capture/graph/captured_graph.hpp"

namespace tilemeter::demo {

/// A few lines: operations, nodes, the peaks of L1 and DRAM and where they were, the slowest operations.
std::string summary_of(const graph::CapturedGraph& graph);

}  // namespace tilemeter::demo
