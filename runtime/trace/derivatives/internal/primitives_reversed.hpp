// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The way back through a function of primitives alone, without a graph of its tangents. What an equation's tangents are, and
// how they are transposed, is found out once for all equations of its operation, attributes and types.

#pragma once

#include <span>
#include <vector>

#include "runtime/trace/derivatives/internal/mask.hpp"
#include "runtime/trace/primitives/internal/rules.hpp"

namespace tilemeter::trace::internal {

/// True if no equation holds graphs or has rules of its own, as custom_call has.
bool is_of_primitives(const ir::Graph& graph);

/// Appends to the graph the cotangents of its parameters, from those of its results; none is zero. `active`: parameters that
/// are asked for. The function are its first `equations` equations. Throws ir::Error (kNoRule).
/// REQUIRES: is_of_primitives(), the graph is flat and ordered
std::vector<Tangent> append_way_back(ir::Graph& graph, std::size_t equations, const Mask& active,
                                     std::span<const Tangent> cotangents);

}  // namespace tilemeter::trace::internal
