// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Each slice of a tensor along a dimension, several times in a row.
//
// Any shape, layout and dtype. memory_config of the result: that of the input unless given. Whole pages - in
// TILE all dimensions but the last two, in ROW_MAJOR all but the last - are copied by one program; else the
// tensor goes through rows and is joined with itself, as in TT-NN. Throws RuntimeError, OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

Tensor repeat_interleave(const Tensor& input, std::uint32_t repeats, std::int64_t dim,
                         const OptionalMemoryConfig& memory_config = std::nullopt);

}  // namespace tilemeter
