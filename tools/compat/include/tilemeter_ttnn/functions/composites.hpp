// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions that are made of other operations.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "tilemeter_ttnn/tensor.hpp"

namespace ttnn {

/// Each matrix of four dimensions less its mean, over its standard deviation: mean, bcast, square, sum, multiply.
Tensor normalize_hw(const Tensor& input, const std::optional<MemoryConfig>& memory_config = std::nullopt);
/// The same of all elements together, as one matrix of as many rows as one of the tensor's.
Tensor normalize_global(const Tensor& input, const std::optional<MemoryConfig>& memory_config = std::nullopt);

/// index_fill, of which it is another program with the same memory.
Tensor index_fill_new(const Tensor& input, std::uint32_t dim, const Tensor& index,
                      std::variant<float, int> value,
                      const std::optional<MemoryConfig>& memory_config = std::nullopt);

/// To a shape that has padding where `padded_shape` is larger: without a program where the last dimension stays. Throws
/// std::runtime_error where padding would have to move.
Tensor reshape_on_device(const Tensor& input, const Shape& shape, const Shape& padded_shape,
                         const std::optional<MemoryConfig>& memory_config = std::nullopt);

}  // namespace ttnn
