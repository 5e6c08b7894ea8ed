// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of functions, from graph to graph.
//
//   const ir::Graph gradient = grad(loss, {0, 2});       // of parameters 0 and 2
//   const ir::Graph curvature = hvp(loss, {0});
//   const ir::Graph second = grad(grad(f, {0}), {0});    // any nesting
//
// The input is a graph of calls or flat (calls are lowered); the output is an ordinary flat graph: it prints, is
// simplified, evaluated, exported and differentiated again. A function differentiates its own parameters and takes all
// else as constants, so that levels of differentiation cannot be confused.
//
// `wrt` names parameters by position, distinct ones; they must be float. Parameters and results of other element types
// have no tangents and no cotangents. Where a derivative has a kink: maximum and minimum share, max and min of
// an axis share equally, abs has 1 and relu 0 at 0.
//
// Errors, as ir::Error: kGradNeedsScalar, kGradNeedsFloat, kNoRule (naming operation and rule), kNotReversible (a while
// loop in reverse), kBadArgument (wrt).
//
// Thread safety: any thread, any time.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "capture/ir/graph.hpp"

namespace tilemeter::trace {

/// Positions of parameters or results.
using Positions = std::vector<std::size_t>;

/// The parameters that can be differentiated: all floats.
Positions float_params(const ir::Graph& graph);

/// Forward mode. Parameters: the function's, then a tangent for each of wrt. Results: the function's, then a tangent
/// for each that is float.
ir::Graph jvp(const ir::Graph& function, const Positions& wrt);

/// Forward mode in two parts. `primal`: the function's parameters -> its results, then residuals. `linear`: residuals,
/// then a tangent for each of wrt -> a tangent for each float result.
struct Linearized {
    ir::Graph primal;
    ir::Graph linear;
    std::size_t residuals = 0;
};
Linearized linearize(const ir::Graph& function, const Positions& wrt);

/// The transpose of a graph that is linear in these parameters. Parameters: the others, then a cotangent for each float
/// result. Results: a cotangent for each of the linear parameters.
ir::Graph transpose(const ir::Graph& linear, const Positions& wrt);

/// Reverse mode in two parts. `forward`: the function's parameters -> its results, then residuals. `backward`:
/// residuals, then a cotangent for each float result -> a cotangent for each of wrt. Residuals are values that the
/// function itself computes, or parameters of it.
struct Reversed {
    ir::Graph forward;
    ir::Graph backward;
    std::size_t residuals = 0;
};
Reversed reverse(const ir::Graph& function, const Positions& wrt);

/// Both in one. Parameters: the function's, then a cotangent for each float result. Results: the function's, then
/// a cotangent for each of wrt.
ir::Graph vjp(const ir::Graph& function, const Positions& wrt);

/// The gradient of a function with one result, a float scalar. Parameters: the function's. Results: a gradient for each
/// of wrt.
ir::Graph grad(const ir::Graph& function, const Positions& wrt);
/// The same, after the function's result. `has_further`: of the first result of several, which all come before.
ir::Graph value_and_grad(const ir::Graph& function, const Positions& wrt, bool has_further = false);

/// Products of the second derivatives with a vector. Parameters: the function's, then a vector for each of wrt.
/// Results: a product for each of wrt.
ir::Graph hvp(const ir::Graph& function, const Positions& wrt);

/// The function with its while loops as scans of `most_trips` trips, which reverse mode can do: once the condition is
/// false, what is carried stays. Where a loop would go on after that, its float results are nan.
ir::Graph bounded_loops(const ir::Graph& function, std::int64_t most_trips);

// For callers that get tangents from outside. Throw ir::Error: kWrongArity, kElementTypeMismatch, kShapeMismatch.
void check_tangents(const ir::Graph& function, const Positions& wrt,
                    std::span<const ir::TensorType> tangents);
void check_cotangents(const ir::Graph& function, std::span<const ir::TensorType> cotangents);

}  // namespace tilemeter::trace
