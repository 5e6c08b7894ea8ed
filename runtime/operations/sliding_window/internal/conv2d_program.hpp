// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The memory that the program of a convolution occupies on each core.
//
// A core makes out_block_h x out_block_w tiles of the result, act_block_h rows of tiles at a time. It lays the sticks
// under its windows side by side (act), makes tiles of them and multiplies them with act_block_w rows of tiles of the
// weights. Sizes and order are those of TT-NN's public sources, held to recordings of 0.81.1.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/operations/sliding_window/conv2d_config.hpp"
#include "runtime/operations/sliding_window/parallelization.hpp"

namespace tilemeter {

/// All in tiles.
struct Conv2dBlocks {
    std::uint32_t act_block_h = 1;
    std::uint32_t act_block_w = 1;
    std::uint32_t out_subblock_h = 1;
    std::uint32_t out_subblock_w = 1;
    std::uint32_t out_block_h = 1;  ///< the tiles of a core in all
    std::uint32_t out_block_w = 1;
    auto key_fields() const {
        return std::tie(act_block_h, act_block_w, out_subblock_h, out_subblock_w, out_block_h, out_block_w);
    }
};

struct Conv2dBlocksRequest {
    Parallelization input;
    MemoryConfig output;  ///< of the result
    std::uint32_t input_channels_padded = 1;
    std::uint32_t kernel_height = 1, kernel_width = 1;
    std::uint64_t output_sticks = 1;
    bool fp32_sums = false;
    bool depthwise_row = false;
    bool joins_windows = true;  ///< of a depthwise row: joins_windows_of_row()
};

/// The properties of a convolution that TT-NN's own program for filters along a row asks for: each channel by itself,
/// without bias.
struct DepthwiseRow {
    std::uint32_t groups = 1, input_channels = 1, output_channels = 1;
    std::uint32_t kernel_height = 1, image_height = 1;
    bool has_bias = false;
};

constexpr bool is_depthwise_row(const DepthwiseRow& of) {
    return of.groups > 1 && of.groups == of.input_channels && of.groups == of.output_channels &&
           of.kernel_height == 1 && of.image_height == 1 && !of.has_bias;
}

/// True if such a program reads the pixels under a window at once: whole tiles of channels, side by side, in one
/// transfer.
bool joins_windows_of_row(std::string_view arch, TensorMemoryLayout::Value layout, std::uint32_t channels,
                          std::uint32_t kernel_width, std::uint32_t dilation_width, DataType input_dtype);

Conv2dBlocks choose_conv2d_blocks(const Conv2dBlocksRequest& request, const Conv2dConfig& config);

struct Conv2dProgramRequest {
    std::string_view arch;  ///< "WORMHOLE_B0"
    TensorMemoryLayout::Value layout = TensorMemoryLayout::HEIGHT_SHARDED;
    Conv2dBlocks blocks;
    std::uint32_t kernel_height = 1, kernel_width = 1, dilation_width = 1;
    std::uint64_t weight_rows = 0, weight_columns = 0;  ///< padded
    DataType weights_dtype = DataType::BFLOAT16;
    DataType input_dtype = DataType::BFLOAT16;
    DataType output_dtype = DataType::BFLOAT16;
    std::array<std::uint32_t, 2> input_shard{};  ///< of the halo
    std::uint32_t input_channels_padded = 0;
    std::uint32_t output_width = 1;
    bool has_bias = false;
    bool activations_stay = false;  ///< no core sends what it read to others
    bool fp32_sums = false;
    bool packer_l1_acc = false;
    bool depthwise_row = false;
};

enum class Conv2dPieceOwner : std::uint8_t { kProgram, kInput, kOutput, kWindowTable };

struct Conv2dPiece {
    std::uint64_t size_bytes = 0;
    Conv2dPieceOwner owner = Conv2dPieceOwner::kProgram;
};

/// Circular buffers in order of declaration; the window table's has size 0, it is as long as the table.
std::vector<Conv2dPiece> conv2d_pieces(const Conv2dProgramRequest& request, const Conv2dConfig& config);

/// True if both data movement processors read activations.
bool splits_reader(const Conv2dProgramRequest& request, const Conv2dConfig& config);

}  // namespace tilemeter
