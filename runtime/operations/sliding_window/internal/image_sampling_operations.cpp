// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/internal/image_sampling_operations.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <string>

#include "runtime/device/errors.hpp"
#include "runtime/operations/core/program_pieces.hpp"
#include "runtime/operations/core/tensor_pages.hpp"

namespace tilemeter {

namespace {

constexpr std::uint32_t kMostTiles = 8;  // of channels that are interpolated at a time
constexpr std::uint64_t kDepth = 2;      // what a program holds twice

void require_images(const TensorSpec& input) {
    if (input.shape.rank() != 4) {
        throw RuntimeError("Input tensor must be 4D (N, H, W, C), but got shape " + input.shape.to_string());
    }
    if (input.dtype != DataType::BFLOAT16 && input.dtype != DataType::FLOAT32) {
        throw RuntimeError("Input tensor must be BFLOAT16 or FLOAT32, but got " +
                           std::string(name_of(input.dtype)));
    }
}

void require_whole_tiles(const Shape& shape) {
    if (shape[3] % kTileWidth == 0) return;
    throw RuntimeError("Input tensor last dimension must be divisible by TILE_WIDTH (32), but got " +
                       std::to_string(shape[3]) + " in padded shape " + shape.to_string());
}

std::uint64_t aligned_row(const TensorSpec& spec, const DeviceDescription& device) {
    return round_up(row_bytes(spec), page_alignment(spec.memory_config, device));
}

ProgramMemory shared(std::uint64_t bytes, const CoreRangeSet& cores, int tensor) {
    ProgramMemory memory = circular_buffer(bytes, cores);
    memory.shared_with = tensor;
    return memory;
}

// One core per unit down the columns, in ranges as TT-NN splits the work: whole columns, then what is left.
// Most programs merge them by rows; these two do not.
CoreRangeSet whole_columns_first(std::uint64_t units, CoreCoord grid) {
    const std::uint64_t cores = std::min<std::uint64_t>(units, std::uint64_t{grid.x} * grid.y);
    const auto columns = static_cast<std::uint32_t>(cores / grid.y);
    const auto rest = static_cast<std::uint32_t>(cores % grid.y);
    std::vector<CoreRange> ranges;
    if (columns > 0) ranges.push_back({{0, 0}, {columns - 1, grid.y - 1}});
    if (rest > 0) ranges.push_back({{columns, 0}, {columns, rest - 1}});
    return CoreRangeSet(std::move(ranges));
}

// Four pixels in a tile each, and the weights of four.
std::array<ProgramMemory, 2> between_four(const TensorSpec& input, const CoreRangeSet& cores) {
    const std::uint64_t tiles = std::min<std::uint64_t>(ceil_div(input.shape[3], kTileWidth), kMostTiles);
    const std::uint64_t tile = std::uint64_t{kTileHeight} * kTileWidth * element_size(input.dtype);
    return {circular_buffer(kDepth * tiles * tile, cores),
            circular_buffer(kDepth * tile_size(input.dtype), cores)};
}

// Pixels of one image by row and column; `fill` outside.
class Pixels {
public:
    Pixels(const std::vector<float>& values, const Shape& shape, float fill)
        : values_(values), shape_(shape), fill_(fill) {}

    float at(std::uint32_t image, std::int64_t row, std::int64_t column, std::uint32_t channel) const {
        if (row < 0 || column < 0 || row >= shape_[1] || column >= shape_[2]) return fill_;
        const std::uint64_t stick =
            (std::uint64_t{image} * shape_[1] + static_cast<std::uint64_t>(row)) * shape_[2] +
            static_cast<std::uint64_t>(column);
        return values_[stick * shape_[3] + channel];
    }

    float between(std::uint32_t image, std::int64_t row, std::int64_t column,
                  const std::array<float, 4>& weights, std::uint32_t channel) const {
        return at(image, row, column, channel) * weights[0] +
               at(image, row, column + 1, channel) * weights[1] +
               at(image, row + 1, column, channel) * weights[2] +
               at(image, row + 1, column + 1, channel) * weights[3];
    }

private:
    const std::vector<float>& values_;
    const Shape& shape_;
    float fill_;
};

// What a point takes: of the pixel at or above and left of it, and of its three neighbours.
struct Place {
    std::int64_t row, column;
    std::array<float, 4> weights;
};

Place between_pixels(double row, double column) {
    const double above = std::floor(row), left = std::floor(column);
    const auto below = static_cast<float>(row - above), right = static_cast<float>(column - left);
    return {static_cast<std::int64_t>(above),
            static_cast<std::int64_t>(left),
            {(1 - below) * (1 - right), (1 - below) * right, below * (1 - right), below * right}};
}

// A whole number whose bits are those of a bfloat16.
std::int64_t pixel_of(float value) {
    return static_cast<std::int16_t>(std::bit_cast<std::uint32_t>(value) >> 16U);
}

}  // namespace

void Rotate::validate(std::span<const TensorSpec> inputs) const {
    const TensorSpec& input = inputs[0];
    require_images(input);
    if (input.layout != Layout::ROW_MAJOR) throw RuntimeError("Input tensor must be in ROW_MAJOR layout");
    const bool sharded = input.memory_config.is_sharded();
    if (sharded && input.memory_config.memory_layout != TensorMemoryLayout::HEIGHT_SHARDED)
        throw RuntimeError("Only height sharding is supported for rotate operation");
    if (interpolation_ == Interpolation::kBilinear) {
        require_whole_tiles(input.shape);
        if (input.shape[3] > kMostTiles * kTileWidth) {
            throw RuntimeError(
                "Wide reduction (in_ntiles_c > MAX_TILES_PER_REDUCTION) is not supported for bilinear "
                "rotate. in_ntiles_c=" +
                std::to_string(input.shape[3] / kTileWidth) +
                " exceeds MAX_TILES_PER_REDUCTION=8. Reduce channel count to <= 256.");
        }
    }
    if (sharded && memory_config_.buffer_type == BufferType::DRAM)
        throw RuntimeError("Only L1 buffers can have an associated circular buffer!");
    // Its program would write beyond the result's pages.
    if (sharded != memory_config_.is_sharded()) {
        throw RuntimeError("rotate: memory_config: expected " + input.memory_config.to_string() + ", found " +
                           memory_config_.to_string());
    }
}

TensorSpecs Rotate::infer(std::span<const TensorSpec> inputs) const {
    return {TensorSpec{inputs[0].shape, inputs[0].dtype, Layout::ROW_MAJOR, memory_config_}};
}

ProgramPlan Rotate::plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                         const DeviceDescription& device) const {
    constexpr std::uint64_t kMostBurst = 5;
    const TensorSpec& input = inputs[0];
    const bool sharded = input.memory_config.is_sharded();
    const WorkSplit work = split_work(num_rows(input), device.compute_grid, CoreWalk::kDownColumns);
    const CoreRangeSet cores = sharded ? input.memory_config.shard_spec->grid
                                       : whole_columns_first(work.num_cores, device.compute_grid);
    const std::uint64_t stick = sharded ? row_bytes(input) : aligned_row(input, device);
    const auto shard_bytes = [stick](const TensorSpec& spec) {
        return spec.memory_config.shard_spec->shape[0] * stick;
    };
    if (interpolation_ == Interpolation::kBilinear) {
        const auto [pixels, weights] = between_four(input, cores);
        ProgramPlan plan{
            "ttnn::operations::rotate::RotateDeviceOperation::BilinearProgramFactory", 1, {}, {}};
        plan.memory = {circular_buffer(stick, cores), pixels, weights,
                       sharded ? shared(shard_bytes(outputs[0]), cores, 1)
                               : circular_buffer(kDepth * row_bytes(input), cores)};
        return plan;
    }
    ProgramPlan plan{"ttnn::operations::rotate::RotateDeviceOperation::NearestProgramFactory", 0, {}, {}};
    if (sharded) {
        plan.memory = {circular_buffer(stick, cores), shared(shard_bytes(input), cores, 0),
                       shared(shard_bytes(outputs[0]), cores, 1)};
        return plan;
    }
    const std::uint64_t room =
        std::uint64_t{kMostTiles} * kTileHeight * kTileWidth * element_size(input.dtype) / kDepth;
    if (stick > room) {
        throw RuntimeError("rotate: nearest: expected pixels of at most " + std::to_string(room) +
                           " bytes, found " + std::to_string(stick));
    }
    const std::uint64_t sticks = std::min<std::uint64_t>(work.most, room / stick);
    const std::uint64_t in_bursts = sticks / std::min(sticks, kMostBurst) * std::min(sticks, kMostBurst);
    plan.memory = {circular_buffer(stick, cores), circular_buffer(kDepth * in_bursts * stick, cores)};
    return plan;
}

std::vector<HostArray> Rotate::compute(std::span<const HostArray* const> inputs,
                                       std::span<const TensorSpec> outputs) const {
    const Shape& shape = outputs[0].shape;
    const std::vector<float> values = inputs[0]->to_floats();
    const Pixels pixels(values, shape, fill_);
    // The device counts in 65,536ths.
    const auto fixed = [](double value) { return std::round(value * 65536.0) / 65536.0; };
    const double radians = double{angle_} * std::numbers::pi / 180.0;
    const double cosine = fixed(std::cos(radians)), sine = fixed(std::sin(radians));
    const double x = center_ ? double{(*center_)[0]} - 0.5 : (shape[2] - 1.0) / 2.0;
    const double y = center_ ? double{(*center_)[1]} - 0.5 : (shape[1] - 1.0) / 2.0;
    std::vector<float> to;
    to.reserve(shape.volume());
    for (std::uint32_t image = 0; image < shape[0]; ++image) {
        for (std::uint32_t row = 0; row < shape[1]; ++row) {
            for (std::uint32_t column = 0; column < shape[2]; ++column) {
                const double from_column = (column - x) * cosine - (row - y) * sine + x;
                const double from_row = (column - x) * sine + (row - y) * cosine + y;
                const Place place = interpolation_ == Interpolation::kBilinear
                                        ? between_pixels(from_row, from_column)
                                        : Place{static_cast<std::int64_t>(std::floor(from_row + 0.5)),
                                                static_cast<std::int64_t>(std::floor(from_column + 0.5)),
                                                {1, 0, 0, 0}};
                for (std::uint32_t channel = 0; channel < shape[3]; ++channel)
                    to.push_back(pixels.between(image, place.row, place.column, place.weights, channel));
            }
        }
    }
    return {HostArray::from_floats(to, outputs[0].dtype, shape)};
}

void GridSample::validate(std::span<const TensorSpec> inputs) const {
    const TensorSpec &input = inputs[0], &grid = inputs[1];
    const bool nearest = sampling_.interpolation == Interpolation::kNearest;
    require_images(input);
    const std::uint32_t values = sampling_.values();
    if (grid.shape.rank() != 4 || grid.layout != Layout::ROW_MAJOR || grid.shape[3] == 0 ||
        grid.shape[3] % values != 0 || grid.shape[0] != input.shape[0]) {
        throw RuntimeError("grid_sample: grid: expected ROW_MAJOR [" + std::to_string(input.shape[0]) +
                           ", rows, columns, a multiple of " + std::to_string(values) + "], found " +
                           std::string(name_of(grid.layout)) + " " + grid.shape.to_string());
    }
    if (sampling_.points_as_channels && grid.shape[3] == values) {
        throw RuntimeError(
            "batch_output_channels=True requires grid batching factor K > 1. Use a batched grid with "
            "multiple coordinate sets per row of grid.");
    }
    if (grid.dtype != DataType::BFLOAT16 && (sampling_.precomputed || grid.dtype != DataType::FLOAT32)) {
        throw RuntimeError("grid_sample: grid: expected BFLOAT16" +
                           std::string(sampling_.precomputed ? "" : " or FLOAT32") + ", found " +
                           std::string(name_of(grid.dtype)));
    }
    if (input.layout != Layout::ROW_MAJOR) throw RuntimeError("Input tensor must be ROW_MAJOR layout");
    if (nearest && !sampling_.precomputed) {
        throw RuntimeError(
            "use_precomputed_grid = false is not supported with mode = 'nearest'. Please use precomputed "
            "grid with nearest mode.");
    }
    for (const MemoryConfig* config : {&input.memory_config, &grid.memory_config, &sampling_.memory_config}) {
        if (!config->is_sharded() || config->memory_layout == TensorMemoryLayout::HEIGHT_SHARDED) continue;
        throw RuntimeError("grid_sample: expected interleaved tensors or HEIGHT shards, found " +
                           config->to_string());
    }
    require_whole_tiles(input.shape);
}

MemoryConfig GridSample::output_memory(const TensorSpec& grid, std::uint32_t points, std::uint32_t channels,
                                       CoreCoord compute_grid) const {
    const MemoryConfig& asked = sampling_.memory_config;
    const bool sharded = grid.memory_config.is_sharded();
    if (!sharded && sampling_.interpolation == Interpolation::kBilinear && !asked.is_sharded()) return asked;
    if (!sharded && asked.shard_spec) return asked;
    ShardSpec shards{{}, {0, channels}, ShardOrientation::ROW_MAJOR};
    std::uint32_t sticks = 0;
    if (sharded) {
        const ShardSpec& of_grid = *grid.memory_config.shard_spec;
        shards.grid = of_grid.grid;
        shards.orientation = of_grid.orientation;
        sticks = of_grid.shape[0];
    } else {
        const WorkSplit work = split_work(num_rows(grid), compute_grid, CoreWalk::kDownColumns);
        shards.grid = whole_columns_first(work.num_cores, compute_grid);
        sticks = static_cast<std::uint32_t>(work.most);
    }
    shards.shape[0] = sticks * points;
    return {TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1, shards};
}

TensorSpecs GridSample::infer(std::span<const TensorSpec> inputs, const DeviceDescription& device) const {
    const TensorSpec &input = inputs[0], &grid = inputs[1];
    const std::uint32_t together = grid.shape[3] / sampling_.values();
    const std::uint32_t points = sampling_.points_as_channels ? 1 : together;
    const std::uint32_t channels = input.shape[3] * (sampling_.points_as_channels ? together : 1);
    const Shape shape{input.shape[0], grid.shape[1], grid.shape[2] * points, channels};
    return {TensorSpec{shape, input.dtype, Layout::ROW_MAJOR,
                       output_memory(grid, points, channels, device.compute_grid)}};
}

ProgramPlan GridSample::plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                             const DeviceDescription& device) const {
    const TensorSpec &input = inputs[0], &grid = inputs[1], &output = outputs[0];
    const bool sharded = grid.memory_config.is_sharded();
    const CoreRangeSet cores = sharded ? grid.memory_config.shard_spec->grid
                               : output.memory_config.is_sharded()
                                   ? output.memory_config.shard_spec->grid
                                   : whole_columns_first(num_rows(grid), device.compute_grid);
    const ProgramMemory points =
        sharded ? shared(grid.memory_config.shard_spec->shape[0] * row_bytes(grid), cores, 1)
                : circular_buffer(aligned_row(grid, device), cores);
    const auto whole_shard = [&] {
        return shared(output.memory_config.shard_spec->shape[0] * row_bytes(output), cores, 2);
    };
    if (sampling_.interpolation == Interpolation::kNearest) {
        ProgramPlan plan{"ttnn::prim::GridSampleNearestProgramFactory", 1, {}, {}};
        plan.memory = {points};
        // Two readers share the work; each has its own part of a grid that it fetches.
        if (!sharded) plan.memory.push_back(points);
        plan.memory.push_back(circular_buffer(row_bytes(output), cores));
        plan.memory.push_back(whole_shard());
        return plan;
    }
    // So they do where the grid lies in shards and the weights are still to be found.
    const bool two_readers = sharded && !sampling_.precomputed;
    const auto [pixels, weights] = between_four(input, cores);
    ProgramPlan plan{"ttnn::prim::GridSampleBilinearProgramFactory", 0, {}, {}};
    plan.memory = {points, pixels};
    if (two_readers) plan.memory.push_back(pixels);
    plan.memory.push_back(weights);
    if (two_readers) plan.memory.push_back(weights);
    plan.memory.push_back(sharded ? whole_shard() : circular_buffer(kDepth * row_bytes(output), cores));
    return plan;
}

std::vector<HostArray> GridSample::compute(std::span<const HostArray* const> inputs,
                                           std::span<const TensorSpec> outputs) const {
    const Shape& shape = inputs[0]->shape();
    const std::vector<float> values = inputs[0]->to_floats();
    const std::vector<float> points = inputs[1]->to_floats();
    const Pixels pixels(values, shape, 0.0F);
    const auto pixel = [this](float place, std::uint32_t size) {
        if (sampling_.align_corners) return (place + 1.0F) * static_cast<float>(size - 1) / 2.0F;
        return (place + 1.0F) * static_cast<float>(size) / 2.0F - 0.5F;
    };
    const auto place_of = [&](const float* point) {
        if (!sampling_.precomputed)
            return between_pixels(pixel(point[1], shape[1]), pixel(point[0], shape[2]));
        if (sampling_.interpolation == Interpolation::kNearest)
            return Place{pixel_of(point[0]), pixel_of(point[1]), {1, 0, 0, 0}};
        return Place{pixel_of(point[0]), pixel_of(point[1]), {point[2], point[3], point[4], point[5]}};
    };
    std::vector<float> to;
    to.reserve(outputs[0].shape.volume());
    const std::uint64_t of_image = points.size() / shape[0];
    for (std::uint64_t i = 0; i < points.size(); i += sampling_.values()) {
        const Place place = place_of(points.data() + i);
        const auto image = static_cast<std::uint32_t>(i / of_image);
        for (std::uint32_t channel = 0; channel < shape[3]; ++channel)
            to.push_back(pixels.between(image, place.row, place.column, place.weights, channel));
    }
    return {HostArray::from_floats(to, outputs[0].dtype, outputs[0].shape)};
}

}  // namespace tilemeter
