// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// where: a choice between two values, element by element. Tensors are TILE; their shapes are equal or have
// dimensions of 1, which are repeated.

#pragma once

#include <tuple>
#include <variant>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

using TensorOrNumber = std::variant<Tensor, float>;

/// An operand that may be a number, as scopes list it.
inline OptionalTensor tensor_of(const TensorOrNumber& operand) {
    const Tensor* tensor = std::get_if<Tensor>(&operand);
    return tensor != nullptr ? OptionalTensor(*tensor) : std::nullopt;
}
inline std::optional<float> number_of(const TensorOrNumber& operand) {
    const float* number = std::get_if<float>(&operand);
    return number != nullptr ? std::optional<float>(*number) : std::nullopt;
}

/// dtype of the result: that of the first tensor among true_value, false_value, predicate. A number beside a
/// tensor needs a predicate of that tensor's dtype.
struct Where {
    Tensor predicate{};
    TensorOrNumber true_value{};
    TensorOrNumber false_value{};
    OptionalMemoryConfig memory_config{};  ///< none: that of the predicate
    OptionalTensor output_tensor{};
    OptionalCores sub_core_grids{};  ///< the cores that the program runs on; none: all

    static constexpr OperationInfo kOperation{
        "where",
        "true_value where predicate is not 0, else false_value; tensors are broadcast, numbers are too."};
    static constexpr auto kParameters =
        parameters(required<&Where::predicate, &Where::true_value, &Where::false_value>(),
                   keyword<&Where::memory_config>(), keyword<&Where::output_tensor>().output(),
                   keyword<&Where::sub_core_grids>());
    auto recorded() const {
        return std::tuple_cat(std::tie(predicate),
                              std::tuple(tensor_of(true_value), number_of(true_value), tensor_of(false_value),
                                         number_of(false_value)),
                              std::tie(memory_config, output_tensor, sub_core_grids));
    }
    Tensor body() const;
};
inline constexpr Operation<Where> where;

namespace unscoped {
/// As part of another operation: without a scope of its own.
Tensor where(const Tensor& predicate, const TensorOrNumber& true_value, const TensorOrNumber& false_value,
             const OptionalMemoryConfig& memory_config = std::nullopt,
             const OptionalTensor& output_tensor = std::nullopt,
             const OptionalCores& sub_core_grids = std::nullopt);
}  // namespace unscoped

}  // namespace tilemeter
