// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/upsample.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/device/device.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/program_pieces.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/sliding_window/internal/conv2d_tensors.hpp"
#include "runtime/operations/sliding_window/internal/halo.hpp"
#include "runtime/operations/sliding_window/internal/upsample_operations.hpp"

namespace tilemeter {

namespace {

using Scale = std::array<std::uint32_t, 2>;

// As many pixels on each core, on all cores if there are so many.
MemoryConfig shards_of_pixels(const Tensor& images) {
    const Shape& shape = images.shape();
    const CoreCoord grid = images.device().description().compute_grid;
    const std::uint64_t sticks = std::uint64_t{shape[0]} * shape[1] * shape[2];
    const std::uint64_t cores = std::min<std::uint64_t>(sticks, std::uint64_t{grid.x} * grid.y);
    return {TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
            ShardSpec{first_cores(cores, grid, true),
                      {static_cast<std::uint32_t>(ceil_div(sticks, cores)), shape[3]},
                      ShardOrientation::ROW_MAJOR}};
}

void require_bilinear(const Tensor& input) {
    require(input.shape().rank() == 4 && input.layout() == Layout::ROW_MAJOR,
            "upsample: bilinear: expected ROW_MAJOR [batch, height, width, channels], found ",
            name_of(input.layout()), " ", input.shape());
    require(input.dtype() == DataType::BFLOAT16, "Bilinear upsample requires BFLOAT16 input, found ",
            name_of(input.dtype()));
    const TensorMemoryLayout::Value layout = input.memory_config().memory_layout;
    require(!input.is_sharded() || layout == TensorMemoryLayout::HEIGHT_SHARDED,
            "Bilinear upsample requires HEIGHT_SHARDED input tensor, found ", name_of(layout));
}

Tensor bilinear(const Tensor& input, const Scale& scale, const OptionalMemoryConfig& memory_config) {
    require_bilinear(input);
    const Shape& shape = input.shape();
    require(!memory_config || !input.is_sharded() || memory_config->is_sharded(), [&] {
        return "upsample: memory_config: expected none or shards for shards, found " +
               memory_config->to_string();
    });
    const ScopedTensor sharded(
        input.is_sharded() ? input : unscoped::to_memory_config(input, shards_of_pixels(input)));
    SlidingWindow window{shape[0], shape[1], shape[2], 2, 2};
    window.pad_top = window.pad_bottom = window.pad_left = window.pad_right = 1;
    window.cores_rows = static_cast<std::uint32_t>(sharded->memory_config().shard_spec->grid.num_cores());
    window.snap_to_tile = false;
    window.scale_height = scale[0];
    window.scale_width = scale[1];
    const ScopedTensor halo(launch(Halo{window, 0.0F}, {flattened(*sharded)}));
    Tensor output = launch(UpsampleBilinear{window, shape[3]}, {*halo});
    if (memory_config && output.memory_config() != *memory_config)
        output = unscoped::to_memory_config(output, *memory_config);
    return output;
}

Tensor nearest(const Tensor& input, const std::array<float, 2>& factors, const std::optional<Scale>& scale,
               const OptionalMemoryConfig& memory_config) {
    const MemoryConfig to = memory_config.value_or(input.memory_config());
    if (!scale) return launch(UpsampleFloat{factors, to}, {input});
    if (!input.is_sharded()) return launch(UpsampleDeviceOperation{*scale, to}, {input});
    require(to.is_sharded(), "upsample: memory_config: expected none or shards for shards, found ", to);
    return launch(UpsampleShards{*scale}, {input});
}

}  // namespace

std::array<float, 2> Upsample::factors() const {
    if (const auto* both = std::get_if<float>(&scale_factor)) return {*both, *both};
    return std::get<std::array<float, 2>>(scale_factor);
}

Tensor Upsample::body() const {
    const auto [height, width] = factors();
    require_on_device(input_tensor, "upsample", "input_tensor");
    const auto whole = [](float factor) { return factor >= 1.0F && std::floor(factor) == factor; };
    std::optional<Scale> scale;
    if (whole(height) && whole(width))
        scale = Scale{static_cast<std::uint32_t>(height), static_cast<std::uint32_t>(width)};
    if (mode == "nearest") return nearest(input_tensor, factors(), scale, memory_config);
    require(mode == "bilinear", "upsample: mode: expected \"nearest\" or \"bilinear\", found \"", mode, "\"");
    require(scale.has_value(), "upsample: bilinear: scale_factor: expected whole factors, found ", height,
            ", ", width);
    return bilinear(input_tensor, *scale, memory_config);
}

}  // namespace tilemeter
