// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tensors one after the other along a dimension.
//
// Shapes: equal in all other dimensions; dtype and layout: equal. dtype and layout of the result: those of
// the inputs (bfloat8_b becomes bfloat16 where its tiles have to be taken apart). memory_config of the
// result: DRAM interleaved unless given. Throws RuntimeError (no tensor, unequal shapes, dtypes or layouts),
// OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <vector>

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

Tensor concat(const std::vector<Tensor>& tensors, std::int64_t dim = 0,
              const OptionalMemoryConfig& memory_config = std::nullopt,
              const OptionalCores& sub_core_grids = std::nullopt);

namespace unscoped {
Tensor concat(const std::vector<Tensor>& tensors, std::int64_t dim,
              const OptionalMemoryConfig& memory_config = std::nullopt,
              const OptionalCores& sub_core_grids = std::nullopt);
}  // namespace unscoped

}  // namespace tilemeter
