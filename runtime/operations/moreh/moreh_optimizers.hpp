// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Steps of optimizers as moreh's, each one program: torch's SGD, Adam and AdamW. bfloat16, TILE, all tensors
// of the parameters' shape. They give new tensors, or write into given ones (all of them or none);
// memory_config of what is new: that of the parameters unless given.
//
// All throw RuntimeError (dtype, layout, shapes), OutOfMemoryError. Thread safety: all functions may be
// called from any thread.

#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "runtime/operations/core/compute_kernel_config.hpp"
#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

struct SgdStep {
    float lr = 1e-3F;
    float momentum = 0.0F;
    float dampening = 0.0F;
    float weight_decay = 0.0F;
    bool nesterov = false;
    bool momentum_initialized = false;  ///< whether there is a momentum buffer from a step before
    auto key_fields() const {
        return std::tie(lr, momentum, dampening, weight_decay, nesterov, momentum_initialized);
    }
};

/// The parameters, and the momentum buffer where there is momentum.
std::vector<OptionalTensor> moreh_sgd(
    const Tensor& param_in, const Tensor& grad, const OptionalTensor& momentum_buffer_in, const SgdStep& step,
    const OptionalTensor& param_out = std::nullopt, const OptionalTensor& momentum_buffer_out = std::nullopt,
    const OptionalMemoryConfig& param_out_memory_config = std::nullopt,
    const OptionalMemoryConfig& momentum_buffer_out_memory_config = std::nullopt,
    const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);

struct AdamStep {
    float lr = 1e-3F;
    float beta1 = 0.9F;
    float beta2 = 0.999F;
    float eps = 1e-8F;
    float weight_decay = 0.0F;
    std::uint32_t step = 0;  ///< from 1
    bool amsgrad = false;
    auto key_fields() const { return std::tie(lr, beta1, beta2, eps, weight_decay, step, amsgrad); }
};

/// What the step leaves: parameters, averages of gradients and of their squares, largest of these (amsgrad).
struct AdamOutputs {
    OptionalTensor param{};
    OptionalTensor exp_avg{};
    OptionalTensor exp_avg_sq{};
    OptionalTensor max_exp_avg_sq{};
};

/// Those four; the last is missing without amsgrad.
std::vector<OptionalTensor> moreh_adam(
    const Tensor& param_in, const Tensor& grad, const Tensor& exp_avg_in, const Tensor& exp_avg_sq_in,
    const AdamStep& step, const OptionalTensor& max_exp_avg_sq_in = std::nullopt,
    const AdamOutputs& outputs = {}, const OptionalMemoryConfig& memory_config = std::nullopt,
    const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);
/// Weight decay apart from the gradient.
std::vector<OptionalTensor> moreh_adamw(
    const Tensor& param_in, const Tensor& grad, const Tensor& exp_avg_in, const Tensor& exp_avg_sq_in,
    const AdamStep& step, const OptionalTensor& max_exp_avg_sq_in = std::nullopt,
    const AdamOutputs& outputs = {}, const OptionalMemoryConfig& memory_config = std::nullopt,
    const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);

}  // namespace tilemeter
