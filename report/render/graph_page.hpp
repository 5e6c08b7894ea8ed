// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "capture/ir/graph.hpp"

namespace tilemeter::analysis {

/// One self-contained page of a traced function: its equations and those of its subgraphs, as in the graph's text. Each
/// has the bytes of its results, the bytes alive after it, their place, the source line, and the ids of the captured
/// operations that it stands for, where the graph knows them (attribute "captured": the `counter` of their nodes in a
/// report). The uses of a value light up. It needs no network and no other file. `name`: "encoder.graph". Bytes are
/// those of the elements, without the padding of a layout. Throws ir::Error for a graph without order (verify.hpp).
std::string graph_page(const ir::Graph& graph, const std::string& name);

}  // namespace tilemeter::analysis
