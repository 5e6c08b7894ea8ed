// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The operations of a list down to some level, with who feeds whom: TT-NN's extract_levelized_graph in linear
// time, with the same vertices, ids and order; or with mentions of a tensor joined, as TT-NN's document shows
// it:
//
//   add(a, multiply(b, c)), by tensor        the same by node, as each mention is a tensor node of its own
//     tensor[b] ─▶ multiply ─▶ add             tensor[b] ─▶ multiply ─▶ tensor[4]
//     tensor[c] ──────┘         ▲              tensor[c] ──────┘        tensor[8] ─▶ add
//     tensor[a] ────────────────┘              tensor[a] ─────────────────────────────┘
//
// Lists without stacking levels (the oldest dialect) get them from their nesting.
//
// Thread safety: const calls are free.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/analysis/nodes/node_list.hpp"

namespace tilemeter::analysis {

/// The rule by which two mentions are the same tensor.
enum class Joining : std::uint8_t {
    kByNode,    ///< being one node, as TT-NN has it; throws AnalysisError where TT-NN's fails
    kByTensor,  ///< lying in one buffer or having one id: tensors that nobody made, each once, and operations
};

struct LevelizedVertex {
    std::uint32_t counter = 0;  ///< its place in the graph
    std::int32_t stacking_level = 0;
    std::uint32_t node = 0;  ///< in the list
    PoolRange arguments;     ///< in NodeList::argument_texts
    std::vector<std::uint32_t> in_edges;
    std::vector<std::uint32_t> out_edges;
    std::vector<std::uint32_t> internals;
    TextRef output_info = TextRef::kNone;
    std::vector<TextRef> output_shape;

    /// "ttnn::add", "tensor[12]"
    std::string name(const NodeList& list) const;
};

std::vector<LevelizedVertex> extract_levelized_graph(const NodeList& list, std::int64_t max_level = 1,
                                                     Joining joining = Joining::kByNode);

/// The stacking level of every node: as given, or from the nesting where no node has one.
std::vector<std::int32_t> levels_of(const NodeList& list);

}  // namespace tilemeter::analysis
