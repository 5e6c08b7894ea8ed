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

std::string nd_shard_spec_text(const MemoryConfig& config) {
    const ShardSpec& spec = *config.shard_spec;
    const bool grid_2d = config.memory_layout == TensorMemoryLayout::BLOCK_SHARDED;
    return "{\"shard_shape\":" + sizes_text(spec.shape) + ",\"grid\":" + grid_text(spec.grid, "}") +
           ",\"orientation\":\"" + orientation_text(spec.orientation) +
           "\",\"shard_distribution_strategy\":\"ShardDistributionStrategy::" +
           (grid_2d ? "GRID_2D" : "ROUND_ROBIN_1D") + "\"}";
}

}  // namespace

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
    if (shard_spec && of_tensor) {
        text += nd_shard_spec_text(*this);
    } else {
        text += "std::nullopt";
    }
    text += ",created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)";
    return text;
}

}  // namespace tilemeter
