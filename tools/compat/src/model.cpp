// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/compat/src/model.hpp"

#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tilemeter_ttnn/mesh_device.hpp"

namespace tilemeter::compat {

CoreCoord to_model(const metal::CoreCoord& core) {
    return {static_cast<std::uint32_t>(core.x), static_cast<std::uint32_t>(core.y)};
}

CoreRangeSet to_model(const metal::CoreRangeSet& cores) {
    std::vector<CoreRange> ranges;
    for (const metal::CoreRange& each : cores.ranges())
        ranges.push_back({to_model(each.start_coord), to_model(each.end_coord)});
    return CoreRangeSet(std::move(ranges));
}

Shape to_model(const metal::Shape& shape) {
    return Shape(shape.view());
}

MemoryConfig to_model(const metal::MemoryConfig& config) {
    MemoryConfig model{to_model(config.memory_layout()), to_model(config.buffer_type()), std::nullopt};
    if (config.created_with_nd_shard_spec()) {
        const metal::NdShardSpec& shards = *config.nd_shard_spec();
        model.memory_layout = TensorMemoryLayout::ND_SHARDED;
        model.nd_shard_spec = std::make_shared<const NdShardSpec>(
            NdShardSpec{to_model(shards.shard_shape), to_model(shards.grid), to_model(shards.orientation),
                        static_cast<ShardDistributionStrategy>(shards.shard_distribution_strategy)});
    } else if (config.shard_spec()) {
        const metal::ShardSpec& shards = *config.shard_spec();
        model.shard_spec = ShardSpec{to_model(shards.grid), shards.shape, to_model(shards.orientation)};
    }
    return model;
}

Tile to_model(const metal::Tile& tile) {
    return {tile.get_height(), tile.get_width()};
}

TensorSpec to_model(const metal::TensorSpec& spec) {
    TensorSpec model{.shape = to_model(spec.logical_shape()),
                     .dtype = to_model(spec.data_type()),
                     .layout = to_model(spec.layout()),
                     .memory_config = to_model(spec.memory_config())};
    if (spec.layout() == metal::Layout::TILE) model.tile = to_model(spec.tile());
    const metal::Alignment& alignment = spec.tensor_layout().get_alignment();
    for (std::size_t i = 0; i < std::min<std::size_t>(alignment.size(), 2); ++i)
        model.alignment[1 - i] = alignment[alignment.size() - 1 - i];
    return model;
}

MeshShape to_model(const metal::distributed::MeshShape& shape) {
    if (shape.dims() == 1) return {1, shape[0]};
    if (shape.dims() != 2)
        throw std::runtime_error("a mesh of one or two dimensions is modelled, found another");
    return {shape[0], shape[1]};
}

std::shared_ptr<Device> to_model(metal::distributed::MeshDevice* device) {
    if (device == nullptr) throw std::runtime_error("expected a device, found a null pointer");
    return device->model();
}

metal::CoreCoord from_model(CoreCoord core) {
    return {core.x, core.y};
}

metal::CoreRangeSet from_model(const CoreRangeSet& cores) {
    std::vector<metal::CoreRange> ranges;
    for (const CoreRange& each : cores.ranges())
        ranges.emplace_back(from_model(each.start), from_model(each.end));
    return metal::CoreRangeSet(std::move(ranges));
}

metal::Shape from_model(const Shape& shape) {
    return metal::Shape(shape.dimensions());
}

metal::MemoryConfig from_model(const MemoryConfig& config) {
    const auto type = static_cast<metal::BufferType>(config.buffer_type);
    if (config.memory_layout == TensorMemoryLayout::ND_SHARDED && config.nd_shard_spec) {
        const NdShardSpec& shards = *config.nd_shard_spec;
        return metal::MemoryConfig(
            type, metal::NdShardSpec{from_model(shards.shape), from_model(shards.grid),
                                     static_cast<metal::ShardOrientation>(shards.orientation),
                                     static_cast<metal::ShardDistributionStrategy>(shards.strategy)});
    }
    std::optional<metal::ShardSpec> shards;
    if (config.shard_spec)
        shards.emplace(from_model(config.shard_spec->grid), config.shard_spec->shape,
                       static_cast<metal::ShardOrientation>(config.shard_spec->orientation));
    return metal::MemoryConfig(static_cast<metal::TensorMemoryLayout>(config.memory_layout), type,
                               std::move(shards));
}

metal::TensorSpec from_model(const TensorSpec& spec) {
    const metal::PageConfig pages(from_model(spec.layout), metal::Tile({spec.tile.height, spec.tile.width}));
    metal::Alignment alignment;
    if (spec.alignment != std::array<std::uint32_t, 2>{}) alignment = {spec.alignment[0], spec.alignment[1]};
    return {from_model(spec.shape),
            metal::TensorLayout(from_model(spec.dtype), pages, from_model(spec.memory_config), alignment)};
}

}  // namespace tilemeter::compat
