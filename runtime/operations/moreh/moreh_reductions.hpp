// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Sums and means as moreh's: one dimension after the other, the last first, each by a program. bfloat16 (sums
// also int32), TILE. keepdim: reduced dimensions stay as 1; of the last two they always do. memory_config of
// the result: that of the input unless given. output: written to instead of a new tensor.
//
// All throw RuntimeError (dims, dtype, layout), OutOfMemoryError. Thread safety: all functions may be called
// from any thread.

#pragma once

#include "runtime/operations/core/compute_kernel_config.hpp"
#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/operations/reduction/reduction.hpp"

namespace tilemeter {

Tensor moreh_sum(const Tensor& input, const ReduceDims& dim = std::nullopt, bool keepdim = false,
                 const OptionalTensor& output = std::nullopt,
                 const OptionalMemoryConfig& memory_config = std::nullopt,
                 const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);
Tensor moreh_mean(const Tensor& input, const ReduceDims& dim = std::nullopt, bool keepdim = false,
                  const OptionalTensor& output = std::nullopt,
                  const OptionalMemoryConfig& memory_config = std::nullopt,
                  const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);

/// The gradient of the sum's input, which has the shape of `input`.
Tensor moreh_sum_backward(const Tensor& output_grad, const Tensor& input,
                          const ReduceDims& dim = std::nullopt, bool keepdim = false,
                          const OptionalTensor& input_grad = std::nullopt,
                          const OptionalMemoryConfig& memory_config = std::nullopt,
                          const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);
/// The gradient of the mean's input, which has that shape.
Tensor moreh_mean_backward(const Tensor& output_grad, const Shape& input_grad_shape,
                           const ReduceDims& dim = std::nullopt, bool keepdim = false,
                           const OptionalTensor& input_grad = std::nullopt,
                           const OptionalMemoryConfig& memory_config = std::nullopt,
                           const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);

/// |input| ^ p
Tensor moreh_abs_pow(const Tensor& input, float p, const OptionalTensor& output = std::nullopt,
                     const OptionalMemoryConfig& memory_config = std::nullopt,
                     const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);
/// (sum of |input| ^ p) ^ (1 / p); the largest or smallest |input| where p is infinite, how many are not 0
/// where it is 0 (of one dimension).
Tensor moreh_norm(const Tensor& input, float p, const ReduceDims& dim = std::nullopt, bool keepdim = false,
                  const OptionalTensor& output = std::nullopt,
                  const OptionalMemoryConfig& memory_config = std::nullopt,
                  const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);

/// The gradient of its input, from the norm and the norm's gradient; p is finite.
Tensor moreh_norm_backward(const Tensor& input, const Tensor& output, const Tensor& output_grad, float p,
                           const ReduceDims& dim = std::nullopt, bool keepdim = false,
                           const OptionalTensor& input_grad = std::nullopt,
                           const OptionalMemoryConfig& memory_config = std::nullopt,
                           const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);

namespace unscoped {
/// As part of another operation: without a scope of its own.
Tensor moreh_sum(const Tensor& input, const ReduceDims& dim, bool keepdim,
                 const OptionalTensor& output = std::nullopt,
                 const OptionalMemoryConfig& memory_config = std::nullopt,
                 const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);
}  // namespace unscoped

}  // namespace tilemeter
