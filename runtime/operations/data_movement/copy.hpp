// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// clone, copy, assign: copies of tensors. Any shape, dtype and layout.

#pragma once

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct Clone {
    Tensor input{};
    OptionalDataType dtype{};              ///< none: that of the input
    OptionalMemoryConfig memory_config{};  ///< none: that of the input
    Ignored compute_kernel_config{};

    static constexpr OperationInfo kOperation{"clone", "A copy in memory of its own."};
    static constexpr auto kParameters =
        parameters(required<&Clone::input>(),
                   keyword<&Clone::dtype, &Clone::memory_config, &Clone::compute_kernel_config>());
    Tensor body() const;
};

inline constexpr Operation<Clone> clone;

/// Shapes and layouts are equal; the result is input_b.
struct Copy {
    Tensor input_a{};
    Tensor input_b{};

    static constexpr OperationInfo kOperation{"copy", "input_a's values written over those of input_b.",
                                              "identity"};
    static constexpr auto kParameters =
        parameters(required<&Copy::input_a>(), required<&Copy::input_b>().output());
    Tensor body() const;
};

inline constexpr Operation<Copy> copy;

/// copy under its other name.
struct Assign : Copy {
    static constexpr OperationInfo kOperation{"assign", Copy::kOperation.documentation, "identity"};
    Tensor body() const;
};

struct AssignToMemory {
    Tensor input_tensor{};
    MemoryConfig memory_config{};
    OptionalDataType dtype{};  ///< none: that of the input
    OptionalTensor output_tensor{};

    static constexpr OperationInfo kOperation{"assign", "A copy in other memory.", "identity"};
    static constexpr auto kParameters = parameters(
        required<&AssignToMemory::input_tensor>(), required_keyword<&AssignToMemory::memory_config>(),
        keyword<&AssignToMemory::dtype>(), keyword<&AssignToMemory::output_tensor>().output());
    Tensor body() const;
};

inline constexpr Overloaded<Operation<Assign>, Operation<AssignToMemory>> assign;

namespace experimental {

struct Typecast {
    Tensor input_tensor{};
    DataType dtype = DataType::BFLOAT16;
    OptionalMemoryConfig memory_config{};  ///< none: that of the input
    OptionalTensor optional_output_tensor{};

    static constexpr OperationInfo kOperation{"experimental.typecast", "A copy of another dtype."};
    static constexpr auto kParameters = parameters(
        required<&Typecast::input_tensor, &Typecast::dtype>(), optional<&Typecast::memory_config>(),
        optional<&Typecast::optional_output_tensor>().output().unrecorded());
    Tensor call() const;
};

inline constexpr Operation<Typecast> typecast;

}  // namespace experimental

namespace unscoped {
Tensor clone(const Tensor& input, const OptionalDataType& dtype = std::nullopt,
             const OptionalMemoryConfig& memory_config = std::nullopt);
Tensor copy(const Tensor& input, const Tensor& output);
/// The copy that to_memory_config makes.
Tensor copy_to(const Tensor& input, const MemoryConfig& memory_config, DataType dtype);
}  // namespace unscoped

}  // namespace tilemeter
