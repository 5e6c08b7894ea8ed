// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Larger images, with TT-NN's name: each pixel becomes scale_h x scale_w equal ones ("nearest").
//
// Shapes: [batch, height, width, channels] -> [batch, height * scale_h, width * scale_w, channels],
// ROW_MAJOR. Interleaved; bfloat16 and float32, ROW_MAJOR or TILE, where width and channels are whole tiles.
// memory_config of the result: that of the input unless given, interleaved.
//
// Not there, refused: shards, "bilinear", broken factors. Throws RuntimeError, OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <array>
#include <cstdint>

#include "runtime/operations/optional_arguments.hpp"

namespace tilemeter {

Tensor upsample(const Tensor& input_tensor, const std::array<std::uint32_t, 2>& scale_factor,
                const OptionalMemoryConfig& memory_config = std::nullopt);

}  // namespace tilemeter
