// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// batch_norm of a model that is not trained: statistics of a batch are refused.

#pragma once

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"

namespace tilemeter {

struct BatchNorm {
    Tensor input{};                 ///< [N, C, H, W]
    OptionalTensor running_mean{};  ///< [1, C, 1, 1], as the others; all of one dtype
    OptionalTensor running_var{};
    bool training = false;  ///< true is not supported
    float eps = 1e-5F;
    float momentum = 0.1F;  ///< of training only
    OptionalTensor weight{};
    OptionalTensor bias{};
    OptionalTensor output{};
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "batch_norm",
        "(input - running_mean) / sqrt(running_var + eps) * weight + bias of [N, C, H, W], each channel with "
        "its own; not for training."};
    static constexpr auto kParameters = parameters(
        required<&BatchNorm::input>(),
        keyword<&BatchNorm::running_mean, &BatchNorm::running_var, &BatchNorm::training, &BatchNorm::eps>(),
        unrecorded_keyword<&BatchNorm::momentum>(), keyword<&BatchNorm::weight, &BatchNorm::bias>(),
        unrecorded_keyword<&BatchNorm::output>().output(), keyword<&BatchNorm::memory_config>(),
        unrecorded_keyword<&BatchNorm::compute_kernel_config>());
    Tensor body() const;
};

inline constexpr Operation<BatchNorm> batch_norm;

}  // namespace tilemeter
