// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/normalization/internal/softmax_program.hpp"

#include "runtime/device/buffer_geometry.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/program_pieces.hpp"

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

/// Rows of tiles in blocks that the registers hold at most: four of 32 bits, eight of 16.
struct RowBlocks {
    RowBlocks(std::uint64_t width, const SoftmaxTiles& kept) {
        const std::uint64_t most = kept.sum == kFp32Tile ? 4 : 8;
        const std::uint64_t blocks = ceil_div(width, most);
        block = width % blocks == 0 ? width / blocks : most;
        if (block == 5 || block == 7) block = most;  // TT-NN has no blocks of these

        padded_width = round_up(width, block);
    }
    std::uint64_t block;
    std::uint64_t padded_width;
};

// Sizes of the buffers of one core, in order of declaration. A whole row of tiles is kept where it fits.
class RowSizes {
public:
    RowSizes(const TensorSpec& input, const TensorSpec* mask, const TensorSpec& output, bool numeric_stable,
             const SoftmaxTiles& kept, const DeviceDescription& device)
        : blocks_(tiles_of(input).width, kept),
          kept_(kept),
          in_tile_(tile_size(input.dtype)),
          row_tile_(kept.row),
          mask_tile_(mask != nullptr ? tile_size(mask->dtype) : 0),
          out_bytes_(2 * blocks_.block * tile_size(output.dtype)),
          row_bytes_(blocks_.padded_width * row_tile_),
          numeric_stable_(numeric_stable) {
        const bool padded = input.shape[-1] % kTileWidth != 0;
        // Else it is masked or scaled into another buffer.
        const bool keeps_row = numeric_stable && !padded && mask == nullptr;
        in_bytes_ = (keeps_row ? blocks_.padded_width : 2 * blocks_.block) * in_tile_;
        second_row_ = numeric_stable && (padded || mask != nullptr);
        large_ = static_cast<double>(device.l1_size) * 0.9 < static_cast<double>(estimate());
    }

    std::vector<std::uint64_t> in_order() const { return large_ ? in_parts() : in_rows(); }

private:
    std::uint64_t scaled_bytes() const { return row_bytes_ + blocks_.block * row_tile_; }
    std::uint64_t mask_bytes() const { return blocks_.padded_width * mask_tile_; }

    std::uint64_t estimate() const {
        const std::uint64_t masked = mask_tile_ > 0 ? scaled_bytes() + mask_bytes() : 0;
        return in_bytes_ + out_bytes_ + row_bytes_ * (second_row_ ? 2 : 1) + masked + 5 * row_tile_;
    }

    std::vector<std::uint64_t> in_rows() const {
        std::vector<std::uint64_t> sizes = {in_bytes_,    out_bytes_, kept_.sum,
                                            kept_.helper, kept_.sum,  row_bytes_};
        if (mask_tile_ > 0) sizes.insert(sizes.end(), {scaled_bytes(), kBf16Tile, mask_bytes()});
        sizes.push_back(kBf16Tile);
        if (numeric_stable_) sizes.push_back(row_tile_);
        if (second_row_) sizes.push_back(row_bytes_);
        return sizes;
    }

    std::vector<std::uint64_t> in_parts() const {
        constexpr std::uint64_t kPart = 80;
        const std::uint64_t part = kPart * row_tile_;
        std::vector<std::uint64_t> sizes = {kPart * in_tile_, out_bytes_,   kept_.sum, kept_.sum, row_tile_,
                                            kept_.sum,        kept_.helper, kept_.sum, part};
        if (mask_tile_ > 0) sizes.insert(sizes.end(), {part, kBf16Tile, kPart * mask_tile_});
        sizes.push_back(kBf16Tile);
        // Without a mask the program reserves the maximum's place whether or not it is asked for.
        if (numeric_stable_ || mask_tile_ == 0) sizes.push_back(row_tile_);
        sizes.push_back(part);
        return sizes;
    }

    RowBlocks blocks_;
    SoftmaxTiles kept_;
    std::uint64_t in_tile_;
    std::uint64_t row_tile_;
    std::uint64_t mask_tile_;  ///< 0: no mask
    std::uint64_t out_bytes_;
    std::uint64_t row_bytes_;
    bool numeric_stable_;
    std::uint64_t in_bytes_ = 0;
    bool second_row_ = false;
    bool large_ = false;
};

ProgramPlan over_rows_of_four_dimensions(const TensorSpec& input, const TensorSpec* mask,
                                         const TensorSpec& output, bool numeric_stable,
                                         const SoftmaxTiles& kept, const DeviceDescription& device) {
    const CoreRangeSet cores = split_work(input.tile_rows(), device.compute_grid, CoreWalk::kAlongRows).cores;
    return {{"ttnn::prim::SoftmaxDeviceOperation::SoftmaxProgramFactoryAttentionOptimized", 6},
            dataflow_buffers(RowSizes(input, mask, output, numeric_stable, kept, device).in_order(), cores)};
}

struct GeneralNames {
    std::string_view small;
    std::uint64_t small_index;
    std::string_view large;
    std::uint64_t large_index;
};

ProgramPlan over_lines(const GeneralNames& names, std::uint64_t length, std::uint64_t lines,
                       const TensorSpec& input, const TensorSpec& output, const SoftmaxTiles& kept,
                       const DeviceDescription& device) {
    constexpr std::uint64_t kSmallBytes = 512 * 1024;
    const std::uint64_t in_tile = tile_size(input.dtype);
    const std::uint64_t out_tile = tile_size(output.dtype);
    const std::uint64_t helper = kept.helper;
    const std::uint64_t sum = kept.sum;
    const CoreRangeSet cores = split_work(lines, device.compute_grid, CoreWalk::kDownColumns).cores;
    // The line of the input and of the output, exponentials and differences in 32 bits; single tiles.
    const std::uint64_t estimate = length * (in_tile + out_tile + 2 * sum) + 3 * in_tile + 3 * sum;
    const bool small = device.l1_unreserved_base + estimate <= kSmallBytes;
    const std::uint64_t depth = small ? length : 2;
    return {{small ? names.small : names.large, small ? names.small_index : names.large_index},
            dataflow_buffers({depth * in_tile, helper, helper, helper, depth * out_tile, depth * sum, sum,
                              sum, small ? length * sum : sum, sum},
                             cores)};
}

ProgramPlan over_other_dimension(std::uint64_t length, const TensorSpec& input, const TensorSpec& output,
                                 const SoftmaxTiles& kept, const DeviceDescription& device) {
    const std::uint64_t in_tile = tile_size(input.dtype);
    const std::uint64_t sum = kept.sum == kFp32Tile ? kFp32Tile : in_tile;
    const CoreRangeSet cores =
        split_work(tiles_of(input).total / length, device.compute_grid, CoreWalk::kDownColumns).cores;
    return {
        {"ttnn::prim::SoftmaxDeviceOperation::SoftmaxProgramFactoryGeneralCLarge", 4},
        dataflow_buffers({2 * in_tile, 2 * tile_size(output.dtype), sum, sum, 2 * sum, in_tile, sum}, cores)};
}

}  // namespace

SoftmaxTiles softmax_tiles(const TensorSpec& input, const OptionalComputeKernelConfig& kernels) {
    const std::uint64_t of_input = input.dtype == DataType::FLOAT32 ? kFp32Tile : kBf16Tile;
    if (!kernels) return {kFp32Tile, of_input, of_input};
    const std::uint64_t wanted = kernels->fp32_dest_acc_en ? kFp32Tile : kBf16Tile;
    return {wanted, wanted, of_input};
}

ProgramPlan plan_softmax(const TensorSpec& input, const TensorSpec* mask, const TensorSpec& output,
                         std::size_t dimension, bool numeric_stable, const SoftmaxTiles& kept,
                         const DeviceDescription& device) {
    static constexpr GeneralNames kAlongWidth{
        "ttnn::prim::SoftmaxDeviceOperation::SoftmaxProgramFactoryGeneralWSmall", 0,
        "ttnn::prim::SoftmaxDeviceOperation::SoftmaxProgramFactoryGeneralWLarge", 1};
    static constexpr GeneralNames kAlongHeight{
        "ttnn::prim::SoftmaxDeviceOperation::SoftmaxProgramFactoryGeneralHSmall", 2,
        "ttnn::prim::SoftmaxDeviceOperation::SoftmaxProgramFactoryGeneralHLarge", 3};
    const std::size_t rank = input.shape.rank();
    if (dimension == rank - 1 && rank == 4) {
        return over_rows_of_four_dimensions(input, mask, output, numeric_stable, kept, device);
    }
    require(input.dtype != DataType::FLOAT32 || kept.sum == kFp32Tile,
            "FP32 destination accumulation must be enabled when input tensor has FLOAT32 data type. Please "
            "update the compute kernel configuration.");
    const Tiles tiles = tiles_of(input);
    if (dimension == rank - 1) {
        return over_lines(kAlongWidth, tiles.width, tiles.total / tiles.width, input, output, kept, device);
    }
    if (dimension == rank - 2) {
        return over_lines(kAlongHeight, tiles.height, tiles.total / tiles.height, input, output, kept,
                          device);
    }
    return over_other_dimension(input.shape.dimensions()[dimension], input, output, kept, device);
}

ProgramPlan plan_softmax_in_shards(const TensorSpec& input, const TensorSpec* mask, ShardMask kind,
                                   CoreCoord grid, std::uint64_t block_w, bool numeric_stable,
                                   const SoftmaxTiles& kept, const DeviceDescription& device) {
    const CoreRangeSet cores = whole_grid(grid);
    const std::uint64_t sum = kept.row;
    const std::uint64_t row = block_w * sum;
    const auto shard_bytes = [&](const TensorSpec& spec) {
        return buffer_geometry(spec, device).size_per_bank_bytes;
    };
    ProgramPlan plan{
        {"ttnn::prim::SoftmaxDeviceOperation::SoftmaxShardedProgramFactoryAttentionOptimized", 5}};
    const auto own = [&](std::uint64_t bytes) { plan.memory.push_back(dataflow_buffer(bytes, cores)); };
    plan.memory.push_back(borrowed_buffer(shard_bytes(input), cores, 0));
    own(kept.helper);
    own(sum);
    if (mask != nullptr) {
        own(row);
        own(kBf16Tile);
        if (mask->memory_config.is_sharded()) {
            plan.memory.push_back(borrowed_buffer(shard_bytes(*mask), cores, 1));
        } else {  // rows of a causal mask come while the one before is used
            own((kind == ShardMask::kCausal ? 2 : 1) * block_w * tile_size(mask->dtype));
        }
    }
    plan.memory.push_back(borrowed_buffer(shard_bytes(input), cores, mask != nullptr ? 2 : 1));
    own(row);
    own(sum);
    if (numeric_stable) {
        own(sum);
        own(row);
    }
    return plan;
}

}  // namespace tilemeter
