// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Matrix products, with TT-NN's names, arguments and defaults.
//
// Shapes: a [..., M, K], b [..., K, N] (after transpose_a, transpose_b) -> [..., M, N]. Batch dimensions are
// equal, or all 1 on one side. A vector counts as a row on the left and a column on the right; its dimension
// is gone from the result. Layout TILE, floating point dtypes, which may differ; sums in float32.
// memory_config of the result: DRAM interleaved unless given. dtype of the result: that of `a` unless given.
// program_config: how the product is spread over cores; chosen by TT-NN's rules unless given.
// core_grid: the part of the grid that the choice may use. activation: applied to the result.
// bias: one row [1, N] is added by the program itself where it can, anything else that broadcasts after it.
// All throw RuntimeError (shapes, dtypes, layouts, a config that does not fit), OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <optional>
#include <string>

#include "runtime/operations/core/compute_kernel_config.hpp"
#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/operations/matmul/matmul_program_config.hpp"

namespace tilemeter {

using OptionalProgramConfig = std::optional<MatmulProgramConfig>;

Tensor matmul(const Tensor& input_tensor_a, const Tensor& input_tensor_b, bool transpose_a = false,
              bool transpose_b = false, const OptionalMemoryConfig& memory_config = std::nullopt,
              const OptionalDataType& dtype = std::nullopt,
              const OptionalProgramConfig& program_config = std::nullopt,
              const std::optional<std::string>& activation = std::nullopt,
              const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt,
              const OptionalCoreGrid& core_grid = std::nullopt,
              const OptionalTensor& optional_output_tensor = std::nullopt);

Tensor linear(const Tensor& input_tensor_a, const Tensor& input_tensor_b,
              const OptionalTensor& bias = std::nullopt, bool transpose_a = false, bool transpose_b = false,
              const OptionalMemoryConfig& memory_config = std::nullopt,
              const OptionalDataType& dtype = std::nullopt,
              const OptionalProgramConfig& program_config = std::nullopt,
              const std::optional<std::string>& activation = std::nullopt,
              const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt,
              const OptionalCoreGrid& core_grid = std::nullopt,
              const OptionalTensor& optional_output_tensor = std::nullopt);

/// beta * input + alpha * (mat1 @ mat2). The sum is written over the product, so `input_tensor` has its shape
/// or is broadcast to it.
Tensor addmm(const Tensor& input_tensor, const Tensor& mat1_tensor, const Tensor& mat2_tensor,
             float alpha = 1.0F, float beta = 1.0F, const OptionalMemoryConfig& memory_config = std::nullopt,
             const OptionalDataType& dtype = std::nullopt,
             const OptionalProgramConfig& program_config = std::nullopt,
             const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt,
             const OptionalCoreGrid& core_grid = std::nullopt,
             const OptionalTensor& optional_output_tensor = std::nullopt);

namespace unscoped {
/// As part of another operation: without a scope of its own, the activation by its type.
Tensor linear(const Tensor& input_tensor_a, const Tensor& input_tensor_b, const OptionalTensor& bias,
              const OptionalMemoryConfig& memory_config, DataType dtype,
              const OptionalProgramConfig& program_config, const std::optional<UnaryWithParam>& activation,
              const DeviceComputeKernelConfig& compute);
Tensor matmul(const Tensor& input_tensor_a, const Tensor& input_tensor_b,
              const OptionalMemoryConfig& memory_config, const OptionalDataType& dtype,
              const OptionalProgramConfig& program_config,
              const OptionalComputeKernelConfig& compute_kernel_config, const OptionalCoreGrid& core_grid,
              const OptionalTensor& output);
}  // namespace unscoped

}  // namespace tilemeter
