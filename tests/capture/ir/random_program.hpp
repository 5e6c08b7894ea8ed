// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Random graphs of the operations in operations.hpp that verify() accepts and evaluate() runs: with conditionals,
// loops, calls, effects, results and arguments that nothing needs, and equations that repeat.

#pragma once

#include <cstdint>

#include "capture/ir/graph.hpp"

namespace tilemeter::test {

/// Subgraphs nest `depth` deep at most.
ir::Graph random_program(std::uint32_t seed, int depth = 3);

/// The same equations in a random order.
ir::Graph shuffled(const ir::Graph& graph, std::uint32_t seed);

}  // namespace tilemeter::test
