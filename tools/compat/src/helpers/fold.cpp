// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "ttnn/operations/data_movement/fold/fold.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "runtime/device/device.hpp"
#include "runtime/types/rounding.hpp"
#include "tilemeter_ttnn/device_facts.hpp"
#include "tilemeter_ttnn/functions/fold_helpers.hpp"
#include "tools/compat/src/fatal.hpp"
#include "ttnn/operations/data_movement/sharded/reshard/reshard.hpp"

namespace ttnn::operations::data_movement {

namespace {

namespace metal = tt::tt_metal;
using tilemeter::compat::refuse_as_fatal;

void require(bool condition, const char* text, const std::string& refusal) {
    if (!condition) refuse_as_fatal(text, "Fold: " + refusal);
}

std::uint32_t shares(std::uint64_t size, std::uint64_t parts) {
    return static_cast<std::uint32_t>(tilemeter::ceil_div(size, parts));
}

// What keeps tiles from being folded as they lie; nothing: they are.
std::string tiles_refusal(const Tensor& input, std::uint32_t stride_h, std::uint32_t stride_w) {
    constexpr std::uint32_t kAlignment = 16, kTileWidth = 32, kDepth = 2;
    constexpr std::uint64_t kCodeAndStack = std::uint64_t{160} * 1024;
    if (input.is_sharded()) return "sharded input";
    const bool stays = input.dtype() == DataType::FLOAT32 || input.dtype() == DataType::UINT16;
    const DataType dtype = stays ? input.dtype() : DataType::BFLOAT16;
    const std::uint64_t element = dtype == DataType::FLOAT32 ? 4 : 2;
    const Shape& shape = input.logical_shape();
    if (shape[-1] * element % kAlignment != 0)
        return "c_bytes=" + std::to_string(shape[-1] * element) + " (not 16B-aligned)";
    const std::uint64_t scratch =
        std::uint64_t{shape[2]} / stride_w * stride_h * stride_w * shape[-1] * element;
    const auto tile_bytes = [](DataType each) {
        return std::uint64_t{metal::Tile().get_tile_size(metal::datatype_to_dataformat_converter(each))};
    };
    const std::uint64_t buffers = (tile_bytes(input.dtype()) + tile_bytes(dtype)) *
                                  shares(input.padded_shape()[-1], kTileWidth) * kDepth;
    const tilemeter::DeviceDescription& device = input.device()->model()->description();
    const std::uint64_t budget = device.l1_size - device.l1_unreserved_base;
    if (scratch + buffers + kCodeAndStack < budget) return {};
    return "scratch=" + std::to_string(scratch) + " B + CBs=" + std::to_string(buffers) +
           " B exceed L1 budget (" + std::to_string(budget) + " B)";
}

}  // namespace

bool is_fast_path_input(const Tensor& input) {
    const MemoryConfig& config = input.memory_config();
    return config.buffer_type() == BufferType::L1 && config.shard_spec() &&
           config.memory_layout() == TensorMemoryLayout::HEIGHT_SHARDED &&
           input.layout() == Layout::ROW_MAJOR;
}

void validate_fold(const std::vector<Tensor>& input_tensors, std::uint32_t stride_h, std::uint32_t stride_w) {
    const Tensor& input = input_tensors.at(0);
    const Shape& shape = input.logical_shape();
    require(input.storage_type() == StorageType::DEVICE, "input_tensor.storage_type() == StorageType::DEVICE",
            "Expect input tensor to be stored on device.");
    require(input.is_allocated(), "input_tensor.buffer() != nullptr",
            "Expect input tensor to be allocated on a device buffer.");
    require(stride_h > 0 && stride_w > 0, "stride_h > 0 && stride_w > 0",
            "stride_h (" + std::to_string(stride_h) + ") and stride_w (" + std::to_string(stride_w) +
                ") must be > 0.");
    require(shape[1] % stride_h == 0, "logical_shape[1] % stride_h == 0",
            "logical H (" + std::to_string(shape[1]) + ") must be divisible by stride_h (" +
                std::to_string(stride_h) + ").");
    require(shape[2] % stride_w == 0, "logical_shape[2] % stride_w == 0",
            "logical W (" + std::to_string(shape[2]) + ") must be divisible by stride_w (" +
                std::to_string(stride_w) + ").");
    if (input.layout() == Layout::TILE) {
        const std::string refusal = tiles_refusal(input, stride_h, stride_w);
        require(refusal.empty(), "!reason.has_value()", "tiles are not folded as they lie: " + refusal);
    }
    const auto& shards = input.shard_spec();
    if (is_fast_path_input(input))
        require(shards->shape[0] % (shape[2] * stride_h) == 0,
                "shard_shape[0] % (logical_shape[2] * stride_h) == 0",
                "shard height must be divisible by input width times stride_h.");
    else if (shards)
        require(shards->shape[0] % (stride_h * stride_w) == 0, "spec.shape[0] % patch_size == 0",
                "sharded input shard height (" + std::to_string(shards->shape[0]) +
                    ") must be divisible by patch_size (" + std::to_string(stride_h * stride_w) + ").");
}

metal::ShardSpec synthesize_fold_output_shard_spec(const Tensor& input_tensor, TensorMemoryLayout layout,
                                                   std::uint32_t rows, std::uint32_t cols) {
    const CoreCoord grid = input_tensor.device()->compute_with_storage_grid_size();
    const auto& given = input_tensor.shard_spec();
    const ShardOrientation orientation = given ? given->orientation : ShardOrientation::ROW_MAJOR;
    const bool by_rows = orientation == ShardOrientation::ROW_MAJOR;
    const auto all = static_cast<std::uint32_t>(grid.x * grid.y);
    const auto first_cores = [&](std::uint32_t count) {
        return metal::num_cores_to_corerangeset(std::clamp(count, 1U, all), grid, by_rows);
    };
    if (layout == TensorMemoryLayout::HEIGHT_SHARDED) {
        require(cols > 0, "representable", "an output without columns has no height shards");
        const std::uint32_t height = std::max(1U, shares(rows, all));
        return {first_cores(shares(rows, height)), {height, cols}, orientation};
    }
    if (layout == TensorMemoryLayout::WIDTH_SHARDED) {
        require(rows > 0, "representable", "an output without rows has no width shards");
        const std::uint32_t width = std::max(1U, shares(cols, all));
        return {first_cores(shares(cols, width)), {rows, width}, orientation};
    }
    require(rows > 0 && cols > 0, "representable", "an output without elements has no block shards");
    const std::uint32_t height = shares(rows, by_rows ? grid.y : grid.x),
                        width = shares(cols, by_rows ? grid.x : grid.y);
    const std::uint32_t down = shares(rows, height), along = shares(cols, width);
    return {CoreRangeSet(
                CoreRange({0, 0}, by_rows ? CoreCoord(along - 1, down - 1) : CoreCoord(down - 1, along - 1))),
            {height, width},
            orientation};
}

MemoryConfig derive_effective_override_memory_config(const Tensor& input_tensor, const Tensor& fold_output,
                                                     const MemoryConfig& override_memory_config,
                                                     std::uint32_t stride_h, std::uint32_t stride_w) {
    if (!override_memory_config.is_sharded() || override_memory_config.shard_spec())
        return override_memory_config;
    const TensorMemoryLayout layout = override_memory_config.memory_layout();
    const auto& given = input_tensor.shard_spec();
    if (given && input_tensor.memory_config().memory_layout() == layout) {
        metal::ShardSpec shards = *given;
        shards.shape = {shards.shape[0] / (stride_h * stride_w), shards.shape[1] * stride_h * stride_w};
        return MemoryConfig(layout, override_memory_config.buffer_type(), shards);
    }
    const Shape& shape = fold_output.logical_shape();
    return MemoryConfig(
        layout, override_memory_config.buffer_type(),
        synthesize_fold_output_shard_spec(input_tensor, layout, shape[0] * shape[1] * shape[2], shape[3]));
}

Tensor reshard_if_needed(const Tensor& input, std::uint32_t stride_h, std::uint32_t /*stride_w*/) {
    const Shape& shape = input.logical_shape();
    require(input.shard_spec().has_value(), "input.shard_spec().has_value()", "expected an input in shards");
    const std::uint32_t block_row = stride_h * shape[2], rows = shape[0] * shape[1] * shape[2];
    if (input.shard_spec()->shape[0] % block_row == 0) return input;
    const CoreCoord grid = input.device()->compute_with_storage_grid_size();
    auto cores = static_cast<std::uint32_t>(grid.x * grid.y);
    while (cores > 0 && rows / block_row % cores != 0)
        --cores;
    require(cores != 0, "num_cores != 0", "no cores share out the rows of blocks");
    metal::ShardSpec shards = *input.shard_spec();
    shards.shape[0] = static_cast<std::uint32_t>(tilemeter::round_up(rows / cores, block_row));
    shards.grid = metal::num_cores_to_corerangeset(cores, grid, true);
    const MemoryConfig& config = input.memory_config();
    return ttnn::reshard(input, MemoryConfig(config.memory_layout(), config.buffer_type(), shards),
                         std::nullopt);
}

MemoryConfig create_sharded_memory_config(Shape tensor_shape, const CoreRangeSet& grid_size,
                                          ShardOrientation orientation,
                                          const std::optional<MemoryConfig>& override_memory_config) {
    if (override_memory_config) return *override_memory_config;
    const std::uint64_t rows = std::uint64_t{tensor_shape[-2]} * tensor_shape[-3] * tensor_shape[-4];
    const std::array<std::uint32_t, 2> shard{shares(rows, grid_size.num_cores()), tensor_shape[-1]};
    return MemoryConfig(TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
                        metal::ShardSpec(grid_size, shard, orientation));
}

std::vector<Tensor> fold_with_transpose_(const Tensor& input, const std::optional<const Shape>& output_shape,
                                         std::uint32_t stride_h, std::uint32_t stride_w, std::uint32_t pad_c,
                                         std::uint32_t pad_h, std::uint32_t pad_w) {
    require(!input.is_sharded(), "!input.is_sharded()", "fold_with_transpose_: expected no shards");
    const std::array<std::uint32_t, 6> padding{pad_h, pad_h, pad_w, pad_w, 0, pad_c};
    return {ttnn::fold(input, stride_h, stride_w, true, output_shape, padding)};
}

std::vector<Tensor> fold_with_transpose_sharded_(const Tensor& input,
                                                 const std::optional<const Shape>& output_shape,
                                                 std::uint32_t stride_h, std::uint32_t stride_w,
                                                 std::uint32_t pad_c, std::uint32_t pad_h,
                                                 std::uint32_t pad_w, const CoreRangeSet& grid_size,
                                                 const std::optional<MemoryConfig>& override_memory_config) {
    require(input.is_sharded(), "input.is_sharded()", "fold_with_transpose_sharded_: expected shards");
    const std::array<std::uint32_t, 6> padding{pad_h, pad_h, pad_w, pad_w, 0, pad_c};
    return {ttnn::fold(input, stride_h, stride_w, true, output_shape, padding, grid_size,
                       override_memory_config)};
}

}  // namespace ttnn::operations::data_movement
