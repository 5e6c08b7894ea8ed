// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/graph/older_buffers.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_set>

namespace tilemeter::graph {

std::vector<const record::Event*> buffers_without_nodes(const NodeGraph& graph) {
    std::vector<const record::Event*> found;
    if (graph.buffers_alive.empty()) return found;
    std::unordered_set<std::uint64_t> mentioned;
    for (const CapturedNode& node : graph.nodes) {
        if (node.type != NodeType::kBuffer) continue;
        const record::Event& mention = *node.event;
        const bool by_tensor = mention.kind == record::EventKind::kInputTensor ||
                               mention.kind == record::EventKind::kOutputTensor;
        mentioned.insert(by_tensor ? static_cast<std::uint64_t>(mention.payload.tensor.buffer) : mention.id);
    }
    for (const record::Event* event : graph.buffers_alive) {
        const bool met = std::binary_search(graph.devices.begin(), graph.devices.end(), event->device);
        if (met && mentioned.insert(event->id).second) found.push_back(event);
    }
    return found;
}

}  // namespace tilemeter::graph
