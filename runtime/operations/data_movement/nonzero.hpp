// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Where a row is not zero.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <vector>

#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

/// [1, 1, 1, N], ROW_MAJOR, to two tensors of UINT32: [1, 1, 1, 8], which begins with how many elements are
/// not zero, and [1, 1, 1, 4 * N], which begins with their indices. memory_config: the input's unless given.
/// Throws RuntimeError, OutOfMemoryError.
std::vector<Tensor> nonzero(const Tensor& input_tensor,
                            const OptionalMemoryConfig& memory_config = std::nullopt);

}  // namespace tilemeter
