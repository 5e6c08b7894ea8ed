// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Equations sorted so that each comes after those whose results it uses.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "capture/ir/graph.hpp"
#include "capture/ir/operation_set.hpp"

namespace tilemeter::ir {

/// True if no equation uses a result of itself or of a later one. Of this graph, not of its subgraphs.
bool is_ordered(const Graph& graph);

/// Indices of equations, sorted by Kahn's algorithm: the same each time, and an ordered graph keeps its order. Linear in equations and operands. Equations with effects keep their order among
/// each other unless what they use forbids it. Throws Error (kCycle), which names the equations of one cycle.
std::vector<std::uint32_t> topological_order(const Graph& graph);
std::vector<std::uint32_t> topological_order(const Graph& graph, const OperationSet& set);

/// Equations that need each other's results, each using one of the next, the last one of the first. Empty if
/// there are none.
std::vector<std::uint32_t> find_cycle(const Graph& graph);

/// The graph with its equations and those of its subgraphs sorted. Throws Error (kCycle).
Graph ordered(const Graph& graph, const OperationSet& set);

/// The graph itself if it and all its subgraphs are ordered, else `storage`, which then holds ordered(graph, set).
const Graph& in_order(const Graph& graph, const OperationSet& set, std::optional<Graph>& storage);

/// For each value the equation after which nothing needs it: the last that uses it, else the one that makes it.
/// equation_count() for results of the graph, and for parameters and constants that nothing uses.
/// REQUIRES: is_ordered(graph)
std::vector<std::uint32_t> last_uses(const Graph& graph);

}  // namespace tilemeter::ir
