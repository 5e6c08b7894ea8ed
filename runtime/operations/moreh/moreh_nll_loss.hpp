// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Negative log likelihood as moreh's, and its gradients.
//
// Scores [N, C] or [N, C, ...], bfloat16; classes [1, N] or [N, ...], int32; weights of the classes [1, C]; all TILE. A class that
// is ignore_index, or that there is not, counts for nothing. All throw RuntimeError (dtype, layout, a tensor that is needed and not
// given), OutOfMemoryError.

#pragma once

#include <cstdint>
#include <string>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"

namespace tilemeter {

inline constexpr std::int32_t kNoIgnoredClass = -100;

struct MorehNllLoss {
    Tensor input_tensor{};
    Tensor target_tensor{};
    std::string reduction{};  ///< "mean", "sum"; any other: none
    OptionalTensor weight_tensor{};
    OptionalTensor divisor_tensor{};  ///< written: the sum of weights that a mean divides by
    OptionalTensor output_tensor{};
    std::int32_t ignore_index = kNoIgnoredClass;
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "moreh_nll_loss",
        "The negated scores of the target classes, times their weights. reduction: 'mean' (needs divisor_tensor, one number), 'sum', "
        "'none'. Scores bfloat16, classes int32, TILE."};
    static constexpr auto kParameters =
        parameters(required<&MorehNllLoss::input_tensor, &MorehNllLoss::target_tensor>(),
                   required<&MorehNllLoss::reduction>().unrecorded(), keyword<&MorehNllLoss::weight_tensor>(),
                   keyword<&MorehNllLoss::divisor_tensor, &MorehNllLoss::output_tensor>().output(),
                   keyword<&MorehNllLoss::ignore_index, &MorehNllLoss::memory_config>(),
                   unrecorded_keyword<&MorehNllLoss::compute_kernel_config>());

    Tensor body() const;
};

struct MorehNllLossBackward {
    Tensor target_tensor{};
    Tensor output_grad_tensor{};  ///< one number
    bool reduction_mean = false;
    OptionalTensor weight_tensor{};
    OptionalTensor input_grad_tensor{};  ///< required: nothing else has the number of classes
    OptionalTensor divisor_tensor{};
    std::int32_t ignore_index = kNoIgnoredClass;
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "moreh_nll_loss_backward",
        "The gradient of the scores of a mean (with its divisor_tensor) or a sum, into input_grad_tensor."};
    static constexpr auto kParameters =
        parameters(required<&MorehNllLossBackward::target_tensor, &MorehNllLossBackward::output_grad_tensor,
                            &MorehNllLossBackward::reduction_mean>(),
                   keyword<&MorehNllLossBackward::weight_tensor>(),
                   keyword<&MorehNllLossBackward::input_grad_tensor>().output(),
                   keyword<&MorehNllLossBackward::divisor_tensor, &MorehNllLossBackward::ignore_index,
                           &MorehNllLossBackward::memory_config>(),
                   unrecorded_keyword<&MorehNllLossBackward::compute_kernel_config>());

    Tensor body() const;
};

struct MorehNllLossUnreducedBackward {
    Tensor target_tensor{};
    Tensor output_grad_tensor{};  ///< of the shape of the classes
    OptionalTensor weight_tensor{};
    OptionalTensor input_grad_tensor{};  ///< required
    std::int32_t ignore_index = kNoIgnoredClass;
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "moreh_nll_loss_unreduced_backward",
        "The gradient of the scores of a loss without reduction, into input_grad_tensor."};
    static constexpr auto kParameters =
        parameters(required<&MorehNllLossUnreducedBackward::target_tensor,
                            &MorehNllLossUnreducedBackward::output_grad_tensor>(),
                   keyword<&MorehNllLossUnreducedBackward::weight_tensor>(),
                   keyword<&MorehNllLossUnreducedBackward::input_grad_tensor>().output(),
                   keyword<&MorehNllLossUnreducedBackward::ignore_index,
                           &MorehNllLossUnreducedBackward::memory_config>(),
                   unrecorded_keyword<&MorehNllLossUnreducedBackward::compute_kernel_config>());

    Tensor body() const;
};

inline constexpr Operation<MorehNllLoss> moreh_nll_loss;
inline constexpr Operation<MorehNllLossBackward> moreh_nll_loss_backward;
inline constexpr Operation<MorehNllLossUnreducedBackward> moreh_nll_loss_unreduced_backward;

}  // namespace tilemeter
