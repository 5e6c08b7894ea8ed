// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The device operations that cut tensors.

#pragma once

#include <optional>
#include <vector>

#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

struct SliceOperation {
    static constexpr bool kTakesNdShards = true;
    using Index = std::vector<std::uint32_t>;
    static constexpr std::string_view kName = "SliceDeviceOperation";
    static constexpr std::string_view kAttributesName = "SliceParams";

    Index begin;
    Index end;
    Index step;
    MemoryConfig memory_config;
    OptionalCores sub_core_grids{};
    std::optional<Shape> given_output{};  ///< its padded shape

    auto attributes() const {
        return std::make_tuple(Shape(begin), Shape(end), Shape(step), memory_config, sub_core_grids);
    }
    /// One program serves all parts that end in the same tiles.
    void append_program_key(ProgramKey& key, const KeyedCall& call) const;
    /// The same for an output that the caller gives: refused unless it has the part's padded shape.
    SliceOperation into(const TensorSpec& output) const;

    void validate(SpecsView inputs) const;
    void validate_program(SpecsView inputs, const DeviceDescription& device) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device,
                     std::uint64_t free_l1_bytes) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;
};

/// Equal parts of whole tiles along the last dimension, all at once. Four dimensions.
struct SplitOperation {
    static constexpr bool kTakesNdShards = true;
    static constexpr std::string_view kName = "SplitDeviceOperation";
    static constexpr std::string_view kAttributesName = "SplitParams";

    std::uint32_t parts;
    MemoryConfig memory_config;

    auto attributes() const {
        constexpr int kDim = 3;
        return std::make_tuple(parts, kDim, memory_config);
    }

    void validate(SpecsView inputs) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;
};

}  // namespace tilemeter
