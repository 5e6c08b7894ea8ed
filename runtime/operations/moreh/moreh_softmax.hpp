// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Softmax, softmin and the logarithm of softmax along one dimension as moreh's, and their gradients. bfloat16
// or float32 (gradients: bfloat16, bfloat8_b), TILE. memory_config of the result: that of the input unless
// given. output_tensor, input_grad_tensor: written to instead of a new tensor.
//
// All throw RuntimeError (dim, dtype, layout), OutOfMemoryError. Thread safety: all functions may be called
// from any thread.

#pragma once

#include "runtime/operations/core/compute_kernel_config.hpp"
#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

#define TILEMETER_MOREH_SOFTMAXES(apply) \
    apply(softmax, kSoftmax) apply(softmin, kSoftmin) apply(logsoftmax, kLogSoftmax)

#define TILEMETER_DECLARE(name, kind)                                                                      \
    Tensor moreh_##name(const Tensor& input_tensor, int dim,                                               \
                        const OptionalTensor& output_tensor = std::nullopt,                                \
                        const OptionalMemoryConfig& memory_config = std::nullopt,                          \
                        const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);          \
    /* output_tensor: what the function gave. */                                                           \
    Tensor moreh_##name##_backward(const Tensor& output_tensor, const Tensor& output_grad_tensor, int dim, \
                                   const OptionalTensor& input_grad_tensor = std::nullopt,                 \
                                   const OptionalMemoryConfig& memory_config = std::nullopt,               \
                                   const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);
TILEMETER_MOREH_SOFTMAXES(TILEMETER_DECLARE)
#undef TILEMETER_DECLARE

}  // namespace tilemeter
