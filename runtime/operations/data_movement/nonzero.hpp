// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// nonzero: the positions of what is not zero in a row.

#pragma once

#include <vector>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct Nonzero {
    Tensor input_tensor{};                 ///< [1, 1, 1, N], ROW_MAJOR
    OptionalMemoryConfig memory_config{};  ///< none: that of the input

    static constexpr OperationInfo kOperation{
        "nonzero",
        "[count, indices] of what is not zero in [1, 1, 1, N], ROW_MAJOR: uint32, as many of the indices count "
        "as the first element of count says."};
    static constexpr auto kParameters =
        parameters(required<&Nonzero::input_tensor>(), keyword<&Nonzero::memory_config>());

    /// Two tensors of UINT32: [1, 1, 1, 8], which begins with how many elements are not zero, and
    /// [1, 1, 1, 4 * N], which begins with their indices. Throws RuntimeError, OutOfMemoryError.
    std::vector<Tensor> body() const;
};

inline constexpr Operation<Nonzero> nonzero;

}  // namespace tilemeter
