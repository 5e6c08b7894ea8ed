// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// to_memory_config, interleaved_to_sharded, sharded_to_interleaved, reshard: the same values in another place,
// interleaved over all banks or in shards on chosen cores.
//
// Any shape, dtype and layout that the shard spec fits. dtype of the result: that of the input unless given.

#pragma once

#include <cstdint>
#include <tuple>
#include <variant>
#include <vector>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct InterleavedToSharded {
    Tensor input_tensor{};
    MemoryConfig sharded_memory_config{};
    OptionalDataType output_dtype{};
    bool keep_l1_aligned = false;  ///< has no effect
    OptionalTensor preallocated_output{};

    static constexpr OperationInfo kOperation{"interleaved_to_sharded", "Spread over cores in shards.",
                                              "identity"};
    static constexpr auto kParameters = parameters(
        required<&InterleavedToSharded::input_tensor, &InterleavedToSharded::sharded_memory_config>(),
        optional<&InterleavedToSharded::output_dtype>(),
        unrecorded_keyword<&InterleavedToSharded::keep_l1_aligned>(),
        unrecorded_keyword<&InterleavedToSharded::preallocated_output>().output());

    /// Throws RuntimeError (a memory config of the wrong kind, shards that don't hold the tensor),
    /// OutOfMemoryError.
    Tensor body() const;
};

/// With what the memory config is made of; the shards lie in L1.
struct InterleavedToShardsOfShape {
    Tensor input_tensor{};
    std::variant<CoreCoord, CoreRangeSet> grid{};
    std::vector<std::uint32_t> shard_shape{};
    TensorMemoryLayout::Value shard_scheme = TensorMemoryLayout::HEIGHT_SHARDED;
    ShardOrientation shard_orientation = ShardOrientation::ROW_MAJOR;
    OptionalDataType output_dtype{};
    bool keep_l1_aligned = false;

    static constexpr OperationInfo kOperation{"interleaved_to_sharded",
                                              "Spread over cores in shards of a given shape.", "identity"};
    static constexpr auto kParameters = parameters(
        required<&InterleavedToShardsOfShape::input_tensor, &InterleavedToShardsOfShape::grid,
                 &InterleavedToShardsOfShape::shard_shape, &InterleavedToShardsOfShape::shard_scheme,
                 &InterleavedToShardsOfShape::shard_orientation>(),
        optional<&InterleavedToShardsOfShape::output_dtype>(),
        keyword<&InterleavedToShardsOfShape::keep_l1_aligned>());

    /// Throws std::invalid_argument (shard_shape), and as InterleavedToSharded.
    Tensor call() const;
};

inline constexpr Operation<InterleavedToSharded> interleaved_to_sharded;

struct ShardedToInterleaved {
    Tensor input_tensor{};
    OptionalMemoryConfig memory_config{};  ///< none: DRAM
    OptionalDataType output_dtype{};

    static constexpr OperationInfo kOperation{"sharded_to_interleaved",
                                              "Spread over all banks; DRAM unless given.", "identity"};
    static constexpr auto kParameters =
        parameters(required<&ShardedToInterleaved::input_tensor>(),
                   optional<&ShardedToInterleaved::memory_config, &ShardedToInterleaved::output_dtype>());

    const MemoryConfig& place() const { return memory_config ? *memory_config : DRAM_MEMORY_CONFIG; }
    auto recorded() const { return std::tie(input_tensor, place(), output_dtype); }
    Tensor body() const;
};

inline constexpr Operation<ShardedToInterleaved> sharded_to_interleaved;

struct Reshard {
    Tensor input_tensor{};
    MemoryConfig output_memory_config{};
    OptionalTensor output_tensor{};

    static constexpr OperationInfo kOperation{"reshard", "Other shards; in output_tensor, if given.",
                                              "identity"};
    static constexpr auto kParameters =
        parameters(required<&Reshard::input_tensor, &Reshard::output_memory_config>(),
                   optional<&Reshard::output_tensor>().output());
    Tensor body() const;
};

inline constexpr Operation<Reshard> reshard;

struct ToMemoryConfig {
    Tensor tensor{};
    MemoryConfig memory_config{};  ///< not looked at with an output_tensor
    OptionalDataType dtype{};
    OptionalTensor output_tensor{};  ///< of equal shape and layout

    static constexpr OperationInfo kOperation{
        "to_memory_config",
        "The same values in another place: interleaved or sharded. The input itself where it lies so already. "
        "With output_tensor: in its memory and dtype.",
        "identity"};
    static constexpr auto kParameters =
        parameters(required<&ToMemoryConfig::tensor, &ToMemoryConfig::memory_config>(),
                   optional<&ToMemoryConfig::dtype>(), optional<&ToMemoryConfig::output_tensor>().output());

    std::variant<std::tuple<const Tensor&, const MemoryConfig&, const OptionalDataType&>,
                 std::tuple<const Tensor&, const Tensor&>>
    recorded() const;
    Tensor body() const;
};

inline constexpr Operation<ToMemoryConfig> to_memory_config;

namespace unscoped {
Tensor interleaved_to_sharded(const Tensor& input, const MemoryConfig& memory_config,
                              const OptionalDataType& dtype = std::nullopt);
Tensor sharded_to_interleaved(const Tensor& input, const MemoryConfig& memory_config = DRAM_MEMORY_CONFIG,
                              const OptionalDataType& dtype = std::nullopt);
Tensor to_memory_config(const Tensor& input, const MemoryConfig& memory_config,
                        const OptionalDataType& dtype = std::nullopt);
/// Into a tensor in shards that is there. Returns it.
Tensor to_shards_of(const Tensor& input, const Tensor& output);
}  // namespace unscoped

}  // namespace tilemeter
