// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Images made larger, with TT-NN's name, arguments and defaults.
//
// Input [batch, height, width, channels], bfloat16 or float32 -> [batch, height * factor, width * factor,
// channels], ROW_MAJOR. "nearest": each pixel repeated; interleaved images in ROW_MAJOR or whole tiles, or
// ROW_MAJOR shards that stay where they are; broken factors (ROW_MAJOR, interleaved or in HEIGHT shards) take
// the pixel at floor(place / factor). "bilinear": between four pixels, half a pixel's width apart from the
// border; whole factors, bfloat16, channels a multiple of 32; the result stays in HEIGHT shards unless
// memory_config says otherwise. Throws RuntimeError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

Tensor upsample(const Tensor& input_tensor, const std::array<float, 2>& scale_factor,
                const OptionalMemoryConfig& memory_config = std::nullopt, std::string_view mode = "nearest");

}  // namespace tilemeter
