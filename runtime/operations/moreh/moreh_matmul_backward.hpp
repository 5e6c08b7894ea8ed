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

#include "runtime/operations/core/compute_kernel_config.hpp"
#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

inline constexpr const char* kGivenGradients =
    "The gradients, each written into the tensor given for it; None where are_required_outputs says so. "
    "bfloat16, TILE.";

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
    static constexpr auto kParameters = parameters(
        required("output_grad", &MorehMatmulBackward::output_grad),
        required("input_a", &MorehMatmulBackward::input_a),
        required("input_b", &MorehMatmulBackward::input_b),
        keyword("are_required_outputs", &MorehMatmulBackward::are_required_outputs).unrecorded(),
        keyword("input_a_grad", &MorehMatmulBackward::input_a_grad),
        keyword("input_b_grad", &MorehMatmulBackward::input_b_grad),
        keyword("memory_config", &MorehMatmulBackward::memory_config),
        keyword("compute_kernel_config", &MorehMatmulBackward::compute_kernel_config).unrecorded());

    std::vector<OptionalTensor> call() const;
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
    static constexpr auto kParameters =
        parameters(required("output_grad", &MorehBmmBackward::output_grad),
                   required("input", &MorehBmmBackward::input), required("mat2", &MorehBmmBackward::mat2),
                   keyword("are_required_outputs", &MorehBmmBackward::are_required_outputs),
                   keyword("input_grad", &MorehBmmBackward::input_grad),
                   keyword("mat2_grad", &MorehBmmBackward::mat2_grad),
                   keyword("input_grad_memory_config", &MorehBmmBackward::input_grad_memory_config),
                   keyword("mat2_grad_memory_config", &MorehBmmBackward::mat2_grad_memory_config),
                   keyword("compute_kernel_config", &MorehBmmBackward::compute_kernel_config));

    /// As moreh_matmul_backward lists them, of which TT-NN makes it.
    auto recorded() const {
        return std::tuple<const Tensor&, const Tensor&, const Tensor&, const OptionalTensor&,
                          const OptionalTensor&, OptionalMemoryConfig>(output_grad, input, mat2, input_grad,
                                                                       mat2_grad, std::nullopt);
    }

    std::vector<OptionalTensor> call() const;
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
        required("output_grad", &MorehLinearBackward::output_grad),
        required("input", &MorehLinearBackward::input), required("weight", &MorehLinearBackward::weight),
        keyword("are_required_outputs", &MorehLinearBackward::are_required_outputs).unrecorded(),
        keyword("bias", &MorehLinearBackward::bias), keyword("input_grad", &MorehLinearBackward::input_grad),
        keyword("weight_grad", &MorehLinearBackward::weight_grad),
        keyword("bias_grad", &MorehLinearBackward::bias_grad),
        keyword("input_grad_memory_config", &MorehLinearBackward::input_grad_memory_config).unrecorded(),
        keyword("weight_grad_memory_config", &MorehLinearBackward::weight_grad_memory_config).unrecorded(),
        keyword("bias_grad_memory_config", &MorehLinearBackward::bias_grad_memory_config).unrecorded(),
        keyword("compute_kernel_config", &MorehLinearBackward::compute_kernel_config).unrecorded());

    std::vector<OptionalTensor> call() const;
};

inline constexpr Operation<MorehMatmulBackward> moreh_matmul_backward;
inline constexpr Operation<MorehBmmBackward> moreh_bmm_backward;
inline constexpr Operation<MorehLinearBackward> moreh_linear_backward;

}  // namespace tilemeter
