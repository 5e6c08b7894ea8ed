// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The dimensions of a tensor in another order.
//
// Any rank up to 8, TILE or ROW_MAJOR, any dtype (bfloat8_b by way of bfloat16 where the tiles themselves are
// taken apart). memory_config of the result: that of the input unless given. Where no element changes its
// place the result is the input itself, or a copy if the memory config differs.
// Throws RuntimeError (dims that are no order of the input's dimensions), OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <vector>

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// Dimension i of the result is dimension dims[i] of the input; negative ones count from the end.
Tensor permute(const Tensor& input, const std::vector<std::int64_t>& dims,
               const OptionalMemoryConfig& memory_config = std::nullopt, float pad_value = 0.0F);

/// Two dimensions exchanged.
Tensor transpose(const Tensor& input, std::int64_t dim0, std::int64_t dim1,
                 const OptionalMemoryConfig& memory_config = std::nullopt, float pad_value = 0.0F);

namespace unscoped {
Tensor permute(const Tensor& input, const std::vector<std::int64_t>& dims,
               const OptionalMemoryConfig& memory_config = std::nullopt, float pad_value = 0.0F);
Tensor transpose(const Tensor& input, std::int64_t dim0, std::int64_t dim1,
                 const OptionalMemoryConfig& memory_config = std::nullopt, float pad_value = 0.0F);
}  // namespace unscoped

}  // namespace tilemeter
