// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// argmax: where the largest elements are.

#pragma once

#include <optional>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct Argmax {
    /// ROW_MAJOR of any type but the block formats (other dimensions than the last: BFLOAT16, FLOAT32), or
    /// TILE of BFLOAT16, FLOAT32.
    Tensor input_tensor{};
    std::optional<int> dim{};              ///< none: the element's number in the whole tensor
    bool keepdim = false;                  ///< the reduced dimension stays as 1
    OptionalCores sub_core_grids{};        ///< cores for rows in ROW_MAJOR, or along the first dimensions
    OptionalMemoryConfig memory_config{};  ///< none: the input's
    OptionalTensor output_tensor{};        ///< as many UINT32, its rows as long
    std::optional<bool> enable_secondary_dm{};  ///< a core reads by two processors; none: TT-NN's choice

    static constexpr OperationInfo kOperation{
        "argmax",
        "Indices (uint32, ROW_MAJOR) of the largest values along dim, or in all of a ROW_MAJOR tensor. "
        "sub_core_grids: the cores that work on rows."};
    static constexpr auto kParameters =
        parameters(required<&Argmax::input_tensor>(), optional<&Argmax::dim, &Argmax::keepdim>(),
                   unrecorded_keyword<&Argmax::sub_core_grids>(), keyword<&Argmax::memory_config>(),
                   unrecorded_keyword<&Argmax::output_tensor>().output(),
                   unrecorded_keyword<&Argmax::enable_secondary_dm>());

    /// The first of equal elements counts. Throws RuntimeError, OutOfMemoryError.
    Tensor body() const;
};

inline constexpr Operation<Argmax> argmax;

}  // namespace tilemeter
