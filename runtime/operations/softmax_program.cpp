// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/softmax_program.hpp"

#include "runtime/operations/program_pieces.hpp"

namespace tilemeter {

namespace {

constexpr std::uint64_t kFp32Tile = 4096;  // sums are kept in 32 bits
constexpr std::uint64_t kBf16Tile = 2048;

struct Tiles {
    std::uint64_t height;  ///< of one matrix
    std::uint64_t width;
    std::uint64_t total;
};

Tiles tiles_of(const TensorSpec& spec) {
    const Shape padded = spec.padded_shape();
    const std::uint64_t height = padded[-2] / kTileHeight;
    const std::uint64_t width = padded[-1] / kTileWidth;
    return {height, width, padded.volume() / (std::uint64_t{kTileHeight} * kTileWidth)};
}

// Scale factors and masks follow the input only in float32.
std::uint64_t helper_tile(const TensorSpec& input) {
    return input.dtype == DataType::FLOAT32 ? kFp32Tile : kBf16Tile;
}

/// Rows of tiles in blocks of at most four.
struct RowBlocks {
    explicit RowBlocks(std::uint64_t width) {
        const std::uint64_t blocks = ceil_div(width, 4);
        block = width % blocks == 0 ? width / blocks : 4;
        padded_width = round_up(width, block);
    }
    std::uint64_t block;
    std::uint64_t padded_width;
};

ProgramPlan over_rows_of_four_dimensions(const TensorSpec& input, const TensorSpec& output,
                                         bool numeric_stable, const DeviceDescription& device) {
    constexpr std::uint64_t kLargeWidth = 80;
    const Tiles tiles = tiles_of(input);
    const RowBlocks blocks(tiles.width);
    const std::uint64_t in_tile = tile_size(input.dtype);
    const std::uint64_t out_tile = tile_size(output.dtype);
    const std::uint64_t sum_tile = helper_tile(input);
    const bool masked = input.shape[-1] % kTileWidth != 0;
    const bool keeps_row = numeric_stable && !masked;  // else it is masked or scaled into another buffer
    const std::uint64_t in_bytes = (keeps_row ? blocks.padded_width : 2 * blocks.block) * in_tile;
    const std::uint64_t out_bytes = 2 * blocks.block * out_tile;
    const std::uint64_t row_bytes = blocks.padded_width * sum_tile;
    const bool second_row = masked && numeric_stable;

    const std::uint64_t estimate = in_bytes + out_bytes + row_bytes * (second_row ? 2 : 1) + 5 * sum_tile;
    const bool large = static_cast<double>(device.l1_size) * 0.9 < static_cast<double>(estimate);
    const CoreRangeSet cores =
        split_work(tiles.total / tiles.width, device.compute_grid, CoreWalk::kAlongRows).cores;
    const auto take = [&](std::vector<std::uint64_t> sizes) {
        std::vector<ProgramMemory> memory;
        for (const std::uint64_t size : sizes)
            memory.push_back(dataflow_buffer(size, cores));
        return memory;
    };
    ProgramPlan plan{
        "ttnn::prim::SoftmaxDeviceOperation::SoftmaxProgramFactoryAttentionOptimized", 6, {}, {}};
    if (large) {
        const std::uint64_t part = kLargeWidth * sum_tile;
        plan.memory = take({kLargeWidth * in_tile, out_bytes, kFp32Tile, kFp32Tile, sum_tile, kFp32Tile,
                            sum_tile, kFp32Tile, part, kBf16Tile, sum_tile, part});
        return plan;
    }
    plan.memory = take({in_bytes, out_bytes, kFp32Tile, sum_tile, kFp32Tile, row_bytes, kBf16Tile});
    if (numeric_stable) plan.memory.push_back(dataflow_buffer(sum_tile, cores));
    if (second_row) plan.memory.push_back(dataflow_buffer(row_bytes, cores));
    return plan;
}

struct GeneralNames {
    std::string_view small;
    std::uint64_t small_index;
    std::string_view large;
    std::uint64_t large_index;
};

ProgramPlan over_lines(const GeneralNames& names, std::uint64_t length, std::uint64_t lines,
                       const TensorSpec& input, const TensorSpec& output, const DeviceDescription& device) {
    constexpr std::uint64_t kSmallBytes = 512 * 1024;
    const std::uint64_t in_tile = tile_size(input.dtype);
    const std::uint64_t out_tile = tile_size(output.dtype);
    const std::uint64_t helper = helper_tile(input);
    const CoreRangeSet cores = split_work(lines, device.compute_grid, CoreWalk::kDownColumns).cores;
    // The line of the input and of the output, exponentials and differences in 32 bits; single tiles.
    const std::uint64_t estimate =
        length * (in_tile + out_tile + 2 * kFp32Tile) + 3 * in_tile + 3 * kFp32Tile;
    const bool small = device.l1_unreserved_base + estimate <= kSmallBytes;
    const std::uint64_t depth = small ? length : 2;
    ProgramPlan plan{
        small ? names.small : names.large, small ? names.small_index : names.large_index, {}, {}};
    for (const std::uint64_t size :
         {depth * in_tile, helper, helper, helper, depth * out_tile, depth * kFp32Tile, kFp32Tile, kFp32Tile,
          small ? length * kFp32Tile : kFp32Tile, kFp32Tile}) {
        plan.memory.push_back(dataflow_buffer(size, cores));
    }
    return plan;
}

ProgramPlan over_other_dimension(std::uint64_t length, const TensorSpec& input, const TensorSpec& output,
                                 const DeviceDescription& device) {
    const std::uint64_t in_tile = tile_size(input.dtype);
    const CoreRangeSet cores =
        split_work(tiles_of(input).total / length, device.compute_grid, CoreWalk::kDownColumns).cores;
    ProgramPlan plan{"ttnn::prim::SoftmaxDeviceOperation::SoftmaxProgramFactoryGeneralCLarge", 4, {}, {}};
    for (const std::uint64_t size : {2 * in_tile, 2 * tile_size(output.dtype), kFp32Tile, kFp32Tile,
                                     2 * kFp32Tile, in_tile, kFp32Tile}) {
        plan.memory.push_back(dataflow_buffer(size, cores));
    }
    return plan;
}

}  // namespace

ProgramPlan plan_softmax(const TensorSpec& input, const TensorSpec& output, std::size_t dimension,
                         bool numeric_stable, const DeviceDescription& device) {
    static constexpr GeneralNames kAlongWidth{
        "ttnn::prim::SoftmaxDeviceOperation::SoftmaxProgramFactoryGeneralWSmall", 0,
        "ttnn::prim::SoftmaxDeviceOperation::SoftmaxProgramFactoryGeneralWLarge", 1};
    static constexpr GeneralNames kAlongHeight{
        "ttnn::prim::SoftmaxDeviceOperation::SoftmaxProgramFactoryGeneralHSmall", 2,
        "ttnn::prim::SoftmaxDeviceOperation::SoftmaxProgramFactoryGeneralHLarge", 3};
    const std::size_t rank = input.shape.rank();
    if (dimension == rank - 1 && rank == 4) {
        return over_rows_of_four_dimensions(input, output, numeric_stable, device);
    }
    const Tiles tiles = tiles_of(input);
    if (dimension == rank - 1) {
        return over_lines(kAlongWidth, tiles.width, tiles.total / tiles.width, input, output, device);
    }
    if (dimension == rank - 2) {
        return over_lines(kAlongHeight, tiles.height, tiles.total / tiles.height, input, output, device);
    }
    return over_other_dimension(input.shape.dimensions()[dimension], input, output, device);
}

}  // namespace tilemeter
