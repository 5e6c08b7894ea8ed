// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions and their calls as JSON: the tree, the fullest, the levelized graph, the configurations. Every figure is named
// by its unit; what is not known is null.

#pragma once

#include <cstddef>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "report/analysis/answers/tightest.hpp"
#include "report/analysis/memory/memory_lifetimes.hpp"
#include "report/analysis/ttnn/levelized_graph.hpp"

namespace tilemeter::analysis {

/// {"operations": [..]}: all calls in the order of their begins, each with its parent's node.
nlohmann::ordered_json call_tree_json(const NodeList& list, const MemoryLifetimes& lifetimes);
/// {"operations": [..], "left_out": ..}: the first `top` of them; bytes are of one memory.
nlohmann::ordered_json tightest_json(const NodeList& list, const MemoryLifetimes& lifetimes,
                                     const std::vector<TightOperation>& operations, MemoryType memory,
                                     std::size_t top);
/// {"vertices": [..]}, a vertex in the form of TT-NN's extract_levelized_graph.
nlohmann::ordered_json vertices_json(const NodeList& list, const std::vector<LevelizedVertex>& vertices);
/// {"configurations": [..]}
nlohmann::ordered_json configurations_json(const NodeList& list, const MemoryLifetimes& lifetimes);

}  // namespace tilemeter::analysis
