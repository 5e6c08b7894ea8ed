// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The device operations that move tensors into, out of and between shards.

#pragma once

#include <string>

#include "runtime/operations/core/device_operation.hpp"

namespace tilemeter {

struct InterleavedToShardedOperation {
    static constexpr std::string_view kName = "InterleavedToShardedDeviceOperation";
    static constexpr std::string_view kAttributesName = "InterleavedToShardedParams";

    MemoryConfig memory_config;
    DataType dtype;

    auto attributes() const { return std::make_tuple(memory_config, dtype, false); }

    void validate(SpecsView inputs, const DeviceDescription& device) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;
};

struct ShardedToInterleavedOperation {
    static constexpr std::string_view kName = "ShardedToInterleavedDeviceOperation";
    static constexpr std::string_view kAttributesName = "ShardedToInterleavedParams";

    MemoryConfig memory_config;
    DataType dtype;

    auto attributes() const { return std::make_tuple(memory_config, dtype, 1, false); }

    void validate(SpecsView inputs, const DeviceDescription& device) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;
};

/// Columns of a shard, of any number of dimensions; 0 where it is not said.
std::uint32_t shard_width(const MemoryConfig& config);

struct ReshardOperation {
    static constexpr bool kTakesNdShards = true;
    static constexpr std::string_view kName = "ReshardDeviceOperation";
    static constexpr std::string_view kAttributesName = "ReshardParams";

    MemoryConfig memory_config;

    auto attributes() const { return std::make_tuple(memory_config); }

    void validate(SpecsView inputs, const DeviceDescription& device) const;
    /// Why shards of this input can't become those of memory_config in one step; empty where they can.
    std::string refusal(const TensorSpec& input, const DeviceDescription& device) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;
};

}  // namespace tilemeter
