// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Parts of a tensor.
//
// Any shape, dtype and layout (bfloat8_b becomes bfloat16 where its tiles have to be taken apart).
// memory_config of the result: that of the input unless given. Throws RuntimeError (begin, end or step that
// don't fit the shape), OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <vector>

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// Elements begin[i], begin[i] + step[i], ... below end[i] of each dimension; no step given: 1. Indices below
/// 0 count from the end. All of the tensor: the input itself, or a copy if the memory config differs. With
/// `output_tensor` the part is written there, by a copy; `pad_value` fills what is left of the last tiles.
Tensor slice(const Tensor& input, const std::vector<std::int64_t>& begin,
             const std::vector<std::int64_t>& end, const std::vector<std::int64_t>& step = {},
             const OptionalMemoryConfig& memory_config = std::nullopt,
             const OptionalTensor& output_tensor = std::nullopt,
             std::optional<float> pad_value = std::nullopt,
             const OptionalCores& sub_core_grids = std::nullopt);

/// Parts of `split_size` along a dimension, the last one smaller if need be.
std::vector<Tensor> split(const Tensor& input, std::uint32_t split_size, std::int64_t dim = 0,
                          const OptionalMemoryConfig& memory_config = std::nullopt);

/// Parts of those sizes, which come to the whole dimension.
std::vector<Tensor> split(const Tensor& input, const std::vector<std::uint32_t>& split_sizes,
                          std::int64_t dim = 0, const OptionalMemoryConfig& memory_config = std::nullopt);

/// `chunks` equal parts along a dimension, the last one smaller if need be.
std::vector<Tensor> chunk(const Tensor& input, std::uint32_t chunks, std::int64_t dim);

namespace unscoped {
/// As part of another operation: without a scope of its own.
Tensor slice(const Tensor& input, const std::vector<std::uint32_t>& begin,
             const std::vector<std::uint32_t>& end, const OptionalMemoryConfig& memory_config = std::nullopt);
}  // namespace unscoped

}  // namespace tilemeter
