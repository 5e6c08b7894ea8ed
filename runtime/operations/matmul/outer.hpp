// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// outer: outer products.

#pragma once

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

/// Each element of the last dimension of a times all of b's: [..., n] and [..., m] to [..., n, m]; dimensions
/// before them are broadcast. Floating point.
struct Outer {
    Tensor input_tensor_a{};
    Tensor input_tensor_b{};
    OptionalMemoryConfig memory_config{};  ///< none: DRAM, interleaved

    static constexpr OperationInfo kOperation{
        "outer",
        "Each element of a's last dimension times all of b's: [..., n] and [..., m] to [..., n, m]."};
    static constexpr auto kParameters = parameters(required<&Outer::input_tensor_a, &Outer::input_tensor_b>(),
                                                   keyword<&Outer::memory_config>());
    Tensor body() const;
};

inline constexpr Operation<Outer> outer;

}  // namespace tilemeter
