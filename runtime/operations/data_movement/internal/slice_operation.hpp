// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The device operations that cut tensors.

#pragma once

#include <optional>
#include <vector>

#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

class SliceOperation : public DeviceOperationWith<SliceOperation> {
public:
    using Index = std::vector<std::uint32_t>;
    static constexpr std::string_view kName = "SliceDeviceOperation";
    static constexpr std::string_view kAttributesName = "SliceParams";

    SliceOperation(Index begin, Index end, Index step, MemoryConfig memory_config,
                   OptionalCores sub_core_grids = std::nullopt)
        : begin_(std::move(begin)),
          end_(std::move(end)),
          step_(std::move(step)),
          memory_config_(std::move(memory_config)),
          sub_core_grids_(std::move(sub_core_grids)) {}
    auto attributes() const {
        return std::make_tuple(Shape(begin_), Shape(end_), Shape(step_), memory_config_, sub_core_grids_);
    }
    /// The same for an output that the caller gives: refused unless it has the part's padded shape.
    SliceOperation into(const TensorSpec& output) const;

    void validate(std::span<const TensorSpec> inputs) const;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const;

private:
    Index begin_;
    Index end_;
    Index step_;
    MemoryConfig memory_config_;
    OptionalCores sub_core_grids_;
    std::optional<Shape> given_output_;  ///< its padded shape
};

/// Equal parts of whole tiles along the last dimension, all at once. Four dimensions.
class SplitOperation : public DeviceOperationWith<SplitOperation> {
public:
    static constexpr std::string_view kName = "SplitDeviceOperation";
    static constexpr std::string_view kAttributesName = "SplitParams";

    SplitOperation(std::uint32_t parts, MemoryConfig memory_config)
        : parts_(parts), memory_config_(std::move(memory_config)) {}
    auto attributes() const {
        constexpr int kDim = 3;
        return std::make_tuple(parts_, kDim, memory_config_);
    }

    void validate(std::span<const TensorSpec> inputs) const;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const;

private:
    std::uint32_t parts_;
    MemoryConfig memory_config_;
};

}  // namespace tilemeter
