// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// clamp, clip: elements brought between limits, numbers or tensors, of which one may be missing.

#pragma once

#include <optional>
#include <tuple>
#include <type_traits>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/eltwise/unary.hpp"

namespace tilemeter {

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
        const auto listed = std::tie(input_tensor, min, max, memory_config, output_tensor);
        if constexpr (std::is_same_v<Limit, Tensor>) {
            return listed;
        } else {
            return std::tuple_cat(listed, std::tuple(OptionalCores()));
        }
    }
    Tensor call() const;
};
inline constexpr Overloaded<Operation<Clamp<float>>, Operation<Clamp<Tensor>>> clamp;

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
            return without_output(input_tensor, min, max, memory_config);
        }
    }
    Tensor call() const;
};
inline constexpr Overloaded<Operation<Clip<float>>, Operation<Clip<Tensor>>> clip;

}  // namespace tilemeter
