// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The device operation that joins tensors.

#pragma once

#include <optional>

#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

class ConcatOperation : public DeviceOperationWith<ConcatOperation> {
public:
    static constexpr std::string_view kName = "ConcatDeviceOperation";
    static constexpr std::string_view kAttributesName = "ConcatParams";

    ConcatOperation(std::size_t dim, MemoryConfig memory_config, OptionalCores sub_core_grids = std::nullopt)
        : dim_(dim), memory_config_(std::move(memory_config)), sub_core_grids_(std::move(sub_core_grids)) {}
    auto attributes() const {
        constexpr int kGroups = 1;
        return std::make_tuple(dim_, kGroups, memory_config_, sub_core_grids_);
    }

    /// Whether tiles that are not full can be joined along the last dimension as they are.
    static bool joins_partial_tiles(std::span<const TensorSpec> inputs, std::size_t dim);

    void validate(std::span<const TensorSpec> inputs) const;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const;

private:
    CoreRangeSet cores_for(std::uint64_t pages, const DeviceDescription& device) const;

    std::size_t dim_;
    MemoryConfig memory_config_;
    OptionalCores sub_core_grids_;
};

}  // namespace tilemeter
