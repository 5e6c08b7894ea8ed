// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The device operation that joins tensors along a dimension, interleaved or in shards.

#pragma once

#include <cstdint>
#include <tuple>

#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

/// Columns of tiles of all inputs.
std::uint64_t columns_of(SpecsView inputs);

/// `groups`: of two tensors in shards the parts of each are joined group by group.
struct ConcatOperation {
    static constexpr std::string_view kName = "ConcatDeviceOperation";
    static constexpr std::string_view kAttributesName = "ConcatParams";

    std::size_t dim;
    MemoryConfig memory_config;
    OptionalCores sub_core_grids{};
    std::uint32_t groups = 1;

    auto attributes() const { return std::tie(dim, groups, memory_config, sub_core_grids); }

    /// True if tiles that are not full can be joined along the last dimension as they are.
    static bool joins_partial_tiles(SpecsView inputs, std::size_t dim);

    void validate(SpecsView inputs) const;
    void validate_program(SpecsView inputs, const DeviceDescription& device) const;
    /// TT-NN makes the result of shards before it looks at them.
    TensorSpecs outputs_when_refused(SpecsView inputs, const DeviceDescription& device) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;

private:
    /// The bytes of a row of the result in L1.
    static std::uint64_t place_of_row(const TensorSpec& input, const TensorSpec& output,
                                      const DeviceDescription& device);
    bool joins_two_in_shards(SpecsView inputs) const;
    void validate_shards(SpecsView inputs) const;
    static void require_aligned_places(SpecsView inputs);
    CoreRangeSet cores_for(std::uint64_t pages, const DeviceDescription& device) const;
};

}  // namespace tilemeter
