// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The device operation that moves data from one shape to another.

#pragma once

#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

/// ROW_MAJOR: two dimensions to two; TILE: three to three. Interleaved.
struct ReshapeView {
    static constexpr std::string_view kName = "ReshapeViewDeviceOperation";
    static constexpr std::string_view kAttributesName = "ReshapeViewParams";

    Shape shape;
    MemoryConfig memory_config;
    OptionalCores sub_core_grids{};

    auto attributes() const { return std::make_tuple(shape, shape, memory_config, false, sub_core_grids); }

    void validate(SpecsView inputs) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;
};

}  // namespace tilemeter
