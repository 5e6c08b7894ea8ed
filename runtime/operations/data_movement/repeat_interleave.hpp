// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// repeat_interleave: each slice of a tensor along a dimension, several times in a row.
//
// Any shape, layout and dtype. Whole pages - in TILE all dimensions but the last two, in ROW_MAJOR all but the
// last - are copied by one program; else the tensor goes through rows and is joined with itself, as in TT-NN.

#pragma once

#include <cstdint>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct RepeatInterleave {
    Tensor input_tensor{};
    std::uint32_t repeats = 1;
    std::int64_t dim = 0;
    OptionalMemoryConfig memory_config{};  ///< none: that of the input

    static constexpr OperationInfo kOperation{"repeat_interleave",
                                              "Each slice along dim, repeats times in a row."};
    static constexpr auto kParameters = parameters(
        required<&RepeatInterleave::input_tensor, &RepeatInterleave::repeats, &RepeatInterleave::dim>(),
        keyword<&RepeatInterleave::memory_config>());
    Tensor body() const;
};

inline constexpr Operation<RepeatInterleave> repeat_interleave;

}  // namespace tilemeter
