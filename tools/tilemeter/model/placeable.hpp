// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Programs in files as calls whose results may be put elsewhere (runtime/query/placement.hpp).
//
// Thread safety: calls are free.

#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "capture/ir/graph.hpp"
#include "report/foreign/compiled_program.hpp"
#include "runtime/query/placement.hpp"

namespace tilemeter::cli {

/// The board that the tensors of a graph of TT-NN's calls lie on. Throws RuntimeError for another graph, and for one without.
std::string board_of(const ir::Graph& graph);

/// The calls of a graph of TT-NN's calls, as traced functions have them. Throws RuntimeError, in one line, for an argument of
/// which the graph has no more than a mention, tensors on the host or in shards, and an equation that is no call.
query::PlaceableProgram placeable_of(const ir::Graph& graph);

/// The calls of a compiled program's function, and of those that it calls. Its arguments and its constants are inputs; values go
/// after their last use, whatever the program frees. `unknown` counts operations that no call is known for: their results lie as the
/// program says. Throws RuntimeError, in one line, for tensors on the host.
query::PlaceableProgram placeable_of(const foreign::CompiledProgram& program,
                                     const foreign::ProgramFunction& function,
                                     const std::shared_ptr<Device>& device,
                                     std::map<std::string, std::size_t>& unknown);

}  // namespace tilemeter::cli
