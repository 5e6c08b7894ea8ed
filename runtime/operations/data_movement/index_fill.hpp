// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// One value at chosen positions of a dimension, with TT-NN's names, arguments and defaults.
//
// input: any shape, ROW_MAJOR, interleaved; BFLOAT16, FLOAT32 or INT32. index: one dimension, UINT32,
// ROW_MAJOR: positions along `dim`. The rest is the input's. memory_config of the result: that of the input
// unless given. Throws RuntimeError (dimension or position out of range, dtypes, layouts), OutOfMemoryError.
//
// Thread safety: may be called from any thread.

#pragma once

#include <cstdint>

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

Tensor index_fill(const Tensor& input, std::int64_t dim, const Tensor& index, double value,
                  const OptionalMemoryConfig& memory_config = std::nullopt);

}  // namespace tilemeter
