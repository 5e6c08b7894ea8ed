// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A choice between two values, element by element.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <variant>

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

using TensorOrNumber = std::variant<Tensor, float>;

/// `value_true` where the condition is not 0, else `value_false`. Shapes: equal, or with dimensions of 1,
/// which are repeated. dtype of the result: that of the first tensor among value_true, value_false,
/// condition. memory_config: that of the condition unless given. sub_core_grids: the cores that the
/// program runs on, all unless given. All tensors TILE. Throws RuntimeError
/// (shapes, layouts; a number beside a tensor of another dtype than the condition's), OutOfMemoryError.
Tensor where(const Tensor& condition, const TensorOrNumber& value_true, const TensorOrNumber& value_false,
             const OptionalMemoryConfig& memory_config = std::nullopt,
             const OptionalTensor& output_tensor = std::nullopt,
             const OptionalCores& sub_core_grids = std::nullopt);

namespace unscoped {
/// As part of another operation: without a scope of its own.
Tensor where(const Tensor& condition, const TensorOrNumber& value_true, const TensorOrNumber& value_false,
             const OptionalMemoryConfig& memory_config = std::nullopt,
             const OptionalTensor& output_tensor = std::nullopt,
             const OptionalCores& sub_core_grids = std::nullopt);
}  // namespace unscoped

}  // namespace tilemeter
