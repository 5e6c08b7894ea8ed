// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// ema: exponential moving averages.

#pragma once

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/work/core_grid.hpp"

namespace tilemeter {

struct Ema {
    Tensor input_tensor{};  ///< [1, B, C, T], BFLOAT16, TILE
    float alpha = 0.0F;
    OptionalTensor out{};
    OptionalCoreGrid core_grid{};          ///< cores to take at most; none: the device's
    OptionalMemoryConfig memory_config{};  ///< none: the input's
    Ignored compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "ema",
        "Along the last dimension of [1, B, C, T] alpha times the average before plus (1 - alpha) times the "
        "element. bfloat16, TILE."};
    static constexpr auto kParameters = parameters(
        required<&Ema::input_tensor, &Ema::alpha>(), unrecorded_keyword<&Ema::out>().output(),
        unrecorded_keyword<&Ema::core_grid>(), keyword<&Ema::memory_config, &Ema::compute_kernel_config>());
    Tensor body() const;
};

inline constexpr Operation<Ema> ema;

}  // namespace tilemeter
