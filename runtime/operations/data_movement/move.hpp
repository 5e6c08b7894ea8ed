// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// move: a tensor's memory is freed and allocated again, where the allocator now finds the best place, and its
// values follow. It closes the holes that frees of other tensors have left.
//
// Any shape, dtype and layout. The input is deallocated, also for others that share its memory. Nothing is
// copied when the new place is the old one.

#pragma once

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct Move {
    Tensor input_tensor{};
    OptionalMemoryConfig memory_config{};  ///< none: that of the input; sharded if and only if the input is

    static constexpr OperationInfo kOperation{
        "move", "The tensor where the allocator now finds the best place; input_tensor is deallocated.",
        "identity"};
    static constexpr auto kParameters =
        parameters(required<&Move::input_tensor>(), keyword<&Move::memory_config>());

    /// Throws OutOfMemoryError (the input is deallocated then, as on the devices), RuntimeError for a host
    /// tensor or a deallocated one.
    Tensor body() const;
};

inline constexpr Operation<Move> move;

struct Reallocate {
    Tensor tensor{};
    OptionalMemoryConfig memory_config{};

    static constexpr OperationInfo kOperation{"reallocate", "move under its other name.", "identity"};
    static constexpr auto kParameters =
        parameters(required<&Reallocate::tensor>(), optional<&Reallocate::memory_config>());

    /// As Move's.
    Tensor body() const;
};

inline constexpr Operation<Reallocate> reallocate;

namespace unscoped {
Tensor move(Tensor& input);
}  // namespace unscoped

}  // namespace tilemeter
