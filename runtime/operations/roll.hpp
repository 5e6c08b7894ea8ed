// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Elements shifted along dimensions, those that leave at one end entering at the other.
//
// shifts and dims: as many of one as of the other; no dims: the tensor as if it had one dimension, by one
// shift. The result lies as the input does, what it is joined of in between too. Throws RuntimeError,
// OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <vector>

#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

Tensor roll(const Tensor& input_tensor, const std::vector<std::int64_t>& shifts,
            const std::vector<std::int64_t>& dims = {});

}  // namespace tilemeter
