// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The same values in another element type.
//
// Any shape, TILE or ROW_MAJOR (the block formats: TILE), interleaved or sharded; from and to any dtype. On
// the host, too. memory_config of the result: that of the input unless given. Throws RuntimeError,
// OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// Into `output_tensor`, if given.
Tensor typecast(const Tensor& input, DataType dtype, const OptionalMemoryConfig& memory_config = std::nullopt,
                const OptionalTensor& output_tensor = std::nullopt,
                const OptionalCores& sub_core_grids = std::nullopt);

/// Operations without a scope of their own, for those that are made of others.
namespace unscoped {
Tensor typecast(const Tensor& input, DataType dtype,
                const OptionalMemoryConfig& memory_config = std::nullopt);
}

}  // namespace tilemeter
