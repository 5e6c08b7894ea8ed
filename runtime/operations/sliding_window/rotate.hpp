// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// rotate: images turned about a point.

#pragma once

#include <array>
#include <optional>
#include <string>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct Rotate {
    Tensor input_tensor{};                         ///< [batch, height, width, channels], ROW_MAJOR
    float angle = 0.0F;                            ///< degrees, counterclockwise
    std::optional<std::array<float, 2>> center{};  ///< x and y in pixels; none: the middle of the images
    float fill = 0.0F;                             ///< the value outside of the images
    bool expand = false;                           ///< true is not supported, as in TT-NN
    std::string interpolation_mode = "nearest";    ///< or "bilinear": channels a multiple of 32, at most 256
    OptionalMemoryConfig memory_config{};          ///< none: that of the input

    static constexpr OperationInfo kOperation{
        "rotate",
        "Images [batch, height, width, channels], ROW_MAJOR, BFLOAT16 or FLOAT32, turned by angle degrees "
        "counterclockwise about center (x, y; default: their middle). interpolation_mode: \"nearest\" or "
        "\"bilinear\" (channels a multiple of 32, at most 256). Interleaved, or \"nearest\" in HEIGHT shards "
        "that stay where they are."};
    static constexpr auto kParameters = parameters(
        required<&Rotate::input_tensor, &Rotate::angle>(), unrecorded_keyword<&Rotate::center>(),
        keyword<&Rotate::fill>(), unrecorded_keyword<&Rotate::expand, &Rotate::interpolation_mode>(),
        keyword<&Rotate::memory_config>());
    Tensor body() const;
};

inline constexpr Operation<Rotate> rotate;

}  // namespace tilemeter
