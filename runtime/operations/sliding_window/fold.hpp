// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Blocks of neighbouring pixels as channels of one pixel, with TT-NN's name:
//
//     [batch, height, width, C] -> [batch, height / stride_h, width / stride_w, stride_h * stride_w * C]
//
// ROW_MAJOR, bfloat16 for block formats; collapse_output: [1, 1, pixels, channels]. Throws RuntimeError where
// the strides do not divide the padded height and width, for padding in front of tiles, and for other shards
// than ROW_MAJOR HEIGHT shards without padding.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/data_movement/pad.hpp"

namespace tilemeter {

/// `padding`: zeros around each dimension, before it is folded.
Tensor fold(const Tensor& input, std::uint32_t stride_h, std::uint32_t stride_w, const Padding& padding = {},
            bool collapse_output = false);

}  // namespace tilemeter
