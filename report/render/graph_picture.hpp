// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <string>

#include "capture/ir/graph.hpp"

namespace tilemeter::analysis {

/// A traced function as SVG: its equations as boxes in rows, arrows for the values that lead from one to another, boxes for
/// parameters, constants that are no scalars, and the results. Each with its call, type, bytes and source line;
/// subgraphs stand in the equations that hold them, a stretch that repeats is drawn once, with a count, the equation with the most bytes
/// alive is marked. Beyond `most_boxes` equations that follow each other share a box. `title`: "encoder.graph". Bytes are
/// those of the elements, without the padding of a layout. Throws ir::Error for a graph without order (verify.hpp).
std::string graph_picture(const ir::Graph& graph, const std::string& title, std::size_t most_boxes = 200);

}  // namespace tilemeter::analysis
