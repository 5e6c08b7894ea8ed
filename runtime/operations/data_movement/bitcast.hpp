// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The bits of elements taken for another type.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

/// Each element's bits as a `dtype` of the same size: FLOAT32, INT32, UINT32; BFLOAT16, UINT16.
/// memory_config: the input's unless given. Throws RuntimeError, OutOfMemoryError.
Tensor bitcast(const Tensor& input_tensor, DataType dtype,
               const OptionalMemoryConfig& memory_config = std::nullopt,
               const OptionalTensor& output_tensor = std::nullopt,
               const OptionalCores& sub_core_grids = std::nullopt);

}  // namespace tilemeter
