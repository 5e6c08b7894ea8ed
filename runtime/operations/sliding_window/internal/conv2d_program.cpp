// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/internal/conv2d_program.hpp"

#include <algorithm>
#include <utility>

#include "runtime/operations/work/largest_divisor.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

constexpr std::uint64_t kScratchBytes = 64;

bool by_height(TensorMemoryLayout::Value layout) {
    return layout == TensorMemoryLayout::HEIGHT_SHARDED;
}
bool by_block(TensorMemoryLayout::Value layout) {
    return layout == TensorMemoryLayout::BLOCK_SHARDED;
}

// The largest part of a block that the registers hold (8 tiles, 4 of 32 bits), in TT-NN's order of
// preference.
std::pair<std::uint32_t, std::uint32_t> largest_subblock(std::uint32_t height, std::uint32_t width,
                                                         bool fp32_sums) {
    static constexpr std::pair<std::uint32_t, std::uint32_t> kShapes[] = {
        {2, 4}, {4, 2}, {1, 8}, {8, 1}, {1, 7}, {7, 1}, {2, 3}, {3, 2}, {1, 6}, {6, 1},
        {1, 5}, {5, 1}, {2, 2}, {1, 4}, {4, 1}, {1, 3}, {3, 1}, {1, 2}, {2, 1}, {1, 1}};
    for (const auto& [h, w] : kShapes) {
        if (fp32_sums && h * w > 4) continue;
        if (height % h != 0 || width % w != 0) continue;
        if (w != width && h != 1) continue;
        return {h, w};
    }
    return {1, 1};
}

// Rates in GB/s that grow linearly with the size of a transfer, up to a size; measured by TT-NN's authors.
struct TransferRate {
    float grows_until_bytes;
    float least;
    float most;

    float at(std::uint64_t bytes) const {
        constexpr float kSmallest = 16.0F;
        const float size = std::clamp(static_cast<float>(bytes), kSmallest, grows_until_bytes);
        return least + (most - least) / (grows_until_bytes - kSmallest) * (size - kSmallest);
    }
};

struct ReaderCosts {
    float clock_ghz;
    TransferRate within_l1, from_dram, to_all_cores;
    // Cycles to make one tile of rows, by element types read and written, and width of the sums.
    float tilize_f32[3][2];  // to float32, bfloat16, bfloat8_b
    float tilize_bf16[3][2];
};

constexpr ReaderCosts kWormhole{1.0F,
                                {1024, 0.868F, 27.84F},
                                {2048, 0.436F, 28.411F},
                                {65536, 0.318F, 25.345F},
                                {{107, 128}, {74, 74}, {74, 70}},
                                {{92, 117}, {61, 68}, {40, 43}}};
constexpr ReaderCosts kBlackhole{1.35F,
                                 {4096, 1.124F, 80.48F},
                                 {2048, 0.671F, 80.885F},
                                 {65536, 0.182F, 57.677F},
                                 {{132, 132}, {132, 80}, {132, 77}},
                                 {{105, 128}, {72, 72}, {60, 60}}};

float tilize_cycles(const ReaderCosts& costs, const Conv2dProgramRequest& request) {
    const auto& table = request.input_dtype == DataType::FLOAT32 ? costs.tilize_f32 : costs.tilize_bf16;
    const int to = request.output_dtype == DataType::FLOAT32 ? 0
                   : is_block_float(request.output_dtype)    ? 2
                                                             : 1;
    return table[to][request.fp32_sums ? 1 : 0];
}

// True if two readers, of which one then brings the weights late, are sooner ready than one.
bool two_readers_pay(const Conv2dProgramRequest& request) {
    const ReaderCosts& costs = request.arch == "BLACKHOLE" ? kBlackhole : kWormhole;
    const std::uint64_t element = request.input_dtype == DataType::FLOAT32 ? 4 : 2;
    const std::uint64_t sticks_at_once = request.dilation_width == 1 ? request.kernel_width : 1;
    const std::uint64_t activation_bytes = element * request.blocks.act_block_h * kTileHeight *
                                           request.input_channels_padded * request.kernel_width;
    const float activation = costs.clock_ghz * static_cast<float>(activation_bytes) /
                             costs.within_l1.at(element * request.input_channels_padded * sticks_at_once);
    const std::uint64_t weight_tile = tile_size(request.weights_dtype);
    const std::uint64_t weight_bytes = weight_tile * request.blocks.out_block_w * request.blocks.act_block_w;
    const float weights =
        costs.clock_ghz * static_cast<float>(weight_bytes) *
        (1.0F / costs.from_dram.at(weight_tile) + 1.0F / costs.to_all_cores.at(weight_bytes));
    const float tilize = tilize_cycles(costs, request) *
                         static_cast<float>(request.blocks.act_block_w * request.blocks.act_block_h);
    return activation / 2 + std::max(weights, tilize) < std::max(activation + tilize, weights);
}

// With reuse a core keeps one row of the image, and what each further row adds.
std::uint64_t reused_act_tiles(const Conv2dProgramRequest& request, std::uint64_t act_block_h) {
    const std::uint64_t element = request.input_dtype == DataType::FLOAT32 ? 4 : 2;
    const std::uint64_t row_tiles = ceil_div(request.output_width, kTileHeight);
    const std::uint64_t loops = ceil_div(act_block_h, row_tiles);
    const std::uint64_t rest = request.output_width % kTileHeight;
    const std::uint64_t leftover = rest == 0 ? 0 : kTileHeight - rest;
    const std::uint64_t channels =
        request.weight_rows / (std::uint64_t{request.kernel_height} * request.kernel_width);
    const std::uint64_t bytes =
        loops * channels * request.kernel_width * (1 + leftover * request.kernel_height) * element;
    const DataType dtype = request.input_dtype == DataType::FLOAT32 ? DataType::FLOAT32 : DataType::BFLOAT16;
    return row_tiles * request.blocks.act_block_w + ceil_div(bytes, tile_size(dtype));
}

// Tiles of activations before they are tiles: of the first reader, and of the second.
std::pair<std::uint64_t, std::uint64_t> act_tiles(const Conv2dProgramRequest& request,
                                                  const Conv2dConfig& config) {
    const std::uint64_t height = request.blocks.act_block_h;
    const std::uint64_t second = splits_reader(request, config) ? height / 2 : 0;
    const std::uint64_t first = height - second;
    std::pair<std::uint64_t, std::uint64_t> tiles{first * request.blocks.act_block_w,
                                                  second * request.blocks.act_block_w};
    if (second != 0 && config.enable_activation_reuse)
        tiles = {reused_act_tiles(request, first), reused_act_tiles(request, second)};
    const std::uint64_t copies = config.enable_act_double_buffer ? 2 : 1;
    return {tiles.first * copies, tiles.second * copies};
}

// Filters along a row multiply whole tiles: for each place of the kernel there is one of the filters' values, as many
// times as there are rows.
std::uint64_t inner_weight_tiles(const Conv2dProgramRequest& request) {
    if (!request.depthwise_row) return request.blocks.act_block_w;
    const std::uint64_t columns = ceil_div(request.input_channels_padded, kTileWidth);
    const bool joined = request.layout == TensorMemoryLayout::HEIGHT_SHARDED &&
                        request.blocks.act_block_w == columns * request.kernel_width;
    return std::uint64_t{request.blocks.act_block_h} * (joined ? request.kernel_width : 1);
}

std::uint64_t weight_tiles(const Conv2dProgramRequest& request, const Conv2dConfig& config) {
    const std::uint64_t tiles = request.blocks.out_block_w * inner_weight_tiles(request);
    const std::uint64_t copies = config.enable_weights_double_buffer ? 2 : 1;
    if (!by_height(request.layout)) return tiles * copies;
    if (config.enable_activation_reuse) return tiles;
    // Several blocks of rows use all weights again and again.
    if (request.blocks.out_block_h / request.blocks.act_block_h > 1) return tiles * request.kernel_height;
    return tiles * copies;
}

// The type that sums have between two steps.
DataType partials_dtype(const Conv2dProgramRequest& request) {
    const std::uint64_t blocks_of_rows = request.weight_rows / kTileHeight / request.blocks.act_block_w;
    const std::uint64_t blocks_of_columns = request.weight_columns / kTileWidth / request.blocks.out_block_w;
    const std::uint64_t steps =
        by_block(request.layout) ? blocks_of_rows * blocks_of_columns : blocks_of_rows;
    const bool accumulates = request.packer_l1_acc && ((request.has_bias && steps > 1) || steps > 2);
    if (!accumulates) return request.output_dtype;
    return request.fp32_sums ? DataType::FLOAT32 : DataType::BFLOAT16;
}

}  // namespace

bool splits_reader(const Conv2dProgramRequest& request, const Conv2dConfig& config) {
    if (request.layout == TensorMemoryLayout::WIDTH_SHARDED || request.blocks.act_block_h <= 1) return false;
    if (request.depthwise_row) return false;
    if (config.force_split_reader) return *config.force_split_reader;
    return by_block(request.layout) || config.enable_activation_reuse || two_readers_pay(request);
}

Conv2dBlocks choose_conv2d_blocks(const Conv2dBlocksRequest& request, const Conv2dConfig& config) {
    const ShardSpec& shard = *request.output.shard_spec;
    Conv2dBlocks blocks;
    blocks.out_block_h = static_cast<std::uint32_t>(ceil_div(shard.shape[0], kTileHeight));
    blocks.out_block_w = static_cast<std::uint32_t>(ceil_div(shard.shape[1], kTileWidth));
    blocks.act_block_h = blocks.out_block_h;
    if (config.act_block_h_override > 0) {
        // Columns of cores take all rows, and TT-NN does not count a tile that is not full.
        const std::uint64_t rows = request.input.layout == TensorMemoryLayout::WIDTH_SHARDED
                                       ? request.output_sticks / kTileHeight
                                       : blocks.out_block_h;
        blocks.act_block_h =
            static_cast<std::uint32_t>(largest_divisor(rows, config.act_block_h_override / kTileHeight));
    }
    const std::uint64_t channels = request.input_channels_padded;
    std::uint64_t width = 0;
    if (by_height(request.input.layout)) {
        const std::uint64_t rows = config.enable_activation_reuse ? request.kernel_height : 1;
        width = round_up(channels * request.kernel_width * rows, kTileWidth);
    } else if (by_block(request.input.layout)) {
        const std::uint64_t rows = config.full_inner_dim ? request.kernel_height : 1;
        width = round_up(channels / request.input.cores_channels() * request.kernel_width * rows, kTileWidth);
    } else {
        width = channels * request.kernel_height * request.kernel_width /
                (request.input.grid.num_cores() * config.act_block_w_div);
    }
    if (request.depthwise_row && !request.joins_windows && by_height(request.input.layout))
        width = round_up(channels, kTileWidth);
    blocks.act_block_w = static_cast<std::uint32_t>(width / kTileWidth);
    std::tie(blocks.out_subblock_h, blocks.out_subblock_w) =
        largest_subblock(blocks.act_block_h, blocks.out_block_w, request.fp32_sums);
    return blocks;
}

bool joins_windows_of_row(std::string_view arch, TensorMemoryLayout::Value layout, std::uint32_t channels,
                          std::uint32_t kernel_width, std::uint32_t dilation_width, DataType input_dtype) {
    const std::uint64_t longest_transfer = arch == "BLACKHOLE" ? 16384 : 8192;
    const std::uint64_t element = input_dtype == DataType::FLOAT32 ? 4 : 2;
    return layout == TensorMemoryLayout::HEIGHT_SHARDED && dilation_width == 1 &&
           channels % kTileWidth == 0 && channels * kernel_width * element <= longest_transfer;
}

std::vector<Conv2dPiece> conv2d_pieces(const Conv2dProgramRequest& request, const Conv2dConfig& config) {
    const Conv2dBlocks& blocks = request.blocks;
    const bool rows_out = config.output_layout == Layout::ROW_MAJOR;
    const DataType read_dtype =
        request.input_dtype == DataType::FLOAT32 ? DataType::FLOAT32 : DataType::BFLOAT16;
    const std::uint64_t read_tile = tile_size(read_dtype);
    const std::uint64_t out_tile = tile_size(request.output_dtype);
    const std::uint64_t weight_tile = tile_size(request.weights_dtype);
    const std::uint64_t out_tiles = std::uint64_t{blocks.out_block_h} * blocks.out_block_w;
    const bool height = by_height(request.layout);
    const bool act_is_sent =
        by_block(request.layout) && read_dtype == request.output_dtype && !request.activations_stay;
    std::vector<Conv2dPiece> pieces;
    const auto add = [&](std::uint64_t size, Conv2dPieceOwner owner = Conv2dPieceOwner::kProgram) {
        if (size != 0 || owner == Conv2dPieceOwner::kWindowTable) pieces.push_back({size, owner});
    };

    add(weight_tiles(request, config) * weight_tile);
    // Filters along a row add up where the result is made.
    if (const DataType partials = partials_dtype(request); !request.depthwise_row) {
        add(std::uint64_t{blocks.act_block_h} * blocks.out_block_w * tile_size(partials),
            !rows_out && partials == request.output_dtype ? Conv2dPieceOwner::kOutput
                                                          : Conv2dPieceOwner::kProgram);
    }
    const auto [first, second] = act_tiles(request, config);
    if (height) {
        add(first * read_tile);
    } else if (!request.activations_stay) {
        add((first + second) * out_tile);
    }
    if (!act_is_sent) add(second * read_tile);
    add(std::uint64_t{blocks.act_block_h} * blocks.act_block_w * out_tile);
    if (request.has_bias) add(blocks.out_block_w * weight_tile);
    if (request.layout == TensorMemoryLayout::WIDTH_SHARDED) {
        add(2ULL * blocks.act_block_w * read_tile);
    } else if (by_block(request.layout) && !act_is_sent) {
        add(first * read_tile);
    }
    add(out_tiles * out_tile, Conv2dPieceOwner::kOutput);
    add(0, Conv2dPieceOwner::kWindowTable);
    add(kScratchBytes);
    add(std::uint64_t{request.input_shard[0]} * request.input_shard[1] * element_size(read_dtype),
        Conv2dPieceOwner::kInput);
    return pieces;
}

}  // namespace tilemeter
