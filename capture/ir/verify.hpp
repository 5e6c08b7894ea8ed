// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The first rule that a graph breaks, if any.
//
//   if (const auto wrong = verify(graph, set)) throw *wrong;

#pragma once

#include <optional>

#include "capture/ir/error.hpp"
#include "capture/ir/graph.hpp"
#include "capture/ir/operation_set.hpp"

namespace tilemeter::ir {

/// The checks that need no operation set, of the graph and its subgraphs: parameters have names, each another one;
/// dimensions are at least 0; operands and results are defined; no equation needs its own result, directly or through
/// others. Linear; a subgraph that is shared is looked at once.
std::optional<Error> verify(const Graph& graph);

/// Besides, each operation is of the set; numbers of operands and results, attributes and subgraphs are as it says;
/// the types are those that it infers. An operation that infers nothing has the types that were recorded.
std::optional<Error> verify(const Graph& graph, const OperationSet& set);

}  // namespace tilemeter::ir
