// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Moving a tensor: its memory is freed and allocated again, where the allocator now finds the best place, and
// its values follow. It closes the holes that frees of other tensors have left.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

/// The tensor in new memory; `input` is deallocated, also for others that share it. Nothing is copied when
/// the new place is the old one. Any shape, dtype and layout. memory_config: that of the input unless given;
/// sharded if and only if the input is. Throws OutOfMemoryError (the input is deallocated then, as on the
/// devices), RuntimeError for a host tensor or a deallocated one.
Tensor move(Tensor& input, const OptionalMemoryConfig& memory_config = std::nullopt);

/// The same under TT-NN's other name.
Tensor reallocate(Tensor& input, const OptionalMemoryConfig& memory_config = std::nullopt);

namespace unscoped {
Tensor move(Tensor& input);
}  // namespace unscoped

}  // namespace tilemeter
