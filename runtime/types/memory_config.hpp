// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Memory configs, as in TT-NN: the memory type of a tensor and how it is spread over banks or cores.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "capture/record/event.hpp"
#include "runtime/types/core_range.hpp"

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

struct MemoryConfig {
    TensorMemoryLayout::Value memory_layout = TensorMemoryLayout::INTERLEAVED;
    BufferType::Value buffer_type = BufferType::DRAM;
    std::optional<ShardSpec> shard_spec;

    bool is_sharded() const { return memory_layout != TensorMemoryLayout::INTERLEAVED; }
    friend bool operator==(const MemoryConfig&, const MemoryConfig&) = default;

    /// TT-NN's text of it. A tensor's own config has the equivalent N-dimensional shard spec filled in
    /// (`of_tensor`), the config that a caller hands over has not.
    std::string to_string(bool of_tensor = false) const;
};

inline const MemoryConfig DRAM_MEMORY_CONFIG{TensorMemoryLayout::INTERLEAVED, BufferType::DRAM, std::nullopt};
inline const MemoryConfig L1_MEMORY_CONFIG{TensorMemoryLayout::INTERLEAVED, BufferType::L1, std::nullopt};
inline const MemoryConfig L1_SMALL_MEMORY_CONFIG{TensorMemoryLayout::INTERLEAVED, BufferType::L1_SMALL,
                                                 std::nullopt};

std::string_view name_of(record::MemoryType type);      ///< "L1_SMALL"
std::string_view name_of(record::BufferLayout layout);  ///< "HEIGHT_SHARDED"

}  // namespace tilemeter
