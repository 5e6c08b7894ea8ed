// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/internal/scaled_shards.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/operations/work/shards_over.hpp"
#include "runtime/operations/work/tensor_pages.hpp"
#include "runtime/types/rounding.hpp"

namespace tilemeter {

namespace {

std::uint64_t rows_of(const Shape& padded) {
    return padded.volume() / padded[-1];
}

}  // namespace

bool has_full_shards(const TensorSpec& spec) {
    const MemoryConfig& config = spec.memory_config;
    if (!config.shard_spec || config.buffer_type != BufferType::L1 ||
        config.memory_layout == TensorMemoryLayout::BLOCK_SHARDED) {
        return false;
    }
    const std::array<std::uint32_t, 2>& shard = config.shard_spec->shape;
    const Shape padded = spec.padded_shape();
    if (rows_of(padded) % shard[0] != 0 || padded[-1] % shard[1] != 0) return false;
    return spec.layout == Layout::TILE ||
           std::uint64_t{shard[0]} * shard[1] % (kTileHeight * kTileWidth) == 0;
}

std::optional<MemoryConfig> scaled_shards(const TensorSpec& from, const TensorSpec& to) {
    MemoryConfig config = from.memory_config.made_anew();
    config.nd_shard_spec.reset();
    const Shape before = from.padded_shape();
    const Shape after = to.padded_shape();
    std::array<std::uint32_t, 2>& shard = config.shard_spec->shape;
    const std::uint64_t height = shard[0] * rows_of(after);
    const std::uint64_t width = std::uint64_t{shard[1]} * after[-1];
    if (height % rows_of(before) != 0 || width % before[-1] != 0) return std::nullopt;
    shard = {static_cast<std::uint32_t>(height / rows_of(before)),
             static_cast<std::uint32_t>(width / before[-1])};
    if (to.layout == Layout::TILE && (shard[0] % kTileHeight != 0 || shard[1] % kTileWidth != 0))
        return std::nullopt;
    return config;
}

MemoryConfig as_many_nd_shards(const TensorSpec& from, const TensorSpec& to) {
    const NdShardSpec& shards = *from.memory_config.nd_shard_spec;
    TensorSpec bare = to;
    bare.memory_config = DRAM_MEMORY_CONFIG;
    const Shape before = from.padded_shape(), after = bare.padded_shape();
    auto made = std::make_shared<NdShardSpec>(shards);
    const std::size_t rank = std::min(shards.shape.rank(), after.rank());
    made->shape = Shape(std::vector<std::uint32_t>(rank, 1));
    for (std::int64_t i = -1; i >= -static_cast<std::int64_t>(rank); --i) {
        std::uint64_t count = ceil_div(before[i], shards.shape[i]);
        if (-i == static_cast<std::int64_t>(rank)) {
            for (std::int64_t j = i - 1; j >= -static_cast<std::int64_t>(shards.shape.rank()); --j)
                count *= ceil_div(before[j], shards.shape[j]);
        }
        const std::uint64_t size = ceil_div(std::max<std::uint64_t>(after[i], 1), count);
        const bool in_tiles = to.layout == Layout::TILE && i >= -2;
        made->shape.set(i, static_cast<std::uint32_t>(in_tiles ? round_up(size, kTileWidth) : size));
    }
    MemoryConfig config{TensorMemoryLayout::ND_SHARDED, from.memory_config.buffer_type, std::nullopt};
    config.nd_shard_spec = std::move(made);
    return config;
}

MemoryConfig with_shards(const MemoryConfig& wanted, const TensorSpec& from, const TensorSpec& to,
                         const DeviceDescription& device) {
    if (!wanted.is_sharded() || wanted.shard_spec || wanted.nd_shard_spec) return wanted;
    MemoryConfig config = wanted;
    if (from.memory_config.shard_spec && from.memory_config.memory_layout == wanted.memory_layout) {
        if (auto scaled = scaled_shards(from, to)) {
            config.shard_spec = std::move(scaled->shard_spec);
            return config;
        }
    }
    const Shape padded = to.padded_shape();
    TensorSpec matrix = to;  // shards of rows are cut as of tiles
    matrix.shape = Shape{static_cast<std::uint32_t>(rows_of(padded)), padded[-1]};
    matrix.layout = Layout::TILE;
    const std::optional<ShardSpec>& shards = from.memory_config.shard_spec;
    const CoreCoord grid = device.compute_grid;
    if (config.memory_layout == TensorMemoryLayout::BLOCK_SHARDED && shards &&
        shards->orientation == ShardOrientation::COL_MAJOR) {
        // Rows of blocks go over columns of cores.
        config.shard_spec = shards_over(matrix, config.memory_layout, {grid.y, grid.x});
        const CoreRange box = config.shard_spec->grid.bounding_box();
        config.shard_spec->grid = CoreRangeSet(CoreRange{{0, 0}, {box.end.y, box.end.x}});
        config.shard_spec->orientation = ShardOrientation::COL_MAJOR;
        return config;
    }
    config.shard_spec = shards_over(matrix, config.memory_layout, grid);
    return config;
}

MemoryConfig scaled_or_new_shards(const TensorSpec& from, const TensorSpec& to,
                                  const DeviceDescription& device) {
    MemoryConfig config = from.memory_config.made_anew();
    if (!config.shard_spec) return config;
    config.shard_spec.reset();
    config.nd_shard_spec.reset();
    return with_shards(config, from, to, device);
}

}  // namespace tilemeter
