// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// typecast: the same values in another element type.
//
// Any shape, TILE or ROW_MAJOR (the block formats: TILE), interleaved or sharded; from and to any dtype. On
// the host, too.

#pragma once

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct Typecast {
    Tensor input_tensor{};
    DataType dtype = DataType::BFLOAT16;
    OptionalMemoryConfig memory_config{};  ///< none: that of the input, or of output_tensor
    OptionalTensor output_tensor{};
    OptionalCores sub_core_grids{};

    static constexpr OperationInfo kOperation{"typecast", "The same values in another element type.",
                                              "identity"};
    static constexpr auto kParameters = parameters(
        required<&Typecast::input_tensor, &Typecast::dtype>(), keyword<&Typecast::memory_config>(),
        keyword<&Typecast::output_tensor>().output(), unrecorded_keyword<&Typecast::sub_core_grids>());
    Tensor call() const;
};

/// With the dtype of the input said once more.
struct TypecastBetween {
    Tensor input_tensor{};
    DataType input_dtype = DataType::BFLOAT16;
    DataType output_dtype = DataType::BFLOAT16;
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};
    OptionalCores sub_core_grids{};

    static constexpr OperationInfo kOperation{"typecast", "input_dtype: that of the input.", "identity"};
    static constexpr auto kParameters = parameters(
        required<&TypecastBetween::input_tensor, &TypecastBetween::input_dtype,
                 &TypecastBetween::output_dtype>(),
        keyword<&TypecastBetween::memory_config>(), keyword<&TypecastBetween::output_tensor>().output(),
        keyword<&TypecastBetween::sub_core_grids>());

    /// Throws std::invalid_argument (input_dtype), and as Typecast.
    Tensor call() const;
};

inline constexpr Operation<Typecast> typecast;

/// Operations without a scope of their own, for those that are made of others.
namespace unscoped {
Tensor typecast(const Tensor& input, DataType dtype, const OptionalMemoryConfig& memory_config = std::nullopt,
                const OptionalTensor& output_tensor = std::nullopt);
}

}  // namespace tilemeter
