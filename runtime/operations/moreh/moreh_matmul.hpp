// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Matrix products as moreh's: bfloat16, TILE, batch dimensions of 1 are repeated. memory_config of the
// result: that of the input unless given. output: written to instead of a new tensor.
//
// All throw RuntimeError (shapes, dtype, layout), OutOfMemoryError. Thread safety: all functions may be
// called from any thread.

#pragma once

#include "runtime/operations/core/compute_kernel_config.hpp"
#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

/// bias: [1, columns] or one element.
Tensor moreh_matmul(const Tensor& input, const Tensor& other, bool transpose_input = false,
                    bool transpose_other = false, const OptionalTensor& output = std::nullopt,
                    const OptionalTensor& bias = std::nullopt,
                    const OptionalMemoryConfig& memory_config = std::nullopt,
                    const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);
/// Of three dimensions each.
Tensor moreh_bmm(const Tensor& input, const Tensor& mat2, const OptionalTensor& output = std::nullopt,
                 const OptionalMemoryConfig& memory_config = std::nullopt,
                 const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);
/// input times the transpose of weight, plus bias.
Tensor moreh_linear(const Tensor& input, const Tensor& weight, const OptionalTensor& bias = std::nullopt,
                    const OptionalTensor& output = std::nullopt,
                    const OptionalMemoryConfig& memory_config = std::nullopt,
                    const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);
/// Of two rows, [1, 1, 1, n] each: one element.
Tensor moreh_dot(const Tensor& input_tensor_a, const Tensor& input_tensor_b,
                 const OptionalTensor& output = std::nullopt, const OptionalDataType& dtype = std::nullopt,
                 const OptionalMemoryConfig& memory_config = std::nullopt,
                 const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);

namespace unscoped {
/// As part of another operation: without a scope of its own.
Tensor moreh_matmul(const Tensor& input, const Tensor& other, bool transpose_input, bool transpose_other,
                    const OptionalTensor& output = std::nullopt,
                    const OptionalMemoryConfig& memory_config = std::nullopt,
                    const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);
}  // namespace unscoped

}  // namespace tilemeter
