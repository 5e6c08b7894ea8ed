// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// fill_implicit_tile_padding: the padding of tiles filled with a value that an operation over whole tiles can
// bear.

#pragma once

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct FillImplicitTilePadding {
    Tensor input_tensor{};  ///< TILE, any dtype
    float fill_value = 0.0F;
    OptionalMemoryConfig memory_config{};  ///< has no effect, as in TT-NN

    static constexpr OperationInfo kOperation{
        "fill_implicit_tile_padding",
        "The padding of tiles filled with a value, in place but for block formats."};
    static constexpr auto kParameters =
        parameters(required<&FillImplicitTilePadding::input_tensor, &FillImplicitTilePadding::fill_value>(),
                   keyword<&FillImplicitTilePadding::memory_config>());

    /// The input itself where it has no padding or is filled in place. Throws RuntimeError (layout, shards of
    /// several matrices).
    Tensor body() const;
};

inline constexpr Operation<FillImplicitTilePadding> fill_implicit_tile_padding;

// Parts of other operations: no scopes of their own.

bool has_padding(const Tensor& tensor);

/// In place, but for block formats: those become a new tensor.
Tensor fill_padding(const Tensor& input, float value);

}  // namespace tilemeter
