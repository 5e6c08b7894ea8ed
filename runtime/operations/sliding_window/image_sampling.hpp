// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Images turned, and images sampled at points that a tensor names, with TT-NN's names, arguments and
// defaults.
//
// Input [batch, height, width, channels], ROW_MAJOR, bfloat16 or float32. What lies between pixels is
// "nearest" or "bilinear" (channels a multiple of 32); what lies outside is `fill` (rotate) or 0
// (grid_sample). Throws RuntimeError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

/// The images, turned by `angle` degrees counterclockwise about `center` (x, y; none: their middle), as large
/// as they were. Interleaved, or "nearest" in HEIGHT shards that stay where they are.
Tensor rotate(const Tensor& input_tensor, float angle,
              const std::optional<std::array<float, 2>>& center = std::nullopt, float fill = 0.0F,
              std::string_view interpolation_mode = "nearest",
              const OptionalMemoryConfig& memory_config = std::nullopt);

struct GridSampleArguments {
    std::string_view mode = "bilinear";
    std::string_view padding_mode = "zeros";
    bool align_corners = false;         ///< -1 and 1 are the middles of the outermost pixels, not their edges
    bool use_precomputed_grid = false;  ///< the grid holds pixels and their weights; always so of "nearest"
    bool batch_output_channels = false;
    OptionalMemoryConfig memory_config;
};

/// `grid` [batch, rows, columns, k * values], ROW_MAJOR: k points each, (x, y) from -1 to 1. Precomputed
/// (bfloat16 whose bits are int16 where they name pixels): (y, x) of a pixel and, of "bilinear", the weights
/// of it, its right, lower and lower right neighbour. Result [batch, rows, columns * k, channels], with
/// batch_output_channels [batch, rows, columns, channels * k]; where the grid lies unless memory_config says
/// otherwise, in HEIGHT shards for "nearest" and for a grid in shards.
Tensor grid_sample(const Tensor& input_tensor, const Tensor& grid, const GridSampleArguments& arguments = {});

}  // namespace tilemeter
