// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Pending arrays: what has been asked of them, and what their evaluation costs.
//
// A use walks back from the array to what is evaluated, makes a graph of the operations in between, and runs it as
// one. Programs of the same structure share what is compiled. Arrays on the way that somebody still holds get
// their values as well; operations that the use does not need stay pending.
//
// Thread safety: eval() as Array, the rest any thread, any time.

#pragma once

#include <cstdint>
#include <span>

#include "capture/ir/graph.hpp"
#include "runtime/trace/arrays/array.hpp"

namespace tilemeter::trace {

/// Evaluates all of these that are pending in one run. Throws TraceError, with the place of the operation.
void eval(std::span<const Array> arrays);

/// The graph of calls that eval() would run: a parameter for each evaluated array, a result for each of `arrays`.
/// Nothing is evaluated. Throws TraceError (kEscapedTracer) for a traced one.
ir::Graph pending_graph(std::span<const Array> arrays);

struct LazyStatistics {
    std::int64_t live_nodes =
        0;                   ///< pending operations and evaluated arrays that somebody holds, in all threads
    std::uint64_t runs = 0;  ///< graphs that ran
    std::uint64_t compiled = 0;    ///< of these, graphs of a structure that was not known
    std::uint64_t held_bytes = 0;  ///< of compiled graphs
};
LazyStatistics lazy_statistics();

/// Forgets compiled graphs.
void clear_lazy_cache();

}  // namespace tilemeter::trace
