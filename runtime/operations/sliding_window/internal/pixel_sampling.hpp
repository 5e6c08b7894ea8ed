// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Sampling of images at points: each pixel of a result is one pixel of the input or lies between four.

#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/device/device_description.hpp"
#include "runtime/device/program_memory.hpp"
#include "runtime/types/tensor_spec.hpp"

namespace tilemeter {

enum class Interpolation { kNearest, kBilinear };

/// Throws RuntimeError, naming `operation`, for anything but "nearest" and "bilinear".
Interpolation interpolation_of(std::string_view name, std::string_view operation);
std::string_view name_of(Interpolation interpolation);

/// The most tiles of channels that are interpolated at a time.
inline constexpr std::uint32_t kMostChannelTiles = 8;
/// Circular buffers hold two of what they pass on.
inline constexpr std::uint64_t kBufferDepth = 2;

/// Throws RuntimeError unless the tensor has four dimensions, BFLOAT16 or FLOAT32.
void require_images(const TensorSpec& input);
/// Throws RuntimeError unless channels are a multiple of 32.
void require_whole_tiles(const Shape& shape);

/// Bytes of a row of a ROW_MAJOR tensor, aligned as its memory needs.
std::uint64_t aligned_row(const TensorSpec& spec, const DeviceDescription& device);

/// A circular buffer in the memory of a tensor: inputs count from 0, outputs after them.
ProgramMemory in_memory_of(int tensor, std::uint64_t bytes, const CoreRangeSet& cores);

/// One core per unit down the columns, in ranges as TT-NN splits the work: whole columns, then what is left.
/// Most programs merge the ranges by rows; rotate and grid_sample do not.
CoreRangeSet whole_columns_first(std::uint64_t units, CoreCoord grid);

/// The circular buffers of a bilinear program: four pixels in a tile each, and the weights of four.
std::array<ProgramMemory, 2> bilinear_buffers(const TensorSpec& input, const CoreRangeSet& cores);

/// Pixels of images by row and column; `outside` where there is none.
class Pixels {
public:
    /// REQUIRES: `values` and `shape` outlive it.
    Pixels(const std::vector<float>& values, const Shape& shape, float outside)
        : values_(values), shape_(shape), outside_(outside) {}

    /// The weighted sum of a pixel, its right, its lower and its lower right neighbour.
    float between(std::uint32_t image, std::int64_t row, std::int64_t column,
                  const std::array<float, 4>& weights, std::uint32_t channel) const;

private:
    float at(std::uint32_t image, std::int64_t row, std::int64_t column, std::uint32_t channel) const;

    const std::vector<float>& values_;
    const Shape& shape_;
    float outside_;
};

/// A pixel, and the weights of it, its right, its lower and its lower right neighbour.
struct SamplePoint {
    std::int64_t row, column;
    std::array<float, 4> weights;
};

/// The sample point at a place between pixels.
SamplePoint between_pixels(double row, double column);

}  // namespace tilemeter
