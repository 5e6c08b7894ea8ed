// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A tensor with a constant around it.
//
// Any shape, dtype and layout. TILE: padding behind the values only; where the input does not fill its tiles
// it goes by way of rows. memory_config of the result: that of the input unless given. Throws RuntimeError
// (more pairs than dimensions, padding in front of tiles), OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/operations/core/work_cores.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// Elements before and behind, per dimension; fewer pairs than dimensions: of the last ones.
using Padding = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Tensor pad(const Tensor& input, const Padding& padding, float value = 0.0F,
           const OptionalMemoryConfig& memory_config = std::nullopt, const CoreChoice& cores = {});
/// The same said by the shape of the result and where in it the input begins.
Tensor pad(const Tensor& input, const Shape& padded_shape, const Shape& start, float value,
           const OptionalMemoryConfig& memory_config = std::nullopt, const CoreChoice& cores = {});

namespace unscoped {
Tensor pad(const Tensor& input, const Padding& padding, float value = 0.0F,
           const OptionalMemoryConfig& memory_config = std::nullopt, const CoreChoice& cores = {});
/// More of one value behind those there are, as part of another operation: without a scope of its own.
/// REQUIRES: rank 4; TILE: the input fills its tiles, or its padding holds that value.
Tensor pad_behind(const Tensor& input, const Shape& shape, float value = 0.0F);
/// Zeros around the values. REQUIRES: rank 4, ROW_MAJOR.
Tensor pad_around(const Tensor& input, const Padding& padding);
}  // namespace unscoped

}  // namespace tilemeter
