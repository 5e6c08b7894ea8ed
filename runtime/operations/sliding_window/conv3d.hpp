// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// experimental.conv3d, experimental.prepare_conv3d_weights: convolutions of volumes.
//
// Volumes [batch, frames, height, width, channels], ROW_MAJOR, BFLOAT16 or FLOAT32. Weights and bias as a preparation
// returns them, tiled and of the same dtype, or weights on the host. Refused: halos between chips, masks of logical
// sizes, padded results, split operands.
//
// Throws RuntimeError, OutOfMemoryError.

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/sliding_window/conv3d_config.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"

namespace tilemeter::experimental {

struct PrepareConv3dWeights {
    Tensor weight_tensor{};
    std::uint32_t groups = 1;
    std::uint32_t C_in_block = 0;  ///< channels of a block; 0: as few as fill tiles
    std::uint32_t alignment = 32;  ///< of the input channels
    std::shared_ptr<Device> device{};

    static constexpr OperationInfo kOperation{
        "experimental.prepare_conv3d_weights",
        "Weights [out_channels, in_channels / groups, frames, height, width] on the host as rows on the device: [blocks "
        "of channels * frames * height * width * channels of a block, out_channels], ROW_MAJOR."};
    static constexpr auto kParameters =
        parameters(required_keyword<&PrepareConv3dWeights::weight_tensor>(),
                   keyword<&PrepareConv3dWeights::groups, &PrepareConv3dWeights::C_in_block,
                           &PrepareConv3dWeights::alignment, &PrepareConv3dWeights::device>());
    auto recorded() const { return std::tie(weight_tensor); }
    Tensor body() const;
};
inline constexpr Operation<PrepareConv3dWeights> prepare_conv3d_weights;

struct Conv3d {
    using Three = std::array<std::uint32_t, 3>;

    Tensor input_tensor{};
    Tensor weight_tensor{};
    std::shared_ptr<Device> device{};  ///< needed for weights on the host
    OptionalTensor bias_tensor{};
    std::optional<Conv3dConfig> config{};  ///< none: blocks of one place and 32 channels, on the whole grid
    DataType dtype = DataType::BFLOAT16;
    std::uint32_t output_channels = 1;
    Three kernel_size{1, 1, 1};
    Three stride{1, 1, 1};
    Three padding{0, 0, 0};
    Three dilation{1, 1, 1};
    std::string padding_mode = "zeros";  ///< or "replicate"
    std::uint32_t groups = 1;
    OptionalMemoryConfig memory_config{};  ///< none: interleaved in DRAM
    std::optional<DeviceComputeKernelConfig> compute_kernel_config{};
    NotModelled halo_buffer{};
    std::uint32_t logical_h_mask = 0;  ///< others are refused, here and below
    std::uint32_t logical_w_mask = 0;
    NotModelled pad_offset_tensor{};
    std::uint32_t output_pad_h = 0;
    std::uint32_t output_pad_w = 0;
    NotModelled weight_lo_tensor{};

    static constexpr OperationInfo kOperation{
        "experimental.conv3d",
        "Convolution of volumes [batch, frames, height, width, channels], ROW_MAJOR, with prepared weights and a bias "
        "[1, out_channels]: [batch, frames, height, width, out_channels], ROW_MAJOR."};
    static constexpr auto kParameters = parameters(
        required_keyword<&Conv3d::input_tensor, &Conv3d::weight_tensor>(),
        keyword<&Conv3d::device, &Conv3d::bias_tensor, &Conv3d::config>(),
        required_keyword<&Conv3d::dtype, &Conv3d::output_channels, &Conv3d::kernel_size>(),
        keyword<&Conv3d::stride, &Conv3d::padding, &Conv3d::dilation, &Conv3d::padding_mode, &Conv3d::groups,
                &Conv3d::memory_config, &Conv3d::compute_kernel_config, &Conv3d::halo_buffer,
                &Conv3d::logical_h_mask, &Conv3d::logical_w_mask, &Conv3d::pad_offset_tensor,
                &Conv3d::output_pad_h, &Conv3d::output_pad_w, &Conv3d::weight_lo_tensor>());
    auto recorded() const { return std::tie(input_tensor, weight_tensor, bias_tensor); }
    Tensor body() const;
};
inline constexpr Operation<Conv3d> conv3d;

}  // namespace tilemeter::experimental
