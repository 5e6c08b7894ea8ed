// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The user's view of an operation and its results: by the line of Python that called it, and by the id that TT-NN's
// visualizer and Python show of a tensor.
//
// Thread safety: const calls are free.

#pragma once

#include <cstdint>
#include <string>

#include "report/analysis/memory/memory_lifetimes.hpp"
#include "report/analysis/nodes/node_list.hpp"
#include "report/analysis/nodes/scopes.hpp"

namespace tilemeter::analysis {

/// "model.py:51": the caller's line of the operation that `scope` is, or is part of; with its folders as
/// recorded. From the report's sidecar, or from a node list with Python stacks in it; empty where neither has
/// one, and for kNoIndex.
std::string source_of(const NodeList& list, const Scopes& scopes, std::uint32_t scope);

/// The id under which TT-NN's visualizer shows the tensor in a buffer: TT-NN gives a returned tensor a new id
/// on its way to Python, which only the sidecar has. Where there is no sidecar the visualizer shows the
/// list's. Not given for a buffer without a tensor.
Number viewer_tensor_id(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint32_t buffer);

}  // namespace tilemeter::analysis
