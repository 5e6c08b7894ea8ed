// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The definitions of this family: who adds one adds it here.

#pragma once

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/sliding_window/channel_order.hpp"
#include "runtime/operations/sliding_window/conv2d.hpp"
#include "runtime/operations/sliding_window/conv3d.hpp"
#include "runtime/operations/sliding_window/conv_transpose2d.hpp"
#include "runtime/operations/sliding_window/fold.hpp"
#include "runtime/operations/sliding_window/grid_sample.hpp"
#include "runtime/operations/sliding_window/pool.hpp"
#include "runtime/operations/sliding_window/rotate.hpp"
#include "runtime/operations/sliding_window/slice_write.hpp"
#include "runtime/operations/sliding_window/upsample.hpp"

namespace tilemeter {

using SlidingWindowDefinitions =
    Definitions<AdaptiveAvgPool2d, AdaptiveMaxPool2d, AvgPool2d, Conv1d, Conv2d, ConvTranspose2d, Fold,
                GridSample, MaxPool2d, PrepareConvBias, PrepareConvTranspose2dBias,
                PrepareConvTranspose2dWeights, PrepareConvWeights, Rotate, Upsample, experimental::Conv3d,
                experimental::ConvertToChw, experimental::ConvertToHwc, experimental::PaddedSlice,
                experimental::PrepareConv3dWeights, experimental::SliceWrite>;

}  // namespace tilemeter
