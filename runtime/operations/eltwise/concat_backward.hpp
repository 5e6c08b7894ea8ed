// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// concat_bw: the gradients of two tensors that were put one after the other.

#pragma once

#include <cstdint>

#include "runtime/operations/eltwise/binary_backward.hpp"

namespace tilemeter {

struct ConcatGradient {
    Tensor grad_tensor{};  ///< of the result; four dimensions, as the inputs
    Tensor input_tensor_a{};
    Tensor input_tensor_b{};
    std::int64_t dim = 0;
    RequiredOutputs are_required_outputs = {true, true};
    OptionalMemoryConfig memory_config{};  ///< none: that of each input
    OptionalTensor input_a_grad{};         ///< written to instead of a new tensor
    OptionalTensor input_b_grad{};

    static constexpr OperationInfo kOperation{
        "concat_bw",
        "The gradients of the inputs, in a list: the parts of grad_tensor, of four dimensions, along dim. None "
        "where are_required_outputs says so. Place: memory_config, unless given that of each input; given "
        "tensors are written to instead of new ones."};
    static constexpr auto kParameters = parameters(
        required<&ConcatGradient::grad_tensor, &ConcatGradient::input_tensor_a,
                 &ConcatGradient::input_tensor_b>(),
        optional<&ConcatGradient::dim>(), unrecorded_keyword<&ConcatGradient::are_required_outputs>(),
        keyword<&ConcatGradient::memory_config>(),
        keyword<&ConcatGradient::input_a_grad, &ConcatGradient::input_b_grad>().output());

    /// Throws RuntimeError (ranks, dim, shapes that do not fit), OutOfMemoryError.
    Gradients body() const;
};

inline constexpr Operation<ConcatGradient> concat_bw;

}  // namespace tilemeter
