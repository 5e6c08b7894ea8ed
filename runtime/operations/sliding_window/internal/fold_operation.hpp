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
struct FoldDeviceOperation {
    static constexpr std::string_view kName = "Fold";

    /// `collapsed`: the result is [1, 1, batch * height / stride_h * width / stride_w, channels].
    std::uint32_t stride_h;
    std::uint32_t stride_w;
    bool collapsed = false;

    auto attributes() const { return std::make_tuple(stride_h, stride_w, collapsed); }

    /// True if such an interleaved input is folded as it is; else it has to become rows first: tiles of channels that
    /// fill no whole transfers, or of which a row of blocks takes too much of a core's L1.
    bool takes(const TensorSpec& input, const DeviceDescription& device) const;
    /// True if ROW_MAJOR HEIGHT shards have whole rows of blocks.
    static bool takes_shards(const TensorSpec& input, std::uint32_t stride_h);

    void validate(SpecsView inputs, const DeviceDescription& device) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;
};

/// HEIGHT shards that have whole rows of blocks: one core for each row, or as many rows for each.
/// REQUIRES: images in HEIGHT shards, whose height `stride_h` divides.
MemoryConfig shards_of_blocks(const TensorSpec& images, std::uint32_t stride_h, CoreCoord grid);

}  // namespace tilemeter
