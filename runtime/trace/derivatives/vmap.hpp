// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// One function over many lanes at once.
//
//   const ir::Graph lanes = vmap(f, {0, std::nullopt}, {0});      // f(x[i], w) for each i
//
// Thread safety: any thread, any time.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "capture/ir/graph.hpp"

namespace tilemeter::trace {

/// For each parameter or result the axis along which lanes lie; negative ones count from the end.
using MappedAxes = std::vector<std::optional<std::int64_t>>;

/// The function of tensors with a mapped axis more: at `in_axes` of its parameters (none: the same value for all
/// lanes) and at `out_axes` of its results (none: a result that is the same for all lanes). What comes out is flat.
///
/// `lanes`: the size of the mapped axes. A conditional whose predicate differs between lanes computes both
/// branches; a while loop runs until all lanes are done. Throws ir::Error: kWrongArity, kBadArgument, kNoRule (naming
/// operation and rule).
ir::Graph vmap(const ir::Graph& function, std::int64_t lanes, const MappedAxes& in_axes,
               const MappedAxes& out_axes);

/// The number of lanes of arguments of these types. Throws ir::Error: kLengthMismatch where they differ, kBadArgument for
/// an axis that is not there or where nothing is mapped.
std::int64_t lanes_of(std::span<const ir::TensorType> arguments, const MappedAxes& in_axes);

}  // namespace tilemeter::trace
