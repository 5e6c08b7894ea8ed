// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Random graphs of everything that the data structure can hold: all element types, places, attributes of all
// kinds, odd names, large and small constants, shared subgraphs, equations in any order. Operations and types mean
// nothing.

#pragma once

#include <cstdint>

#include "capture/ir/graph.hpp"

namespace tilemeter::test {

/// Subgraphs nest `depth` deep at most.
ir::Graph random_graph(std::uint32_t seed, int depth = 3);

}  // namespace tilemeter::test
