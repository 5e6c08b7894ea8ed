// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// sort: the elements of a tensor in order along a dimension, and where they were.
//
// Rows of more than 2048 elements are shared by cores, two tiles each; where the device has not that many
// cores, all of them, if they are a power of two, else such rows are refused. Equal elements keep their order.
// Rows are sorted at lengths that are powers of two of tiles: others are padded before and cut after.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct Sort {
    Tensor input_tensor{};  ///< TILE, interleaved; BFLOAT16, FLOAT32 or, up to 2048 long, UINT16
    std::int64_t dim = -1;
    bool descending = false;
    bool stable = false;
    OptionalMemoryConfig memory_config{};  ///< of both results; none: that of the input
    std::optional<std::vector<Tensor>>
        out{};  ///< written into where dim is the last one and nothing is padded, else refused

    static constexpr OperationInfo kOperation{
        "sort", "[values, indices] along dim in ascending (or descending) order."};
    static constexpr auto kParameters =
        parameters(required<&Sort::input_tensor>(), optional<&Sort::dim, &Sort::descending, &Sort::stable>(),
                   keyword<&Sort::memory_config>(), unrecorded_keyword<&Sort::out>().output());

    /// [values, indices], in the input's shape; indices are UINT16, those of FLOAT32 and of 65,536 elements and
    /// more UINT32. Throws RuntimeError, OutOfMemoryError.
    std::vector<Tensor> body() const;
};

inline constexpr Operation<Sort> sort;

}  // namespace tilemeter
