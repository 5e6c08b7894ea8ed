// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Derivatives and lanes of functions of arrays: functions again, in any nesting.
//
//   const Function slope = grad(f);                          // of argument 0
//   const Array second = grad(grad(f))(std::vector{x})[0];
//   const auto [results, back] = vjp(f, arguments);
//   const Array gradient = back(cotangents)[0];
//   const Function each = vmap(f, {0, std::nullopt});
//
// Each call traces its function in a frame of its own, transforms the graph (derivatives.hpp, vmap.hpp) and records
// the outcome as one call: in the graph of a frame that is open, else as a pending operation. Arrays that the function
// uses from around it are constants to it. Compiled by Jit, all of this happens once.
//
// Tangents, cotangents and gradients are those of floats: arguments and results of other element types have none and
// are left out of the lists.
//
// Throw TraceError: kGradNeedsScalar, kGradNeedsFloat, kShapeMismatch, kElementTypeMismatch, kStructureMismatch (tangents or
// cotangents), kLengthMismatch (mapped axes), kBadArgument (positions, axes), kNoRule, kNotReversible; and what the
// functions throw.
//
// Thread safety: as Array.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "runtime/trace/arrays/array.hpp"
#include "runtime/trace/arrays/trace.hpp"
#include "runtime/trace/derivatives/derivatives.hpp"
#include "runtime/trace/derivatives/vmap.hpp"

namespace tilemeter::trace {

/// The results that follow the value of a function that is differentiated: nothing, or further results that are handed
/// through.
enum class Further : std::uint8_t { kNone, kResults };

/// The gradients of arguments `wrt` of a function whose first result is a float scalar; then its further results.
Function grad(Function function, Positions wrt = {0}, Further further = Further::kNone);
/// The function's results, then the gradients.
Function value_and_grad(Function function, Positions wrt = {0}, Further further = Further::kNone);

/// Forward mode: results and their tangents, from a tangent for each float argument.
struct Pushed {
    std::vector<Array> results;
    std::vector<Array> tangents;
};
Pushed jvp(const Function& function, std::span<const Array> arguments, std::span<const Array> tangents);

/// Reverse mode: results, and the cotangents of the float arguments as a function of those of the float results. What
/// the way back needs is computed with the results and lives as long as `back` does.
struct Pulled {
    std::vector<Array> results;
    Function back;
};
Pulled vjp(const Function& function, std::span<const Array> arguments);

/// The second derivatives of a function with a float scalar as its result, times a vector for each float argument.
std::vector<Array> hvp(const Function& function, std::span<const Array> arguments,
                       std::span<const Array> vectors);

/// The function of each lane. `out_axes`: of each result; empty: 0 of all.
Function vmap(Function function, MappedAxes in_axes, MappedAxes out_axes = {});
/// The same where the axes of the results are only known when the function has run.
Function vmap(Function function, MappedAxes in_axes, std::function<MappedAxes(std::size_t results)> out_axes);

}  // namespace tilemeter::trace
