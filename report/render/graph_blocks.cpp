// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/internal/graph_blocks.hpp"

#include <set>
#include <sstream>

#include "capture/ir/order.hpp"
#include "capture/ir/text.hpp"

namespace tilemeter::analysis::internal {
namespace {

void list_graphs(const ir::Graph& graph, std::set<const ir::Graph*>& seen,
                 std::vector<const ir::Graph*>& all) {
    for (const ir::Equation equation : graph.equations()) {
        for (const ir::Subgraph& each : equation.subgraphs()) {
            if (seen.insert(each.graph.get()).second) list_graphs(*each.graph, seen, all);
        }
    }
    all.push_back(&graph);
}

}  // namespace

std::vector<const ir::Graph*> graphs_in(const ir::Graph& graph) {
    std::vector<const ir::Graph*> graphs;
    std::set<const ir::Graph*> seen;
    list_graphs(graph, seen, graphs);
    return graphs;
}

std::vector<Block> blocks_of(const ir::Graph& graph) {
    std::istringstream text(ir::print(graph, {.locations = false, .data = false}));
    std::vector<Block> blocks;
    for (std::string line; std::getline(text, line);) {
        if (line.starts_with("graph ") || line.starts_with("subgraph ")) {
            blocks.push_back({line.substr(0, line.size() - 2), {}, {}});
        } else if (line.starts_with("  return")) {
            blocks.back().results = line.substr(2);
        } else if (line.starts_with("  ") && !blocks.empty()) {
            blocks.back().lines.push_back(line.substr(2));
        }
    }
    return blocks;
}

std::vector<std::uint64_t> alive_bytes(const ir::Graph& graph) {
    const std::size_t count = graph.equation_count();
    const std::vector<std::uint32_t> last = ir::last_uses(graph);
    std::vector<std::int64_t> change(count + 2, 0);
    for (const ir::Equation equation : graph.equations()) {
        for (std::size_t i = 0; i < equation.results().size(); ++i) {
            const ir::ValueId value = equation.results()[i];
            const auto bytes = static_cast<std::int64_t>(ir::byte_size(graph.type(value)));
            change[equation.index()] += bytes;
            change[last[ir::index_of(value)] + 1] -= bytes;
        }
    }
    std::vector<std::uint64_t> alive;
    std::int64_t now = 0;
    for (std::size_t i = 0; i < count; ++i) {
        now += change[i];
        alive.push_back(static_cast<std::uint64_t>(now));
    }
    return alive;
}

}  // namespace tilemeter::analysis::internal
