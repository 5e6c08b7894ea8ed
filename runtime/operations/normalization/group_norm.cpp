// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/normalization/group_norm.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/compute/normalization.hpp"
#include "runtime/device/buffer_geometry.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/free_l1.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/normalization/internal/group_norm_interleaved.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

/// The parameters of a call, beside its tensors.
struct Request {
    std::uint32_t groups = 1;
    float epsilon = 0.0F;
    MemoryConfig memory_config;
    Layout output_layout = Layout::ROW_MAJOR;
    bool inplace = true;
    bool has_weight = false;
    bool has_bias = false;
    bool shares_block = false;  ///< the result's rows are made of the tiles where they lie
};

// Tiles that a `group` of columns touches at most, in a shard of `width`.
std::uint64_t widest_group(std::uint64_t width, std::uint64_t group) {
    std::uint64_t most = 0;
    for (std::uint64_t begin = 0; begin < width; begin += group)
        most = std::max(most, (begin + group - 1) / kTileWidth - begin / kTileWidth + 1);
    return most;
}

// Inputs: tensor, mask, weight and bias, as far as they are there.
struct GroupNormDeviceOperation {
    static constexpr std::string_view kName = "GroupNormDeviceOperation";
    static constexpr std::string_view kAttributesName = "GroupNormParams";

    Request request;

    auto attributes() const {
        return std::make_tuple(request.epsilon, request.groups, request.memory_config, request.output_layout,
                               request.inplace, request.has_weight, request.has_bias);
    }
    auto key_attributes() const {
        return std::tuple_cat(attributes(), std::make_tuple(request.shares_block));
    }

    void validate(SpecsView inputs, const DeviceDescription& device) const {
        require_arguments(inputs);
        const BufferGeometry from = buffer_geometry(inputs[0], device);
        require(from.size_per_bank_bytes % from.page_size_bytes == 0, "Total circular buffer size ",
                from.size_per_bank_bytes, " B must be divisible by page size ", from.page_size_bytes, " B");
    }

    // TT-NN sees that pages do not fill the shards when it makes the program.
    TensorSpecs outputs_when_refused(SpecsView inputs, const DeviceDescription&) const {
        require_arguments(inputs);
        return infer(inputs);
    }

    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[0].shape, inputs[0].dtype, request.output_layout, request.memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        constexpr int kMask = 1;
        constexpr int kSums = 5;  // of a core, of others, of all; their squares; ones
        const TensorSpec& input = inputs[0];
        const ShardSpec& shard = *input.memory_config.shard_spec;
        const std::uint64_t tile = tile_size(input.dtype);
        const std::uint64_t tiles_high = shard.shape[0] / kTileHeight;
        const std::uint64_t tiles_wide = ceil_div(shard.shape[1], kTileWidth);
        const std::uint64_t channels = input.shape[-1];
        const std::uint64_t group_tiles = widest_group(shard.shape[1], channels / request.groups);
        const std::uint64_t shards = input.shape.volume() / channels / shard.shape[0];
        const std::uint64_t images_of_core = std::max<std::uint64_t>(1, input.shape[0] / shards);

        ProgramPlan plan{{"ttnn::prim::GroupNormDeviceOperation::GroupNormShardedProgramFactory", 0}};
        const auto add = [&](std::uint64_t size, int tensor = ProgramMemory::kOwn) {
            plan.memory.push_back({ProgramMemoryKind::kCircularBuffer, size, shard.grid, tensor});
        };
        const BufferGeometry from = buffer_geometry(input, device);
        add(from.size_per_bank_bytes, 0);
        if (!request.inplace) {
            add(buffer_geometry(outputs[0], device).size_per_bank_bytes, static_cast<int>(inputs.size()));
        }
        const std::uint64_t block = tiles_high * tiles_wide * tile;
        add(block);
        if (request.output_layout == Layout::ROW_MAJOR && !request.shares_block) add(block);
        for (int i = 0; i < 3; ++i)
            add(tile);  // factors of sums, of a core and of all; epsilon
        if (request.has_weight) add(tiles_wide * tile_size(inputs[2].dtype));
        if (request.has_bias) add(tiles_wide * tile_size(inputs.back().dtype));
        add(2 * group_tiles * tile_size(inputs[kMask].dtype));
        if (request.shares_block) add(2 * group_tiles * tile);
        if (shard.shape[1] % kTileWidth != 0) add(2 * tiles_wide * tile);
        add(tiles_high / images_of_core * group_tiles * tile);
        for (int i = 0; i < kSums; ++i)
            add(tile);
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const Shape& shape = outputs[0].shape;
        const std::uint64_t width = request.memory_config.shard_spec->shape[1];
        const auto unpadded = [&](bool there, std::size_t index) {
            if (!there) return std::vector<float>();
            const std::vector<float> padded = inputs[index]->to_floats();
            std::vector<float> values(shape[-1]);
            for (std::uint64_t channel = 0; channel < values.size(); ++channel)
                values[channel] = padded[channel / width * round_up(width, kTileWidth) + channel % width];
            return values;
        };
        const std::vector<float> values = compute::group_norm(
            inputs[0]->to_floats(), shape[0], shape[-1], request.groups, request.epsilon,
            unpadded(request.has_weight, 2), unpadded(request.has_bias, inputs.size() - 1));
        return {HostArray::from_floats(values, outputs[0].dtype, shape)};
    }

private:
    void require_arguments(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        require_shards(input);
        const ShardSpec& shard = *input.memory_config.shard_spec;
        const CoreRange box = shard.grid.bounding_box();
        require(box.size() == shard.grid.num_cores(),
                "Sharded groupnorm does not support non-rectangular core grids. The shard spec grid has ",
                shard.grid.num_cores(), " cores but its bounding box spans ", box.size(), " cores (",
                box.end.x - box.start.x + 1, " x ", box.end.y - box.start.y + 1, ").");
        const std::uint32_t channels = input.shape[-1];
        if (request.groups == 0 || channels % request.groups != 0) {
            refuse_group_norm("num_groups: expected a divisor of " + std::to_string(channels) +
                              " channels, got " + std::to_string(request.groups));
        }
        const std::uint64_t group = channels / request.groups;
        const std::uint64_t rows = input.shape.volume() / channels;
        if (shard.shape[0] % kTileHeight != 0 || shard.shape[1] % group != 0 || rows % shard.shape[0] != 0 ||
            channels % shard.shape[1] != 0) {
            refuse_group_norm("shards: expected whole tiles of rows and whole groups of " +
                              std::to_string(group) + " channels that divide " + input.shape.to_string() +
                              ", got [" + std::to_string(shard.shape[0]) + ", " +
                              std::to_string(shard.shape[1]) + "]");
        }
        const std::uint64_t images = input.shape[0];
        const std::uint64_t shards = rows / shard.shape[0];
        if (std::max(images, shards) % std::min(images, shards) != 0) {
            refuse_group_norm(
                "shards: expected a whole number of images per shard or of shards per image, got " +
                std::to_string(images) + " images in " + std::to_string(shards) + " rows of shards");
        }
        const std::uint64_t mask_width = widest_group(shard.shape[1], group) * kTileWidth;
        if (inputs[1].layout != Layout::TILE || inputs[1].shape[-1] != mask_width) {
            refuse_group_norm("input_mask: expected TILE and a width of " + std::to_string(mask_width) +
                              ", got " + std::string(name_of(inputs[1].layout)) + " " +
                              inputs[1].shape.to_string());
        }
        const std::uint64_t padded = channels / shard.shape[1] * round_up(shard.shape[1], kTileWidth);
        for (std::size_t i = 2; i < inputs.size(); ++i) {
            if (inputs[i].layout == Layout::ROW_MAJOR && inputs[i].shape[-1] == kTileWidth &&
                inputs[i].shape.volume() == padded) {
                continue;
            }
            refuse_group_norm("weight and bias: expected ROW_MAJOR [1, 1, " +
                              std::to_string(padded / kTileWidth) + ", 32], got " +
                              std::string(name_of(inputs[i].layout)) + " " + inputs[i].shape.to_string());
        }
        if (request.inplace && (input.layout != Layout::ROW_MAJOR || request.output_layout != input.layout)) {
            refuse_group_norm("inplace: expected False, or ROW_MAJOR in and out, got " +
                              std::string(name_of(input.layout)) + " in and " +
                              std::string(name_of(request.output_layout)) + " out");
        }
    }
    void require_shards(const TensorSpec& input) const {
        if (input.dtype != DataType::BFLOAT16)
            refuse_group_norm("input: expected BFLOAT16, got " + std::string(name_of(input.dtype)));
        if (input.shape.rank() != 4 || input.shape[1] != 1)
            refuse_group_norm("input: expected [images, 1, height * width, channels], got " +
                              input.shape.to_string());
        const MemoryConfig& config = input.memory_config;
        if (config.memory_layout != TensorMemoryLayout::HEIGHT_SHARDED &&
            config.memory_layout != TensorMemoryLayout::BLOCK_SHARDED) {
            refuse_group_norm("input: expected HEIGHT_SHARDED or BLOCK_SHARDED, got " +
                              std::string(name_of(config.memory_layout)));
        }
        if (!request.memory_config.is_sharded() || !request.memory_config.shard_spec ||
            request.memory_config.shard_spec->shape != config.shard_spec->shape) {
            refuse_group_norm("memory_config: expected the input's shards, got " +
                              request.memory_config.to_string());
        }
    }
};

// True if a second block for the rows has no room beside the tensors of the moment and the output, wherever that will
// lie.
bool has_to_share_block(const GroupNormDeviceOperation& operation, std::span<const Tensor> inputs) {
    const std::optional<ShardSpec>& shard = inputs.front().memory_config().shard_spec;
    if (operation.request.output_layout != Layout::ROW_MAJOR || !shard) return false;
    Device& device = inputs.front().device();
    const DeviceDescription& description = device.description();
    const std::uint64_t free = free_l1_below_tensors(device);
    // No piece is larger than two blocks: mostly there is room enough, as can be told at once.
    constexpr std::uint64_t kMostBlocks = 20;
    const std::uint64_t block = ceil_div(shard->shape[0], kTileHeight) *
                                ceil_div(shard->shape[1], kTileWidth) * tile_size(inputs.front().dtype());
    if (free >= kMostBlocks * block) return false;
    TensorSpecs specs;
    for (const Tensor& each : inputs)
        specs.push_back(each.spec());
    try {
        operation.validate(specs, description);
    } catch (const RuntimeError&) {
        return false;  // it is refused below
    }
    const TensorSpecs outputs = operation.infer(specs);
    std::uint64_t taken = 0;
    for (const ProgramMemory& each : operation.plan(specs, outputs, description).memory)
        if (each.shared_with == ProgramMemory::kOwn) taken += each.size_bytes;
    if (!operation.request.inplace) taken += buffer_geometry(outputs[0], description).size_per_bank_bytes;
    return taken > free;
}

Tensor interleaved(const Tensor& input, std::vector<Tensor> inputs, bool inplace,
                   InterleavedGroupNormRequest request) {
    require(!inplace || input.layout() != Layout::TILE,
            "In-place operation not supported: Tile layout requires non-inplace tensors. (inplace=true)");
    require(!inplace, "inplace groupnorm not supported for unsharded tensors");
    if (request.num_out_blocks && !request.core_grid) {
        refuse_group_norm(
            "num_out_blocks cannot be specified when core_grid is auto-selected. Either provide an explicit "
            "core_grid or omit num_out_blocks.");
    }
    return launch(InterleavedGroupNorm{std::move(request)}, std::move(inputs));
}

}  // namespace

Tensor GroupNorm::call() const {
    require(!negative_mask, "group_norm: expected no negative_mask, got one");
    return in_operation(*this, [&] {
        require_on_device(input_tensor, "group_norm", "input_tensor");
        const bool sharded = input_tensor.is_sharded();
        if (sharded && !input_mask) refuse_group_norm("input_mask: expected a mask for shards, got none");
        if (sharded && use_welford) refuse_group_norm("use_welford: expected False for shards, got True");
        std::vector<Tensor> inputs = {input_tensor};
        for (const OptionalTensor* given : {&input_mask, &weight, &bias}) {
            if (*given) inputs.push_back(**given);
        }
        const MemoryConfig config = memory_config.value_or(input_tensor.memory_config());
        const Layout layout = output_layout.value_or(input_tensor.layout());
        if (!sharded) {
            std::optional<CoreCoord> cores;
            if (core_grid) cores = CoreCoord{core_grid->x, core_grid->y};
            return interleaved(input_tensor, std::move(inputs), inplace,
                               {num_groups, epsilon, config, layout, cores, num_out_blocks,
                                input_mask.has_value(), weight.has_value(), bias.has_value(), use_welford});
        }
        GroupNormDeviceOperation operation{
            {num_groups, epsilon, config, layout, inplace, weight.has_value(), bias.has_value()}};
        operation.request.shares_block = has_to_share_block(operation, inputs);
        return inplace ? launch_into(operation, std::move(inputs), input_tensor)
                       : launch(operation, std::move(inputs));
    });
}

}  // namespace tilemeter
