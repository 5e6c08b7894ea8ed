// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What the chips of a mesh do together.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// Every chip gets what all have, one after the other along `dim`: that dimension times the number of chips.
/// memory_config: the input's unless given. INTERLEAVED; TILE layout needs whole tiles along `dim`. Throws
/// RuntimeError, OutOfMemoryError.
Tensor all_gather(const Tensor& input_tensor, int dim,
                  const OptionalMemoryConfig& memory_config = std::nullopt);

/// The sum over all chips, of which each gets its part along `dim`: that dimension divided by the number of
/// chips, into whole tiles. memory_config: the input's unless given. INTERLEAVED, TILE layout, floating
/// point. Throws RuntimeError, OutOfMemoryError.
Tensor reduce_scatter(const Tensor& input_tensor, int dim,
                      const OptionalMemoryConfig& memory_config = std::nullopt);

/// The sum over all chips, on each: a reduce_scatter along the last dimension that the chips can share, then
/// an all_gather. memory_config: the input's unless given. Throws RuntimeError (also where no dimension can
/// be shared), OutOfMemoryError.
Tensor all_reduce(const Tensor& input_tensor, const OptionalMemoryConfig& memory_config = std::nullopt);

}  // namespace tilemeter
