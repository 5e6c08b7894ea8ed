// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Gradients of moreh's matrix products, written into given tensors: one for each gradient that is required.
//
// bfloat16, TILE. A gradient of a repeated operand is summed over what it was repeated for. The results are
// the gradients, none for those that are not required. All throw RuntimeError (a required tensor that is not
// given, shapes, dtype), OutOfMemoryError.

#pragma once

#include <tuple>
#include <vector>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"

namespace tilemeter {

inline constexpr const char* kGivenGradients =
    "The gradients, each written into the tensor given for it; None where are_required_outputs says so. "
    "bfloat16, TILE.";

/// The gradients of two rows [1, 1, 1, n], bfloat16 or bfloat8_b, from the gradient [1, 1, 1, 1] of their product.
struct MorehDotBackward {
    Tensor output_grad{};
    Tensor input{};
    Tensor other{};
    OptionalTensor input_grad{};
    OptionalTensor other_grad{};
    OptionalMemoryConfig memory_config{};  ///< without effect

    static constexpr OperationInfo kOperation{
        "moreh_dot_backward",
        "The gradients of two rows, each written into the tensor given for it, or None. bfloat16 or bfloat8_b, "
        "TILE."};
    static constexpr auto kParameters = parameters(
        required<&MorehDotBackward::output_grad, &MorehDotBackward::input, &MorehDotBackward::other>(),
        keyword<&MorehDotBackward::input_grad, &MorehDotBackward::other_grad>().output(),
        keyword<&MorehDotBackward::memory_config>());

    std::vector<OptionalTensor> body() const;
};

struct MorehMatmulBackward {
    Tensor output_grad{};
    Tensor input_a{};
    Tensor input_b{};
    std::vector<bool> are_required_outputs{true, true};
    OptionalTensor input_a_grad{};
    OptionalTensor input_b_grad{};
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{"moreh_matmul_backward", kGivenGradients};
    static constexpr auto kParameters =
        parameters(required<&MorehMatmulBackward::output_grad, &MorehMatmulBackward::input_a,
                            &MorehMatmulBackward::input_b>(),
                   unrecorded_keyword<&MorehMatmulBackward::are_required_outputs>(),
                   keyword<&MorehMatmulBackward::input_a_grad, &MorehMatmulBackward::input_b_grad>().output(),
                   keyword<&MorehMatmulBackward::memory_config>(),
                   unrecorded_keyword<&MorehMatmulBackward::compute_kernel_config>());

    std::vector<OptionalTensor> body() const;
};

struct MorehBmmBackward {
    Tensor output_grad{};
    Tensor input{};
    Tensor mat2{};
    std::vector<bool> are_required_outputs{true, true};
    OptionalTensor input_grad{};
    OptionalTensor mat2_grad{};
    OptionalMemoryConfig input_grad_memory_config{};  ///< without effect, as the next
    OptionalMemoryConfig mat2_grad_memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{"moreh_bmm_backward", kGivenGradients};
    static constexpr auto kParameters = parameters(
        required<&MorehBmmBackward::output_grad, &MorehBmmBackward::input, &MorehBmmBackward::mat2>(),
        keyword<&MorehBmmBackward::are_required_outputs>(),
        keyword<&MorehBmmBackward::input_grad, &MorehBmmBackward::mat2_grad>().output(),
        keyword<&MorehBmmBackward::input_grad_memory_config, &MorehBmmBackward::mat2_grad_memory_config,
                &MorehBmmBackward::compute_kernel_config>());

    /// As moreh_matmul_backward lists them, of which TT-NN makes it.
    auto recorded() const {
        return std::tuple<const Tensor&, const Tensor&, const Tensor&, const OptionalTensor&,
                          const OptionalTensor&, OptionalMemoryConfig>(output_grad, input, mat2, input_grad,
                                                                       mat2_grad, std::nullopt);
    }

    std::vector<OptionalTensor> body() const;
};

struct MorehLinearBackward {
    Tensor output_grad{};
    Tensor input{};
    Tensor weight{};
    std::vector<bool> are_required_outputs{true, true, true};
    OptionalTensor bias{};  ///< only its shape counts, [1, columns] or [1, 1]; needed where its gradient is
    OptionalTensor input_grad{};
    OptionalTensor weight_grad{};
    OptionalTensor bias_grad{};
    OptionalMemoryConfig input_grad_memory_config{};  ///< without effect
    OptionalMemoryConfig weight_grad_memory_config{};
    OptionalMemoryConfig bias_grad_memory_config{};  ///< without effect
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{"moreh_linear_backward", kGivenGradients};
    static constexpr auto kParameters = parameters(
        required<&MorehLinearBackward::output_grad, &MorehLinearBackward::input,
                 &MorehLinearBackward::weight>(),
        unrecorded_keyword<&MorehLinearBackward::are_required_outputs>(),
        keyword<&MorehLinearBackward::bias>(),
        keyword<&MorehLinearBackward::input_grad, &MorehLinearBackward::weight_grad,
                &MorehLinearBackward::bias_grad>()
            .output(),
        unrecorded_keyword<
            &MorehLinearBackward::input_grad_memory_config, &MorehLinearBackward::weight_grad_memory_config,
            &MorehLinearBackward::bias_grad_memory_config, &MorehLinearBackward::compute_kernel_config>());

    std::vector<OptionalTensor> body() const;
};

inline constexpr Operation<MorehDotBackward> moreh_dot_backward;
inline constexpr Operation<MorehMatmulBackward> moreh_matmul_backward;
inline constexpr Operation<MorehBmmBackward> moreh_bmm_backward;
inline constexpr Operation<MorehLinearBackward> moreh_linear_backward;

}  // namespace tilemeter
