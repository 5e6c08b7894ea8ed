// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// moreh_sgd, moreh_adam, moreh_adamw: steps of optimizers as moreh's, each one program.
//
// bfloat16, TILE, all tensors of the parameters' shape. The results are new tensors, or the given ones (all of
// them or none); memory_config of what is new: that of the parameters unless given. All throw RuntimeError
// (dtype, layout, shapes), OutOfMemoryError.

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"

namespace tilemeter {

/// torch's SGD: the parameters, and the momentum buffer where there is momentum. In Python momentum_initialized
/// must be given.
struct MorehSgd {
    Tensor param_in{};
    Tensor grad{};
    OptionalTensor momentum_buffer_in{};
    OptionalTensor param_out{};
    OptionalTensor momentum_buffer_out{};
    float lr = 1e-3F;
    float momentum = 0.0F;
    float dampening = 0.0F;
    float weight_decay = 0.0F;
    bool nesterov = false;
    bool momentum_initialized = false;  ///< true if there is a momentum buffer from a step before
    OptionalMemoryConfig param_out_memory_config{};
    OptionalMemoryConfig momentum_buffer_out_memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "moreh_sgd",
        "One step: [parameters, momentum buffer or None]. bfloat16, TILE, all of the parameters' shape."};
    static constexpr auto kParameters = parameters(
        required<&MorehSgd::param_in, &MorehSgd::grad>(), optional<&MorehSgd::momentum_buffer_in>(),
        optional<&MorehSgd::param_out, &MorehSgd::momentum_buffer_out>().output(),
        optional<&MorehSgd::lr, &MorehSgd::momentum, &MorehSgd::dampening, &MorehSgd::weight_decay,
                 &MorehSgd::nesterov>()
            .unrecorded(),
        required_keyword<&MorehSgd::momentum_initialized>(),
        unrecorded_keyword<&MorehSgd::param_out_memory_config, &MorehSgd::momentum_buffer_out_memory_config,
                           &MorehSgd::compute_kernel_config>());

    std::vector<OptionalTensor> body() const;
};

/// moreh_adam and moreh_adamw: two definitions but for these.
struct MorehAdamRow {
    const char* name;
    float weight_decay;  ///< unless given
    ParameterKind settings;
};
inline constexpr std::array kMorehAdams{
    MorehAdamRow{"moreh_adam", 0.0F, ParameterKind::kKeyword},
    MorehAdamRow{"moreh_adamw", 0.01F, ParameterKind::kPositional},
};

/// torch's Adam; AdamW takes the decay of weights apart from the gradient.
template <std::size_t Row>
struct MorehAdamStep {
    Tensor param_in{};
    Tensor grad{};
    Tensor exp_avg_in{};
    Tensor exp_avg_sq_in{};
    float lr = 1e-3F;
    float beta1 = 0.9F;
    float beta2 = 0.999F;
    float eps = 1e-8F;
    float weight_decay = kMorehAdams[Row].weight_decay;
    std::uint32_t step = 0;  ///< from 1
    bool amsgrad = false;
    OptionalTensor max_exp_avg_sq_in{};  ///< needed with amsgrad
    OptionalTensor param_out{};
    OptionalTensor exp_avg_out{};
    OptionalTensor exp_avg_sq_out{};
    OptionalTensor max_exp_avg_sq_out{};
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        kMorehAdams[Row].name,
        "One step: [parameters, averages of gradients, of their squares, largest of these or None]. bfloat16, "
        "TILE, all of the parameters' shape. step counts from 1."};
    static constexpr auto kParameters = [] {
        using Self = MorehAdamStep;
        using Settings = ParameterGroup<&Self::lr, &Self::beta1, &Self::beta2, &Self::eps,
                                        &Self::weight_decay, &Self::step, &Self::amsgrad>;
        return parameters(
            required<&Self::param_in, &Self::grad, &Self::exp_avg_in, &Self::exp_avg_sq_in>(),
            Settings::of(kMorehAdams[Row].settings, false).unrecorded(), keyword<&Self::max_exp_avg_sq_in>(),
            unrecorded_keyword<&Self::param_out, &Self::exp_avg_out, &Self::exp_avg_sq_out,
                               &Self::max_exp_avg_sq_out>()
                .output(),
            keyword<&Self::memory_config>(), unrecorded_keyword<&Self::compute_kernel_config>());
    }();

    /// Parameters, averages of gradients and of their squares, largest of these; the last is missing without
    /// amsgrad.
    std::vector<OptionalTensor> call() const;
};

using MorehAdam = MorehAdamStep<0>;
using MorehAdamW = MorehAdamStep<1>;
inline constexpr Operation<MorehSgd> moreh_sgd;
inline constexpr Operation<MorehAdam> moreh_adam;
inline constexpr Operation<MorehAdamW> moreh_adamw;

}  // namespace tilemeter
