// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Graphs as StableHLO text, for compilers and runtimes that read it.
//
//   module @main {
//     func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
//       %0 = stablehlo.tanh %arg0 : tensor<2x3xf32>
//       return %0 : tensor<2x3xf32>
//     }
//   }
//
// One line for each flat equation, and one for each constant. Conditionals and loops are regions; a scan is a while
// that slices and updates. Bodies of calls are private functions, as are the formulas of primitives that StableHLO
// does not have (erf, erf_inv, top_k, threefry2x32) or has as a reduction of several operands (arg_max).
//
// Thread safety: any thread, any time.

#pragma once

#include <string>

#include "capture/ir/graph.hpp"

namespace tilemeter::trace {

/// A graph of calls is lowered first. Throws ir::Error: what lower() throws; kUnknownOperation for a primitive that
/// has no formula in StableHLO (lgamma, digamma, erf_inv of f64); kElementTypeMismatch for a block format.
std::string to_stablehlo(const ir::Graph& graph);

}  // namespace tilemeter::trace
