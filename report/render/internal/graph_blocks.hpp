// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The text of a graph in pieces, and its memory, as pages and pictures of graphs show them.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "capture/ir/graph.hpp"

namespace tilemeter::analysis::internal {

/// The graph and its subgraphs in the order of the text: each before those that hold it, once.
std::vector<const ir::Graph*> graphs_in(const ir::Graph& graph);

/// Of a graph its first line, its constants and equations, its last line.
struct Block {
    std::string head;
    std::vector<std::string> lines;
    std::string results;
};
/// One for each of graphs_in().
std::vector<Block> blocks_of(const ir::Graph& graph);

/// Bytes that are alive while each equation runs, its operands and results included. Parameters and constants
/// belong to the caller: alive throughout, and not counted. Throws ir::Error for sizes that are names.
std::vector<std::uint64_t> alive_bytes(const ir::Graph& graph);

}  // namespace tilemeter::analysis::internal
