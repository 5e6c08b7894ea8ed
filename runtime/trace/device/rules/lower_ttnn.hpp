// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Graphs of TT-NN calls (traced_program.hpp) as graphs of flat primitives: what the calls compute, in float32.
//
//     const auto traced = trace_on_device(f, inputs);
//     const ir::Graph flat = lower_ttnn(traced->graph());
//     const ir::Graph gradient = grad(flat, {0});       // derivatives/derivatives.hpp
//
// Shapes are the logical ones: tiles' padding is not seen. All floats are f32, whatever they are on the device; i32
// stays, unsigned integers are u32. Places are dropped.
//
// Thread safety: any thread, any time.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "capture/ir/graph.hpp"

namespace tilemeter::trace {

/// Parameters and results in the order and with the names of the calls' graph. Throws ir::Error: kNoRule, naming the
/// operation, for one without a lowering, or for arguments that its lowering does not take.
ir::Graph lower_ttnn(const ir::Graph& calls);

/// True if calls of that name ("ttnn.softmax") have a lowering.
bool has_lowering(std::string_view operation);

/// The operations of the graph, each once, that have none.
std::vector<std::string> without_lowering(const ir::Graph& calls);

}  // namespace tilemeter::trace
