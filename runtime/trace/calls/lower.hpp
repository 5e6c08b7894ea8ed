// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Graphs of calls as graphs of flat primitives.
//
// Thread safety: any thread, any time.

#pragma once

#include "capture/ir/graph.hpp"

namespace tilemeter::trace {

struct CustomOperation;

/// The same function in flat primitives, subgraphs included; a subgraph that several equations share stays shared.
/// Types, names of parameters and results and locations stay as they are. A flat graph comes back as it is.
/// Throws ir::Error: an operation that is no call, or what add_op() throws where an equation does not keep to its
/// operation's rules.
///
/// Custom operations become their rule `lower`, in flat graphs as well; one without it stays a custom_call, and so does one
/// that `keeps` is true for.
using Keeps = bool (*)(const CustomOperation&);
ir::Graph lower(const ir::Graph& graph, Keeps keeps = nullptr);

/// The other way: flat primitives as calls of the same name behind kFlatPrefix. A graph of calls comes back as it is.
ir::Graph as_calls(const ir::Graph& graph);

}  // namespace tilemeter::trace
