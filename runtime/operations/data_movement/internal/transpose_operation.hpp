// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The device operation that exchanges two neighbouring dimensions of four.

#pragma once

#include "runtime/operations/core/device_operation.hpp"

namespace tilemeter {

/// Which of the dimensions N, C, H, W. Only these have programs; others are permutations.
enum class TransposeOpDim : std::uint8_t { WH, HC, CN };

class TransposeOperation : public DeviceOperationWith<TransposeOperation> {
public:
    static constexpr std::string_view kName = "TransposeDeviceOperation";
    static constexpr std::string_view kAttributesName = "TransposeParams";

    TransposeOperation(TransposeOpDim dim, MemoryConfig memory_config, float pad_value)
        : dim_(dim), memory_config_(std::move(memory_config)), pad_value_(pad_value) {}
    auto attributes() const { return std::make_tuple(dim_name(), memory_config_, pad_value_); }

    void validate(std::span<const TensorSpec> inputs) const;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const;

private:
    std::string_view dim_name() const;

    TransposeOpDim dim_;
    MemoryConfig memory_config_;
    float pad_value_;
};

}  // namespace tilemeter
