// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// index_fill: one value at chosen positions of a dimension.

#pragma once

#include <cstdint>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct IndexFill {
    Tensor input{};  ///< any shape, ROW_MAJOR, interleaved; BFLOAT16, FLOAT32 or INT32
    std::int64_t dim = 0;
    Tensor index{};  ///< positions along dim: one dimension, UINT32, ROW_MAJOR
    double value = 0;
    OptionalMemoryConfig memory_config{};  ///< none: that of the input

    static constexpr OperationInfo kOperation{
        "index_fill", "The input with a value at the positions `index` (uint32) along dim. ROW_MAJOR."};
    static constexpr auto kParameters =
        parameters(required<&IndexFill::input, &IndexFill::dim, &IndexFill::index, &IndexFill::value>(),
                   keyword<&IndexFill::memory_config>());

    /// Throws RuntimeError (dimension or position out of range, dtypes, layouts), OutOfMemoryError.
    Tensor body() const;
};

inline constexpr Operation<IndexFill> index_fill;

}  // namespace tilemeter
