// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Gradients of functions of TT-NN tensors: their calls lowered, differentiated, and placed on the device again.
//
//     const auto traced = trace_on_device(loss, inputs);             // returns one tensor of one element
//     Placed gradient = place_gradient(*traced, {1, 2});             // of inputs 1 and 2
//     const std::vector<Tensor> values = gradient.run(inputs);       // the loss, then a gradient for each
//
// Thread safety: any thread; outside locking of what is placed.

#pragma once

#include "capture/ir/graph.hpp"
#include "runtime/trace/derivatives/derivatives.hpp"
#include "runtime/trace/device/place/place.hpp"
#include "runtime/trace/device/record/traced_program.hpp"

namespace tilemeter::trace {

/// A flat graph: the function's result as a scalar, then a gradient for each of wrt. Throws as lower_ttnn() and
/// value_and_grad(): kGradNeedsScalar where the function returns other than one tensor of one element.
ir::Graph gradient_of_calls(const ir::Graph& calls, const Positions& wrt);

/// The same, on the device of the traced function. Tensors of its closure are parameters behind the inputs. Floats are
/// BFLOAT16 where all that the function is given are, else FLOAT32, unless the options say. Throws as place() as well.
Placed place_gradient(const TracedProgram& traced, const Positions& wrt, PlaceOptions options = {});

}  // namespace tilemeter::trace
