// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Padding of tiles given a value that an operation over whole tiles can bear.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// For users, with TT-NN's name: TILE, any dtype; the input itself where it has no padding or is filled in
/// place. memory_config is not looked at, as in TT-NN. Throws RuntimeError (layout, shards of several
/// matrices).
Tensor fill_implicit_tile_padding(const Tensor& input_tensor, float fill_value,
                                  const OptionalMemoryConfig& memory_config = std::nullopt);

// Parts of other operations: no scopes of their own.

bool has_padding(const Tensor& tensor);

/// In place, but for block formats: those become a new tensor.
Tensor fill_padding(const Tensor& input, float value);

}  // namespace tilemeter
