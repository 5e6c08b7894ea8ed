// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// clamp, clip: elements brought between limits, numbers or tensors, of which one may be missing.
//
// INT32 between numbers: between integers clamp's result is INT32, else FLOAT32, as clip's always is. clamp throws
// RuntimeError for an integer beside a real number.

#pragma once

#include <optional>
#include <tuple>
#include <type_traits>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/core/scalar.hpp"
#include "runtime/operations/eltwise/unary.hpp"

namespace tilemeter {

/// A limit as scopes list it.
inline std::optional<float> number_of(const std::optional<Scalar>& limit) {
    return limit ? std::optional<float>(limit->to_float()) : std::nullopt;
}

template <typename Limit>
struct Clamp {
    Tensor input_tensor{};
    std::optional<Limit> min{};
    std::optional<Limit> max{};
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};

    static constexpr OperationInfo kOperation{
        "clamp", std::is_same_v<Limit, Tensor> ? "Between tensors." : kUnaryDocumentation};
    static constexpr auto kParameters =
        parameters(required<&Clamp::input_tensor>(), optional<&Clamp::min, &Clamp::max>(),
                   keyword<&Clamp::memory_config>(), keyword<&Clamp::output_tensor>().output());
    auto recorded() const {
        if constexpr (std::is_same_v<Limit, Tensor>) {
            return std::tie(input_tensor, min, max, memory_config, output_tensor);
        } else {
            return std::tuple_cat(std::tie(input_tensor), std::tuple(number_of(min), number_of(max)),
                                  std::tie(memory_config, output_tensor), std::tuple(OptionalCores()));
        }
    }
    Tensor call() const;
};
inline constexpr Overloaded<Operation<Clamp<Scalar>>, Operation<Clamp<Tensor>>> clamp;

template <typename Limit>
struct Clip {
    Tensor input_tensor{};
    std::optional<Limit> min{};
    std::optional<Limit> max{};
    OptionalMemoryConfig memory_config{};

    static constexpr OperationInfo kOperation{
        "clip", std::is_same_v<Limit, Tensor> ? "Between tensors." : kUnaryDocumentation, "clamp"};
    static constexpr auto kParameters = parameters(
        required<&Clip::input_tensor>(), optional<&Clip::min, &Clip::max>(), keyword<&Clip::memory_config>());
    auto recorded() const {
        if constexpr (std::is_same_v<Limit, Tensor>) {
            return std::tie(input_tensor, min, max, memory_config);
        } else {
            return std::tuple_cat(std::tie(input_tensor), std::tuple(number_of(min), number_of(max)),
                                  std::tie(memory_config), std::tuple(OptionalTensor(), OptionalCores()));
        }
    }
    Tensor call() const;
};
inline constexpr Overloaded<Operation<Clip<Scalar>>, Operation<Clip<Tensor>>> clip;

}  // namespace tilemeter
