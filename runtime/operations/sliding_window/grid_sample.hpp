// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// grid_sample: images sampled at the points that a tensor names.

#pragma once

#include <string>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct GridSample {
    Tensor input_tensor{};  ///< [batch, height, width, channels], ROW_MAJOR, channels a multiple of 32
    /// [batch, rows, columns, k * values], ROW_MAJOR: k points each, (x, y) from -1 to 1. Precomputed
    /// (bfloat16 whose bits are int16 where they name pixels): (y, x) of a pixel and, of "bilinear", the
    /// weights of it, its right, lower and lower right neighbour.
    Tensor grid{};
    std::string mode = "bilinear";       ///< or "nearest", of a precomputed grid only
    std::string padding_mode = "zeros";  ///< outside of the images; nothing else is supported
    bool align_corners = false;  ///< -1 and 1 are the middles of the outermost pixels, not their edges
    bool use_precomputed_grid = false;
    bool batch_output_channels = false;    ///< the k points lie in the channels instead of the columns
    OptionalMemoryConfig memory_config{};  ///< none: that of the grid
    Ignored compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "grid_sample",
        "Images [batch, height, width, channels], ROW_MAJOR, channels a multiple of 32, at the points of a "
        "grid [batch, rows, columns, k * 2] (x, y from -1 to 1): [batch, rows, columns * k, channels], with "
        "batch_output_channels [batch, rows, columns, channels * k]; in HEIGHT shards for \"nearest\" and for "
        "a grid in shards."};
    static constexpr auto kParameters = parameters(
        required<&GridSample::input_tensor, &GridSample::grid>(),
        unrecorded_keyword<&GridSample::mode, &GridSample::padding_mode, &GridSample::align_corners,
                           &GridSample::use_precomputed_grid, &GridSample::batch_output_channels>(),
        keyword<&GridSample::memory_config, &GridSample::compute_kernel_config>());
    Tensor body() const;
};

inline constexpr Operation<GridSample> grid_sample;

}  // namespace tilemeter
