// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Products of elements.
//
// Input: TILE, interleaved, BFLOAT16 or FLOAT32. dim: one dimension; none given: all, the product then has
// shape [] and is made by one core. keepdim: the reduced dimension stays as 1. memory_config of the result:
// that of the input unless given. Throws RuntimeError (dim out of range, layout), OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

Tensor prod(const Tensor& input_tensor, const std::optional<std::int64_t>& dim = std::nullopt,
            bool keepdim = false, const OptionalMemoryConfig& memory_config = std::nullopt);

/// Along `dims` - 0, 1 or both of four dimensions -, which stay as 1, written into output_tensor.
Tensor prod(const Tensor& input_tensor, const Tensor& output_tensor, const std::vector<std::int64_t>& dims,
            const OptionalMemoryConfig& memory_config = std::nullopt);

}  // namespace tilemeter
