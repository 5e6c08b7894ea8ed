// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The device operation that moves data from one shape to another.

#pragma once

#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

/// ROW_MAJOR: two dimensions to two; TILE: three to three. Interleaved.
class ReshapeView : public DeviceOperationWith<ReshapeView> {
public:
    static constexpr std::string_view kName = "ReshapeViewDeviceOperation";
    static constexpr std::string_view kAttributesName = "ReshapeViewParams";

    ReshapeView(const Shape& shape, MemoryConfig memory_config, OptionalCores sub_core_grids = std::nullopt)
        : shape_(shape),
          memory_config_(std::move(memory_config)),
          sub_core_grids_(std::move(sub_core_grids)) {}

    auto attributes() const {
        return std::make_tuple(shape_, shape_, memory_config_, false, sub_core_grids_);
    }

    void validate(std::span<const TensorSpec> inputs) const;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const;

private:
    Shape shape_;
    MemoryConfig memory_config_;
    OptionalCores sub_core_grids_;
};

}  // namespace tilemeter
