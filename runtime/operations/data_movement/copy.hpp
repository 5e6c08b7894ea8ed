// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Copies of tensors in memory of their own.
//
// Any shape, dtype and layout. dtype and memory_config of the result: those of the input unless given.
// Throws RuntimeError, OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

Tensor clone(const Tensor& input, const OptionalDataType& dtype = std::nullopt,
             const OptionalMemoryConfig& memory_config = std::nullopt);

/// The values of `input`, written over those of `output` in its dtype and place. Equal shapes and layouts.
Tensor copy(const Tensor& input, const Tensor& output);
Tensor assign(const Tensor& input, const Tensor& output);
/// A copy in other memory.
Tensor assign(const Tensor& input, const MemoryConfig& memory_config,
              const OptionalDataType& dtype = std::nullopt, const OptionalTensor& output = std::nullopt);

namespace experimental {
/// A copy of another dtype, in the input's memory unless told otherwise.
Tensor typecast(const Tensor& input_tensor, DataType dtype,
                const OptionalMemoryConfig& memory_config = std::nullopt,
                const OptionalTensor& output_tensor = std::nullopt);
}  // namespace experimental

namespace unscoped {
Tensor clone(const Tensor& input, const OptionalDataType& dtype = std::nullopt,
             const OptionalMemoryConfig& memory_config = std::nullopt);
Tensor copy(const Tensor& input, const Tensor& output);
/// The copy that to_memory_config makes.
Tensor copy_to(const Tensor& input, const MemoryConfig& memory_config, DataType dtype);
}  // namespace unscoped

}  // namespace tilemeter
