// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The reduced dimensions, and the shape that is left. Parts of reductions: no scopes of their own.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "runtime/operations/reduction/reduction.hpp"

namespace tilemeter {

/// Positions of dimensions, sorted, each once.
using ReducedDims = std::vector<std::size_t>;

/// As the caller named them; none: all. Valid as long as `dim`.
std::span<const int> given_dims(const ReduceDims& dim);

/// Throws RuntimeError for a dimension out of range or named twice.
ReducedDims resolve_dims(const ReduceDims& dim, std::size_t rank);

/// The shape that remains, or with ones in place of what was reduced.
Shape remaining_shape(const Shape& shape, std::span<const std::size_t> dims, bool keepdim);

/// The result of a tensor without elements: `value` in each element that remains, made on the host; none: refused where
/// a reduced dimension has no size. `dtype`: of the result.
Tensor reduced_from_nothing(const Tensor& input, std::span<const std::size_t> dims, bool keepdim,
                            std::optional<float> value, DataType dtype, const MemoryConfig& memory_config);

/// A result in the shape that its caller asked for. Nothing happens only where the tensor fills its tiles:
/// TT-NN compares the new shape with the padded one too.
Tensor in_remaining_shape(const Tensor& tensor, const Shape& shape);

}  // namespace tilemeter
