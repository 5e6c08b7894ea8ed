// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The device operation that writes into the padding of tiles.
//
// Thread safety: const calls may run at the same time.

#pragma once

#include "runtime/operations/core/device_operation.hpp"

namespace tilemeter {

/// Writes a value into the padding of tiles, in place. Host values have no padding: nothing changes here.
struct FillPadDeviceOperation {
    static constexpr bool kTakesNdShards = true;  // to refuse them in TT-NN's words
    static constexpr std::string_view kName = "FillPadDeviceOperation";
    static constexpr std::string_view kAttributesName = "FillPadParams";

    float value;
    MemoryConfig memory_config;

    auto attributes() const { return std::make_tuple(value, memory_config); }

    void validate(SpecsView inputs) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;
};

}  // namespace tilemeter
