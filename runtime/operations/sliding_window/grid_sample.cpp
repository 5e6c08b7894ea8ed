// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/grid_sample.hpp"

#include <bit>
#include <string>
#include <tuple>
#include <vector>

#include "runtime/device/errors.hpp"
#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/sliding_window/internal/pixel_sampling.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

struct GridSampling {
    Interpolation interpolation;
    bool align_corners;
    bool precomputed;
    bool points_as_channels;
    MemoryConfig memory_config;

    /// The number of values of one point.
    std::uint32_t values() const { return precomputed && interpolation == Interpolation::kBilinear ? 6 : 2; }
};

struct GridSampleDeviceOperation {
    static constexpr std::string_view kName = "GridSampleOperation";
    static constexpr std::string_view kAttributesName = "GridSampleParams";

    GridSampling sampling;

    auto attributes() const {
        return std::make_tuple(name_of(sampling.interpolation), std::string_view("zeros"),
                               sampling.align_corners, sampling.precomputed, sampling.points_as_channels,
                               sampling.memory_config);
    }

    void validate(SpecsView inputs) const;
    TensorSpecs infer(SpecsView inputs, const DeviceDescription& device) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;

private:
    MemoryConfig output_memory(const TensorSpec& grid, std::uint32_t points, std::uint32_t channels,
                               CoreCoord compute_grid) const;
};

// The integer whose bits are those of a bfloat16: precomputed grids hold pixel indices so.
std::int64_t pixel_of(float value) {
    return static_cast<std::int16_t>(std::bit_cast<std::uint32_t>(value) >> 16U);
}

void GridSampleDeviceOperation::validate(SpecsView inputs) const {
    const TensorSpec &input = inputs[0], &grid = inputs[1];
    const bool nearest = sampling.interpolation == Interpolation::kNearest;
    require_images(input);
    const std::uint32_t values = sampling.values();
    require(grid.shape.rank() == 4 && grid.layout == Layout::ROW_MAJOR && grid.shape[3] != 0 &&
                grid.shape[3] % values == 0 && grid.shape[0] == input.shape[0],
            [&] {
                return "grid_sample: grid: expected ROW_MAJOR [" + std::to_string(input.shape[0]) +
                       ", rows, columns, a multiple of " + std::to_string(values) + "], got " +
                       std::string(name_of(grid.layout)) + " " + grid.shape.to_string();
            });
    require(!sampling.points_as_channels || grid.shape[3] != values,
            "batch_output_channels=True requires grid batching factor K > 1. Use a batched grid with "
            "multiple coordinate sets per row of grid.");
    require(grid.dtype == DataType::BFLOAT16 || (!sampling.precomputed && grid.dtype == DataType::FLOAT32),
            "grid_sample: grid: expected BFLOAT16", sampling.precomputed ? "" : " or FLOAT32", ", got ",
            name_of(grid.dtype));
    require(input.layout == Layout::ROW_MAJOR, "Input tensor must be ROW_MAJOR layout");
    require(!nearest || sampling.precomputed,
            "use_precomputed_grid = false is not supported with mode = 'nearest'. Please use precomputed "
            "grid with nearest mode.");
    for (const MemoryConfig* config : {&input.memory_config, &grid.memory_config, &sampling.memory_config}) {
        if (!config->is_sharded() || config->memory_layout == TensorMemoryLayout::HEIGHT_SHARDED) continue;
        refuse_with("grid_sample: expected interleaved tensors or HEIGHT shards, got ", *config);
    }
    require_whole_tiles(input.shape);
}

MemoryConfig GridSampleDeviceOperation::output_memory(const TensorSpec& grid, std::uint32_t points,
                                                      std::uint32_t channels, CoreCoord compute_grid) const {
    const MemoryConfig& asked = sampling.memory_config;
    const bool sharded = grid.memory_config.is_sharded();
    if (!sharded && sampling.interpolation == Interpolation::kBilinear && !asked.is_sharded()) return asked;
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

TensorSpecs GridSampleDeviceOperation::infer(SpecsView inputs, const DeviceDescription& device) const {
    const TensorSpec &input = inputs[0], &grid = inputs[1];
    const std::uint32_t together = grid.shape[3] / sampling.values();
    const std::uint32_t points = sampling.points_as_channels ? 1 : together;
    const std::uint32_t channels = input.shape[3] * (sampling.points_as_channels ? together : 1);
    const Shape shape{input.shape[0], grid.shape[1], grid.shape[2] * points, channels};
    return {TensorSpec{shape, input.dtype, Layout::ROW_MAJOR,
                       output_memory(grid, points, channels, device.compute_grid)}};
}

ProgramPlan GridSampleDeviceOperation::plan(SpecsView inputs, SpecsView outputs,
                                            const DeviceDescription& device) const {
    const TensorSpec &input = inputs[0], &grid = inputs[1], &output = outputs[0];
    const bool sharded = grid.memory_config.is_sharded();
    const CoreRangeSet cores = sharded ? grid.memory_config.shard_spec->grid
                               : output.memory_config.is_sharded()
                                   ? output.memory_config.shard_spec->grid
                                   : whole_columns_first(num_rows(grid), device.compute_grid);
    const ProgramMemory points =
        sharded ? in_memory_of(1, grid.memory_config.shard_spec->shape[0] * row_bytes(grid), cores)
                : circular_buffer(aligned_row(grid, device), cores);
    const auto whole_shard = [&] {
        return in_memory_of(2, output.memory_config.shard_spec->shape[0] * row_bytes(output), cores);
    };
    if (sampling.interpolation == Interpolation::kNearest) {
        ProgramPlan plan{{"ttnn::prim::GridSampleNearestProgramFactory", 1}, {points}};
        // Two readers share the work; each has its own part of a grid that it fetches.
        if (!sharded) plan.memory.push_back(points);
        plan.memory.push_back(circular_buffer(row_bytes(output), cores));
        plan.memory.push_back(whole_shard());
        return plan;
    }
    // So they do where the grid lies in shards and the weights are still to be found.
    const bool two_readers = sharded && !sampling.precomputed;
    const auto [pixels, weights] = bilinear_buffers(input, cores);
    ProgramPlan plan{{"ttnn::prim::GridSampleBilinearProgramFactory", 0}, {points, pixels}};
    if (two_readers) plan.memory.push_back(pixels);
    plan.memory.push_back(weights);
    if (two_readers) plan.memory.push_back(weights);
    plan.memory.push_back(sharded ? whole_shard() : circular_buffer(kBufferDepth * row_bytes(output), cores));
    return plan;
}

std::vector<HostArray> GridSampleDeviceOperation::compute(ArraysView inputs, SpecsView outputs) const {
    const Shape& shape = inputs[0]->shape();
    const std::vector<float> values = inputs[0]->to_floats();
    const std::vector<float> points = inputs[1]->to_floats();
    const Pixels pixels(values, shape, 0.0F);
    const auto pixel = [this](float place, std::uint32_t size) {
        if (sampling.align_corners) return (place + 1.0F) * static_cast<float>(size - 1) / 2.0F;
        return (place + 1.0F) * static_cast<float>(size) / 2.0F - 0.5F;
    };
    const auto place_of = [&](const float* point) {
        if (!sampling.precomputed)
            return between_pixels(pixel(point[1], shape[1]), pixel(point[0], shape[2]));
        if (sampling.interpolation == Interpolation::kNearest)
            return SamplePoint{pixel_of(point[0]), pixel_of(point[1]), {1, 0, 0, 0}};
        return SamplePoint{pixel_of(point[0]), pixel_of(point[1]), {point[2], point[3], point[4], point[5]}};
    };
    std::vector<float> to;
    to.reserve(outputs[0].shape.volume());
    const std::uint64_t of_image = points.size() / shape[0];
    for (std::uint64_t i = 0; i < points.size(); i += sampling.values()) {
        const SamplePoint place = place_of(points.data() + i);
        const auto image = static_cast<std::uint32_t>(i / of_image);
        for (std::uint32_t channel = 0; channel < shape[3]; ++channel)
            to.push_back(pixels.between(image, place.row, place.column, place.weights, channel));
    }
    return {HostArray::from_floats(to, outputs[0].dtype, outputs[0].shape)};
}

}  // namespace

Tensor GridSample::body() const {
    require_on_device(input_tensor, "grid_sample", "input_tensor");
    require_on_device(grid, "grid_sample", "grid");
    require(padding_mode == "zeros", "Only zeros padding mode is currently supported, got \"", padding_mode,
            "\"");
    return launch(
        GridSampleDeviceOperation{{interpolation_of(mode, "grid_sample"), align_corners, use_precomputed_grid,
                                   batch_output_channels, memory_config.value_or(grid.memory_config())}},
        {input_tensor, grid});
}

}  // namespace tilemeter
