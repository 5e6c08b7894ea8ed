// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Softmax, softmin and the logarithm of softmax along one dimension as moreh's, and their gradients.
//
// bfloat16 or float32 (gradients: bfloat16, bfloat8_b), TILE. memory_config of the result: that of the input
// unless given. output_tensor, input_grad_tensor: written to instead of a new tensor. All throw RuntimeError
// (dim, dtype, layout), OutOfMemoryError.

#pragma once

#include <array>
#include <cstdint>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"

namespace tilemeter {

enum class SoftmaxKind : std::uint8_t { kSoftmax, kSoftmin, kLogSoftmax };

/// The names by SoftmaxKind.
struct MorehSoftmaxRow {
    const char* name;
    const char* backward;
};
inline constexpr std::array kMorehSoftmaxes{
    MorehSoftmaxRow{"moreh_softmax", "moreh_softmax_backward"},
    MorehSoftmaxRow{"moreh_softmin", "moreh_softmin_backward"},
    MorehSoftmaxRow{"moreh_logsoftmax", "moreh_logsoftmax_backward"},
};

template <SoftmaxKind Kind>
struct MorehSoftmaxOf {
    Tensor input_tensor{};
    int dim = 0;
    OptionalTensor output_tensor{};
    Ignored op{};
    Ignored strategy{};  ///< the program; here always the one that TT-NN chooses by itself
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        kMorehSoftmaxes[static_cast<std::size_t>(Kind)].name,
        "Along one dimension. bfloat16, float32, TILE. memory_config: that of the input unless given."};
    static constexpr auto kParameters =
        parameters(required<&MorehSoftmaxOf::input_tensor, &MorehSoftmaxOf::dim>(),
                   keyword<&MorehSoftmaxOf::output_tensor>().output(),
                   keyword<&MorehSoftmaxOf::op, &MorehSoftmaxOf::strategy, &MorehSoftmaxOf::memory_config>(),
                   unrecorded_keyword<&MorehSoftmaxOf::compute_kernel_config>());

    Tensor body() const;
};

template <SoftmaxKind Kind>
struct MorehSoftmaxBackwardOf {
    Tensor output_tensor{};  ///< the result of the function
    Tensor output_grad_tensor{};
    int dim = 0;
    OptionalTensor input_grad_tensor{};
    Ignored op{};
    Ignored strategy{};
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        kMorehSoftmaxes[static_cast<std::size_t>(Kind)].backward,
        "The gradient of the input, from the result and its gradient. bfloat16, TILE."};
    static constexpr auto kParameters =
        parameters(required<&MorehSoftmaxBackwardOf::output_tensor,
                            &MorehSoftmaxBackwardOf::output_grad_tensor, &MorehSoftmaxBackwardOf::dim>(),
                   keyword<&MorehSoftmaxBackwardOf::input_grad_tensor>().output(),
                   keyword<&MorehSoftmaxBackwardOf::op, &MorehSoftmaxBackwardOf::strategy,
                           &MorehSoftmaxBackwardOf::memory_config>(),
                   unrecorded_keyword<&MorehSoftmaxBackwardOf::compute_kernel_config>());

    Tensor body() const;
};

using MorehSoftmax = MorehSoftmaxOf<SoftmaxKind::kSoftmax>;
using MorehSoftmaxBackward = MorehSoftmaxBackwardOf<SoftmaxKind::kSoftmax>;
using MorehSoftmin = MorehSoftmaxOf<SoftmaxKind::kSoftmin>;
using MorehSoftminBackward = MorehSoftmaxBackwardOf<SoftmaxKind::kSoftmin>;
using MorehLogSoftmax = MorehSoftmaxOf<SoftmaxKind::kLogSoftmax>;
using MorehLogSoftmaxBackward = MorehSoftmaxBackwardOf<SoftmaxKind::kLogSoftmax>;
inline constexpr Operation<MorehSoftmax> moreh_softmax;
inline constexpr Operation<MorehSoftmaxBackward> moreh_softmax_backward;
inline constexpr Operation<MorehSoftmin> moreh_softmin;
inline constexpr Operation<MorehSoftminBackward> moreh_softmin_backward;
inline constexpr Operation<MorehLogSoftmax> moreh_logsoftmax;
inline constexpr Operation<MorehLogSoftmaxBackward> moreh_logsoftmax_backward;

}  // namespace tilemeter
