// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Outer products.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

/// Each element of the last dimension of a times all of b's: [..., n] and [..., m] to [..., n, m]; dimensions
/// before them are broadcast. Floating point. memory_config: as of a product. Throws RuntimeError,
/// OutOfMemoryError.
Tensor outer(const Tensor& input_tensor_a, const Tensor& input_tensor_b,
             const OptionalMemoryConfig& memory_config = std::nullopt);

}  // namespace tilemeter
