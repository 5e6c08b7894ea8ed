// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/rotate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>
#include <vector>

#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/sliding_window/internal/pixel_sampling.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

struct RotateDeviceOperation {
    static constexpr std::string_view kName = "RotateDeviceOperation";

    float angle;
    std::optional<std::array<float, 2>> center;
    float fill;
    Interpolation interpolation;
    MemoryConfig memory_config;

    auto attributes() const { return std::make_tuple(angle, fill, name_of(interpolation), memory_config); }

    void validate(SpecsView inputs, const DeviceDescription& device) const;
    TensorSpecs outputs_when_refused(SpecsView inputs, const DeviceDescription& device) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;

private:
    void require_arguments(const TensorSpec& input) const;
};

/// Bytes of pixels that the buffer of "nearest" has room for.
std::uint64_t room_for_pixels(const TensorSpec& input) {
    return std::uint64_t{kMostChannelTiles} * kTileHeight * kTileWidth * element_size(input.dtype) /
           kBufferDepth;
}

void RotateDeviceOperation::validate(SpecsView inputs, const DeviceDescription& device) const {
    const TensorSpec& input = inputs[0];
    require_arguments(input);
    if (interpolation == Interpolation::kBilinear || input.memory_config.is_sharded()) return;
    const std::uint64_t pixel = aligned_row(input, device), room = room_for_pixels(input);
    require(pixel <= room, "rotate: nearest: expected pixels of at most ", room, " bytes, got ", pixel);
}

// TT-NN sees that pixels are too large when it makes the program.
TensorSpecs RotateDeviceOperation::outputs_when_refused(SpecsView inputs, const DeviceDescription&) const {
    require_arguments(inputs[0]);
    return infer(inputs);
}

void RotateDeviceOperation::require_arguments(const TensorSpec& input) const {
    require_images(input);
    require(input.layout == Layout::ROW_MAJOR, "Input tensor must be in ROW_MAJOR layout");
    const bool sharded = input.memory_config.is_sharded();
    require(!sharded || input.memory_config.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED,
            "Only height sharding is supported for rotate operation");
    if (interpolation == Interpolation::kBilinear) {
        require_whole_tiles(input.shape);
        require(input.shape[3] <= kMostChannelTiles * kTileWidth,
                "Wide reduction (in_ntiles_c > MAX_TILES_PER_REDUCTION) is not supported for bilinear "
                "rotate. in_ntiles_c=",
                input.shape[3] / kTileWidth,
                " exceeds MAX_TILES_PER_REDUCTION=8. Reduce channel count to <= 256.");
    }
    require(!sharded || memory_config.buffer_type != BufferType::DRAM,
            "Only L1 buffers can have an associated circular buffer!");
    // Its program would write beyond the result's pages.
    require(sharded == memory_config.is_sharded(), "rotate: memory_config: expected ", input.memory_config,
            ", got ", memory_config);
}

TensorSpecs RotateDeviceOperation::infer(SpecsView inputs) const {
    return {TensorSpec{inputs[0].shape, inputs[0].dtype, Layout::ROW_MAJOR, memory_config}};
}

ProgramPlan RotateDeviceOperation::plan(SpecsView inputs, SpecsView outputs,
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
    if (interpolation == Interpolation::kBilinear) {
        const auto [pixels, weights] = bilinear_buffers(input, cores);
        return {{"ttnn::operations::rotate::RotateDeviceOperation::BilinearProgramFactory", 1},
                {circular_buffer(stick, cores), pixels, weights,
                 sharded ? in_memory_of(1, shard_bytes(outputs[0]), cores)
                         : circular_buffer(kBufferDepth * row_bytes(input), cores)}};
    }
    ProgramPlan plan{{"ttnn::operations::rotate::RotateDeviceOperation::NearestProgramFactory", 0}};
    if (sharded) {
        plan.memory = {circular_buffer(stick, cores), in_memory_of(0, shard_bytes(input), cores),
                       in_memory_of(1, shard_bytes(outputs[0]), cores)};
        return plan;
    }
    const std::uint64_t sticks = std::min<std::uint64_t>(work.most, room_for_pixels(input) / stick);
    const std::uint64_t in_bursts = sticks / std::min(sticks, kMostBurst) * std::min(sticks, kMostBurst);
    plan.memory = circular_buffers({stick, kBufferDepth * in_bursts * stick}, cores);
    return plan;
}

std::vector<HostArray> RotateDeviceOperation::compute(ArraysView inputs, SpecsView outputs) const {
    const Shape& shape = outputs[0].shape;
    const std::vector<float> values = inputs[0]->to_floats();
    const Pixels pixels(values, shape, fill);
    // The device counts in 65,536ths.
    const auto fixed = [](double value) { return std::round(value * 65536.0) / 65536.0; };
    const double radians = double{angle} * std::numbers::pi / 180.0;
    const double cosine = fixed(std::cos(radians)), sine = fixed(std::sin(radians));
    const double x = center ? double{(*center)[0]} - 0.5 : (shape[2] - 1.0) / 2.0;
    const double y = center ? double{(*center)[1]} - 0.5 : (shape[1] - 1.0) / 2.0;
    std::vector<float> to;
    to.reserve(shape.volume());
    for (std::uint32_t image = 0; image < shape[0]; ++image) {
        for (std::uint32_t row = 0; row < shape[1]; ++row) {
            for (std::uint32_t column = 0; column < shape[2]; ++column) {
                const double from_column = (column - x) * cosine - (row - y) * sine + x;
                const double from_row = (column - x) * sine + (row - y) * cosine + y;
                const SamplePoint place =
                    interpolation == Interpolation::kBilinear
                        ? between_pixels(from_row, from_column)
                        : SamplePoint{static_cast<std::int64_t>(std::floor(from_row + 0.5)),
                                      static_cast<std::int64_t>(std::floor(from_column + 0.5)),
                                      {1, 0, 0, 0}};
                for (std::uint32_t channel = 0; channel < shape[3]; ++channel)
                    to.push_back(pixels.between(image, place.row, place.column, place.weights, channel));
            }
        }
    }
    return {HostArray::from_floats(to, outputs[0].dtype, shape)};
}

}  // namespace

Tensor Rotate::body() const {
    require(!expand, "rotate: expected expand=False, got True");
    require_on_device(input_tensor, "rotate", "input_tensor");
    return launch(RotateDeviceOperation{angle, center, fill, interpolation_of(interpolation_mode, "rotate"),
                                        memory_config.value_or(input_tensor.memory_config())},
                  {input_tensor});
}

}  // namespace tilemeter
