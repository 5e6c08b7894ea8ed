// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// nonzero: the positions of what is not zero.

#pragma once

#include <vector>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct Nonzero {
    Tensor input_tensor{};                 ///< rank 4, any layout and memory
    OptionalMemoryConfig memory_config{};  ///< of both results, none: DRAM

    static constexpr OperationInfo kOperation{
        "nonzero",
        "[count, indices] of what is not zero in four dimensions: uint32, ROW_MAJOR; four indices for each "
        "element, of as many elements as the first of count says."};
    static constexpr auto kParameters =
        parameters(required<&Nonzero::input_tensor>(), keyword<&Nonzero::memory_config>());

    /// Two tensors of UINT32: [1, 1, 1, 8], which begins with how many elements are not zero, and
    /// [1, 1, 1, 4 * elements], which begins with four indices for each of these. Throws RuntimeError (another
    /// rank; more elements than a core can list), OutOfMemoryError.
    std::vector<Tensor> body() const;
};

inline constexpr Operation<Nonzero> nonzero;

}  // namespace tilemeter
