// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Elementwise operations of two tensors, or of a tensor and a number.
//
// Shapes: equal, or with dimensions of 1 on either side, which are repeated (as in NumPy; the shorter shape
// is filled up with leading ones). dtype of the result: that of `a` unless given. Layout: both TILE, or both
// ROW_MAJOR. memory_config of the result: that of `a` unless given. All throw RuntimeError (shapes that don't
// broadcast, different devices or layouts), OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

Tensor add(const Tensor& a, const Tensor& b, const OptionalDataType& dtype = std::nullopt,
           const OptionalMemoryConfig& memory_config = std::nullopt);
Tensor add(const Tensor& a, float b, const OptionalDataType& dtype = std::nullopt,
           const OptionalMemoryConfig& memory_config = std::nullopt);
Tensor subtract(const Tensor& a, const Tensor& b, const OptionalDataType& dtype = std::nullopt,
                const OptionalMemoryConfig& memory_config = std::nullopt);
Tensor subtract(const Tensor& a, float b, const OptionalDataType& dtype = std::nullopt,
                const OptionalMemoryConfig& memory_config = std::nullopt);
Tensor multiply(const Tensor& a, const Tensor& b, const OptionalDataType& dtype = std::nullopt,
                const OptionalMemoryConfig& memory_config = std::nullopt);
Tensor multiply(const Tensor& a, float b, const OptionalDataType& dtype = std::nullopt,
                const OptionalMemoryConfig& memory_config = std::nullopt);
Tensor divide(const Tensor& a, const Tensor& b, const OptionalDataType& dtype = std::nullopt,
              const OptionalMemoryConfig& memory_config = std::nullopt);
Tensor divide(const Tensor& a, float b, const OptionalDataType& dtype = std::nullopt,
              const OptionalMemoryConfig& memory_config = std::nullopt);

namespace untraced {
/// As part of another operation: without a scope of its own.
Tensor add(const Tensor& a, const Tensor& b, const OptionalDataType& dtype = std::nullopt,
           const OptionalMemoryConfig& memory_config = std::nullopt);
}  // namespace untraced

}  // namespace tilemeter
