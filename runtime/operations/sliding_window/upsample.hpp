// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// upsample: images made larger.
//
// Input [batch, height, width, channels], BFLOAT16 or FLOAT32 -> [batch, height * factor, width * factor,
// channels], ROW_MAJOR.
//
//     "nearest"    each pixel repeated. Interleaved images in ROW_MAJOR or whole tiles, or ROW_MAJOR shards
//                  that stay where they are. Non-integer factors (ROW_MAJOR, interleaved or in HEIGHT shards)
//                  take the pixel at floor(place / factor).
//     "bilinear"   between four pixels, half a pixel's width apart from the border. Integer factors,
//                  BFLOAT16, channels a multiple of 32; the result stays in HEIGHT shards unless
//                  memory_config says otherwise.

#pragma once

#include <array>
#include <string>
#include <variant>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"

namespace tilemeter {

struct Upsample {
    Tensor input_tensor{};
    std::variant<float, std::array<float, 2>> scale_factor = 1.0F;  ///< of both, or of height and width
    std::string mode = "nearest";
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};  ///< of "bilinear"

    static constexpr OperationInfo kOperation{
        "upsample",
        "Images [batch, height, width, channels], bfloat16 or float32, made scale_factor times larger along "
        "height and width: by repeating pixels (\"nearest\", the factors may be non-integer) or between four "
        "of them (\"bilinear\": bfloat16, channels a multiple of 32, the result in HEIGHT shards unless "
        "memory_config says otherwise)."};
    static constexpr auto kParameters =
        parameters(required<&Upsample::input_tensor, &Upsample::scale_factor>(),
                   keyword<&Upsample::mode, &Upsample::memory_config, &Upsample::compute_kernel_config>());

    std::array<float, 2> factors() const;
    auto recorded() const { return std::tuple(input_tensor, factors()[0], factors()[1], memory_config); }
    Tensor body() const;
};

inline constexpr Operation<Upsample> upsample;

}  // namespace tilemeter
