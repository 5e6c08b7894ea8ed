// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The device operation that exchanges two neighbouring dimensions of four.

#pragma once

#include <array>
#include <cstdint>

#include "runtime/operations/core/device_operation.hpp"

namespace tilemeter {

/// Two of the dimensions N, C, H, W. Only these have programs; others are permutations.
enum class TransposeOpDim : std::uint8_t { WH, HC, CN };

/// The dimensions of the input, in the order of the result's.
std::array<std::uint32_t, 4> order_of(TransposeOpDim dim);

struct TransposeOperation {
    static constexpr bool kTakesNdShards = true;
    static constexpr std::string_view kName = "TransposeDeviceOperation";
    static constexpr std::string_view kAttributesName = "TransposeParams";

    TransposeOpDim dim;
    MemoryConfig memory_config;
    float pad_value;

    auto attributes() const { return std::make_tuple(dim_name(), memory_config, pad_value); }

    void validate(SpecsView inputs) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;

private:
    std::string_view dim_name() const;
};

}  // namespace tilemeter
