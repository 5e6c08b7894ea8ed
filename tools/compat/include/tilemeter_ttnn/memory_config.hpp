// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Memory configs and the shards of tensors.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <utility>

#include "tilemeter_ttnn/core_coord.hpp"
#include "tilemeter_ttnn/enums.hpp"
#include "tilemeter_ttnn/shape.hpp"

namespace tt::tt_metal {

/// Shards of rows and columns.
struct ShardSpec {
    CoreRangeSet grid;
    std::array<std::uint32_t, 2> shape{};  ///< rows and columns of one, in elements
    ShardOrientation orientation = ShardOrientation::ROW_MAJOR;
    ShardMode mode = ShardMode::PHYSICAL;

    ShardSpec(const CoreRangeSet& cores, const std::array<std::uint32_t, 2>& shard,
              const ShardOrientation& order = ShardOrientation::ROW_MAJOR)
        : grid(cores), shape(shard), orientation(order) {}

    std::uint32_t num_cores() const { return grid.num_cores(); }
    std::uint32_t numel() const { return shape[0] * shape[1]; }
    bool operator==(const ShardSpec&) const = default;
};
std::ostream& operator<<(std::ostream& out, const ShardSpec& spec);

/// Shards of any number of dimensions.
struct NdShardSpec {
    Shape shard_shape;
    CoreRangeSet grid;
    ShardOrientation orientation = ShardOrientation::ROW_MAJOR;
    ShardDistributionStrategy shard_distribution_strategy = ShardDistributionStrategy::ROUND_ROBIN_1D;

    bool operator==(const NdShardSpec&) const = default;
};

/// Where a tensor lies: memory, how it is spread over banks, and its shards.
class MemoryConfig {
public:
    MemoryConfig() = default;  ///< interleaved in DRAM
    explicit MemoryConfig(BufferType buffer_type, std::optional<NdShardSpec> nd_shard_spec = std::nullopt);
    explicit MemoryConfig(TensorMemoryLayout memory_layout, BufferType buffer_type = BufferType::DRAM,
                          std::optional<ShardSpec> shard_spec = std::nullopt);

    TensorMemoryLayout memory_layout() const { return memory_layout_; }
    BufferType buffer_type() const { return buffer_type_; }
    const std::optional<ShardSpec>& shard_spec() const { return shard_spec_; }
    const std::optional<NdShardSpec>& nd_shard_spec() const { return nd_shard_spec_; }
    bool created_with_nd_shard_spec() const { return created_with_nd_shard_spec_; }
    bool is_sharded() const { return memory_layout_ != TensorMemoryLayout::INTERLEAVED; }
    bool is_l1() const { return buffer_type_ == BufferType::L1 || buffer_type_ == BufferType::L1_SMALL; }
    bool is_dram() const { return buffer_type_ == BufferType::DRAM; }
    MemoryConfig with_shard_spec(std::optional<ShardSpec> shard_spec) const {
        return MemoryConfig(memory_layout_, buffer_type_, std::move(shard_spec));
    }

    friend bool operator==(const MemoryConfig& a, const MemoryConfig& b);

private:
    TensorMemoryLayout memory_layout_ = TensorMemoryLayout::INTERLEAVED;
    BufferType buffer_type_ = BufferType::DRAM;
    std::optional<ShardSpec> shard_spec_;
    std::optional<NdShardSpec> nd_shard_spec_;
    bool created_with_nd_shard_spec_ = false;
};
std::ostream& operator<<(std::ostream& out, const MemoryConfig& config);  ///< the text of reports

}  // namespace tt::tt_metal

namespace ttnn {
using tt::tt_metal::MemoryConfig;
using tt::tt_metal::NdShardSpec;
using tt::tt_metal::ShardSpec;
namespace types {
using tt::tt_metal::MemoryConfig;
using tt::tt_metal::ShardSpec;
}  // namespace types

inline const MemoryConfig DRAM_MEMORY_CONFIG{tt::tt_metal::TensorMemoryLayout::INTERLEAVED,
                                             tt::tt_metal::BufferType::DRAM};
inline const MemoryConfig L1_MEMORY_CONFIG{tt::tt_metal::TensorMemoryLayout::INTERLEAVED,
                                           tt::tt_metal::BufferType::L1};
inline const MemoryConfig L1_BLOCK_SHARDED_MEMORY_CONFIG{tt::tt_metal::TensorMemoryLayout::BLOCK_SHARDED,
                                                         tt::tt_metal::BufferType::L1};
inline const MemoryConfig L1_HEIGHT_SHARDED_MEMORY_CONFIG{tt::tt_metal::TensorMemoryLayout::HEIGHT_SHARDED,
                                                          tt::tt_metal::BufferType::L1};
inline const MemoryConfig L1_WIDTH_SHARDED_MEMORY_CONFIG{tt::tt_metal::TensorMemoryLayout::WIDTH_SHARDED,
                                                         tt::tt_metal::BufferType::L1};
}  // namespace ttnn
