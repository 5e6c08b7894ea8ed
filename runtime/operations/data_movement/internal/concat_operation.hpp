// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The device operation that joins tensors.

#pragma once

#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

struct ConcatOperation {
    static constexpr std::string_view kName = "ConcatDeviceOperation";
    static constexpr std::string_view kAttributesName = "ConcatParams";

    std::size_t dim;
    MemoryConfig memory_config;
    OptionalCores sub_core_grids{};

    auto attributes() const {
        constexpr int kGroups = 1;
        return std::make_tuple(dim, kGroups, memory_config, sub_core_grids);
    }

    /// Whether tiles that are not full can be joined along the last dimension as they are.
    static bool joins_partial_tiles(SpecsView inputs, std::size_t dim);

    void validate(SpecsView inputs) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;

private:
    CoreRangeSet cores_for(std::uint64_t pages, const DeviceDescription& device) const;
};

}  // namespace tilemeter
