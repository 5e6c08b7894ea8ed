// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Sums, means and norms as moreh's, and their gradients.
//
// One dimension after the other, the last first, each by a program. bfloat16 (sums also int32), TILE. keepdim:
// reduced dimensions stay as 1; of the last two they always do. memory_config of the result: that of the input
// unless given. output, input_grad: written to instead of a new tensor. All throw RuntimeError (dims, dtype,
// layout), OutOfMemoryError.

#pragma once

#include <cstdint>
#include <optional>
#include <tuple>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"

namespace tilemeter {

inline constexpr const char* kMorehReduction =
    "Over one dimension, several, or all (None), the last first. bfloat16 (sums also int32), TILE. "
    "keepdim: they stay as 1, as the last two always do. memory_config: that of the input unless given.";
inline constexpr const char* kMorehGradient =
    "The gradient of the input, from that of the result. bfloat16, TILE.";

struct MorehSum {
    Tensor input{};
    ReduceDims dim{};
    bool keepdim = false;
    OptionalTensor output{};
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{"moreh_sum", kMorehReduction};
    static constexpr auto kParameters = parameters(
        required<&MorehSum::input>(), optional<&MorehSum::dim>().unrecorded(), keyword<&MorehSum::keepdim>(),
        keyword<&MorehSum::output>().output(), keyword<&MorehSum::memory_config>(),
        unrecorded_keyword<&MorehSum::compute_kernel_config>());

    Tensor body() const;
};

struct MorehMean {
    Tensor input{};
    ReduceDims dim{};
    bool keepdim = false;
    std::optional<std::uint32_t> divisor{};  ///< not supported, as in TT-NN
    OptionalTensor output{};
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{"moreh_mean", kMorehReduction};
    static constexpr auto kParameters = parameters(
        required<&MorehMean::input>(), unrecorded_keyword<&MorehMean::dim>(), keyword<&MorehMean::keepdim>(),
        unrecorded_keyword<&MorehMean::divisor>(), keyword<&MorehMean::output>().output(),
        keyword<&MorehMean::memory_config>(), unrecorded_keyword<&MorehMean::compute_kernel_config>());

    Tensor call() const;
};

struct MorehSumBackward {
    Tensor output_grad{};
    OptionalTensor input{};  ///< only its shape counts; none: that of input_grad
    ReduceDims dim{};
    bool keepdim = false;
    OptionalTensor input_grad{};
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{"moreh_sum_backward", kMorehGradient};
    static constexpr auto kParameters =
        parameters(required<&MorehSumBackward::output_grad>(),
                   keyword<&MorehSumBackward::input, &MorehSumBackward::dim, &MorehSumBackward::keepdim>(),
                   keyword<&MorehSumBackward::input_grad>().output(),
                   keyword<&MorehSumBackward::memory_config, &MorehSumBackward::compute_kernel_config>());

    auto recorded() const {
        return std::tuple<const Tensor&, const Tensor&, const bool&, const OptionalTensor&,
                          const OptionalMemoryConfig&>(output_grad, input ? *input : *input_grad, keepdim,
                                                       input_grad, memory_config);
    }

    Tensor call() const;
};

struct MorehMeanBackward {
    Tensor output_grad{};
    ReduceDims dim{};
    bool keepdim = false;
    std::optional<Shape> input_grad_shape{};  ///< none: that of input_grad
    OptionalTensor input_grad{};
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{"moreh_mean_backward", kMorehGradient};
    static constexpr auto kParameters = parameters(
        required<&MorehMeanBackward::output_grad>(),
        keyword<&MorehMeanBackward::dim, &MorehMeanBackward::keepdim, &MorehMeanBackward::input_grad_shape>(),
        keyword<&MorehMeanBackward::input_grad>().output(),
        keyword<&MorehMeanBackward::memory_config, &MorehMeanBackward::compute_kernel_config>());

    auto recorded() const {
        return std::tuple<const Tensor&, const Shape&, const bool&, const OptionalTensor&,
                          const OptionalMemoryConfig&>(
            output_grad, input_grad_shape ? *input_grad_shape : input_grad->shape(), keepdim, input_grad,
            memory_config);
    }

    Tensor call() const;
};

struct MorehAbsPow {
    Tensor input{};
    float p = 0.0F;
    OptionalTensor output{};
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{"moreh_abs_pow", "|x| ^ p of each element. bfloat16, TILE."};
    static constexpr auto kParameters = parameters(
        required<&MorehAbsPow::input, &MorehAbsPow::p>(), keyword<&MorehAbsPow::output>().output(),
        keyword<&MorehAbsPow::memory_config>(), unrecorded_keyword<&MorehAbsPow::compute_kernel_config>());

    Tensor body() const;
};

/// The largest or smallest |input| where p is infinite, how many are not 0 where it is 0 (of one dimension).
struct MorehNorm {
    Tensor input{};
    float p = 0.0F;
    ReduceDims dim{};
    bool keepdim = false;
    OptionalTensor output{};
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "moreh_norm", "(sum of |x| ^ p) ^ (1 / p) over dimensions; p may be infinite. bfloat16, TILE."};
    static constexpr auto kParameters = parameters(
        required<&MorehNorm::input, &MorehNorm::p>(), unrecorded_keyword<&MorehNorm::dim>(),
        keyword<&MorehNorm::keepdim>(), keyword<&MorehNorm::output>().output(),
        keyword<&MorehNorm::memory_config>(), unrecorded_keyword<&MorehNorm::compute_kernel_config>());

    Tensor body() const;
};

struct MorehNormBackward {
    Tensor input{};
    Tensor output{};
    Tensor output_grad{};
    float p = 0.0F;
    ReduceDims dim{};
    bool keepdim = false;
    OptionalTensor input_grad{};
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "moreh_norm_backward",
        "The gradient of a norm's input, from the norm and its gradient; p is finite. bfloat16, TILE."};
    static constexpr auto kParameters = parameters(
        required<&MorehNormBackward::input, &MorehNormBackward::output, &MorehNormBackward::output_grad,
                 &MorehNormBackward::p>(),
        unrecorded_keyword<&MorehNormBackward::dim>(), keyword<&MorehNormBackward::keepdim>(),
        keyword<&MorehNormBackward::input_grad>().output(), keyword<&MorehNormBackward::memory_config>(),
        unrecorded_keyword<&MorehNormBackward::compute_kernel_config>());

    Tensor body() const;
};

inline constexpr Operation<MorehSum> moreh_sum;
inline constexpr Operation<MorehMean> moreh_mean;
inline constexpr Operation<MorehSumBackward> moreh_sum_backward;
inline constexpr Operation<MorehMeanBackward> moreh_mean_backward;
inline constexpr Operation<MorehAbsPow> moreh_abs_pow;
inline constexpr Operation<MorehNorm> moreh_norm;
inline constexpr Operation<MorehNormBackward> moreh_norm_backward;

namespace unscoped {
/// As part of another operation: without a scope of its own.
Tensor moreh_sum(const Tensor& input, const ReduceDims& dim, bool keepdim,
                 const OptionalTensor& output = std::nullopt,
                 const OptionalMemoryConfig& memory_config = std::nullopt,
                 const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);
}  // namespace unscoped

}  // namespace tilemeter
