// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// reshape by a program that moves whole tiles on one core, or rows on all: TT-NN's older form.
//
// Four dimensions, any dtype but the block formats, interleaved. TILE: whole tiles. ROW_MAJOR: one width is a
// multiple of the other. memory_config of the result: that of the input unless given. A width that stays: a
// view. Throws RuntimeError, OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

Tensor reshape_on_device(const Tensor& input, const Shape& shape,
                         const OptionalMemoryConfig& memory_config = std::nullopt);

}  // namespace tilemeter
