// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Memory configs, as in TT-NN: the memory type of a tensor and how it is spread over banks or cores.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "capture/events/event.hpp"
#include "runtime/types/core_range.hpp"
#include "runtime/types/shape.hpp"

namespace tilemeter {

/// TT-NN's BufferType and TensorMemoryLayout, with its names and the numbers of reports.
struct BufferType {
    using Value = record::MemoryType;
    static constexpr Value DRAM = Value::kDram;
    static constexpr Value L1 = Value::kL1;
    static constexpr Value SYSTEM_MEMORY = Value::kSystemMemory;
    static constexpr Value L1_SMALL = Value::kL1Small;
    static constexpr Value TRACE = Value::kTrace;
};

struct TensorMemoryLayout {
    using Value = record::BufferLayout;
    static constexpr Value INTERLEAVED = Value::kInterleaved;
    static constexpr Value SINGLE_BANK = Value::kSingleBank;
    static constexpr Value HEIGHT_SHARDED = Value::kHeightSharded;
    static constexpr Value WIDTH_SHARDED = Value::kWidthSharded;
    static constexpr Value BLOCK_SHARDED = Value::kBlockSharded;
    static constexpr Value ND_SHARDED = Value::kNdSharded;
};

enum class ShardOrientation : std::uint8_t { ROW_MAJOR = 0, COL_MAJOR = 1 };

/// One shard per core of `grid`, in the order that `orientation` walks it.
struct ShardSpec {
    CoreRangeSet grid;
    std::array<std::uint32_t, 2> shape{};  ///< rows and columns of one shard, in elements
    ShardOrientation orientation = ShardOrientation::ROW_MAJOR;
    friend bool operator==(const ShardSpec&, const ShardSpec&) = default;
};

/// The distribution of shards of any number of dimensions over cores: one by one around all cores of the grid; each to
/// the core in its place of a rectangle (shards of two dimensions at most); all of a core one after the other
/// (not modelled: no tensor is made so).
enum class ShardDistributionStrategy : std::uint8_t { ROUND_ROBIN_1D = 0, GRID_2D = 1, CONTIGUOUS_1D = 2 };
std::string_view name_of(ShardDistributionStrategy strategy);  ///< "GRID_2D"

/// Shards of any number of dimensions, of which a core may have several.
struct NdShardSpec {
    Shape shape;  ///< of one shard, in elements; as many dimensions as the tensor or fewer
    CoreRangeSet grid;
    ShardOrientation orientation = ShardOrientation::ROW_MAJOR;
    ShardDistributionStrategy strategy = ShardDistributionStrategy::ROUND_ROBIN_1D;
    friend bool operator==(const NdShardSpec&, const NdShardSpec&) = default;

    std::string to_string() const;  ///< TT-NN's text, JSON
};

struct MemoryConfig {
    TensorMemoryLayout::Value memory_layout = TensorMemoryLayout::INTERLEAVED;
    BufferType::Value buffer_type = BufferType::DRAM;
    std::optional<ShardSpec> shard_spec;
    /// The shards that the config was made with; none: with `shard_spec`, or not sharded. A caller's config has the
    /// layout ND_SHARDED; a tensor's has `shard_spec` as well where shards of rows and columns are the same
    /// (placed_shards).
    std::shared_ptr<const NdShardSpec> nd_shard_spec{};
    /// A tensor's config with a `shard_spec` alone: TT-NN's tensors have the same shards in N dimensions, too. Configs are
    /// equal with and without; texts and keys of programs differ.
    bool has_nd_shards_filled_in = false;

    /// The shards of a tensor's config, filled in.
    void fill_in_nd_shards() { has_nd_shards_filled_in = shard_spec && !nd_shard_spec; }
    /// As a caller, or an operation that works out shards, makes it.
    MemoryConfig made_anew() const {
        MemoryConfig config = *this;
        config.has_nd_shards_filled_in = false;
        return config;
    }
    bool is_sharded() const { return memory_layout != TensorMemoryLayout::INTERLEAVED; }
    friend bool operator==(const MemoryConfig& a, const MemoryConfig& b) {
        if (a.memory_layout != b.memory_layout || a.buffer_type != b.buffer_type ||
            a.shard_spec != b.shard_spec)
            return false;
        if (a.nd_shard_spec == b.nd_shard_spec) return true;
        return a.nd_shard_spec && b.nd_shard_spec && *a.nd_shard_spec == *b.nd_shard_spec;
    }

    /// Its shards as those of any number of dimensions; none: not sharded.
    std::shared_ptr<const NdShardSpec> as_nd_shards() const;

    /// TT-NN's text of it; `of_tensor`: that of a tensor with it.
    std::string to_string(bool of_tensor = false) const;
};

inline const MemoryConfig DRAM_MEMORY_CONFIG{TensorMemoryLayout::INTERLEAVED, BufferType::DRAM, std::nullopt};
inline const MemoryConfig L1_MEMORY_CONFIG{TensorMemoryLayout::INTERLEAVED, BufferType::L1, std::nullopt};
inline const MemoryConfig L1_SMALL_MEMORY_CONFIG{TensorMemoryLayout::INTERLEAVED, BufferType::L1_SMALL,
                                                 std::nullopt};

std::string_view name_of(record::MemoryType type);      ///< "L1_SMALL"
std::string_view name_of(record::BufferLayout layout);  ///< "HEIGHT_SHARDED"

}  // namespace tilemeter
