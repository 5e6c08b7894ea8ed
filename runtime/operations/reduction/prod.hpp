// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// prod: products of elements. Input: TILE, interleaved, BFLOAT16 or FLOAT32.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

/// Along one dimension, or of all elements; the product of all has shape [] and is made by one core.
struct Prod {
    Tensor input_tensor{};
    std::optional<std::int64_t> dim{};     ///< none: all
    bool keepdim = false;                  ///< reduced dimensions stay as 1
    OptionalMemoryConfig memory_config{};  ///< none: the input's

    static constexpr OperationInfo kOperation{"prod", "The product along dim, or of all elements."};
    static constexpr auto kParameters =
        parameters(required<&Prod::input_tensor>(), optional<&Prod::dim, &Prod::keepdim>(),
                   keyword<&Prod::memory_config>());

    /// Throws RuntimeError (dim out of range, layout), OutOfMemoryError.
    Tensor body() const;
};

/// Along several dimensions, into a given tensor.
struct ProdInto {
    Tensor input_tensor{};
    Tensor output_tensor{};
    std::vector<std::int64_t> dims{};      ///< 0, 1 or both of four; they stay as 1
    OptionalMemoryConfig memory_config{};  ///< none: that of output_tensor

    static constexpr OperationInfo kOperation{
        "prod",
        "The product along dims (0, 1 or both of four dimensions), which stay as 1, in output_tensor."};
    static constexpr auto kParameters =
        parameters(required<&ProdInto::input_tensor>(), required<&ProdInto::output_tensor>().output(),
                   required_keyword<&ProdInto::dims>(), keyword<&ProdInto::memory_config>());
    Tensor body() const;
};

inline constexpr Overloaded<Operation<Prod>, Operation<ProdInto>> prod;

namespace unscoped {
/// As part of another operation: without a scope of its own.
Tensor prod(const Tensor& input, const std::optional<std::int64_t>& dim, bool keepdim,
            const MemoryConfig& memory_config);
}  // namespace unscoped

}  // namespace tilemeter
