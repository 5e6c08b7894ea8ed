// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// permute, transpose: the dimensions of a tensor in another order.
//
// Any rank up to 8, TILE or ROW_MAJOR, any dtype (bfloat8_b by way of bfloat16 where the tiles themselves are
// taken apart). Where no element changes its place the result is the input itself, or a copy if the memory
// config differs.

#pragma once

#include <cstdint>
#include <vector>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct Permute {
    Tensor input_tensor{};
    std::vector<std::int64_t> dims{};      ///< negative ones count from the end
    OptionalMemoryConfig memory_config{};  ///< none: that of the input
    float pad_value = 0.0F;

    static constexpr OperationInfo kOperation{"permute",
                                              "Dimension i of the result is dimension dims[i] of the input."};
    static constexpr auto kParameters =
        parameters(required<&Permute::input_tensor, &Permute::dims>(), keyword<&Permute::memory_config>(),
                   unrecorded_keyword<&Permute::pad_value>());

    /// Throws RuntimeError (dims that are no order of the input's dimensions), OutOfMemoryError.
    Tensor body() const;
};

/// TT-NN's other signature, of Python alone.
struct PermuteWithPadValue : Permute {
    static constexpr OperationInfo kOperation{"permute", "The same in the memory of the input's kind."};
    static constexpr auto kParameters =
        parameters(required<&Permute::input_tensor, &Permute::dims>(), optional<&Permute::pad_value>());
};

inline constexpr Operation<Permute> permute;

struct Transpose {
    Tensor input_tensor{};
    std::int64_t dim1 = 0;
    std::int64_t dim2 = 0;
    OptionalMemoryConfig memory_config{};  ///< none: the input's; shards without a spec: its, scaled
    float pad_value = 0.0F;

    static constexpr OperationInfo kOperation{"transpose", "Two dimensions exchanged."};
    static constexpr auto kParameters =
        parameters(required<&Transpose::input_tensor, &Transpose::dim1, &Transpose::dim2>(),
                   keyword<&Transpose::memory_config>(), unrecorded_keyword<&Transpose::pad_value>());
    Tensor body() const;
};

/// TT-NN's other signature, of Python alone.
struct TransposeWithPadValue : Transpose {
    static constexpr OperationInfo kOperation{"transpose", "The same in the memory of the input's kind."};
    static constexpr auto kParameters =
        parameters(required<&Transpose::input_tensor, &Transpose::dim1, &Transpose::dim2>(),
                   optional<&Transpose::pad_value>());
};

inline constexpr Operation<Transpose> transpose;

namespace unscoped {
Tensor permute(const Tensor& input, const std::vector<std::int64_t>& dims,
               const OptionalMemoryConfig& memory_config = std::nullopt, float pad_value = 0.0F);
Tensor transpose(const Tensor& input, std::int64_t dim1, std::int64_t dim2,
                 const OptionalMemoryConfig& memory_config = std::nullopt, float pad_value = 0.0F);
}  // namespace unscoped

}  // namespace tilemeter
