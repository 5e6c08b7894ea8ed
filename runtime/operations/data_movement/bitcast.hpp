// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// bitcast: the bits of elements taken for another type.

#pragma once

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct Bitcast {
    Tensor input_tensor{};
    DataType dtype = DataType::BFLOAT16;   ///< of the size of the input's; no block format
    OptionalMemoryConfig memory_config{};  ///< none: that of the input
    OptionalTensor output_tensor{};
    OptionalCores sub_core_grids{};

    static constexpr OperationInfo kOperation{"bitcast",
                                              "The bits of each element as a dtype of the same size."};
    static constexpr auto kParameters =
        parameters(required<&Bitcast::input_tensor, &Bitcast::dtype>(), keyword<&Bitcast::memory_config>(),
                   unrecorded_keyword<&Bitcast::output_tensor>().output(),
                   unrecorded_keyword<&Bitcast::sub_core_grids>());
    Tensor body() const;
};

inline constexpr Operation<Bitcast> bitcast;

}  // namespace tilemeter
