// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Steps of convolutions: weights and biases as their programs read them, sizes of transposed ones, where they run.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "tilemeter_ttnn/configs.hpp"
#include "tilemeter_ttnn/sliding_window.hpp"
#include "tilemeter_ttnn/tensor.hpp"

namespace ttnn::operations::conv::conv2d {

// These take weights [outputs, inputs, height, width] in ROW_MAJOR on the host, and give the matrix [1, 1, rows, outputs] in
// tiles: rows by kernel row, kernel column, input. Zeros fill it up. They throw std::runtime_error for types other than
// BFLOAT16, FLOAT32 and UINT32.
Tensor convert_conv_weight_tensor_to_interleaved_mm_layout(
    const Tensor& conv_weight_tensor, std::optional<DataType> output_dtype = std::nullopt);
/// Blocks count tiles: rows and columns are filled up to whole blocks.
Tensor convert_conv_weight_tensor_to_tiled_layout(const Tensor& conv_weight_tensor, std::uint32_t in1_block_h,
                                                  std::uint32_t in1_block_w,
                                                  std::optional<DataType> output_dtype = std::nullopt);
/// Each shard's inputs as rows of their own; without `full_inner_dim` each of its kernel rows is filled up.
Tensor convert_conv_weight_tensor_to_tiled_layout_block_sharded(
    const Tensor& conv_weight_tensor, std::uint32_t in_num_channel_shards,
    std::uint32_t out_num_channel_shards, bool full_inner_dim,
    std::optional<DataType> output_dtype = std::nullopt);
/// A block for each kernel row; with `enable_activation_reuse` one for all.
Tensor convert_conv_weight_tensor_to_special_padding_tiled_layout(
    const Tensor& conv_weight_tensor, std::uint32_t in1_block_h, std::uint32_t in1_block_w,
    bool enable_activation_reuse = false, std::optional<DataType> output_dtype = std::nullopt);
/// The same of a bias [1, 1, 1, outputs]: a row of tiles, each shard's outputs filled up.
Tensor convert_conv_bias_tensor_to_tiled_layout_block_sharded(
    const Tensor& conv_bias_tensor, std::uint32_t num_channel_shards,
    std::optional<DataType> output_dtype = std::nullopt);

// These give weights in ROW_MAJOR on the host; such of a device are brought there.
/// Each group's inputs among zeros for those of the others.
Tensor convert_conv_weight_tensor_to_grouped_layout(const Tensor& conv_weight_tensor,
                                                    std::uint32_t num_groups, DataType output_dtype);
/// The same of weights [inputs, outputs of a group, height, width].
Tensor convert_conv_weight_tensor_to_grouped_layout_for_conv_transpose2d(const Tensor& conv_weight_tensor,
                                                                         std::uint32_t num_groups,
                                                                         DataType output_dtype);
/// Each place of a filter as many times as a block of `act_block_h_ntiles` tiles has rows: [outputs, places * rows, 1, 1].
Tensor convert_conv_weight_tensor_to_depthwise_layout(const Tensor& conv_weight_tensor,
                                                      std::uint32_t act_block_h_ntiles,
                                                      DataType output_dtype);

/// True of a matrix in tiles with room for all outputs, and of the type that is expected, if one is.
bool is_valid_device_conv_weights(const Tensor& weight_tensor, std::uint32_t in_channels,
                                  std::uint32_t out_channels, const std::optional<DataType>& expected_dtype);
bool is_valid_device_conv_bias(const Tensor& bias_tensor, std::uint32_t out_channels,
                               const std::optional<DataType>& expected_dtype);
// These throw std::runtime_error for what is not as above.
void validate_host_conv_weights(const Tensor& weight_tensor);
void validate_host_conv_bias(const Tensor& bias_tensor);

struct Conv2dWeightsBiasPrepConfig {
    Conv2dWeightsBiasPrepConfig(std::uint32_t input_channels_alignment_,
                                std::optional<DataType> weights_bias_dtype_,
                                std::uint32_t weight_block_h_ntiles_, std::uint32_t weight_block_w_ntiles_,
                                std::optional<sliding_window::ParallelConfig> input_parallel_config_,
                                std::optional<sliding_window::ParallelConfig> output_parallel_config_,
                                std::uint32_t groups_, std::uint32_t act_block_h_ntiles_,
                                std::uint32_t input_height_, std::uint32_t input_width_,
                                bool interleaved_mm_conv_, std::uint32_t out_channels_,
                                bool has_bias_ = false, bool enable_kernel_stride_folding_ = false,
                                bool full_inner_dim_ = false, bool enable_activation_reuse_ = false,
                                bool coalesce_1d_depthwise_kw_reads_ = false,
                                std::array<std::uint32_t, 2> stride_ = {1, 1})
        : input_channels_alignment(input_channels_alignment_),
          weights_bias_dtype(weights_bias_dtype_),
          weight_block_h_ntiles(weight_block_h_ntiles_),
          weight_block_w_ntiles(weight_block_w_ntiles_),
          input_parallel_config(std::move(input_parallel_config_)),
          output_parallel_config(std::move(output_parallel_config_)),
          groups(groups_),
          act_block_h_ntiles(act_block_h_ntiles_),
          input_height(input_height_),
          input_width(input_width_),
          has_bias(has_bias_),
          enable_kernel_stride_folding(enable_kernel_stride_folding_),
          full_inner_dim(full_inner_dim_),
          enable_activation_reuse(enable_activation_reuse_),
          coalesce_1d_depthwise_kw_reads(coalesce_1d_depthwise_kw_reads_),
          stride(stride_),
          interleaved_mm_conv(interleaved_mm_conv_),
          out_channels(out_channels_) {}

    std::uint32_t input_channels_alignment;  ///< of a core's share
    std::optional<DataType> weights_bias_dtype;
    std::uint32_t weight_block_h_ntiles;
    std::uint32_t weight_block_w_ntiles;
    std::optional<sliding_window::ParallelConfig> input_parallel_config;
    std::optional<sliding_window::ParallelConfig> output_parallel_config;
    std::uint32_t groups;
    std::uint32_t act_block_h_ntiles;
    std::uint32_t input_height;
    std::uint32_t input_width;
    bool has_bias;
    bool enable_kernel_stride_folding;
    bool full_inner_dim;
    bool enable_activation_reuse;
    bool coalesce_1d_depthwise_kw_reads;
    std::array<std::uint32_t, 2> stride;
    bool interleaved_mm_conv;  ///< a product of the whole matrix at once
    std::uint32_t out_channels;
};

// These throw std::runtime_error for kernels folded by their strides, which the model prepares by prepare_conv_weights alone.
std::pair<Tensor, std::optional<Tensor>> prepare_conv_weights_biases_and_move_to_device(
    const Tensor& weight_tensor, const std::optional<const Tensor>& bias_tensor,
    Conv2dWeightsBiasPrepConfig& params, MeshDevice* device);
/// A bias of a device as it is.
std::optional<Tensor> prepare_conv_bias_internal(const std::optional<const Tensor>& bias_tensor,
                                                 std::uint32_t out_channels,
                                                 const Conv2dWeightsBiasPrepConfig& params,
                                                 DataType weight_dtype, MeshDevice* device);

}  // namespace ttnn::operations::conv::conv2d

namespace ttnn::operations::conv::conv_transpose2d {

enum class ConvT2dExecutionPath : std::uint8_t { L1, DRAM };

/// Sizes of a transposed convolution, and of the convolution by which it is made.
struct ConvTranspose2dDimensions {
    static constexpr std::array<std::uint32_t, 2> CONV2D_STRIDE{1, 1};
    static constexpr std::array<std::uint32_t, 4> CONV2D_PADDING{0, 0, 0, 0};

    std::uint32_t output_height = 0;
    std::uint32_t output_width = 0;
    std::uint32_t full_input_height = 0;  ///< with padding and with what lies between pixels
    std::uint32_t full_input_width = 0;
    std::uint32_t strided_input_height = 0;  ///< without padding
    std::uint32_t strided_input_width = 0;
    std::uint32_t input_pad_top = 0;
    std::uint32_t input_pad_bottom = 0;
    std::uint32_t input_pad_left = 0;
    std::uint32_t input_pad_right = 0;
};

ConvTranspose2dDimensions compute_conv_transpose2d_dimensions(
    std::uint32_t input_height, std::uint32_t input_width, std::array<std::uint32_t, 2> kernel_size,
    std::array<std::uint32_t, 2> stride,
    std::variant<std::array<std::uint32_t, 2>, std::array<std::uint32_t, 4>> padding,
    std::array<std::uint32_t, 2> output_padding, std::array<std::uint32_t, 2> dilation);

/// L1 where it is asked for, for one slice, and for what lies there already; else DRAM.
ConvT2dExecutionPath determine_conv_transpose2d_execution_path(
    const StorageType& storage_type, const MemoryConfig& memory_config,
    const std::optional<const op_slicing::Op2DSliceConfig>& slice_config);
ConvT2dExecutionPath determine_conv_transpose2d_execution_path(
    const Tensor& input_tensor, const std::optional<const op_slicing::Op2DSliceConfig>& slice_config);

/// Weights [inputs, outputs, height, width] as those of the convolution [outputs, inputs, height, width], on the host. Throws
/// std::runtime_error for types other than BFLOAT16, FLOAT32 and UINT32.
Tensor transform_weights_for_conv_transpose2d(const Tensor& conv_weight_tensor, bool mirror_kernel = true);

}  // namespace ttnn::operations::conv::conv_transpose2d

namespace ttnn::operations::experimental::conv3d {

/// Channels of a block: as few as fill tiles with a kernel of that many places.
std::uint32_t default_c_in_block(std::uint32_t kernel_vol);
/// As that of conv2d, of weights [outputs, inputs of a group, frames, height, width].
Tensor convert_conv_weight_tensor_to_grouped_layout(const Tensor& conv_weight_tensor,
                                                    std::uint32_t num_groups, DataType output_dtype);

}  // namespace ttnn::operations::experimental::conv3d
