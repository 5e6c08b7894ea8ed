// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/internal/fold_operation.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "runtime/operations/core/require.hpp"
#include "runtime/operations/sliding_window/internal/padded_slice.hpp"
#include "runtime/operations/work/largest_divisor.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

/// The buffers of a core for an image in tiles: some as they are, as many taken apart, and a row of blocks.
std::array<std::uint64_t, 3> sizes_of_tiles(const TensorSpec& input, std::uint32_t stride_h) {
    const DataType folded = rows_dtype(input.dtype);
    const std::uint64_t tiles = 2 * ceil_div(input.shape[-1], kTileWidth);
    return {tiles * tile_size(input.dtype), tiles * tile_size(folded),
            stride_h * input.shape[2] * row_elements(input) * element_size(folded)};
}

}  // namespace

bool FoldDeviceOperation::takes(const TensorSpec& input, const DeviceDescription& device) const {
    constexpr std::uint64_t kTransfer = 16;
    constexpr std::uint64_t kKeptFree = 91 * 1024;  // of what programs may use
    if (input.memory_config.is_sharded()) return false;
    if (input.layout == Layout::ROW_MAJOR) return true;
    if (row_elements(input) * element_size(rows_dtype(input.dtype)) % kTransfer != 0) return false;
    const std::array<std::uint64_t, 3> sizes = sizes_of_tiles(input, stride_h);
    return sizes[0] + sizes[1] + sizes[2] + kKeptFree < device.l1_size - device.l1_unreserved_base;
}

bool FoldDeviceOperation::takes_shards(const TensorSpec& input, std::uint32_t stride_h) {
    const MemoryConfig& config = input.memory_config;
    return input.layout == Layout::ROW_MAJOR && config.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED &&
           config.shard_spec->shape[0] % (input.shape[2] * stride_h) == 0;
}

MemoryConfig shards_of_blocks(const TensorSpec& images, std::uint32_t stride_h, CoreCoord grid) {
    const Shape& shape = images.shape;
    const std::uint64_t rows = std::uint64_t{shape[0]} * shape[1] / stride_h;
    const std::uint64_t cores =
        largest_divisor(rows, std::min<std::uint64_t>(rows, std::uint64_t{grid.x} * grid.y));
    MemoryConfig config = images.memory_config;
    config.shard_spec = ShardSpec{first_cores(cores, grid, true),
                                  {static_cast<std::uint32_t>(rows / cores * stride_h * shape[2]), shape[3]},
                                  ShardOrientation::ROW_MAJOR};
    return config;
}

void FoldDeviceOperation::validate(SpecsView inputs, const DeviceDescription& device) const {
    const TensorSpec& input = inputs[0];
    if (stride_h != 0 && stride_w != 0 && input.shape.rank() == 4) {
        require(input.shape[1] % stride_h == 0, "Fold: logical H (", input.shape[1],
                ") must be divisible by stride_h (", stride_h, ").");
        require(input.shape[2] % stride_w == 0, "Fold: logical W (", input.shape[2],
                ") must be divisible by stride_w (", stride_w, ").");
    }
    const bool divides = stride_h != 0 && stride_w != 0 && input.shape.rank() == 4 &&
                         input.shape[1] % stride_h == 0 && input.shape[2] % stride_w == 0;
    require(divides && (takes(input, device) || takes_shards(input, stride_h)),
            "fold: expected interleaved images whose height and width are multiples of ", stride_h, " and ",
            stride_w, ", in tiles only with whole 16 bytes of channels, got ", name_of(input.layout), " ",
            input.shape, " ", name_of(input.memory_config.memory_layout));
}

TensorSpecs FoldDeviceOperation::infer(SpecsView inputs) const {
    TensorSpec folded = inputs[0];
    folded.dtype = rows_dtype(inputs[0].dtype);
    folded.layout = Layout::ROW_MAJOR;
    folded.shape = {inputs[0].shape[0], inputs[0].shape[1] / stride_h, inputs[0].shape[2] / stride_w,
                    inputs[0].shape[3] * stride_h * stride_w};
    folded.alignment = {};
    if (folded.memory_config.is_sharded()) {
        auto& shard = folded.memory_config.shard_spec->shape;
        shard = {shard[0] / (stride_h * stride_w), folded.shape[3]};
    }
    if (collapsed)
        folded.shape = {1, 1, folded.shape[0] * folded.shape[1] * folded.shape[2], folded.shape[3]};
    return {folded};
}

ProgramPlan FoldDeviceOperation::plan(SpecsView inputs, SpecsView outputs,
                                      const DeviceDescription& device) const {
    const TensorSpec& input = inputs[0];
    if (input.memory_config.is_sharded()) {
        const auto shard = [&](const TensorSpec& spec, int tensor) {
            const ShardSpec& shards = *spec.memory_config.shard_spec;
            const std::uint64_t stick = round_up(row_bytes(spec), device.l1_alignment);
            return borrowed_buffer(shards.shape[0] * stick, shards.grid, tensor);
        };
        return {{"ttnn::operations::data_movement::Fold::MultiCore", 0},
                {shard(input, 0), shard(outputs[0], 1)}};
    }
    const bool tiled = input.layout == Layout::TILE;
    // Each core makes the same number of pixels, or of rows of them from tiles; fewer the last one.
    const std::uint64_t rows_of_blocks = std::uint64_t{input.shape[0]} * input.shape[1] / stride_h;
    const std::uint64_t units = tiled ? rows_of_blocks : num_rows(outputs[0]);
    const std::uint64_t share = ceil_div(units, device.num_compute_cores());
    const CoreRangeSet cores = cores_along_rows(ceil_div(units, share), device);
    const std::uint64_t block = std::uint64_t{stride_h} * stride_w;
    const std::uint64_t stick = row_elements(input) * element_size(outputs[0].dtype);
    ProgramPlan plan{{"ttnn::operations::data_movement::Fold::MultiCoreDRAMFold", 1}};
    if (tiled) {
        for (const std::uint64_t size : sizes_of_tiles(input, stride_h))
            plan.memory.push_back(dataflow_buffer(size, cores));
        return plan;
    }
    const std::uint64_t aligned = round_up(stick, device.dram_alignment);
    plan.memory = {dataflow_buffer(2 * block * aligned, cores)};
    // Pixels that are not aligned are packed before they are written.
    if (stick != aligned) plan.memory.push_back(dataflow_buffer(block * stick, cores));
    return plan;
}

std::vector<HostArray> FoldDeviceOperation::compute(ArraysView inputs, SpecsView outputs) const {
    const std::vector<float> from = inputs[0]->to_floats();
    const Shape& shape = inputs[0]->shape();
    const std::uint64_t width = shape[2];
    const std::uint64_t channels = shape[3];
    std::vector<float> to(outputs[0].shape.volume());
    float* target = to.data();
    for (std::uint64_t row = 0; row < std::uint64_t{shape[0]} * shape[1] / stride_h; ++row) {
        for (std::uint64_t column = 0; column < width / stride_w; ++column) {
            for (std::uint64_t i = 0; i < stride_h; ++i) {
                const std::uint64_t pixel = (row * stride_h + i) * width + column * stride_w;
                target = std::copy_n(from.data() + pixel * channels, stride_w * channels, target);
            }
        }
    }
    return {HostArray::from_floats(to, outputs[0].dtype, outputs[0].shape)};
}

}  // namespace tilemeter
