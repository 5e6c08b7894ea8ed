// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <numeric>
#include <string>

#include "runtime/types/rounding.hpp"
#include "tilemeter_ttnn/functions/expert_weights.hpp"
#include "tools/compat/src/fatal.hpp"
#include "tools/compat/src/helpers/expert_ring.hpp"
#include "ttnn/operations/core/core.hpp"
#include "ttnn/operations/creation/creation.hpp"
#include "ttnn/operations/data_movement/concat/concat.hpp"
#include "ttnn/operations/data_movement/permute/permute.hpp"
#include "ttnn/operations/data_movement/reshape_view/reshape.hpp"
#include "ttnn/operations/data_movement/slice/slice.hpp"
#include "ttnn/operations/data_movement/unsqueeze/unsqueeze.hpp"

namespace ttnn::experimental {

namespace {

using namespace tilemeter::compat::expert_ring;  // NOLINT: all of its rules
using tilemeter::ceil_div;
using tilemeter::compat::refuse_as_fatal;
using Sizes = std::vector<std::uint32_t>;

constexpr std::uint32_t kWide = kBlockWidth * kTile;

Tensor shaped(const Tensor& tensor, const Sizes& shape) {
    return reshape(tensor, Shape(shape));
}
Tensor turned(const Tensor& tensor, std::initializer_list<std::int64_t> dims) {
    return permute(tensor, ttsl::SmallVector<std::int64_t>(dims));
}
Tensor zeros_of(const Sizes& shape, const Tensor& like) {
    return zeros(Shape(shape), like.dtype(), like.layout(), *like.device(), like.memory_config());
}
/// [begin, end) along a dimension.
Tensor part(const Tensor& tensor, std::size_t axis, std::uint32_t begin, std::uint32_t end) {
    const Shape& shape = tensor.logical_shape();
    ttsl::SmallVector<std::int32_t> starts(shape.rank(), 0), ends, steps(shape.rank(), 1);
    for (const std::uint32_t size : shape)
        ends.push_back(static_cast<std::int32_t>(size));
    starts[axis] = static_cast<std::int32_t>(begin);
    ends[axis] = static_cast<std::int32_t>(end);
    return slice(tensor, starts, ends, steps);
}
/// With zeros behind it, up to `size` along a dimension.
Tensor filled(const Tensor& tensor, std::size_t axis, std::uint32_t size) {
    Sizes lacking(tensor.logical_shape().begin(), tensor.logical_shape().end());
    if (lacking[axis] == size) return tensor;
    lacking[axis] = size - lacking[axis];
    return concat(std::vector<Tensor>{tensor, zeros_of(lacking, tensor)}, static_cast<int>(axis));
}

std::uint32_t rounded(std::uint32_t size, std::uint32_t unit) {
    return static_cast<std::uint32_t>(tilemeter::round_up(size, unit));
}

void require_tiles(const char* function, std::uint32_t k, std::uint32_t n) {
    for (const std::uint32_t size : {k, n})
        if (size % kTile != 0)
            refuse_as_fatal(function, std::string(function) + ": expected whole tiles of 32, found " +
                                          std::to_string(size));
}

/// Bias [layers, experts, columns] as a row of tiles, of which it is the first row.
Tensor bias_tiles(const Tensor& bias) {
    return filled(unsqueeze(bias, 2), 2, kTile);
}

Tensor w0_w1_blocks(const Tensor& w0, const Tensor& w1, std::uint32_t layers, std::uint32_t experts,
                    std::uint32_t rows, std::uint32_t columns, const Blocks& blocks, std::uint32_t cores) {
    const std::uint32_t tiles = columns / kTile, depth = rows / kTile;
    const std::uint32_t pair_rows = rounded(depth, blocks.height) * kTile;
    const std::uint32_t half_rows = rounded(depth, blocks.half_height) * kTile;
    const std::uint32_t most_rows = std::max(pair_rows, half_rows);
    // Each column of tiles of either tensor, side by side: [layers, experts, column, rows, 2 tiles].
    const auto by_column = [&](const Tensor& each) {
        return unsqueeze(shaped(filled(each, 2, most_rows), {layers, experts, most_rows, tiles, kTile}), 4);
    };
    const Tensor pairs = turned(shaped(concat(std::vector<Tensor>{by_column(w0), by_column(w1)}, 4),
                                       {layers, experts, most_rows, tiles, 2 * kTile}),
                                {0, 1, 3, 2, 4});
    std::vector<Tensor> pieces;
    std::uint32_t begin = 0;
    bool is_even = true;
    const std::uint32_t first_stored = stored_columns(tiles, 0, cores);
    for (std::uint32_t core = 0; core < cores; ++core) {
        const std::uint32_t own = tiles_of(tiles, core, cores), stored = stored_columns(tiles, core, cores);
        is_even &= stored == first_stored && stored % 2 == 0;
        const Tensor of_core = filled(part(pairs, 2, begin, begin + own), 2, stored);
        begin += own;
        if (const std::uint32_t twos = stored / 2; twos > 0) {
            const Tensor whole = part(part(of_core, 2, 0, 2 * twos), 3, 0, pair_rows);
            pieces.push_back(shaped(
                turned(shaped(whole, {layers, experts, twos, 2, pair_rows, 2 * kTile}), {0, 1, 2, 4, 3, 5}),
                {layers, experts, twos * pair_rows, kWide}));
        }
        if (stored % 2 != 0) {
            // Two rows of tiles beside each other.
            const Tensor last = part(part(of_core, 2, stored - 1, stored), 3, 0, half_rows);
            pieces.push_back(
                shaped(turned(shaped(last, {layers, experts, half_rows / (2 * kTile), 2, kTile, 2 * kTile}),
                              {0, 1, 2, 4, 3, 5}),
                       {layers, experts, half_rows / 2, kWide}));
        }
    }
    const std::uint32_t block_rows = blocks.height * kTile;
    const std::uint32_t of_bank = bank_blocks(blocks, depth, tiles, cores, cores);
    const Tensor stream = filled(concat(pieces, 2), 2, cores * of_bank * block_rows);
    Tensor packed =
        turned(shaped(stream, {layers, experts, cores, of_bank, block_rows, kWide}), {2, 0, 1, 3, 4, 5});
    // The same bytes as a shape of their own where all cores have as much.
    if (is_even && !blocks.has_half_steps)
        packed = shaped(packed, {cores, layers, experts, first_stored / 2, pair_rows, kWide});
    return to_layout(packed, Layout::TILE);
}

/// Columns of each core, filled up to groups of four tiles: [core, layers, experts, group, rows, 4 tiles].
Tensor w2_groups(const Tensor& w2, std::uint32_t layers, std::uint32_t experts,
                 const WeightCoreShardMaps& maps) {
    const std::uint32_t rows = w2.logical_shape()[2];
    const auto cores = static_cast<std::uint32_t>(maps.w2_shard_map.size());
    const auto groups =
        static_cast<std::uint32_t>(ceil_div(w2.logical_shape()[3] / kTile, cores * kBlockWidth));
    std::vector<Tensor> pieces;
    std::uint32_t begin = 0;
    for (const auto& [in_last, lacking] : maps.w2_shard_map) {
        const std::uint32_t width = ((groups - 1) * kBlockWidth + in_last) * kTile;
        pieces.push_back(filled(part(w2, 3, begin, begin + width), 3, groups * kWide));
        begin += width;
    }
    return turned(shaped(concat(pieces, 3), {layers, experts, rows, cores, groups, kWide}),
                  {3, 0, 1, 4, 2, 5});
}

/// Each core's rows in the order in which the ring brings them: its own first, then those of the cores before it.
Tensor rotated(const Tensor& groups, const WeightCoreShardMaps& maps) {
    const auto cores = static_cast<std::uint32_t>(maps.w0_w1_shard_map.size());
    Sizes ends(cores);
    std::partial_sum(maps.w0_w1_shard_map.begin(), maps.w0_w1_shard_map.end(), ends.begin());
    std::vector<Tensor> of_cores;
    for (std::uint32_t core = 0; core < cores; ++core) {
        const Tensor own = part(groups, 0, core, core + 1);
        std::vector<Tensor> chunks;
        for (std::uint32_t step = 0; step < cores; ++step) {
            const std::uint32_t from = (core + cores - step) % cores;
            const std::uint32_t begin = ends[from] - maps.w0_w1_shard_map[from];
            if (begin != ends[from]) chunks.push_back(part(own, 4, begin * kTile, ends[from] * kTile));
        }
        of_cores.push_back(concat(chunks, 4));
    }
    return concat(of_cores, 0);
}

/// Groups filled up to whole blocks; the last one in rows of two of its own where it is half as wide.
Tensor w2_blocks(const Tensor& groups, std::uint32_t hidden, const Blocks& blocks) {
    const Shape shape = groups.logical_shape();
    const std::uint32_t cores = shape[0], count = shape[3], depth = shape[4] / kTile;
    const bool ends_in_half = blocks.ends_in_half(hidden, cores);
    const std::uint32_t full = count - (ends_in_half ? 1 : 0);
    const std::uint32_t rows = rounded(depth, blocks.height) * kTile;
    if (!ends_in_half) return to_layout(filled(groups, 4, rows), Layout::TILE);
    const std::uint32_t half_rows = rounded(depth, blocks.half_height) * kTile;
    const Tensor last =
        filled(part(part(groups, 3, full, count), 5, 0, kHalfBlockWidth * kTile), 4, half_rows);
    std::vector<Tensor> pieces;
    if (full > 0)
        pieces.push_back(shaped(filled(part(groups, 3, 0, full), 4, rows),
                                {cores, shape[1], shape[2], full * rows, kWide}));
    pieces.push_back(shaped(turned(shaped(last, {cores, shape[1], shape[2], half_rows / (2 * kTile), 2, kTile,
                                                 kHalfBlockWidth * kTile}),
                                   {0, 1, 2, 3, 5, 4, 6}),
                            {cores, shape[1], shape[2], half_rows / 2, kWide}));
    const std::uint32_t block_rows = blocks.height * kTile;
    return to_layout(
        shaped(concat(pieces, 3),
               {cores, shape[1], shape[2], (full * rows + half_rows / 2) / block_rows, block_rows, kWide}),
        Layout::TILE);
}

std::uint32_t ring_of(const Tensor& weights, std::uint32_t k, std::uint32_t n) {
    return static_cast<std::uint32_t>(
        get_weight_core_shard_maps(weights.device(), k, n).w0_w1_shard_map.size());
}

}  // namespace

Tensor prepare_w0_w1_tensor_for_moe_compute(const Tensor& tt_w0, const Tensor& tt_w1, std::uint32_t L,
                                            std::uint32_t E, std::uint32_t K, std::uint32_t N) {
    require_tiles("prepare_w0_w1_tensor_for_moe_compute", K, N);
    const std::uint32_t cores = ring_of(tt_w0, K, N);
    return w0_w1_blocks(tt_w0, tt_w1, L, E, K, N, Blocks(K / kTile, N / kTile, false, cores), cores);
}

Tensor prepare_w0_w1_tensor_with_bias(const Tensor& tt_w0, const Tensor& tt_w1, const Tensor& tt_b0,
                                      const Tensor& tt_b1, std::uint32_t L, std::uint32_t E, std::uint32_t K,
                                      std::uint32_t N) {
    require_tiles("prepare_w0_w1_tensor_with_bias", K, N);
    const std::uint32_t cores = ring_of(tt_w0, K, N);
    return w0_w1_blocks(concat(std::vector<Tensor>{tt_w0, bias_tiles(tt_b0)}, 2),
                        concat(std::vector<Tensor>{tt_w1, bias_tiles(tt_b1)}, 2), L, E, K + kTile, N,
                        Blocks(K / kTile, N / kTile, true, cores), cores);
}

Tensor prepare_w2_tensor_for_moe_compute(const Tensor& tt_w2, std::uint32_t L, std::uint32_t E,
                                         std::uint32_t N, std::uint32_t K) {
    require_tiles("prepare_w2_tensor_for_moe_compute", K, N);
    const WeightCoreShardMaps maps = get_weight_core_shard_maps(tt_w2.device(), K, N);
    const auto cores = static_cast<std::uint32_t>(maps.w2_shard_map.size());
    return w2_blocks(rotated(w2_groups(tt_w2, L, E, maps), maps), K / kTile,
                     Blocks(K / kTile, N / kTile, false, cores));
}

Tensor prepare_w2_tensor_with_bias(const Tensor& tt_w2, const Tensor& tt_b2, std::uint32_t L, std::uint32_t E,
                                   std::uint32_t N, std::uint32_t K) {
    require_tiles("prepare_w2_tensor_with_bias", K, N);
    const WeightCoreShardMaps maps = get_weight_core_shard_maps(tt_w2.device(), K, N);
    const auto cores = static_cast<std::uint32_t>(maps.w2_shard_map.size());
    const Tensor weights = rotated(w2_groups(tt_w2, L, E, maps), maps);
    const Tensor bias = w2_groups(bias_tiles(tt_b2), L, E, maps);
    return w2_blocks(concat(std::vector<Tensor>{weights, bias}, 4), K / kTile,
                     Blocks(K / kTile, N / kTile, true, cores));
}

}  // namespace ttnn::experimental
