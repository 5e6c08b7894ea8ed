// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The device operation of a convolution. Inputs: the halo of the activations (halo.hpp); the weights as a
// matrix [1, 1, kernel height * kernel width * channels, output channels], TILE, rows in that order, padded
// as each core reads them; the bias [1, 1, 1, output channels], if any.

#pragma once

#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/sliding_window/internal/conv2d_program.hpp"
#include "runtime/operations/sliding_window/internal/sliding_window.hpp"

namespace tilemeter {

/// What a convolution is told, beside its tensors.
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
};

class Conv2dDeviceOperation : public DeviceOperationWith<Conv2dDeviceOperation> {
public:
    static constexpr std::string_view kName = "Conv2dDeviceOperation";
    static constexpr std::string_view kAttributesName = "Conv2dParams";

    explicit Conv2dDeviceOperation(Conv2dRequest request) : request_(std::move(request)) {}
    auto attributes() const {
        return std::make_tuple(request_.window, request_.output_channels, request_.groups,
                               request_.config.output_layout == Layout::ROW_MAJOR, activation_text(),
                               request_.blocks.act_block_h, request_.blocks.act_block_w,
                               request_.blocks.out_block_h, request_.blocks.out_block_w, request_.output,
                               request_.output_dtype, attribute_text(request_.compute),
                               request_.config.enable_act_double_buffer,
                               request_.config.enable_weights_double_buffer, request_.config.full_inner_dim,
                               request_.config.enable_activation_reuse, force_split_reader_text(),
                               request_.config.config_tensors_in_dram);
    }

    void validate(std::span<const TensorSpec> inputs) const;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const;

private:
    std::string activation_text() const;
    std::string force_split_reader_text() const;

    Conv2dRequest request_;
};

}  // namespace tilemeter
