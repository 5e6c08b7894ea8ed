// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Sums and products of all elements before, along a dimension.
//
// Input: TILE, interleaved, at least one dimension. dtype: of the result, to which the input is converted
// first; that of the input unless given. reverse_order: from the last element on. memory_config of the
// result: that of the input unless given. Along the last two dimensions only sums of bfloat16 have a program
// of their own; else the dimension changes its place with the outermost of four, and back, as in TT-NN.
// Throws RuntimeError (dim out of range, layout), OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

Tensor cumsum(const Tensor& input, std::int64_t dim, const OptionalDataType& dtype = std::nullopt,
              bool reverse_order = false, const OptionalTensor& out = std::nullopt,
              const OptionalMemoryConfig& memory_config = std::nullopt, bool disable_compensated_sum = false);
Tensor cumprod(const Tensor& input, std::int64_t dim, const OptionalDataType& dtype = std::nullopt,
               bool reverse_order = false, const OptionalTensor& out = std::nullopt,
               const OptionalMemoryConfig& memory_config = std::nullopt);

/// The same as moreh's: sums, and their gradient, which sums from the last element on.
Tensor moreh_cumsum(const Tensor& input, std::int64_t dim, const OptionalTensor& output = std::nullopt,
                    const OptionalMemoryConfig& memory_config = std::nullopt);
Tensor moreh_cumsum_backward(const Tensor& output_grad, std::int64_t dim,
                             const OptionalTensor& input_grad = std::nullopt,
                             const OptionalMemoryConfig& memory_config = std::nullopt);

}  // namespace tilemeter
