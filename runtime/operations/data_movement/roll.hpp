// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Elements shifted along dimensions, those that leave at one end entering at the other.
//
// shifts and dims: as many of one as of the other; no dims: the tensor as if it had one dimension, by one
// shift. What the result is joined of lies as the input does, the result where memory_config says. Throws
// RuntimeError, OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <vector>

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

Tensor roll(const Tensor& input_tensor, const std::vector<std::int64_t>& shifts,
            const std::vector<std::int64_t>& dims = {},
            const OptionalMemoryConfig& memory_config = std::nullopt);

}  // namespace tilemeter
