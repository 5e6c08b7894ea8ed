// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/channel_order.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "runtime/compute/rearrange.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/sliding_window/internal/pixel_sampling.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter::experimental {

namespace {

/// Programs pass tiles on in BFLOAT16, whatever the tensors have.
std::uint64_t tile_between() {
    return tile_size(DataType::BFLOAT16);
}

/// Elements of 16 bytes: what rows in L1 are aligned to.
std::uint32_t elements_of_alignment(const TensorSpec& spec) {
    return 16 / static_cast<std::uint32_t>(element_size(spec.dtype));
}

struct ConvertToChwOperation {
    static constexpr std::string_view kName = "ConvertToCHWDeviceOperation";
    static constexpr std::string_view kAttributesName = "ConvertToCHWParams";

    MemoryConfig memory_config;
    DataType dtype;

    auto attributes() const { return std::tie(memory_config, dtype); }

    void validate(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        require_image(input);
        require(input.shape[2] % kTileHeight == 0, "HW must be divisible by tile size");
        const ShardSpec& shard = *input.memory_config.shard_spec;
        require(shard.shape[0] % kTileHeight == 0, "Shard height must be divisible by tile size");
        require_program(input);
    }
    // TT-NN sees that there are more cores than shards when it makes the program.
    TensorSpecs outputs_when_refused(SpecsView inputs, const DeviceDescription&) const {
        return infer(inputs);
    }
    TensorSpecs infer(SpecsView inputs) const {
        const Shape& shape = inputs[0].shape;
        return {TensorSpec{Shape{shape[0], 1, shape[3], shape[2]}, dtype, Layout::ROW_MAJOR, memory_config}};
    }
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription&) const {
        constexpr std::uint64_t kTransposed = 16;  // tiles that are passed on at a time
        const TensorSpec& input = inputs[0];
        const CoreRangeSet& cores = input.memory_config.shard_spec->grid;
        const std::array<std::uint32_t, 2>& result = outputs[0].memory_config.shard_spec->shape;
        const std::uint64_t tiles = ceil_div(input.shape[2] / kTileHeight, cores.num_cores());
        return {{"ttnn::experimental::prim::ConvertToCHWProgramFactory", 0},
                {in_memory_of(0, tiles * tile_size(input.dtype), cores),
                 in_memory_of(1, std::uint64_t{result[0]} * result[1] * element_size(dtype), cores),
                 circular_buffer(kTransposed * tile_between(), cores)}};
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        static constexpr std::array<std::uint32_t, 4> kChannelsFirst = {0, 1, 3, 2};
        const std::vector<float> values = compute::permuted(*inputs[0], kChannelsFirst).to_floats();
        return {HostArray::from_floats(values, dtype, outputs[0].shape)};
    }

private:
    static void require_image(const TensorSpec& input) {
        const Shape& shape = input.shape;
        require(shape[0] == 1 && shape[1] == 1, "Expected input tensor to be shape [1, 1, HW, C]");
        require(shape[3] <= kTileHeight, "C must be less than or equal to 32 (was ", shape[3], ")");
    }
    static void require_program(const TensorSpec& input) {
        const ShardSpec& shard = *input.memory_config.shard_spec;
        require(ceil_div(input.shape[2], shard.shape[0]) == shard.grid.num_cores(),
                "Mismatch between core grid and input/shard shapes");
    }
};

struct ConvertToHwcOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "ConvertToHWCDeviceOperation";
    static constexpr std::string_view kAttributesName = "ConvertToHwcParams";

    MemoryConfig memory_config;
    DataType dtype;

    auto attributes() const { return std::tie(memory_config, dtype); }

    void validate(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        const Shape& shape = input.shape;
        require(shape[0] == 1, "Expected input tensor to be shape [1, B, C, HW] (shape was ", shape, ")");
        require(shape[2] <= kTileHeight, "C must be less than or equal to 32 (was ", shape[2], ")");
        require(input.layout == Layout::ROW_MAJOR, "Input tensor must be in row-major layout");
        require(input.memory_config.memory_layout == TensorMemoryLayout::WIDTH_SHARDED,
                "Input tensor must be width sharded");
        require(memory_config.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED,
                "Output tensor must be height sharded");
    }
    // The refusals of TT-NN when it makes the program.
    void validate_program(SpecsView inputs, const DeviceDescription&) const {
        const TensorSpec& input = inputs[0];
        const std::uint32_t rows = memory_config.shard_spec->shape[0];
        require(rows % kTileWidth == 0, "Shard height ", rows, " must be multiple of tile width (32)");
        const ShardSpec& shard = *input.memory_config.shard_spec;
        const std::uint64_t room = shard.grid.num_cores() * shard.shape[1];
        require(input.shape[3] >= room || input.shape[1] == 1, "Uneven sharding (HW=", input.shape[3],
                " < total_padded_capacity=", room,
                ") is only supported for batch_size=1, got batch_size=", input.shape[1]);
    }
    TensorSpecs infer(SpecsView inputs) const {
        const Shape& shape = inputs[0].shape;
        const auto channels =
            static_cast<std::uint32_t>(round_up(shape[2], elements_of_alignment(inputs[0])));
        return {
            TensorSpec{Shape{1, 1, shape[1] * shape[3], channels}, dtype, Layout::ROW_MAJOR, memory_config}};
    }
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription&) const {
        const TensorSpec& input = inputs[0];
        const ShardSpec& from = *input.memory_config.shard_spec;
        const ShardSpec& to = *memory_config.shard_spec;
        const bool in_dram = input.memory_config.buffer_type == BufferType::DRAM;
        const std::uint64_t element = element_size(input.dtype), block = block_of(to.shape[0]);
        const std::uint64_t shard =
            std::uint64_t{in_dram ? input.shape[2] : from.shape[0]} * from.shape[1] * element;
        const std::uint64_t tiles = ceil_div(block, kTileWidth) * tile_between();
        return {{"ttnn::experimental::prim::ConvertToHWCProgramFactory", 0},
                {in_dram ? circular_buffer(shard, to.grid) : in_memory_of(0, shard, to.grid),
                 circular_buffer(input.shape[2] * block * element, to.grid), circular_buffer(tiles, to.grid),
                 circular_buffer(tiles, to.grid), circular_buffer(tiles, to.grid),
                 in_memory_of(1, std::uint64_t{to.shape[0]} * to.shape[1] * element, to.grid)}};
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        static constexpr std::array<std::uint32_t, 4> kChannelsLast = {0, 1, 3, 2}, kBegin = {0, 0, 0, 0};
        const Shape& shape = inputs[0]->shape();
        const HostArray images = compute::permuted(*inputs[0], kChannelsLast);
        const HostArray wide =
            compute::padded(images, kBegin, Shape{shape[0], shape[1], shape[3], outputs[0].shape[3]}, 0.0F);
        return {HostArray::from_floats(wide.to_floats(), dtype, outputs[0].shape)};
    }

private:
    /// Rows that are converted at a time: the fewest from 1,024 on that divide those of a core.
    static std::uint64_t block_of(std::uint64_t rows) {
        constexpr std::uint64_t kFewest = 1024;
        for (std::uint64_t block = kFewest; block <= rows; block += kTileWidth) {
            if (rows % block == 0) return block;
        }
        return rows;
    }
};

MemoryConfig in_width_shards(const Tensor& input) {
    const MemoryConfig& config = input.memory_config();
    require(config.is_sharded(), "Input tensor must be sharded to infer output memory config");
    require(config.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED,
            "Input tensor must be height sharded");
    ShardSpec shard = *config.shard_spec;
    shard.shape = {input.shape()[-1], shard.shape[0]};
    return {TensorMemoryLayout::WIDTH_SHARDED, config.buffer_type, shard};
}

MemoryConfig in_height_shards(const Tensor& input) {
    const MemoryConfig& config = input.memory_config();
    require(config.is_sharded(), "Input tensor must be sharded to infer output memory config");
    require(config.memory_layout == TensorMemoryLayout::WIDTH_SHARDED, "Input tensor must be width sharded");
    ShardSpec shard = *config.shard_spec;
    const std::uint64_t channels = round_up(input.shape()[2], elements_of_alignment(input.spec()));
    shard.shape = {input.shape()[1] * shard.shape[1], static_cast<std::uint32_t>(channels)};
    return {TensorMemoryLayout::HEIGHT_SHARDED, config.buffer_type, shard};
}

void require_four_dimensions(const Tensor& input) {
    require(input.shape().rank() == 4, "Input shape must be rank 4 (was rank ", input.shape().rank(), ")");
}

}  // namespace

Tensor ConvertToChw::body() const {
    require_on_device(input, "convert_to_chw", "input");
    require_four_dimensions(input);
    const MemoryConfig config = in_width_shards(input);
    const DataType result = dtype.value_or(input.dtype());
    require(!is_block_float(result), "Only TILE layout is supported for ", name_of(result), " dtype!");
    return launch(ConvertToChwOperation{config, result}, {input});
}

Tensor ConvertToHwc::body() const {
    require_on_device(input, "convert_to_hwc", "input");
    require_four_dimensions(input);
    const bool in_dram = input.memory_config().buffer_type == BufferType::DRAM;
    require(!in_dram || memory_config,
            "When input tensor is in DRAM, output memory_config must be explicitly specified");
    const MemoryConfig config = memory_config ? *memory_config : in_height_shards(input);
    require(config.shard_spec.has_value(), "Output tensor must be height sharded");
    const std::uint32_t multiple = elements_of_alignment(input.spec()), wide = config.shard_spec->shape[1];
    require(wide % multiple == 0, "Output shard width must be rounded up to next multiple of ", multiple,
            " to satisfy alignment constraints (width was ", wide, ")");
    return launch(ConvertToHwcOperation{config, dtype.value_or(input.dtype())}, {input});
}

}  // namespace tilemeter::experimental
