// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// repeat_bw: the gradient of a tensor that was repeated, as a sum by moreh's program.

#pragma once

#include <vector>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct RepeatGradient {
    Tensor grad_tensor{};   ///< of the result; bfloat16, TILE, whole tiles
    Tensor input_tensor{};  ///< [1, ...], four dimensions
    Shape shape{};          ///< the number of times along each dimension; one of the two outer ones above 1
    OptionalMemoryConfig memory_config{};  ///< none: that of the input

    static constexpr OperationInfo kOperation{
        "repeat_bw",
        "The gradient of the input [1, ...], in a list: the sum of grad_tensor over the copies. shape: how often "
        "the input was repeated along each of its four dimensions; one of the two outer ones. A 0 in it: zeros; "
        "all 1: an empty list. bfloat16, TILE, whole tiles."};
    static constexpr auto kParameters = parameters(
        required<&RepeatGradient::grad_tensor, &RepeatGradient::input_tensor, &RepeatGradient::shape>(),
        keyword<&RepeatGradient::memory_config>());

    /// Throws RuntimeError (shapes, dtype, layout), OutOfMemoryError.
    std::vector<OptionalTensor> body() const;
};

inline constexpr Operation<RepeatGradient> repeat_bw;

}  // namespace tilemeter
