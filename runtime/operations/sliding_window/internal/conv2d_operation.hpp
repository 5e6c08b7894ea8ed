// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The device operation of a convolution. Inputs: the halo of the activations (halo.hpp). The weights as a matrix [1, 1,
// kernel height * kernel width * channels, output channels], TILE, rows in that order, padded as each core reads them.
// The bias [1, 1, 1, output channels], if any.

#pragma once

#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/sliding_window/internal/conv2d_program.hpp"
#include "runtime/operations/sliding_window/internal/sliding_window.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"

namespace tilemeter {

/// The parameters of a convolution, beside its tensors.
struct Conv2dRequest {
    SlidingWindow window;
    std::uint32_t input_channels = 1;
    std::uint32_t output_channels = 1;
    std::uint32_t groups = 1;
    std::uint32_t input_channels_padded = 1;
    Conv2dBlocks blocks;
    MemoryConfig output;
    DataType output_dtype = DataType::BFLOAT16;
    Conv2dConfig config;
    DeviceComputeKernelConfig compute;

    bool depthwise_row(bool has_bias) const {
        return is_depthwise_row(
            {groups, input_channels, output_channels, window.kernel_height, window.height, has_bias});
    }
};

struct Conv2dDeviceOperation {
    static constexpr std::string_view kName = "Conv2dDeviceOperation";
    static constexpr std::string_view kAttributesName = "Conv2dParams";

    Conv2dRequest request;

    auto attributes() const {
        return std::make_tuple(
            request.window, request.output_channels, request.groups,
            request.config.output_layout == Layout::ROW_MAJOR, activation_text(), request.blocks.act_block_h,
            request.blocks.act_block_w, request.blocks.out_block_h, request.blocks.out_block_w,
            request.output, request.output_dtype, attribute_text(request.compute),
            request.config.enable_act_double_buffer, request.config.enable_weights_double_buffer,
            request.config.full_inner_dim, request.config.enable_activation_reuse, force_split_reader_text(),
            request.config.config_tensors_in_dram);
    }

    void validate(SpecsView inputs) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;

private:
    std::string activation_text() const;
    std::string force_split_reader_text() const;
};

}  // namespace tilemeter
