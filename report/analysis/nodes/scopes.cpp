// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/nodes/scopes.hpp"

namespace tilemeter::analysis {

Scopes find_scopes(const NodeList& list) {
    Scopes result;
    result.of_node.resize(list.size(), kNoIndex);
    std::uint32_t open = kNoIndex;
    for (std::uint32_t node = 0; node < list.size(); ++node) {
        const NodeType kind = list.nodes[node].kind;
        if (kind == NodeType::kFunctionStart) {
            const auto id = static_cast<std::uint32_t>(result.scopes.size());
            Scope scope{.start = node, .parent = open, .top = id};
            if (open != kNoIndex) {
                scope.top = result.scopes[open].top;
                scope.depth = result.scopes[open].depth + 1;
            }
            result.scopes.push_back(scope);
            open = id;
        }
        result.of_node[node] = open;
        if (kind == NodeType::kFunctionEnd && open != kNoIndex) {
            result.scopes[open].end = node;
            open = result.scopes[open].parent;
        }
    }
    return result;
}

std::string Scopes::path(const NodeList& list, std::uint32_t scope) const {
    if (scope == kNoIndex) return {};
    const std::string own(list.name(scopes[scope].start));
    const std::uint32_t parent = scopes[scope].parent;
    if (parent == kNoIndex) return own;
    // Deeper than anyone reads: what follows is left out, and the recursion stays short.
    if (scopes[scope].depth > 64) return path(list, scopes[scope].top) + " > ... > " + own;
    return path(list, parent) + " > " + own;
}

std::uint64_t Scopes::duration_ns(const NodeList& list, std::uint32_t scope) const {
    const std::uint32_t end = scopes[scope].end;
    const NodeList::End* row = end == kNoIndex ? nullptr : list.end(end);
    return row ? row->duration_ns.size_bytes() : 0;
}

}  // namespace tilemeter::analysis
