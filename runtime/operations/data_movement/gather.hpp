// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Elements picked along a dimension.
//
// input: any shape; index: UINT32 or UINT16, the input's rank, no larger than it in the other dimensions. The
// result has the index's shape and the input's dtype and layout; memory_config: that of the input unless
// given. A dimension other than the last is exchanged with it before and after. Throws RuntimeError (ranks,
// dtype of the index, an index beyond the dimension), OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

Tensor gather(const Tensor& input, std::int64_t dim, const Tensor& index,
              const OptionalMemoryConfig& memory_config = std::nullopt,
              const OptionalTensor& out = std::nullopt);

}  // namespace tilemeter
