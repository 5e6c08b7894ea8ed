// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/types/memory_config.hpp"

namespace tilemeter {

namespace {

std::string corner(CoreCoord core) {
    return "{\"x\":" + std::to_string(core.x) + ",\"y\":" + std::to_string(core.y) + "}";
}

// `close`: TT-NN's text of a ShardSpec leaves out the brace that ends each range; that of an ND spec has it.
std::string grid_text(const CoreRangeSet& grid, const char* close) {
    std::string text = "[";
    for (const CoreRange& range : grid.ranges()) {
        if (text.size() > 1) text += ", ";
        text += "{\"start\":" + corner(range.start) + ",\"end\":" + corner(range.end) + close;
    }
    return text + "]";
}

std::string sizes_text(const std::array<std::uint32_t, 2>& shape) {
    return "[" + std::to_string(shape[0]) + ", " + std::to_string(shape[1]) + "]";
}

std::string orientation_text(ShardOrientation orientation) {
    return orientation == ShardOrientation::ROW_MAJOR ? "ShardOrientation::ROW_MAJOR"
                                                      : "ShardOrientation::COL_MAJOR";
}

}  // namespace

std::string_view name_of(ShardDistributionStrategy strategy) {
    switch (strategy) {
        case ShardDistributionStrategy::ROUND_ROBIN_1D:
            return "ROUND_ROBIN_1D";
        case ShardDistributionStrategy::GRID_2D:
            return "GRID_2D";
        case ShardDistributionStrategy::CONTIGUOUS_1D:
            break;
    }
    return "CONTIGUOUS_1D";
}

std::string NdShardSpec::to_string() const {
    constexpr std::size_t kName = std::char_traits<char>::length("Shape(");
    std::string sizes = shape.to_string().substr(kName);
    sizes.pop_back();
    return "{\"shard_shape\":" + sizes + ",\"grid\":" + grid_text(grid, "}") + ",\"orientation\":\"" +
           orientation_text(orientation) +
           "\",\"shard_distribution_strategy\":\"ShardDistributionStrategy::" +
           std::string(name_of(strategy)) + "\"}";
}

std::shared_ptr<const NdShardSpec> MemoryConfig::as_nd_shards() const {
    if (nd_shard_spec || !shard_spec) return nd_shard_spec;
    const bool in_blocks = memory_layout == TensorMemoryLayout::BLOCK_SHARDED;
    return std::make_shared<const NdShardSpec>(NdShardSpec{
        {shard_spec->shape[0], shard_spec->shape[1]},
        shard_spec->grid,
        shard_spec->orientation,
        in_blocks ? ShardDistributionStrategy::GRID_2D : ShardDistributionStrategy::ROUND_ROBIN_1D});
}

std::string_view name_of(record::MemoryType type) {
    switch (type) {
        case record::MemoryType::kDram:
            return "DRAM";
        case record::MemoryType::kL1:
            return "L1";
        case record::MemoryType::kSystemMemory:
            return "SYSTEM_MEMORY";
        case record::MemoryType::kL1Small:
            return "L1_SMALL";
        case record::MemoryType::kTrace:
            return "TRACE";
    }
    return "UNKNOWN";
}

std::string_view name_of(record::BufferLayout layout) {
    switch (layout) {
        case record::BufferLayout::kInterleaved:
            return "INTERLEAVED";
        case record::BufferLayout::kSingleBank:
            return "SINGLE_BANK";
        case record::BufferLayout::kHeightSharded:
            return "HEIGHT_SHARDED";
        case record::BufferLayout::kWidthSharded:
            return "WIDTH_SHARDED";
        case record::BufferLayout::kBlockSharded:
            return "BLOCK_SHARDED";
        case record::BufferLayout::kNdSharded:
            return "ND_SHARDED";
    }
    return "UNKNOWN";
}

std::string MemoryConfig::to_string(bool of_tensor) const {
    constexpr std::size_t kMostWithoutShards = 256;  // one allocation for all of these
    std::string text;
    text.reserve(kMostWithoutShards);
    text += "MemoryConfig(memory_layout=TensorMemoryLayout::";
    text += name_of(memory_layout);
    text += ",buffer_type=BufferType::";
    text += name_of(buffer_type);
    text += ",shard_spec=";
    if (shard_spec) {
        text += "ShardSpec{grid=" + grid_text(shard_spec->grid, "") +
                ", shape=" + sizes_text(shard_spec->shape) +
                ", orientation=" + orientation_text(shard_spec->orientation) + "}";
    } else {
        text += "std::nullopt";
    }
    text += ",nd_shard_spec=";
    const std::shared_ptr<const NdShardSpec> nd =
        of_tensor || has_nd_shards_filled_in ? as_nd_shards() : nd_shard_spec;
    if (nd) {
        text += nd->to_string();
    } else {
        text += "std::nullopt";
    }
    text += ",created_with_nd_shard_spec=";
    text += nd_shard_spec ? '1' : '0';
    text += ",per_core_allocation=0,range_lockstep_allocation=0)";
    return text;
}

}  // namespace tilemeter
