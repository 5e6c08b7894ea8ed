// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Graphs whose dimensions are expressions of names, and what they are at sizes of these names.
//
//   graph @main(%x: f32[b,128], %y: f32[2*n]) where b == 2*n in call { ... }
//   at(graph, {{"b", 32}, {"n", 16}})      // the same with f32[32,128] and f32[32]
//
// Thread safety: any thread, any time.

#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capture/ir/graph.hpp"

namespace tilemeter::ir {

/// "b, 3*n" as dimensions; "" has none. Throws Error (kSyntax), which names the column.
Shape parse_shape(std::string_view text);

/// The type that text_of() of a type says: "f32[2,3]". Throws Error (kSyntax), which names the column.
TensorType parse_type(std::string_view text);

/// The names in dimensions of a graph: of its types, attributes, constraints and subgraphs.
std::set<std::string> size_names(const Graph& graph);

/// The graph with numbers in the place of all expressions, in types, attributes and subgraphs; constraints are gone.
/// Throws Error (kBadArgument) for a name without a size, a size below 1, and sizes that break a constraint, also where
/// a dimension would become negative; names that the graph does not have are refused.
Graph at(const Graph& graph, const Sizes& sizes);

/// The sizes at which the parameters have these shapes. Throws Error (kShapeMismatch, kBadArgument) which names the
/// parameter: another rank, another number, two numbers for one name, a broken constraint.
Sizes sizes_of(const Graph& graph, std::span<const Shape> shapes);

/// Throws Error (kBadArgument) where a name in the graph can't be found from the shapes of its parameters, or where no
/// sizes keep the constraints.
void require_sizes(const Graph& graph);

}  // namespace tilemeter::ir
