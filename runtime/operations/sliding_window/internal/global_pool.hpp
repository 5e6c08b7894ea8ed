// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Means over whole images: a sum over the pixels of each image instead of windows. As a part of avg_pool2d:
// no scope of its own.

#pragma once

#include "runtime/operations/sliding_window/pool.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// True if the window is the image, without padding, and the input has pixels that can be summed.
bool averages_whole_images(const Pool2dArguments& arguments, const Tensor& input);

/// [1, 1, batch, channels] of the input's dtype, in memory_config, which is the input's unless given.
/// REQUIRES: averages_whole_images.
Tensor average_of_whole_images(const Pool2dArguments& arguments, const Tensor& input);

}  // namespace tilemeter
