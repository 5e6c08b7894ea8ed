// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Passes that need to know what operations compute. They work on graphs of calls and on flat ones, go through
// subgraphs, and leave equations that nothing needs any more to ir::remove_dead_code().
//
// Thread safety: any thread, any time.

#pragma once

#include <cstdint>

#include "capture/ir/operation_set.hpp"
#include "capture/ir/passes/passes.hpp"

namespace tilemeter::trace {

/// The set that the graph's operations are of. Throws ir::Error (kUnknownOperation) where it names neither set.
const ir::OperationSet& operations_for(const ir::Graph& graph);

/// Larger results stay equations: a graph is not to carry what is computed from a number.
inline constexpr std::uint64_t kMostFoldedBytes = 64 << 10;

/// Equations whose operands are constants become constants, bit-equal to what evaluate() computes. Of a conditional
/// whose predicate is a constant the branch takes its place. Loops and calls are not run.
ir::PassResult fold(const ir::Graph& graph, std::uint64_t most_bytes = kMostFoldedBytes);

/// Equations that give back an operand, or what an earlier equation had: x * 1, x - 0, -(-x), transposes and
/// reshapes of each other, moves that move nothing. Only where every element keeps its bits, so x + 0.0 stays
/// (x may be -0.0), and x * 0 as well.
ir::PassResult simplify_identities(const ir::Graph& graph);

/// Both, common subexpressions and dead code, until nothing changes.
ir::Graph simplify(const ir::Graph& graph, std::vector<ir::PassStep>* steps = nullptr);

}  // namespace tilemeter::trace
