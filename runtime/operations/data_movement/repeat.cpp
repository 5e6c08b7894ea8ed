// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/repeat.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/compute/rearrange.hpp"
#include "runtime/device/buffer_geometry.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/core/free_l1.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/internal/repeated_pages.hpp"
#include "runtime/operations/data_movement/internal/scaled_shards.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/data_movement/tilize_operations.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/operations/work/shards_over.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

using Times = std::vector<std::uint32_t>;

/// Along one dimension.
struct RepeatCodegen {
    static constexpr bool kKeepsProgramsByFreeL1 = true;
    static constexpr std::string_view kName = "RepeatCodegenDeviceOperation";
    static constexpr std::string_view kAttributesName = "RepeatCodegenParams";

    std::size_t dim;
    std::uint32_t times;
    MemoryConfig memory_config;

    auto attributes() const { return std::make_tuple(dim, times, memory_config); }

    TensorSpecs infer(SpecsView inputs) const {
        return {repeated_spec(inputs[0], dim, times, memory_config)};
    }

    /// Rows that a core with so much room has in flight: two batches as far as it goes, else one row at a time. 0: it
    /// has none.
    static std::uint64_t rows_in_flight(std::uint64_t row_bytes, std::uint64_t room) {
        const std::uint64_t rows = room / row_bytes;
        return rows <= 1 ? rows : std::min(rows / 2 * 2, kRepeatedPagesInFlight);
    }

    // Tiles in L1 that stay whole are read once each, unless blocks are written.
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device,
                     std::uint64_t free_l1_bytes) const {
        constexpr std::string_view kFactory = "ttnn::prim::RepeatCodegenProgramFactory";
        if (dim < 2 && inputs[0].layout == Layout::TILE && memory_config.buffer_type == BufferType::L1 &&
            memory_config.memory_layout != TensorMemoryLayout::BLOCK_SHARDED) {
            const CoreRangeSet cores = whole_columns_and_rest(num_tiles(inputs[0]), device);
            return {{kFactory, 0}, {circular_buffer(tile_size(inputs[0].dtype), cores)}};
        }
        const std::uint64_t pages =
            inputs[0].layout == Layout::TILE
                ? kRepeatedPagesInFlight
                : std::max<std::uint64_t>(
                      rows_in_flight(place_of_row(inputs[0], outputs[0], device), free_l1_bytes), 1);
        return plan_repeated_pages(kFactory, inputs[0], outputs[0], device, pages);
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView) const {
        Times each(inputs[0]->shape().rank(), 1);
        each[dim] = times;
        return {compute::repeated(*inputs[0], each)};
    }
};

/// TT-NN's older program, for what the newer one does not take: one dimension or more than four, and rows of
/// block formats. Of rows one is repeated at a time; of tiles the pages `block` below the dimension.
struct RepeatOperation {
    static constexpr std::string_view kName = "RepeatDeviceOperation";
    static constexpr std::string_view kAttributesName = "RepeatParams";

    std::uint32_t times;
    bool is_last_dim;
    MemoryConfig memory_config;
    std::size_t dim;                       ///< of the input
    std::array<std::uint32_t, 4> tiles{};  ///< outside dim, along it, inside it, bytes of one; zeros: of rows

    auto attributes() const {
        const auto axis = tiles[3] == 0 ? std::int64_t{-1} : static_cast<std::int64_t>(dim);
        return std::make_tuple(times, is_last_dim, memory_config, tiles[0], tiles[1], tiles[2], tiles[3],
                               axis);
    }

    TensorSpecs infer(SpecsView inputs) const {
        return {repeated_spec(inputs[0], dim, times, memory_config)};
    }

    // Rows are read with room for their misalignment, and written from copies until those are aligned; rows in shards by one
    // data mover of a core, others by both.
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        constexpr std::uint64_t kRoom = 128;
        constexpr std::uint64_t kAlignment = 16;
        const CoreRangeSet cores = whole_grid(device.compute_grid);
        if (tiles[3] != 0) {
            return {{"ttnn::prim::RepeatProgramFactoryHigherDim", 1}, {scratchpad(tiles[3] + kRoom, cores)}};
        }
        const std::uint64_t row = row_bytes(inputs[0]);
        const std::uint64_t aligned = row * (kAlignment / std::gcd(row, kAlignment));
        const std::uint64_t room = (is_last_dim ? aligned : row) + kRoom;
        std::vector<ProgramMemory> places = {scratchpad(room, cores)};
        if (!inputs[0].memory_config.is_sharded()) places.push_back(places.front());
        if (!is_last_dim) return {{"ttnn::prim::RepeatProgramFactoryHigherDim", 1}, std::move(places)};
        return {{"ttnn::prim::RepeatProgramFactoryLastDim", 0}, std::move(places)};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView) const {
        Times each(inputs[0]->shape().rank(), 1);
        each[dim] = times;
        return {compute::repeated(*inputs[0], each)};
    }
};

// Rows are repeated from the last dimension on, tiles from the first.
std::vector<std::size_t> order_of(const Times& times, bool by_rows) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (times[i] > 1) order.push_back(i);
    }
    if (by_rows) std::reverse(order.begin(), order.end());
    return order;
}

// Repetitions of a dimension of 1 are as well repetitions of the next one, outermost: of all before the
// pages.
Times merged_leading(const Shape& shape, Times times, bool by_rows) {
    for (std::size_t i = 0; i + (by_rows ? 2 : 3) < times.size(); ++i) {
        if (shape.dimensions()[i] != 1 || times[i] == 1 || times[i + 1] == 1) continue;
        times[i + 1] *= times[i];
        times[i] = 1;
    }
    return times;
}

Shape repeated_shape(const Shape& shape, const Times& times) {
    Shape result;
    for (std::size_t i = 0; i < times.size(); ++i)
        result.push_back(shape.dimensions()[i] * times[i]);
    return result;
}

bool fills_tiles(const Tensor& input) {
    return input.shape()[-1] % kTileWidth == 0 && input.shape()[-2] % kTileHeight == 0;
}

// True if tiles would have to be taken apart.
bool cuts_tiles(const Tensor& input, const Times& times) {
    const std::size_t rank = times.size();
    return input.layout() == Layout::TILE && !fills_tiles(input) &&
           (times[rank - 1] > 1 || times[rank - 2] > 1);
}

Tensor viewed(const Tensor& tensor, const Shape& shape) {
    return tensor.shape() == shape ? tensor : reshape_view(tensor, shape);
}

MemoryConfig interleaved(const MemoryConfig& config) {
    return {TensorMemoryLayout::INTERLEAVED, config.buffer_type, std::nullopt};
}

// Pages of two to four dimensions. What is made on the way lies in the memory of the input, interleaved.
Tensor repeat_pages(Tensor input, const Times& given, const MemoryConfig& memory_config) {
    const std::size_t rank = given.size();
    const Shape shape = repeated_shape(input.shape(), given);
    const bool cut = cuts_tiles(input, given);
    const bool by_rows = cut || input.layout() == Layout::ROW_MAJOR;
    Times times(4 - rank, 1);
    times.insert(times.end(), given.begin(), given.end());
    times = merged_leading(input.shape().to_rank(4), times, by_rows);
    const MemoryConfig on_the_way = interleaved(input.memory_config());
    Tensor result = std::move(input);  // its memory may be let go of on the way
    if (cut) result = unscoped::untilize(result, on_the_way);
    const std::vector<std::size_t> order = order_of(times, by_rows);
    for (const std::size_t dim : order) {
        const MemoryConfig& place = dim == order.back() ? memory_config : on_the_way;
        const Tensor four = unscoped::unsqueeze_to_4D(result);
        result = unscoped::squeeze_from_4D(launch(RepeatCodegen{dim, times[dim], place}, {four}), rank);
    }
    result = viewed(result, shape);
    return cut ? unscoped::to_layout(result, Layout::TILE, std::nullopt, memory_config) : result;
}

// Rows along one dimension, as two dimensions (the last), or as four.
Tensor repeat_rows(const Tensor& input, std::size_t dim, std::uint32_t times,
                   const MemoryConfig& memory_config) {
    const std::span<const std::uint32_t> sizes = input.shape().dimensions();
    const auto product = [&](std::size_t begin, std::size_t end) {
        return std::accumulate(sizes.begin() + static_cast<std::ptrdiff_t>(begin),
                               sizes.begin() + static_cast<std::ptrdiff_t>(end), 1U, std::multiplies<>());
    };
    Times each(sizes.size(), 1);
    each[dim] = times;
    const Shape shape = repeated_shape(input.shape(), each);
    const std::size_t last = sizes.size() - 1;
    const bool is_last = dim == last;
    const Shape folded = is_last ? Shape{product(0, last), sizes[last]}
                                 : Shape{product(0, dim), sizes[dim], product(dim + 1, last), sizes[last]};
    const Tensor source = input.shape() == folded ? input : unpadded_view(input, folded);
    return viewed(launch(RepeatOperation{times, is_last, memory_config, 1, {}}, {source}), shape);
}

Tensor repeat_tiles(const Tensor& input, std::size_t dim, std::uint32_t times,
                    const MemoryConfig& memory_config) {
    std::vector<std::uint32_t> pages(input.shape().dimensions().begin(), input.shape().dimensions().end());
    pages[pages.size() - 1] /= kTileWidth;
    pages[pages.size() - 2] /= kTileHeight;
    const auto at = pages.begin() + static_cast<std::ptrdiff_t>(dim);
    const auto product = [](auto begin, auto end) {
        return std::accumulate(begin, end, 1U, std::multiplies<>());
    };
    const std::array<std::uint32_t, 4> tiles{product(pages.begin(), at), *at, product(at + 1, pages.end()),
                                             static_cast<std::uint32_t>(tile_size(input.dtype()))};
    return launch(RepeatOperation{times, false, memory_config, dim, tiles}, {input});
}

// Any number of dimensions, the last first.
Tensor repeat_each(Tensor input, const Times& times, const MemoryConfig& memory_config) {
    const bool tiled = input.layout() == Layout::TILE;
    const bool by_tiles = tiled && times.size() >= 2 && fills_tiles(input);
    const DataType dtype = input.dtype();
    Tensor result = std::move(input);  // its memory may be let go of on the way
    if (tiled && !by_tiles)
        result = unscoped::to_layout(result, Layout::ROW_MAJOR, std::nullopt, std::nullopt);
    for (const std::size_t dim : order_of(times, true)) {
        result = by_tiles ? repeat_tiles(result, dim, times[dim], memory_config)
                          : repeat_rows(result, dim, times[dim], memory_config);
    }
    return tiled && !by_tiles ? unscoped::to_layout(result, Layout::TILE, dtype, std::nullopt) : result;
}

std::uint64_t bytes_in_l1(const TensorSpec& spec, const DeviceDescription& device) {
    return spec.memory_config.buffer_type == BufferType::L1
               ? buffer_geometry(spec, device).size_per_bank_bytes
               : 0;
}

// True if every row on the way, beside all that is made until then, has room in a core: twice in an empty one that has
// the input, once in what is free now.
bool rows_fit(const Tensor& input, const Times& given, const MemoryConfig& memory_config) {
    Device& device = input.device();
    const DeviceDescription& description = device.description();
    const std::uint64_t all = description.l1_size - description.l1_unreserved_base;
    const std::uint64_t free = free_l1_below_tensors(device);
    const MemoryConfig on_the_way = interleaved(input.memory_config());
    const bool in_dram =
        on_the_way.buffer_type == BufferType::DRAM && memory_config.buffer_type == BufferType::DRAM;
    Times times(4 - given.size(), 1);
    times.insert(times.end(), given.begin(), given.end());
    times = merged_leading(input.shape().to_rank(4), times, true);
    TensorSpec from = input.spec();
    const std::uint64_t kept = bytes_in_l1(from, description);
    std::uint64_t made = 0;
    if (cuts_tiles(input, given)) {
        from = {input.shape(), input.dtype(), Layout::ROW_MAJOR, on_the_way};
        made += bytes_in_l1(from, description);
    }
    from.shape = from.shape.to_rank(4);
    const std::vector<std::size_t> order = order_of(times, true);
    for (const std::size_t dim : order) {
        const TensorSpec to =
            repeated_spec(from, dim, times[dim], dim == order.back() ? memory_config : on_the_way);
        made += bytes_in_l1(to, description);
        const std::uint64_t row = place_of_row(from, to, description);
        const bool fits_empty = in_dram ? 2 * row <= all : kept + made < all && 2 * row <= all - kept - made;
        if (!fits_empty || made >= free || RepeatCodegen::rows_in_flight(row, free - made) == 0) return false;
        from = to;
    }
    return true;
}

// Two to four dimensions, but block formats whose tiles would be taken apart, and rows that a core has no room for.
bool goes_by_pages(const Tensor& input, const Times& times, const MemoryConfig& memory_config) {
    if (times.size() < 2 || times.size() > 4) return false;
    const bool cut = cuts_tiles(input, times);
    if (cut && is_block_float(input.dtype())) return false;
    return (input.layout() == Layout::TILE && !cut) || rows_fit(input, times, memory_config);
}

// ---- from shards

std::uint64_t padded_rows(const Shape& padded) {
    return padded.volume() / padded[-1];
}

bool divides(const ShardSpec& shard, const Shape& padded) {
    return padded_rows(padded) % shard.shape[0] == 0 && padded[-1] % shard.shape[1] == 0;
}

// The one dimension that is repeated, if its copies stay in the cores that have it: of rows or tiles along the width each
// core's, above it where a shard holds all of the dimension.
std::optional<std::size_t> dimension_within_shards(const Tensor& input, const Times& times) {
    const std::vector<std::size_t> order = order_of(times, true);
    const ShardSpec& shard = *input.memory_config().shard_spec;
    const Shape padded = input.padded_shape();
    const bool tiled = input.layout() == Layout::TILE;
    if (order.size() != 1 || !divides(shard, padded) || (tiled && !fills_tiles(input))) return std::nullopt;
    const std::size_t dim = order.front();
    const std::size_t last = times.size() - 1;
    if (dim == last) {
        const bool in_rows = input.memory_config().memory_layout == TensorMemoryLayout::HEIGHT_SHARDED;
        return tiled || in_rows ? std::optional(dim) : std::nullopt;
    }
    std::uint64_t rows = 1;
    for (std::size_t i = dim; i < last; ++i)
        rows *= padded.dimensions()[i];
    return shard.shape[0] % rows == 0 ? std::optional(dim) : std::nullopt;
}

// Shards over all cores or banks, in the layout of `wanted`. Of tiles they are whole ones. Of rows they are parts of
// whole 16 bytes that divide the rows (of blocks: if a part for each column of cores is such), else as of tiles.
// Where those do not divide them, there are none.
MemoryConfig spread_over_grid(const Tensor& input, const Shape& shape, const MemoryConfig& wanted) {
    constexpr std::uint64_t kShardRowAlignment = 16;
    const DeviceDescription& device = input.device().description();
    const CoreCoord grid = wanted.buffer_type == BufferType::DRAM
                               ? CoreCoord{static_cast<std::uint32_t>(device.dram_banks), 1}
                               : device.compute_grid;
    const bool by_height = wanted.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED;
    const bool by_width = wanted.memory_layout == TensorMemoryLayout::WIDTH_SHARDED;
    const std::uint64_t cores = std::uint64_t{grid.x} * grid.y;
    const Shape padded = TensorSpec{shape, input.dtype(), input.layout(), DRAM_MEMORY_CONFIG}.padded_shape();
    const std::uint64_t rows = padded_rows(padded), columns = padded[-1];
    const auto part = [](std::uint64_t size, std::uint64_t count, std::uint64_t unit) {
        return static_cast<std::uint32_t>(round_up(ceil_div(size, count), unit));
    };
    const auto shards = [&](std::uint64_t row_unit, std::uint64_t column_unit) {
        return std::array{
            by_width ? static_cast<std::uint32_t>(rows) : part(rows, by_height ? cores : grid.y, row_unit),
            by_height ? static_cast<std::uint32_t>(columns)
                      : part(columns, by_width ? cores : grid.x, column_unit)};
    };
    const std::optional<ShardSpec>& from = input.memory_config().shard_spec;
    ShardSpec shard{whole_grid(grid), shards(kTileHeight, kTileWidth),
                    from ? from->orientation : ShardOrientation::ROW_MAJOR};
    if (input.layout() == Layout::ROW_MAJOR) {
        const std::uint64_t unit = kShardRowAlignment / element_size(input.dtype());
        const auto in_rows = shards(1, unit);
        const bool in_blocks = !by_height && !by_width;
        if (columns % in_rows[1] == 0 && (!in_blocks || ceil_div(columns, grid.x) % unit == 0)) {
            shard.shape = in_rows;
        } else if (columns % shard.shape[1] != 0) {
            return interleaved(wanted);
        }
    }
    return {wanted.memory_layout, wanted.buffer_type, shard};
}

// The place of shards that are asked for and left open: over all cores.
MemoryConfig in_shards_over_grid(const Tensor& input, const Shape& shape, const MemoryConfig& wanted) {
    return is_open(wanted) ? spread_over_grid(input, shape, wanted) : wanted;
}

// Rows are not written in pieces.
bool cuts_rows(const Tensor& input, const Shape& shape, const MemoryConfig& place) {
    return input.layout() == Layout::ROW_MAJOR && place.shard_spec &&
           place.memory_layout != TensorMemoryLayout::HEIGHT_SHARDED &&
           place.shard_spec->shape[1] != shape[-1];
}

Tensor repeat_in_place(Tensor source, const Times& times, const MemoryConfig& place) {
    return goes_by_pages(source, times, place) ? repeat_pages(std::move(source), times, place)
                                               : repeat_each(std::move(source), times, place);
}

// Into shards of any number of dimensions: by the older program, in L1, from where they are copied.
Tensor repeat_into_nd_shards(const Tensor& input, const Times& times, const MemoryConfig& place) {
    Tensor source = input.is_sharded() ? unscoped::to_memory_config(input, L1_MEMORY_CONFIG) : input;
    return unscoped::to_memory_config(repeat_each(std::move(source), times, L1_MEMORY_CONFIG), place);
}

// True if each core of a grid of blocks has one.
bool fills_its_grid(const Tensor& input) {
    const MemoryConfig& place = input.memory_config();
    const auto [height, width] = place.shard_spec->shape;
    const Shape padded = input.padded_shape();
    return place.memory_layout != TensorMemoryLayout::BLOCK_SHARDED ||
           ceil_div(padded_rows(padded), height) * ceil_div(padded[-1], width) >=
               place.shard_spec->grid.num_cores();
}

// Rows that lie in pieces are taken out of their shards first, unless each core can copy its own; shards that do not divide
// the result are cut afterwards.
Tensor repeat_shards(const Tensor& input, const Times& times, const OptionalMemoryConfig& memory_config) {
    const MemoryConfig& from = input.memory_config();
    const Shape shape = repeated_shape(input.shape(), times);
    if (!from.shard_spec) {
        const MemoryConfig asked =
            memory_config ? in_shards_over_grid(input, shape, *memory_config) : interleaved(from);
        const MemoryConfig made = cuts_rows(input, shape, asked) ? interleaved(asked) : asked;
        Tensor result = repeat_in_place(unscoped::to_memory_config(input, DRAM_MEMORY_CONFIG), times, made);
        return made == asked ? result : unscoped::interleaved_to_sharded(result, asked);
    }
    std::optional<std::size_t> within = dimension_within_shards(input, times);
    const bool by_rows = input.layout() == Layout::ROW_MAJOR;
    const bool in_pieces = by_rows && from.shard_spec->shape[1] != input.shape()[-1];
    const auto in_own_shards = [&] {
        MemoryConfig place = from.made_anew();
        place.nd_shard_spec.reset();
        place.shard_spec->shape[*within + 1 == times.size() ? 1 : 0] *= times[*within];
        return place;
    };

    OptionalMemoryConfig asked = memory_config;
    bool is_spread = !asked && !within;
    if (asked && is_open(*asked)) {
        const bool stays = by_rows && within && asked->memory_layout == from.memory_layout &&
                           asked->buffer_type == from.buffer_type;
        asked = stays ? in_own_shards() : spread_over_grid(input, shape, *asked);
        is_spread = by_rows && !stays && asked->memory_layout == TensorMemoryLayout::HEIGHT_SHARDED;
    }
    // On other cores, or in another way, each core has no copy of its own to write.
    const auto is_elsewhere = [&] {
        return asked && asked->is_sharded() &&
               (asked->memory_layout != from.memory_layout || !asked->shard_spec ||
                asked->shard_spec->grid != from.shard_spec->grid);
    };
    if (within && is_elsewhere()) within.reset();
    MemoryConfig place = asked.value_or(from);
    bool cut_afterwards = asked && cuts_rows(input, shape, place) && !within;
    if (!asked && within) {
        place = in_own_shards();
    } else if (!asked) {
        place = spread_over_grid(input, shape, from);
        cut_afterwards =
            place.is_sharded() && by_rows && from.memory_layout != TensorMemoryLayout::HEIGHT_SHARDED;
    }
    if (is_spread && place.shard_spec) {
        const TensorSpec spec{shape, input.dtype(), input.layout(), place};
        cut_afterwards = cut_afterwards || !divides(*place.shard_spec, spec.padded_shape());
    }
    const bool is_even =
        divides(*from.shard_spec, input.padded_shape()) && (by_rows || fills_its_grid(input));
    const bool is_cut = cuts_tiles(input, times);
    if (is_cut) cut_afterwards = place.is_sharded();
    const MemoryConfig made = cut_afterwards ? interleaved(place) : place;
    Tensor result;
    if (by_rows && within && (in_pieces || (made.is_sharded() && !memory_config))) {
        result = repeat_rows(input, *within, times[*within], made);
    } else {
        const bool in_blocks =
            by_rows && from.memory_layout == TensorMemoryLayout::BLOCK_SHARDED && place.is_sharded();
        const bool taken_out = in_pieces || in_blocks || !is_even || is_cut;
        // Tiles of block formats are taken apart in L1.
        const MemoryConfig& way =
            is_cut && is_block_float(input.dtype()) ? L1_MEMORY_CONFIG : DRAM_MEMORY_CONFIG;
        const auto source = [&] {
            if (!taken_out) return input;
            return from.buffer_type == BufferType::DRAM ? unscoped::to_memory_config(input, way)
                                                        : unscoped::sharded_to_interleaved(input, way);
        };
        result = repeat_in_place(source(), times, made);
    }
    return cut_afterwards ? unscoped::interleaved_to_sharded(result, place) : result;
}

// A vector in shards, or for shards: without them in between, in the same kind of memory. Shards that nobody names are over all
// cores.
Tensor repeat_vector(const Tensor& input, const Times& times, const OptionalMemoryConfig& wanted) {
    const MemoryConfig& from = input.memory_config();
    const Shape shape = repeated_shape(input.shape(), times);
    const auto place_of_result = [&] {
        if (wanted) return in_shards_over_grid(input, shape, *wanted);
        return from.shard_spec ? spread_over_grid(input, shape, from) : interleaved(from);
    };
    const MemoryConfig place = place_of_result(), made = interleaved(place);
    Tensor result = repeat_in_place(
        input.is_sharded() ? unscoped::to_memory_config(input, interleaved(from)) : input, times, made);
    return place.is_sharded() ? unscoped::interleaved_to_sharded(result, place) : result;
}

}  // namespace

Tensor unscoped::repeat(const Tensor& input, const std::vector<std::uint32_t>& given,
                        const OptionalMemoryConfig& memory_config) {
    require_on_device(input, "repeat", "input");
    const std::size_t rank = input.shape().rank();
    Times times(rank - std::min(rank, given.size()), 1);  // fewer are of the last dimensions
    times.insert(times.end(), given.begin(), given.end());
    require(std::find(times.begin(), times.end(), 0U) == times.end(),
            "repeat: times: expected at least 1 each, got 0");
    const MemoryConfig config = memory_config.value_or(input.memory_config());
    if (std::all_of(times.begin(), times.end(), [](std::uint32_t each) { return each == 1; })) {
        if (is_open(config) && input.memory_config().memory_layout == config.memory_layout &&
            input.memory_config().buffer_type == config.buffer_type)
            return input;
        return unscoped::to_memory_config(input, in_shards_over_grid(input, input.shape(), config));
    }
    const Shape shape = input.shape().to_rank(times.size());
    const Tensor source = input.shape() == shape ? input : unpadded_view(input, shape);
    const Shape result = repeated_shape(shape, times);
    if (memory_config && memory_config->memory_layout == TensorMemoryLayout::ND_SHARDED)
        return repeat_into_nd_shards(source, times, *memory_config);
    if (shape.rank() == 1 && (input.is_sharded() || config.is_sharded()))
        return repeat_vector(source, times, memory_config);
    if (input.is_sharded()) return repeat_shards(source, times, memory_config);
    const MemoryConfig place = in_shards_over_grid(source, result, config);
    const MemoryConfig made = cuts_rows(source, result, place) ? interleaved(place) : place;
    const Tensor repeated = repeat_in_place(source, times, made);
    return made == place ? repeated : unscoped::interleaved_to_sharded(repeated, place);
}

Tensor Repeat::call() const {
    require_none(optional_output_tensor, "repeat", "optional_output_tensor");
    return in_operation(*this, [&] {
        const std::span<const std::uint32_t> times = repeat_dims.dimensions();
        return unscoped::repeat(input_tensor, Times(times.begin(), times.end()), memory_config);
    });
}

Tensor Expand::body() const {
    const Tensor& input = input_tensor;
    const std::vector<std::int64_t>& sizes = output_shape;
    const std::size_t rank = input.shape().rank();
    require(sizes.size() >= rank, "expand: sizes: expected at least ", rank, " numbers for ", input.shape(),
            ", got ", sizes.size());
    Times times;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const std::size_t added = sizes.size() - rank;
        const std::int64_t size = i < added ? 1 : input.shape().dimensions()[i - added];
        require(sizes[i] == -1 || sizes[i] == size || (size == 1 && sizes[i] >= 1),
                "Only size 1 dimensions can be expanded in the output shape: expected -1 or ", size,
                " for dimension ", i, " of ", input.shape(), ", got ", sizes[i]);
        const bool kept = sizes[i] == -1 || sizes[i] == size;
        times.push_back(kept ? 1U : static_cast<std::uint32_t>(sizes[i]));
    }
    return unscoped::repeat(input, times, memory_config);
}

}  // namespace tilemeter
