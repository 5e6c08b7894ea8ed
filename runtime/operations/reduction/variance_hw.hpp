// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// var_hw, std_hw: variances and standard deviations of images, over the last two of four dimensions.
//
// Input: four dimensions, floating point; made tiles where it is ROW_MAJOR. The squares are divided by the
// number of elements with the tiles' padding, as TT-NN does.

#pragma once

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct VarianceHw {
    Tensor input_tensor{};
    OptionalMemoryConfig memory_config{};  ///< none: the input's

    static constexpr OperationInfo kOperation{
        "var_hw", "The mean square of the deviations of each height x width, of which both stay as 1."};
    static constexpr auto kParameters =
        parameters(required<&VarianceHw::input_tensor>(), keyword<&VarianceHw::memory_config>());
    Tensor body() const;
};
inline constexpr Operation<VarianceHw> var_hw;

struct StandardDeviationHw {
    Tensor input_tensor{};
    OptionalMemoryConfig memory_config{};  ///< none: the input's

    static constexpr OperationInfo kOperation{"std_hw", "The square root of var_hw."};
    static constexpr auto kParameters = parameters(required<&StandardDeviationHw::input_tensor>(),
                                                   keyword<&StandardDeviationHw::memory_config>());
    Tensor body() const;
};
inline constexpr Operation<StandardDeviationHw> std_hw;

}  // namespace tilemeter
