// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A tensor with zeros above or below a diagonal of its last two dimensions.
//
// Any shape of at least one dimension; floating point. diagonal: 0 is the main one, 1 the one above it. The
// result: TILE as the input is, memory_config that of the input unless given. As in TT-NN the input is
// multiplied with a mask of zeros and ones in bfloat16 that the host makes: it takes memory of the input's
// shape meanwhile. Throws RuntimeError, OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// What lies on the diagonal and below it.
Tensor tril(const Tensor& input_tensor, std::int64_t diagonal = 0,
            const OptionalMemoryConfig& memory_config = std::nullopt);
/// What lies on the diagonal and above it.
Tensor triu(const Tensor& input_tensor, std::int64_t diagonal = 0,
            const OptionalMemoryConfig& memory_config = std::nullopt);

}  // namespace tilemeter
