// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Elements of a source written over those of a tensor, at places along a dimension.
//
// input: any shape up to four dimensions; index and source: its rank; index: integers, of the source's shape.
// The result has the input's shape, dtype and layout; memory_config: that of the input unless given. Tiles
// become rows and back, a dimension other than the last changes its place with it. Throws RuntimeError
// (ranks, dtypes, an index beyond the dimension), OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// What becomes of an element that is written: the source's value, or both added or multiplied.
enum class ScatterReduction : std::uint8_t { kNone, kAdd, kMultiply };

Tensor scatter(const Tensor& input, std::int64_t dim, const Tensor& index, const Tensor& source,
               const OptionalMemoryConfig& memory_config = std::nullopt,
               ScatterReduction reduction = ScatterReduction::kNone);
Tensor scatter_add(const Tensor& input, std::int64_t dim, const Tensor& index, const Tensor& source,
                   const OptionalMemoryConfig& memory_config = std::nullopt);

}  // namespace tilemeter
