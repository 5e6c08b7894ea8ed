// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// broadcast_to: dimensions of 1 filled with copies, by a program of its own. Interleaved tiles of up to four
// dimensions.

#pragma once

#include "runtime/operations/core/definition.hpp"

namespace tilemeter::experimental {

struct BroadcastTo {
    Tensor input{};
    Shape output_shape{};
    OptionalMemoryConfig memory_config{};  ///< none: that of the input
    OptionalTensor output{};

    static constexpr OperationInfo kOperation{
        "experimental::broadcast_to",
        "Dimensions of 1 repeated up to output_shape, of four dimensions at most."};
    static constexpr auto kParameters =
        parameters(required<&BroadcastTo::input, &BroadcastTo::output_shape>(),
                   keyword<&BroadcastTo::memory_config>(), keyword<&BroadcastTo::output>().output());
    Tensor body() const;
};

inline constexpr Operation<BroadcastTo> broadcast_to;

}  // namespace tilemeter::experimental
