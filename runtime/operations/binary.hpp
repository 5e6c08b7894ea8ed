// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Elementwise operations of two tensors, or of a tensor and a number.
//
// Shapes: equal, or with dimensions of 1 on either side, which are repeated (as in NumPy; the shorter shape
// is filled up with leading ones). dtype of the result: that of `a` unless given. Layout: both TILE, or both
// ROW_MAJOR. memory_config of the result: that of `a` unless given. output_tensor: written to instead of a
// new tensor, must have the result's shape. All throw RuntimeError (shapes that don't broadcast, different
// devices or layouts), OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

Tensor add(const Tensor& a, const Tensor& b, const OptionalDataType& dtype = std::nullopt,
           const OptionalMemoryConfig& memory_config = std::nullopt,
           const OptionalTensor& output_tensor = std::nullopt);
Tensor add(const Tensor& a, float b, const OptionalDataType& dtype = std::nullopt,
           const OptionalMemoryConfig& memory_config = std::nullopt,
           const OptionalTensor& output_tensor = std::nullopt);
Tensor subtract(const Tensor& a, const Tensor& b, const OptionalDataType& dtype = std::nullopt,
                const OptionalMemoryConfig& memory_config = std::nullopt,
                const OptionalTensor& output_tensor = std::nullopt);
Tensor subtract(const Tensor& a, float b, const OptionalDataType& dtype = std::nullopt,
                const OptionalMemoryConfig& memory_config = std::nullopt,
                const OptionalTensor& output_tensor = std::nullopt);
Tensor multiply(const Tensor& a, const Tensor& b, const OptionalDataType& dtype = std::nullopt,
                const OptionalMemoryConfig& memory_config = std::nullopt,
                const OptionalTensor& output_tensor = std::nullopt);
Tensor multiply(const Tensor& a, float b, const OptionalDataType& dtype = std::nullopt,
                const OptionalMemoryConfig& memory_config = std::nullopt,
                const OptionalTensor& output_tensor = std::nullopt);
Tensor divide(const Tensor& a, const Tensor& b, const OptionalDataType& dtype = std::nullopt,
              const OptionalMemoryConfig& memory_config = std::nullopt,
              const OptionalTensor& output_tensor = std::nullopt);
Tensor divide(const Tensor& a, float b, const OptionalDataType& dtype = std::nullopt,
              const OptionalMemoryConfig& memory_config = std::nullopt,
              const OptionalTensor& output_tensor = std::nullopt);

/// 1 where it holds, else 0.
Tensor eq(const Tensor& a, const Tensor& b, const OptionalDataType& dtype = std::nullopt,
          const OptionalMemoryConfig& memory_config = std::nullopt,
          const OptionalTensor& output_tensor = std::nullopt);
Tensor eq(const Tensor& a, float b, const OptionalDataType& dtype = std::nullopt,
          const OptionalMemoryConfig& memory_config = std::nullopt,
          const OptionalTensor& output_tensor = std::nullopt);
Tensor ne(const Tensor& a, const Tensor& b, const OptionalDataType& dtype = std::nullopt,
          const OptionalMemoryConfig& memory_config = std::nullopt,
          const OptionalTensor& output_tensor = std::nullopt);
Tensor ne(const Tensor& a, float b, const OptionalDataType& dtype = std::nullopt,
          const OptionalMemoryConfig& memory_config = std::nullopt,
          const OptionalTensor& output_tensor = std::nullopt);
Tensor gt(const Tensor& a, const Tensor& b, const OptionalDataType& dtype = std::nullopt,
          const OptionalMemoryConfig& memory_config = std::nullopt,
          const OptionalTensor& output_tensor = std::nullopt);
Tensor gt(const Tensor& a, float b, const OptionalDataType& dtype = std::nullopt,
          const OptionalMemoryConfig& memory_config = std::nullopt,
          const OptionalTensor& output_tensor = std::nullopt);
Tensor ge(const Tensor& a, const Tensor& b, const OptionalDataType& dtype = std::nullopt,
          const OptionalMemoryConfig& memory_config = std::nullopt,
          const OptionalTensor& output_tensor = std::nullopt);
Tensor ge(const Tensor& a, float b, const OptionalDataType& dtype = std::nullopt,
          const OptionalMemoryConfig& memory_config = std::nullopt,
          const OptionalTensor& output_tensor = std::nullopt);
Tensor lt(const Tensor& a, const Tensor& b, const OptionalDataType& dtype = std::nullopt,
          const OptionalMemoryConfig& memory_config = std::nullopt,
          const OptionalTensor& output_tensor = std::nullopt);
Tensor lt(const Tensor& a, float b, const OptionalDataType& dtype = std::nullopt,
          const OptionalMemoryConfig& memory_config = std::nullopt,
          const OptionalTensor& output_tensor = std::nullopt);
Tensor le(const Tensor& a, const Tensor& b, const OptionalDataType& dtype = std::nullopt,
          const OptionalMemoryConfig& memory_config = std::nullopt,
          const OptionalTensor& output_tensor = std::nullopt);
Tensor le(const Tensor& a, float b, const OptionalDataType& dtype = std::nullopt,
          const OptionalMemoryConfig& memory_config = std::nullopt,
          const OptionalTensor& output_tensor = std::nullopt);

Tensor maximum(const Tensor& a, const Tensor& b, const OptionalDataType& dtype = std::nullopt,
               const OptionalMemoryConfig& memory_config = std::nullopt,
               const OptionalTensor& output_tensor = std::nullopt);
Tensor minimum(const Tensor& a, const Tensor& b, const OptionalDataType& dtype = std::nullopt,
               const OptionalMemoryConfig& memory_config = std::nullopt,
               const OptionalTensor& output_tensor = std::nullopt);

/// The result goes into `a`, which is returned. It must have the result's shape.
Tensor add_(const Tensor& a, const Tensor& b);
Tensor add_(const Tensor& a, float b);
Tensor subtract_(const Tensor& a, const Tensor& b);
Tensor subtract_(const Tensor& a, float b);
Tensor multiply_(const Tensor& a, const Tensor& b);
Tensor multiply_(const Tensor& a, float b);
Tensor divide_(const Tensor& a, const Tensor& b);
Tensor divide_(const Tensor& a, float b);

namespace untraced {
/// As part of another operation: without a scope of its own.
Tensor add(const Tensor& a, const Tensor& b, const OptionalDataType& dtype = std::nullopt,
           const OptionalMemoryConfig& memory_config = std::nullopt);
Tensor multiply(const Tensor& a, float b, const OptionalMemoryConfig& memory_config = std::nullopt);
}  // namespace untraced

}  // namespace tilemeter
