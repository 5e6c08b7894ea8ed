// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Buffers that are older than a capture.
//
// Thread safety: const calls are free.

#pragma once

#include <vector>

#include "capture/events/event.hpp"
#include "capture/graph/node_graph.hpp"

namespace tilemeter::graph {

/// Buffers of buffers_alive without a buffer node, on devices that were met, once each: they are there from the begin
/// of the capture to its end, and nothing in it uses them.
std::vector<const record::Event*> buffers_without_nodes(const NodeGraph& graph);

}  // namespace tilemeter::graph
