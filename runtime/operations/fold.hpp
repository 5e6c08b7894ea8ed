// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Blocks of neighbouring pixels become channels of one pixel:
//
//     [batch, height, width, C] -> [batch, height / stride_h, width / stride_w, stride_h * stride_w * C]
//
// channels in order of row, column, channel; the result is ROW_MAJOR, bfloat16 for block formats. REQUIRES,
// checked: the strides divide height and width; the input is interleaved, in TILE only where a pixel's
// channels are whole 16 bytes.

#pragma once

#include "runtime/operations/device_operation.hpp"

namespace tilemeter {

class Fold : public DeviceOperationWith<Fold> {
public:
    static constexpr std::string_view kName = "Fold";
    static constexpr std::string_view kAttributesName = "operation_attributes_t";

    Fold(std::uint32_t stride_h, std::uint32_t stride_w) : stride_h_(stride_h), stride_w_(stride_w) {}
    auto attributes() const { return std::make_tuple(stride_h_, stride_w_, false); }

    /// Whether such an input is folded as it is; else it has to become interleaved rows first.
    static bool takes(const TensorSpec& input);

    void validate(std::span<const TensorSpec> inputs) const override;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const override;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const override;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const override;

private:
    std::uint32_t stride_h_;
    std::uint32_t stride_w_;
};

}  // namespace tilemeter
