// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Convolution on the host, in float32 or of bfloat16 into float32. Images and results are matrices: a row has the channels
// of one pixel, rows are in order of image, row, column.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "runtime/types/dtype.hpp"
#include "runtime/types/host_array.hpp"
#include "runtime/types/shape.hpp"

namespace tilemeter::compute {

/// Images with their padding, and the windows that go over them.
struct Convolution {
    std::uint32_t batch = 1;
    std::uint32_t height = 1, width = 1;  ///< of an image
    std::uint32_t channels = 1, outputs = 1;
    std::uint32_t groups = 1;  ///< divides both
    std::uint32_t kernel_height = 1, kernel_width = 1;
    std::uint32_t stride_height = 1, stride_width = 1;
    std::uint32_t dilation_height = 1, dilation_width = 1;
    std::uint32_t output_height = 1, output_width = 1;  ///< every window lies within its image
};

/// [batch * output height * output width, outputs] under `shape`, rounded to `dtype`. `images`: [..., rows, channels];
/// rows behind the last image are not read. `bias`: added to each pixel's outputs, or nothing.
/// `weights`: [..., kernel height * kernel width * channels, outputs], rows in that order; between groups they count as 0.
/// `finish`, where there is one, changes whole rows before they are rounded, in several threads.
HostArray convolve(const Convolution& convolution, const HostArray& images, const HostArray& weights,
                   std::span<const float> bias, DataType dtype, const Shape& shape,
                   const std::function<void(std::span<float> rows)>& finish = {});

}  // namespace tilemeter::compute
