// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// moreh_matmul, moreh_bmm, moreh_linear, moreh_dot: matrix products as moreh's.
//
// bfloat16, TILE; batch dimensions of 1 are repeated. memory_config of the result: that of the input unless
// given. output: written to instead of a new tensor. All throw RuntimeError (shapes, dtype, layout),
// OutOfMemoryError.

#pragma once

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"

namespace tilemeter {

struct MorehMatmul {
    Tensor input{};
    Tensor other{};
    bool transpose_input = false;
    bool transpose_other = false;
    OptionalTensor output{};
    OptionalTensor bias{};  ///< [1, columns] or one element
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "moreh_matmul",
        "Matrix product, plus bias ([1, columns] or one element). bfloat16, TILE; batches of 1 are repeated."};
    static constexpr auto kParameters = parameters(
        required<&MorehMatmul::input, &MorehMatmul::other>(),
        keyword<&MorehMatmul::transpose_input, &MorehMatmul::transpose_other>(),
        keyword<&MorehMatmul::output>().output(), keyword<&MorehMatmul::bias, &MorehMatmul::memory_config>(),
        unrecorded_keyword<&MorehMatmul::compute_kernel_config>());

    Tensor body() const;
};

/// The product of three dimensions each.
struct MorehBmm {
    Tensor input{};
    Tensor mat2{};
    OptionalTensor output{};
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "moreh_bmm", "Products of matrices in a batch: three dimensions each. bfloat16, TILE."};
    static constexpr auto kParameters = parameters(
        required<&MorehBmm::input, &MorehBmm::mat2>(), keyword<&MorehBmm::output>().output(),
        keyword<&MorehBmm::memory_config>(), unrecorded_keyword<&MorehBmm::compute_kernel_config>());

    Tensor body() const;
};

/// input times the transpose of weight, plus bias.
struct MorehLinear {
    Tensor input{};
    Tensor weight{};
    OptionalTensor bias{};
    OptionalTensor output{};
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "moreh_linear",
        "input times the transpose of weight, plus bias ([1, columns] or one element). bfloat16, TILE."};
    static constexpr auto kParameters =
        parameters(required<&MorehLinear::input, &MorehLinear::weight>(), keyword<&MorehLinear::bias>(),
                   keyword<&MorehLinear::output>().output(), keyword<&MorehLinear::memory_config>(),
                   unrecorded_keyword<&MorehLinear::compute_kernel_config>());

    Tensor body() const;
};

/// The product of two rows, [1, 1, 1, n] each: one element.
struct MorehDot {
    Tensor input_tensor_a{};
    Tensor input_tensor_b{};
    OptionalTensor output{};
    OptionalDataType dtype{};
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{"moreh_dot",
                                              "Of two rows of one length: one element. bfloat16, TILE."};
    static constexpr auto kParameters = parameters(
        required<&MorehDot::input_tensor_a, &MorehDot::input_tensor_b>(),
        keyword<&MorehDot::output>().output(), keyword<&MorehDot::dtype, &MorehDot::memory_config>(),
        unrecorded_keyword<&MorehDot::compute_kernel_config>());

    Tensor body() const;
};

inline constexpr Operation<MorehMatmul> moreh_matmul;
inline constexpr Operation<MorehBmm> moreh_bmm;
inline constexpr Operation<MorehLinear> moreh_linear;
inline constexpr Operation<MorehDot> moreh_dot;

namespace unscoped {
/// As part of another operation: without a scope of its own.
Tensor moreh_matmul(const Tensor& input, const Tensor& other, bool transpose_input, bool transpose_other,
                    const OptionalTensor& output = std::nullopt,
                    const OptionalMemoryConfig& memory_config = std::nullopt,
                    const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);
}  // namespace unscoped

}  // namespace tilemeter
