// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A graph as Tripy, NVIDIA's tracing frontend, prints its two representations.
//
//   ==== Trace IR ====
//   t0 = fill(value=0.5, shape=(2, 3), dtype=float32)
//   t1 = unaryelementwise(t0, kind=Kind.TANH)
//   outputs:
//       t1: [shape=(2, 3,), dtype=(float32), loc=(gpu:0)]
//
//   ==== Flat IR ====
//   t_inter1: [shape=(), dtype=(float32), loc=(gpu:0)] = ConstantOp(data=0.5, dtype=float32, device=gpu:0)
//   t0: [shape=(2, 3,), dtype=(float32), loc=(gpu:0)] = BroadcastOp(t_inter1, broadcast_dim=[])
//   t1: [shape=(2, 3,), dtype=(float32), loc=(gpu:0)] = TanhOp(t0)
//   outputs:
//       t1: [shape=(2, 3,), dtype=(float32), loc=(gpu:0)]
//
// Values have their own names, if they have some. Others are numbered: t0, t1, ... in the Trace IR, t_inter1,
// t_inter2, ... in the Flat IR, where they are what lowering put between the values of the trace.
//
// Thread safety: any thread, any time.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "capture/ir/graph.hpp"

namespace tilemeter::ir {

/// Tripy's spelling of an operation of ours. Those without a spelling keep name and attributes; in the Flat IR
/// `dynamic_slice` becomes DynamicSliceOp.
struct TripySpelling {
    std::string operation;
    std::string name;
    /// Ours and Tripy's names of the attributes that are shown, in the order in which they are.
    std::vector<std::pair<std::string, std::string>> attributes{};
    std::string more{};  ///< as it stands behind them: "kind=Kind.TANH"
};

struct TripyOptions {
    /// The device of values that belong to none.
    std::string device = "host";
    /// Looked up before the spellings that are known here: full, tanh and its like, broadcast_in_dim.
    std::vector<TripySpelling> spellings{};
};

/// REQUIRES of both: verify(graph) finds nothing
std::string tripy_trace_ir(const Graph& graph, const TripyOptions& options = {});
std::string tripy_flat_ir(const Graph& graph, const TripyOptions& options = {});

/// By value, what tripy_trace_ir() calls it; empty for scalar constants. What lowers a graph gives these names to
/// the values that it makes for them, and both texts agree.
std::vector<std::string> tripy_trace_names(const Graph& graph);

}  // namespace tilemeter::ir
