// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Gradients of moreh's matrix products, written into given tensors: one for each gradient that is required.
// bfloat16, TILE. A gradient of a repeated operand is summed over what it was repeated for.
//
// They give the gradients, none for those that are not required. All throw RuntimeError (a required tensor
// that is not given, shapes, dtype), OutOfMemoryError. Thread safety: all functions may be called from any
// thread.

#pragma once

#include <vector>

#include "runtime/operations/core/compute_kernel_config.hpp"
#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

/// `name` as TT-NN says it: of two matrices.
#define TILEMETER_DECLARE(name)                                                                       \
    std::vector<OptionalTensor> name(                                                                 \
        const Tensor& output_grad, const Tensor& input_a, const Tensor& input_b,                      \
        const std::vector<bool>& are_required_outputs, const OptionalTensor& input_a_grad,            \
        const OptionalTensor& input_b_grad, const OptionalMemoryConfig& memory_config = std::nullopt, \
        const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);
TILEMETER_DECLARE(moreh_matmul_backward)
TILEMETER_DECLARE(moreh_bmm_backward)
#undef TILEMETER_DECLARE

/// Tensors that moreh_linear_backward writes into.
struct LinearGradients {
    OptionalTensor input{};
    OptionalTensor weight{};
    OptionalTensor bias{};
};

/// bias: only its shape counts, [1, columns] or [1, 1]; needed where its gradient is.
std::vector<OptionalTensor> moreh_linear_backward(
    const Tensor& output_grad, const Tensor& input, const Tensor& weight,
    const std::vector<bool>& are_required_outputs, const OptionalTensor& bias, const LinearGradients& into,
    const OptionalMemoryConfig& weight_grad_memory_config = std::nullopt,
    const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);

}  // namespace tilemeter
