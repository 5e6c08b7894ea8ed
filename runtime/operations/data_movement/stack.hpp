// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// stack: tensors of one shape along a new dimension. The result lies interleaved in DRAM, as concat's.

#pragma once

#include <cstdint>
#include <vector>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct Stack {
    std::vector<Tensor> input_tensors{};  ///< at least one; shapes, dtypes and layouts are equal
    std::int64_t dim = 0;                 ///< the new one: -rank-1 .. rank

    static constexpr OperationInfo kOperation{"stack", "Tensors of one shape along a new dimension."};
    static constexpr auto kParameters = parameters(required<&Stack::input_tensors, &Stack::dim>());

    /// Throws RuntimeError (no tensor, unequal shapes), OutOfMemoryError.
    Tensor body() const;
};

inline constexpr Operation<Stack> stack;

}  // namespace tilemeter
