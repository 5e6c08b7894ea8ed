// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The same elements, in row-major order, under other dimensions.
//
// Shares the input's memory where no element changes its place (the last dimension stays, the rows stay
// whole tiles, the memory config stays the same kind); else moves the data: bfloat16, float32, int32, uint32
// and, by way of bfloat16, bfloat8_b. memory_config of the result: that of the input unless given.
// Throws RuntimeError (unequal volumes, a dtype that can't be moved), OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

Tensor reshape(const Tensor& input, const Shape& shape,
               const OptionalMemoryConfig& memory_config = std::nullopt,
               const OptionalCores& sub_core_grids = std::nullopt);

/// The same memory under another shape. Throws RuntimeError where an element would have to move.
Tensor view(const Tensor& input, const Shape& shape);
namespace experimental {
Tensor view(const Tensor& input, const Shape& shape);  ///< recorded as "ttnn::experimental::view"
}

/// The shape that `dimensions` mean for this tensor: one of them may be -1, it takes what is left.
Shape resolve_shape(const Tensor& tensor, std::span<const std::int64_t> dimensions);

/// Leading dimensions of 1 up to four. Throws RuntimeError for more than four.
Tensor unsqueeze_to_4D(const Tensor& input);  // NOLINT: TT-NN's name

/// A dimension of 1 at `dim` (-rank-1 .. rank).
Tensor unsqueeze(const Tensor& input, std::int64_t dim);

/// Without the dimensions `dims`, those of them that are 1; none given: without all that are 1.
Tensor squeeze(const Tensor& input, const std::vector<std::int64_t>& dims);
Tensor squeeze(const Tensor& input, std::int64_t dim);
Tensor squeeze(const Tensor& input);

namespace unscoped {
Tensor reshape(const Tensor& input, const Shape& shape,
               const OptionalMemoryConfig& memory_config = std::nullopt,
               const OptionalCores& sub_core_grids = std::nullopt);
/// To four dimensions and back; nothing happens where the rank is right already.
Tensor unsqueeze_to_4D(const Tensor& input);                    // NOLINT: TT-NN's name
Tensor squeeze_from_4D(const Tensor& input, std::size_t rank);  // NOLINT: TT-NN's name
}  // namespace unscoped

}  // namespace tilemeter
