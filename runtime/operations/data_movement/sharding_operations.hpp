// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The device operations that move tensors into, out of and between shards.

#pragma once

#include "runtime/operations/core/device_operation.hpp"

namespace tilemeter {

class InterleavedToShardedOperation : public DeviceOperationWith<InterleavedToShardedOperation> {
public:
    static constexpr std::string_view kName = "InterleavedToShardedDeviceOperation";
    static constexpr std::string_view kAttributesName = "InterleavedToShardedParams";

    InterleavedToShardedOperation(MemoryConfig memory_config, DataType dtype)
        : memory_config_(std::move(memory_config)), dtype_(dtype) {}
    auto attributes() const { return std::make_tuple(memory_config_, dtype_, false); }

    void validate(std::span<const TensorSpec> inputs) const;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const;

private:
    MemoryConfig memory_config_;
    DataType dtype_;
};

class ShardedToInterleavedOperation : public DeviceOperationWith<ShardedToInterleavedOperation> {
public:
    static constexpr std::string_view kName = "ShardedToInterleavedDeviceOperation";
    static constexpr std::string_view kAttributesName = "ShardedToInterleavedParams";

    ShardedToInterleavedOperation(MemoryConfig memory_config, DataType dtype)
        : memory_config_(std::move(memory_config)), dtype_(dtype) {}
    auto attributes() const { return std::make_tuple(memory_config_, dtype_, 1, false); }

    void validate(std::span<const TensorSpec> inputs) const;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const;

private:
    MemoryConfig memory_config_;
    DataType dtype_;
};

class ReshardOperation : public DeviceOperationWith<ReshardOperation> {
public:
    static constexpr std::string_view kName = "ReshardDeviceOperation";
    static constexpr std::string_view kAttributesName = "ReshardParams";

    explicit ReshardOperation(MemoryConfig memory_config) : memory_config_(std::move(memory_config)) {}
    auto attributes() const { return std::make_tuple(memory_config_); }

    void validate(std::span<const TensorSpec> inputs) const;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const;

private:
    MemoryConfig memory_config_;
};

}  // namespace tilemeter
