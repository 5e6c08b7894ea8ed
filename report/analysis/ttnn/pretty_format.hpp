// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A node list as text for people. The first two are TT-NN's, to the letter; errors are AnalysisError.
//
// Thread safety: const calls are free.

#pragma once

#include <string>

#include "report/analysis/memory/memory_lifetimes.hpp"
#include "report/analysis/nodes/node_list.hpp"

namespace tilemeter::analysis {

/// ttnn.graph.pretty_format: one line per node, padded, indented by open functions.
std::string pretty_format(const NodeList& list);

/// The DOT source of ttnn.graph.visualize.
std::string visualize(const NodeList& list);

/// The same events for reading: what was there before the capture is left out, repetitions in a row are
/// counted.
///
///     Begin: ttnn::add
///         Allocate Circular Buffer (x3)
///     End: ttnn::add
///
/// With `lifetimes`, what programs took that the list doesn't record stands behind their begin, with where it
/// is known from: "Allocate Circular Buffer (other capture) (x3)".
std::string outline(const NodeList& list, const MemoryLifetimes* lifetimes = nullptr);

}  // namespace tilemeter::analysis
