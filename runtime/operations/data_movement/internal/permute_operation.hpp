// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The device operation that puts dimensions into any order.

#pragma once

#include <vector>

#include "runtime/operations/core/device_operation.hpp"

namespace tilemeter {

class PermuteOperation : public DeviceOperationWith<PermuteOperation> {
public:
    static constexpr std::string_view kName = "PermuteDeviceOperation";
    static constexpr std::string_view kAttributesName = "operation_attributes_t";

    PermuteOperation(std::vector<std::uint32_t> dims, MemoryConfig memory_config, float pad_value)
        : dims_(std::move(dims)), memory_config_(std::move(memory_config)), pad_value_(pad_value) {}
    auto attributes() const { return std::make_tuple(dims_, memory_config_, pad_value_); }

    void validate(std::span<const TensorSpec> inputs) const;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const;

private:
    std::vector<std::uint32_t> dims_;
    MemoryConfig memory_config_;
    float pad_value_;
};

}  // namespace tilemeter
