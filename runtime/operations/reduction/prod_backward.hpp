// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// prod_bw: the gradient of a product, as the product divided by each element.

#pragma once

#include <cstdint>
#include <optional>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/eltwise/backward_terms.hpp"

namespace tilemeter {

struct ProdGradient {
    Tensor grad_tensor{};   ///< of the result, of 1 along dim; without dim its first element counts
    Tensor input_tensor{};  ///< TILE; four dimensions where dim is given
    std::optional<std::int64_t> dim{};     ///< that was multiplied along; none: all
    OptionalMemoryConfig memory_config{};  ///< none: that of the input

    static constexpr OperationInfo kOperation{
        "prod_bw",
        "The gradient of a product along dim, or of all elements, in a list: grad_tensor times the product, "
        "divided by each element, so not finite where an element is 0. TILE; with dim four dimensions, of "
        "which those of the tiles that are not multiplied along fill whole tiles."};
    static constexpr auto kParameters =
        parameters(required<&ProdGradient::grad_tensor, &ProdGradient::input_tensor>(),
                   keyword<&ProdGradient::dim, &ProdGradient::memory_config>());

    /// Throws RuntimeError (dim out of range, shapes, layout), OutOfMemoryError.
    Gradients body() const;
};

inline constexpr Operation<ProdGradient> prod_bw;

}  // namespace tilemeter
