// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Equality of two graphs, whatever numbers their values have: equations are compared in their order, operands by what
// defines them, constants by their bytes.
//
// Thread safety: any thread, any time.

#pragma once

#include <cstdint>

#include "capture/ir/graph.hpp"

namespace tilemeter::ir {

enum class Detail : std::uint8_t {
    kStructure,  ///< equations, types, attributes, subgraphs: equal ones compute the same
    kNames,      ///< and the names of graphs, parameters and values, and of the operation set
    kLocations   ///< and where equations come from
};

bool equal(const Graph& a, const Graph& b, Detail detail = Detail::kLocations);

/// The same for graphs that are equal in structure. Not stable across versions of this library.
std::uint64_t structural_hash(const Graph& graph);

}  // namespace tilemeter::ir
