// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Blocks of neighbouring pixels become channels of one pixel:
//
//     [batch, height, width, C] -> [batch, height / stride_h, width / stride_w, stride_h * stride_w * C]
//
// channels in order of row, column, channel; the result is ROW_MAJOR, bfloat16 for block formats. fold() is
// TT-NN's, with its arguments and defaults; throws RuntimeError where the strides do not divide the padded
// height and width, or the input lies in other shards than ROW_MAJOR HEIGHT shards without padding.

#pragma once

#include "runtime/operations/core/device_operation.hpp"

namespace tilemeter {

/// REQUIRES, checked: the strides divide height and width; the input is interleaved, in TILE only where a
/// pixel's channels are whole 16 bytes, or in ROW_MAJOR HEIGHT shards, each of whole rows of blocks.
class FoldDeviceOperation : public DeviceOperationWith<FoldDeviceOperation> {
public:
    static constexpr std::string_view kName = "Fold";
    static constexpr std::string_view kAttributesName = "operation_attributes_t";

    /// `collapsed`: the result is [1, 1, batch * height / stride_h * width / stride_w, channels].
    FoldDeviceOperation(std::uint32_t stride_h, std::uint32_t stride_w, bool collapsed = false)
        : stride_h_(stride_h), stride_w_(stride_w), collapsed_(collapsed) {}
    auto attributes() const { return std::make_tuple(stride_h_, stride_w_, collapsed_); }

    /// Whether such an interleaved input is folded as it is; else it has to become rows first.
    static bool takes(const TensorSpec& input);
    /// Whether ROW_MAJOR HEIGHT shards have whole rows of blocks.
    static bool takes_shards(const TensorSpec& input, std::uint32_t stride_h);

    void validate(std::span<const TensorSpec> inputs) const;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const;

private:
    std::uint32_t stride_h_;
    std::uint32_t stride_w_;
    bool collapsed_;
};

}  // namespace tilemeter
