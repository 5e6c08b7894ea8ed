// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Normalization over the last dimensions as moreh's, and its gradients.
//
// bfloat16, TILE; gamma and beta of the shape of these dimensions; mean and rstd of that of the others, two at least. Mean and rstd
// are written only where tensors for them are given, gradients likewise: what is not given is None, but for the norm itself. All
// throw RuntimeError (dimensions, dtype, layout), OutOfMemoryError.

#pragma once

#include <cstdint>
#include <vector>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"

namespace tilemeter {

struct MorehLayerNorm {
    Tensor input{};
    std::uint32_t normalized_dims = 1;  ///< the number of dimensions, of the last
    float eps = 1e-5F;
    OptionalTensor gamma{};
    OptionalTensor beta{};
    OptionalTensor output{};
    OptionalTensor mean{};
    OptionalTensor rstd{};
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "moreh_layer_norm",
        "[result, mean, rstd] over the last normalized_dims dimensions; mean and rstd are those given, or None. "
        "bfloat16, TILE."};
    static constexpr auto kParameters =
        parameters(required<&MorehLayerNorm::input, &MorehLayerNorm::normalized_dims>(),
                   optional<&MorehLayerNorm::eps, &MorehLayerNorm::gamma, &MorehLayerNorm::beta>(),
                   keyword<&MorehLayerNorm::output, &MorehLayerNorm::mean, &MorehLayerNorm::rstd>().output(),
                   keyword<&MorehLayerNorm::memory_config>(),
                   unrecorded_keyword<&MorehLayerNorm::compute_kernel_config>());

    std::vector<OptionalTensor> body() const;
};

struct MorehLayerNormBackward {
    Tensor output_grad{};
    Tensor input{};
    Tensor mean{};
    Tensor rstd{};
    std::uint32_t normalized_dims = 1;
    OptionalTensor gamma{};
    OptionalTensor input_grad{};
    OptionalTensor gamma_grad{};
    OptionalTensor beta_grad{};
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "moreh_layer_norm_backward",
        "[input_grad, gamma_grad, beta_grad]: those that are given, written to, or None. bfloat16, TILE."};
    static constexpr auto kParameters =
        parameters(required<&MorehLayerNormBackward::output_grad, &MorehLayerNormBackward::input,
                            &MorehLayerNormBackward::mean, &MorehLayerNormBackward::rstd,
                            &MorehLayerNormBackward::normalized_dims>(),
                   keyword<&MorehLayerNormBackward::gamma>(),
                   keyword<&MorehLayerNormBackward::input_grad, &MorehLayerNormBackward::gamma_grad,
                           &MorehLayerNormBackward::beta_grad>()
                       .output(),
                   keyword<&MorehLayerNormBackward::memory_config>(),
                   unrecorded_keyword<&MorehLayerNormBackward::compute_kernel_config>());

    std::vector<OptionalTensor> body() const;
};

inline constexpr Operation<MorehLayerNorm> moreh_layer_norm;
inline constexpr Operation<MorehLayerNormBackward> moreh_layer_norm_backward;

}  // namespace tilemeter
