// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tensors of one shape along a new dimension.
//
// dim: where the new dimension goes (-rank-1 .. rank). Shapes, dtypes and layouts: equal. The result lies
// interleaved in DRAM, as concat's. Throws RuntimeError (no tensor, unequal shapes), OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <vector>

#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

Tensor stack(const std::vector<Tensor>& tensors, std::int64_t dim);

}  // namespace tilemeter
