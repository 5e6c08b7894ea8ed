// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// reshape_on_device: reshape by a program that moves whole tiles on one core, or rows on all: TT-NN's older
// form.
//
// Four dimensions, any dtype but the block formats, interleaved. TILE: whole tiles. ROW_MAJOR: one width is a
// multiple of the other. A width that stays: a view.

#pragma once

#include <cstdint>
#include <tuple>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct ReshapeOnDevice {
    Tensor input_tensor{};
    std::int64_t w = 0;
    std::int64_t z = 0;
    std::int64_t y = 0;
    std::int64_t x = 0;
    OptionalMemoryConfig memory_config{};  ///< none: that of the input

    static constexpr OperationInfo kOperation{
        "reshape_on_device", "reshape to [W, Z, Y, X] by a program of its own; one of them may be -1."};
    static constexpr auto kParameters =
        parameters(required<&ReshapeOnDevice::input_tensor>(), required<&ReshapeOnDevice::w>("W"),
                   required<&ReshapeOnDevice::z>("Z"), required<&ReshapeOnDevice::y>("Y"),
                   required<&ReshapeOnDevice::x>("X"), keyword<&ReshapeOnDevice::memory_config>());

    Shape shape() const;
    std::tuple<const Tensor&, Shape, const OptionalMemoryConfig&> recorded() const {
        return {input_tensor, shape(), memory_config};
    }
    Tensor body() const;
};

inline constexpr Operation<ReshapeOnDevice> reshape_on_device;

namespace unscoped {
Tensor reshape_on_device(const Tensor& input, const Shape& shape,
                         const OptionalMemoryConfig& memory_config = std::nullopt);
}  // namespace unscoped

}  // namespace tilemeter
