// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// repeat, expand: a tensor side by side with itself. Any shape, dtype and layout.

#pragma once

#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct Repeat {
    Tensor input_tensor{};
    Shape repeat_dims{};  ///< as many times along each dimension; more than there are: leading ones are added
    OptionalMemoryConfig memory_config{};  ///< none: that of the input
    NotModelled optional_output_tensor{};

    static constexpr OperationInfo kOperation{"repeat", "Each dimension as often as repeat_dims says."};
    static constexpr auto kParameters =
        parameters(required<&Repeat::input_tensor, &Repeat::repeat_dims>(),
                   keyword<&Repeat::memory_config, &Repeat::optional_output_tensor>());

    auto recorded() const {
        return std::tuple<const Tensor&, std::span<const std::uint32_t>, const OptionalMemoryConfig&>(
            input_tensor, repeat_dims.dimensions(), memory_config);
    }
    Tensor call() const;
};

inline constexpr Operation<Repeat> repeat;

struct Expand {
    Tensor input_tensor{};
    std::vector<std::int64_t> output_shape{};  ///< as many dimensions as the input's or more, or -1
    OptionalMemoryConfig memory_config{};      ///< none: that of the input

    static constexpr OperationInfo kOperation{
        "expand", "Dimensions of 1 repeated up to output_shape; -1 leaves one as it is."};
    static constexpr auto kParameters = parameters(required<&Expand::input_tensor, &Expand::output_shape>(),
                                                   keyword<&Expand::memory_config>());
    Tensor body() const;
};

inline constexpr Operation<Expand> expand;

namespace unscoped {
Tensor repeat(const Tensor& input, const std::vector<std::uint32_t>& times,
              const OptionalMemoryConfig& memory_config = std::nullopt);
}  // namespace unscoped

}  // namespace tilemeter
