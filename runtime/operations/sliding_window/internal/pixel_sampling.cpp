// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/internal/pixel_sampling.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/device/errors.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

Interpolation interpolation_of(std::string_view name, std::string_view operation) {
    if (name == "nearest") return Interpolation::kNearest;
    if (name == "bilinear") return Interpolation::kBilinear;
    refuse_with(operation, ": expected \"nearest\" or \"bilinear\", got \"", name, "\"");
}

std::string_view name_of(Interpolation interpolation) {
    return interpolation == Interpolation::kBilinear ? "bilinear" : "nearest";
}

void require_images(const TensorSpec& input) {
    require(input.shape.rank() == 4, "Input tensor must be 4D (N, H, W, C), but got shape ", input.shape);
    require(input.dtype == DataType::BFLOAT16 || input.dtype == DataType::FLOAT32,
            "Input tensor must be BFLOAT16 or FLOAT32, but got ", name_of(input.dtype));
}

void require_whole_tiles(const Shape& shape) {
    require(shape[3] % kTileWidth == 0,
            "Input tensor last dimension must be divisible by TILE_WIDTH (32), but got ", shape[3],
            " in padded shape ", shape);
}

std::uint64_t aligned_row(const TensorSpec& spec, const DeviceDescription& device) {
    return round_up(row_bytes(spec), page_alignment(spec.memory_config, device));
}

ProgramMemory in_memory_of(int tensor, std::uint64_t bytes, const CoreRangeSet& cores) {
    ProgramMemory memory = circular_buffer(bytes, cores);
    memory.shared_with = tensor;
    return memory;
}

CoreRangeSet whole_columns_first(std::uint64_t units, CoreCoord grid) {
    const std::uint64_t cores = std::min<std::uint64_t>(units, std::uint64_t{grid.x} * grid.y);
    const auto columns = static_cast<std::uint32_t>(cores / grid.y);
    const auto rest = static_cast<std::uint32_t>(cores % grid.y);
    std::vector<CoreRange> ranges;
    if (columns > 0) ranges.push_back({{0, 0}, {columns - 1, grid.y - 1}});
    if (rest > 0) ranges.push_back({{columns, 0}, {columns, rest - 1}});
    return CoreRangeSet(std::move(ranges));
}

std::array<ProgramMemory, 2> bilinear_buffers(const TensorSpec& input, const CoreRangeSet& cores) {
    const std::uint64_t tiles =
        std::min<std::uint64_t>(ceil_div(input.shape[3], kTileWidth), kMostChannelTiles);
    const std::uint64_t tile = std::uint64_t{kTileHeight} * kTileWidth * element_size(input.dtype);
    return {circular_buffer(kBufferDepth * tiles * tile, cores),
            circular_buffer(kBufferDepth * tile_size(input.dtype), cores)};
}

float Pixels::at(std::uint32_t image, std::int64_t row, std::int64_t column, std::uint32_t channel) const {
    if (row < 0 || column < 0 || row >= shape_[1] || column >= shape_[2]) return outside_;
    const std::uint64_t stick =
        (std::uint64_t{image} * shape_[1] + static_cast<std::uint64_t>(row)) * shape_[2] +
        static_cast<std::uint64_t>(column);
    return values_[stick * shape_[3] + channel];
}

float Pixels::between(std::uint32_t image, std::int64_t row, std::int64_t column,
                      const std::array<float, 4>& weights, std::uint32_t channel) const {
    return at(image, row, column, channel) * weights[0] + at(image, row, column + 1, channel) * weights[1] +
           at(image, row + 1, column, channel) * weights[2] +
           at(image, row + 1, column + 1, channel) * weights[3];
}

SamplePoint between_pixels(double row, double column) {
    const double above = std::floor(row), left = std::floor(column);
    const auto below = static_cast<float>(row - above), right = static_cast<float>(column - left);
    return {static_cast<std::int64_t>(above),
            static_cast<std::int64_t>(left),
            {(1 - below) * (1 - right), (1 - below) * right, below * (1 - right), below * right}};
}

}  // namespace tilemeter
