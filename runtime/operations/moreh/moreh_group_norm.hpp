// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Normalization of groups of channels as moreh's, and its gradients.
//
// [N, C, H, W], bfloat16, TILE; gamma and beta [1, 1, 1, C], mean and rstd [1, 1, N, num_groups]. Results are None
// where are_required_outputs says so, but for the first of moreh_group_norm, which is always made. Tensors given for
// results are written to instead of new ones: for all that one device operation makes, or none. All throw RuntimeError
// (groups, dtype, layout, shapes), OutOfMemoryError.

#pragma once

#include <cstdint>
#include <vector>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"

namespace tilemeter {

struct MorehGroupNorm {
    Tensor input{};
    std::uint32_t num_groups = 1;
    float eps = 1e-5F;
    OptionalTensor gamma{};
    OptionalTensor beta{};
    std::vector<bool> are_required_outputs{true, false, false};
    OptionalTensor output{};
    OptionalTensor mean{};
    OptionalTensor rstd{};
    OptionalMemoryConfig memory_config{};
    OptionalMemoryConfig mean_memory_config{};
    OptionalMemoryConfig rstd_memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "moreh_group_norm",
        "[result, mean, rstd] of groups of channels, the last two None unless are_required_outputs says so. "
        "[N, C, H, W], bfloat16, TILE."};
    static constexpr auto kParameters =
        parameters(required<&MorehGroupNorm::input, &MorehGroupNorm::num_groups>(),
                   optional<&MorehGroupNorm::eps, &MorehGroupNorm::gamma, &MorehGroupNorm::beta>(),
                   unrecorded_keyword<&MorehGroupNorm::are_required_outputs>(),
                   keyword<&MorehGroupNorm::output, &MorehGroupNorm::mean, &MorehGroupNorm::rstd>().output(),
                   keyword<&MorehGroupNorm::memory_config, &MorehGroupNorm::mean_memory_config,
                           &MorehGroupNorm::rstd_memory_config>(),
                   unrecorded_keyword<&MorehGroupNorm::compute_kernel_config>());

    std::vector<OptionalTensor> body() const;
};

struct MorehGroupNormBackward {
    Tensor output_grad{};
    Tensor input{};
    Tensor mean{};
    Tensor rstd{};
    std::uint32_t num_groups = 1;
    std::vector<bool> are_required_outputs{true, false, false};
    OptionalTensor gamma{};
    OptionalTensor input_grad{};
    OptionalTensor gamma_grad{};
    OptionalTensor beta_grad{};
    OptionalMemoryConfig input_grad_memory_config{};
    OptionalMemoryConfig gamma_grad_memory_config{};
    OptionalMemoryConfig beta_grad_memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "moreh_group_norm_backward",
        "The gradients of the input, of gamma and of beta, each None unless are_required_outputs says so. "
        "[N, C, H, W], bfloat16, TILE."};
    static constexpr auto kParameters =
        parameters(required<&MorehGroupNormBackward::output_grad, &MorehGroupNormBackward::input,
                            &MorehGroupNormBackward::mean, &MorehGroupNormBackward::rstd,
                            &MorehGroupNormBackward::num_groups>(),
                   unrecorded_keyword<&MorehGroupNormBackward::are_required_outputs>(),
                   keyword<&MorehGroupNormBackward::gamma>(),
                   keyword<&MorehGroupNormBackward::input_grad, &MorehGroupNormBackward::gamma_grad,
                           &MorehGroupNormBackward::beta_grad>()
                       .output(),
                   keyword<&MorehGroupNormBackward::input_grad_memory_config,
                           &MorehGroupNormBackward::gamma_grad_memory_config,
                           &MorehGroupNormBackward::beta_grad_memory_config>(),
                   unrecorded_keyword<&MorehGroupNormBackward::compute_kernel_config>());

    std::vector<OptionalTensor> body() const;
};

inline constexpr Operation<MorehGroupNorm> moreh_group_norm;
inline constexpr Operation<MorehGroupNormBackward> moreh_group_norm_backward;

}  // namespace tilemeter
