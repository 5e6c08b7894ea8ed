// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions of arrays as graphs.
//
//   const TracedGraph traced = trace("f", f, std::vector<TensorType>{{ElementType::kF32, {2, 3}}});
//   evaluate(*traced.graph, inputs);
//
// The function runs once. What it does beside operations on arrays happens then and never again: printing, reading a
// global, drawing a random number, looping over a range.
//
// Thread safety: any thread, any time; the function runs in the calling thread.

#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "runtime/trace/arrays/frame.hpp"

namespace tilemeter::trace {

/// A function of arrays. It may use arrays from outside of it.
using Function = std::function<std::vector<Array>(std::span<const Array> arguments)>;

/// Abstract. Parameters are x0, x1, ... where no names are given. Throws TraceError, and what the function throws.
TracedGraph trace(const std::string& name, const Function& function, std::span<const ir::TensorType> types,
                  std::span<const std::string> names = {});

/// The same for all sizes of the names in the dimensions of the types that keep the constraints: an operation that holds
/// for some of them alone throws TraceError, saying what would have to hold. So do names whose size can't be found from
/// the arguments' shapes, and constraints that no sizes keep. See capture/ir/sizes.hpp for the graph at given sizes.
TracedGraph trace_sizes(const std::string& name, const Function& function,
                        std::span<const ir::TensorType> types, ir::ConstraintsPtr constraints = {},
                        std::span<const std::string> names = {});

/// Concrete: with these values at hand.
TracedGraph trace_concrete(const std::string& name, const Function& function,
                           std::span<const ir::Constant> inputs, std::span<const std::string> names = {});

/// A function that may use arrays of the frames around it, closed: the parameters are its arguments, then one for
/// each array that it captured. What transformations of functions (derivatives, batching) work on.
struct Closure {
    ir::GraphPtr graph;
    std::vector<Array> captured;
};
Closure trace_closure(const std::string& name, const Function& function,
                      std::span<const ir::TensorType> types);

/// The results of a graph of calls or of flat primitives, recorded as one "call" of it.
std::vector<Array> call_graph(const ir::GraphPtr& graph, std::span<const Array> arguments);

}  // namespace tilemeter::trace
