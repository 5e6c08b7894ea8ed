// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tilemeter_ttnn/functions/data_movement_helpers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/device/device.hpp"
#include "runtime/types/rounding.hpp"
#include "tilemeter_ttnn/device_facts.hpp"
#include "tools/compat/src/arguments.hpp"

namespace ttnn::operations::data_movement {

namespace {

constexpr std::uint32_t kTile = 32;

std::uint32_t shares(std::uint32_t size, std::uint32_t parts) {
    return static_cast<std::uint32_t>(tilemeter::ceil_div(size, parts));
}
std::uint32_t rounded(std::uint32_t size, std::uint32_t unit) {
    return static_cast<std::uint32_t>(tilemeter::round_up(size, unit));
}

// The dimensions at the end, with ones in front or the leading ones as their product.
std::vector<std::uint32_t> at_rank(const Shape& shape, std::size_t rank) {
    std::vector<std::uint32_t> sizes(shape.begin(), shape.end());
    if (sizes.size() < rank) sizes.insert(sizes.begin(), rank - sizes.size(), 1);
    while (sizes.size() > rank) {
        sizes[1] *= sizes[0];
        sizes.erase(sizes.begin());
    }
    return sizes;
}

}  // namespace

bool is_nd_sharded_memory_config(const MemoryConfig& config) {
    return config.memory_layout() == TensorMemoryLayout::ND_SHARDED ||
           (config.nd_shard_spec() && !config.shard_spec());
}

bool is_functionally_same_memory_config(const MemoryConfig& a, const MemoryConfig& b) {
    if (a == b) return true;
    if (a.memory_layout() != b.memory_layout() || a.buffer_type() != b.buffer_type()) return false;
    if (is_nd_sharded_memory_config(a) || is_nd_sharded_memory_config(b)) return false;
    const bool differ = a.nd_shard_spec() && b.nd_shard_spec() && a.nd_shard_spec() != b.nd_shard_spec();
    return !differ && a.shard_spec() && a.shard_spec() == b.shard_spec();
}

MemoryConfig drop_normalized_nd_shard_spec(const MemoryConfig& config) {
    if (!config.shard_spec() || !config.nd_shard_spec()) return config;
    return MemoryConfig(config.memory_layout(), config.buffer_type(), config.shard_spec());
}

MemoryConfig derive_nd_shard_spec_for_reshaped_output(const MemoryConfig& config,
                                                      const Shape& old_padded_shape,
                                                      const Shape& new_padded_shape, bool is_tiled) {
    if (!config.nd_shard_spec())
        throw std::runtime_error(
            "derive_nd_shard_spec_for_reshaped_output: expected shards of any number of "
            "dimensions, found none");
    const std::size_t rank = new_padded_shape.rank();
    const Shape shard_at_old_rank(at_rank(config.nd_shard_spec()->shard_shape, old_padded_shape.rank()));
    const std::vector<std::uint32_t> old_shard = at_rank(shard_at_old_rank, rank);
    const std::vector<std::uint32_t> old_sizes = at_rank(old_padded_shape, rank);
    std::vector<std::uint32_t> shard(rank);
    for (std::size_t axis = 0; axis < rank; ++axis) {
        const std::uint32_t count = shares(std::max(1U, old_sizes[axis]), std::max(1U, old_shard[axis]));
        shard[axis] = shares(std::max(1U, new_padded_shape.view()[axis]), count);
        if (is_tiled && rank >= 2 && axis + 2 >= rank)
            shard[axis] = std::min(rounded(shard[axis], kTile), new_padded_shape.view()[axis]);
    }
    tt::tt_metal::NdShardSpec spec = *config.nd_shard_spec();
    spec.shard_shape = Shape(shard);
    return MemoryConfig(config.buffer_type(), std::move(spec));
}

bool is_uneven_nd_sharding(const Shape& shape, const Shape& shard_shape) {
    const std::vector<std::uint32_t> shard = at_rank(shard_shape, shape.rank());
    for (std::size_t axis = 0; axis < shard.size(); ++axis)
        if (shard[axis] != 0 && shape.view()[axis] % shard[axis] != 0) return true;
    return false;
}

MemoryConfig create_sharded_memory_config(const Shape& logical_shape, const CoreRangeSet& core_grid,
                                          const ShardStrategy& strategy, const ShardOrientation& orientation,
                                          std::optional<std::array<std::uint32_t, 2>> shard_shape,
                                          const Layout& layout) {
    if (logical_shape.rank() < 2)
        throw std::runtime_error("create_sharded_memory_config: expected two dimensions or more, found " +
                                 std::to_string(logical_shape.rank()));
    const std::vector<std::uint32_t> matrix = at_rank(logical_shape, 2);
    const std::array<std::uint32_t, 2> sizes{matrix[0], matrix[1]};
    const std::uint32_t cores = core_grid.num_cores();
    TensorMemoryLayout memory_layout = TensorMemoryLayout::BLOCK_SHARDED;
    std::array<std::uint32_t, 2> shard{};
    if (strategy == ShardStrategy::HEIGHT) {
        memory_layout = TensorMemoryLayout::HEIGHT_SHARDED;
        shard = compute_height_sharded_shard_shape(sizes, layout, cores);
    } else if (strategy == ShardStrategy::WIDTH) {
        memory_layout = TensorMemoryLayout::WIDTH_SHARDED;
        shard = compute_width_sharded_shard_shape(sizes, cores);
    } else if (!shard_shape) {
        shard = compute_block_sharded_shard_shape(sizes, layout, core_grid.bounding_box().grid_size(),
                                                  orientation, cores);
    }
    shard = shard_shape.value_or(shard);
    if (layout == Layout::TILE && (shard[0] % kTile != 0 || shard[1] % kTile != 0))
        throw std::runtime_error("create_sharded_memory_config: expected shards of whole tiles, found " +
                                 std::to_string(shard[0]) + "x" + std::to_string(shard[1]));
    return MemoryConfig(memory_layout, BufferType::L1,
                        tt::tt_metal::ShardSpec(core_grid, shard, orientation));
}

std::array<std::uint32_t, 2> compute_block_sharded_shard_shape(
    const std::array<std::uint32_t, 2>& squeezed_tensor_hw, const Layout& layout, const CoreCoord& grid_size,
    const ShardOrientation& orientation, std::uint32_t total_num_cores) {
    if (grid_size.x * grid_size.y != total_num_cores)
        throw std::runtime_error("compute_block_sharded_shard_shape: expected a grid of " +
                                 std::to_string(total_num_cores) + " cores, found " +
                                 std::to_string(grid_size.x * grid_size.y));
    auto rows = static_cast<std::uint32_t>(grid_size.y), columns = static_cast<std::uint32_t>(grid_size.x);
    if (orientation == ShardOrientation::COL_MAJOR) std::swap(rows, columns);
    const std::uint32_t height =
        layout == Layout::TILE ? rounded(squeezed_tensor_hw[0], rows * kTile) : squeezed_tensor_hw[0];
    return {shares(height, rows), shares(squeezed_tensor_hw[1], columns)};
}

std::array<std::uint32_t, 2> compute_height_sharded_shard_shape(
    const std::array<std::uint32_t, 2>& squeezed_tensor_hw, const Layout& /*layout*/,
    std::uint32_t total_num_cores) {
    return {shares(squeezed_tensor_hw[0], total_num_cores), squeezed_tensor_hw[1]};
}

std::array<std::uint32_t, 2> compute_width_sharded_shard_shape(
    const std::array<std::uint32_t, 2>& squeezed_tensor_hw, std::uint32_t total_num_cores) {
    return {squeezed_tensor_hw[0], shares(squeezed_tensor_hw[1], total_num_cores)};
}

std::pair<std::uint32_t, std::array<std::uint32_t, 2>> tensor_coord_to_height_sharded_coord(
    const std::span<const std::uint32_t>& tensor_shape, const std::span<const std::uint32_t>& shard_shape,
    const std::span<const std::uint32_t>& tensor_coord) {
    std::uint32_t row = 0;
    for (std::size_t axis = 0; axis + 1 < tensor_coord.size(); ++axis)
        row = row * tensor_shape[axis] + tensor_coord[axis];
    return {row / shard_shape[0], {row % shard_shape[0], tensor_coord.back()}};
}

Shape compute_padded_shape(Shape logical_shape, std::uint32_t /*tile_height*/, std::uint32_t /*tile_width*/) {
    return pad_to_tile_shape(logical_shape.rank() == 1 ? Shape({1, logical_shape[0]}) : logical_shape);
}

Shape pad_to_tile_shape(const Shape& unpadded_shape) {
    std::vector<std::uint32_t> sizes(unpadded_shape.begin(), unpadded_shape.end());
    for (std::size_t axis = sizes.size(); axis-- > 0 && axis + 2 >= sizes.size();)
        sizes[axis] = rounded(sizes[axis], kTile);
    return Shape(sizes);
}

Tensor pad_to_tile_vol(const Tensor& tensor, float value, bool use_multicore,
                       const std::optional<MemoryConfig>& memory_config) {
    const Shape& padded = tensor.padded_shape();
    const Shape whole = pad_to_tile_shape(padded);
    if (padded == whole) return tensor;
    if (padded.rank() < 2)
        throw std::runtime_error("pad_to_tile_vol: expected two dimensions or more, found one");
    std::vector<std::pair<std::uint32_t, std::uint32_t>> padding;
    for (std::size_t axis = 0; axis < padded.rank(); ++axis)
        padding.emplace_back(0, whole.view()[axis] - padded.view()[axis]);
    using tilemeter::compat::to_argument;
    return tilemeter::compat::returned<Tensor>(
        tilemeter::compat::call("pad", {{"input_tensor", to_argument(tensor)},
                                        {"padding", tilemeter::compat::Argument(padding)},
                                        {"value", to_argument(value)},
                                        {"use_multicore", to_argument(use_multicore)},
                                        {"memory_config", to_argument(memory_config)}}));
}

Shape squeeze_output_shape(const Shape& shape) {
    return shape.rank() <= 4 ? shape : Shape(at_rank(shape, 4));
}

std::uint32_t wrap_index(int index, int size) {
    return static_cast<std::uint32_t>(index < 0 ? size + index : index);
}

std::uint16_t float_to_uint16(float value) {
    constexpr auto kMost = std::numeric_limits<std::uint16_t>::max();
    if (std::isnan(value) || value <= 0) return 0;
    if (value >= static_cast<float>(kMost)) return kMost;
    return static_cast<std::uint16_t>(std::round(value));
}

std::uint32_t pack_two_uint16_into_uint32(std::pair<std::uint16_t, std::uint16_t> two_uint16s) {
    return std::uint32_t{two_uint16s.first} | std::uint32_t{two_uint16s.second} << 16U;
}

std::uint32_t get_num_pages(const Tensor& tensor) {
    const std::uint64_t page = tensor.layout() == Layout::ROW_MAJOR
                                   ? tensor.padded_shape()[-1]
                                   : tensor.tensor_spec().tile().get_tile_hw();
    return static_cast<std::uint32_t>((tensor.physical_volume() + page - 1) / page);
}

std::uint32_t per_shard_page_size_bytes(const Tensor& tensor, std::uint32_t row_bytes) {
    if (!tensor.memory_config().is_sharded()) return row_bytes;
    const TensorMemoryLayout layout = tensor.memory_config().memory_layout();
    if (layout == TensorMemoryLayout::BLOCK_SHARDED || layout == TensorMemoryLayout::WIDTH_SHARDED)
        return tensor.shard_spec().value().shape[1] * tensor.element_size();
    return static_cast<std::uint32_t>(tensor.buffer()->aligned_page_size());
}

std::uint32_t get_static_l1_space(const Tensor& tensor) {
    const auto base = static_cast<std::uint32_t>(
        tensor.device()->allocator()->get_base_allocator_addr(tt::tt_metal::HalMemType::L1));
    const std::uint32_t size = tensor.device()->l1_size_per_core();
    return size > base ? size - base : 0;
}

std::uint32_t get_max_l1_space(const Tensor& tensor) {
    return tensor.device()->model()->with_state(
        [](const tilemeter::DeviceMemory& memory, auto& /*programs*/) {
            const tilemeter::BankAllocator& l1 = memory.allocator(tilemeter::BufferType::L1);
            return static_cast<std::uint32_t>(l1.lowest_allocated().value_or(l1.end()) - l1.begin());
        });
}

std::uint32_t get_estimated_size_of_cbs(const Tensor& /*tensor*/, std::uint32_t input_single_tile_size,
                                        std::uint32_t output_single_tile_size,
                                        std::uint32_t num_tiles_per_row, std::uint32_t staging_bytes_per_tile,
                                        std::uint32_t fixed_staging_bytes) {
    return (input_single_tile_size + output_single_tile_size + staging_bytes_per_tile) * num_tiles_per_row +
           fixed_staging_bytes;
}

bool is_enough_space(const Tensor& tensor, std::uint32_t input_single_tile_size,
                     std::uint32_t output_single_tile_size, std::uint32_t num_tiles_per_row,
                     std::uint32_t staging_bytes_per_tile, std::uint32_t fixed_staging_bytes,
                     std::uint32_t reserved_l1_bytes_per_core) {
    const std::uint32_t room = get_max_l1_space(tensor);
    const std::uint32_t needed =
        get_estimated_size_of_cbs(tensor, input_single_tile_size, output_single_tile_size, num_tiles_per_row,
                                  staging_bytes_per_tile, fixed_staging_bytes);
    return room > reserved_l1_bytes_per_core && room - reserved_l1_bytes_per_core > needed;
}

bool codegen_supported_on_arch(const Tensor& input) {
    if (input.device() == nullptr) return false;
    return input.device()->arch() == tt::ARCH::WORMHOLE_B0 || input.device()->arch() == tt::ARCH::BLACKHOLE;
}

}  // namespace ttnn::operations::data_movement
