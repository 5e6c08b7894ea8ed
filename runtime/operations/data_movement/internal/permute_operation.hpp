// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The device operation that puts dimensions into any order.

#pragma once

#include <vector>

#include "runtime/operations/core/device_operation.hpp"

namespace tilemeter {

struct PermuteOperation {
    static constexpr bool kTakesNdShards = true;
    static constexpr std::string_view kName = "PermuteDeviceOperation";

    std::vector<std::uint32_t> dims;
    MemoryConfig memory_config;
    float pad_value;

    auto attributes() const { return std::make_tuple(dims, memory_config, pad_value); }

    void validate(SpecsView inputs) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;
};

}  // namespace tilemeter
