// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The device operation that writes into the padding of tiles.
//
// Thread safety: const calls may run at the same time.

#pragma once

#include <utility>

#include "runtime/operations/core/device_operation.hpp"

namespace tilemeter {

/// Writes a value into the padding of tiles, in place. Host values have no padding: nothing changes here.
class FillPadDeviceOperation : public DeviceOperationWith<FillPadDeviceOperation> {
public:
    static constexpr std::string_view kName = "FillPadDeviceOperation";
    static constexpr std::string_view kAttributesName = "FillPadParams";

    FillPadDeviceOperation(float value, MemoryConfig memory_config)
        : value_(value), memory_config_(std::move(memory_config)) {}

    auto attributes() const { return std::make_tuple(value_, memory_config_); }

    void validate(std::span<const TensorSpec> inputs) const;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const;

private:
    float value_;
    MemoryConfig memory_config_;
};

}  // namespace tilemeter
