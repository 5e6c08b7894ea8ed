// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/slice.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <tuple>

#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/free_l1.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/copy.hpp"
#include "runtime/operations/data_movement/fill_padding.hpp"
#include "runtime/operations/data_movement/internal/scaled_shards.hpp"
#include "runtime/operations/data_movement/internal/slice_operation.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/data_movement/tilize_operations.hpp"
#include "runtime/operations/work/shards_over.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

using Index = SliceOperation::Index;

bool takes_all(const Shape& shape, const Index& begin, const Index& end, const Index& step) {
    return std::all_of(begin.begin(), begin.end(), [](std::uint32_t at) { return at == 0; }) &&
           std::equal(end.begin(), end.end(), shape.dimensions().begin(), shape.dimensions().end()) &&
           std::all_of(step.begin(), step.end(), [](std::uint32_t each) { return each == 1; });
}

// Whole tiles can be taken from where a tile begins.
bool takes_tiles(const Index& begin, const Index& step) {
    const std::size_t rank = begin.size();
    return rank >= 2 && begin[rank - 1] % kTileWidth == 0 && begin[rank - 2] % kTileHeight == 0 &&
           std::all_of(step.begin(), step.end(), [](std::uint32_t each) { return each == 1; });
}

Index resolved(const Shape& shape, const std::vector<std::int64_t>& indices) {
    Index from_zero;
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const std::int64_t size = i < shape.rank() ? shape.dimensions()[i] : 0;
        from_zero.push_back(static_cast<std::uint32_t>(
            std::max<std::int64_t>(indices[i] < 0 ? indices[i] + size : indices[i], 0)));
    }
    return from_zero;
}

bool is_empty(const Index& begin, const Index& end) {
    bool empty = false;
    for (std::size_t i = 0; i < std::min(begin.size(), end.size()); ++i)
        empty = empty || begin[i] == end[i];
    return empty;
}

// TT-NN views each result under the shape it has. With an output_tensor the program writes there and is
// copied once more, onto itself.
Tensor cut(const SliceOperation& operation, const Tensor& input,
           const OptionalTensor& output = std::nullopt) {
    if (output) {
        const Tensor part = launch_into(operation.into(output->spec()), {input}, *output);
        unscoped::copy(reshape_view(part, part.shape()), *output);
        return *output;
    }
    const ScopedTensor part(launch(operation, {input}));
    return unpadded_view(*part, part->shape());
}

// Shards in several columns: a row lies in pages of several cores.
bool has_columns_of_shards(const MemoryConfig& config, std::uint32_t width) {
    return config.shard_spec && config.shard_spec->shape[1] < width;
}

// True if TT-NN's program can't read the rows of these shards, so that they go through interleaved L1. Between shards
// of whole rows they never do; else what is cut in tiles of 32 x 32, so to speak, is read where it lies, from the first
// column on where rows may be cut.
bool reads_through_l1(const Tensor& input, const Index& begin, const MemoryConfig& memory_config) {
    const MemoryConfig& from = input.memory_config();
    if (!from.is_sharded() || input.layout() != Layout::ROW_MAJOR) return false;
    const std::uint32_t width = input.shape()[-1];
    const bool of_tiles =
        width % kTileWidth == 0 && (input.shape().rank() == 1 ? 1 : input.shape()[-2]) % kTileHeight == 0;
    if (!from.shard_spec) return !of_tiles;
    if (from.memory_layout != TensorMemoryLayout::HEIGHT_SHARDED)
        return begin.back() != 0 || width % kTileWidth != 0;
    return memory_config.memory_layout != TensorMemoryLayout::HEIGHT_SHARDED && !of_tiles;
}

// True if it can't write rows: cut into pieces that begin at unaligned places.
bool writes_unaligned_pieces(const Tensor& input, std::uint32_t width, const MemoryConfig& memory_config) {
    return has_columns_of_shards(memory_config, width) &&
           !has_aligned_rows(Layout::ROW_MAJOR, memory_config, input.dtype(),
                             input.device().description().l1_alignment);
}

MemoryConfig config_of_part_in_nd_shards(const Tensor& input, const Index& begin, const Index& end,
                                         const Index& step) {
    TensorSpec part = input.spec();
    for (std::size_t i = 0; i < begin.size(); ++i) {
        part.shape.set(static_cast<std::int64_t>(i),
                       std::max(static_cast<std::uint32_t>(ceil_div(end[i] - begin[i], step[i])), 1U));
    }
    return as_many_nd_shards(input.spec(), part);
}

// The place of the part if the caller names none: shards of rows, or of columns, on the same cores, as high or as wide
// as they have to be.
MemoryConfig config_of_part(const Tensor& input, const Index& begin, const Index& end, const Index& step) {
    MemoryConfig config = input.memory_config();
    const std::size_t rank = begin.size();
    if (config.memory_layout == TensorMemoryLayout::ND_SHARDED)
        return config_of_part_in_nd_shards(input, begin, end, step);
    if (!config.shard_spec || rank < 2) return config;
    config.nd_shard_spec.reset();
    const bool in_tiles = input.layout() == Layout::TILE && takes_tiles(begin, step);
    const auto whole = [in_tiles](std::uint64_t size) {
        return static_cast<std::uint32_t>(in_tiles ? round_up(std::max<std::uint64_t>(size, 1), kTileWidth)
                                                   : size);
    };
    std::uint64_t rows = 1;
    std::uint32_t width = 0;
    for (std::size_t i = 0; i < rank; ++i) {
        const auto size = static_cast<std::uint32_t>(ceil_div(end[i] - begin[i], step[i]));
        if (i + 1 == rank) {
            width = whole(size);
        } else {
            rows *= i + 2 == rank ? whole(size) : size;
        }
    }
    const CoreRangeSet& grid = config.shard_spec->grid;
    CoreCoord cores{1, 1};  // that share the columns, that share the rows
    const auto all = static_cast<std::uint32_t>(grid.num_cores());
    if (config.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED) cores.y = all;
    if (config.memory_layout == TensorMemoryLayout::WIDTH_SHARDED) cores.x = all;
    if (config.memory_layout == TensorMemoryLayout::BLOCK_SHARDED) {
        const CoreRange box = grid.bounding_box();
        cores = {box.end.x - box.start.x + 1, box.end.y - box.start.y + 1};
    }
    config.shard_spec->shape = {
        cores.y == 1 ? static_cast<std::uint32_t>(rows) : whole(ceil_div(rows, cores.y)),
        cores.x == 1 ? width : whole(ceil_div(width, cores.x))};
    return config;
}

// Shards that are asked for and left open are whole tiles, as few as all cores allow; those of tiles as much smaller than
// the input's, where that is whole tiles.
MemoryConfig with_shards_over_grid(const MemoryConfig& wanted, const Tensor& input, const Index& begin,
                                   const Index& end, const Index& step) {
    if (!wanted.is_sharded() || wanted.shard_spec || wanted.nd_shard_spec) return wanted;
    TensorSpec from = input.spec();
    from.memory_config = DRAM_MEMORY_CONFIG;
    const SliceOperation part{begin, end, step, DRAM_MEMORY_CONFIG, std::nullopt};
    const TensorSpec to = part.infer(std::vector<TensorSpec>{from}).front();
    if (to.shape.volume() == 0) return wanted;
    if (input.layout() == Layout::TILE) from.memory_config = input.memory_config();
    return with_shards(wanted, from, to, input.device().description());
}

// Into shards that are left open, rows and tiles of another layout go afterwards.
bool opens_other_shards(const MemoryConfig& wanted, const Tensor& input) {
    return input.is_sharded() && is_open(wanted) &&
           (input.layout() == Layout::ROW_MAJOR ||
            input.memory_config().memory_layout != wanted.memory_layout);
}

Tensor slice_unscoped(const Tensor& input, const Index& begin, const Index& end, const Index& step,
                      const OptionalMemoryConfig& wanted, const OptionalTensor& output = std::nullopt,
                      std::optional<float> pad_value = std::nullopt,
                      const OptionalCores& sub_core_grids = std::nullopt) {
    SliceOperation operation{begin, end, step, wanted.value_or(input.memory_config()), sub_core_grids};
    require_on_device(input, "slice", "input");
    operation.validate(std::vector<TensorSpec>{input.spec()});
    if (!wanted) operation.memory_config = config_of_part(input, begin, end, step);
    if (wanted) operation.memory_config = with_shards_over_grid(*wanted, input, begin, end, step);
    const MemoryConfig& memory_config = operation.memory_config;
    if (is_empty(begin, end) && !takes_all(input.shape(), begin, end, step)) {
        const auto part = [&] {
            return create_device_tensor(operation.infer(std::vector<TensorSpec>{input.spec()}).front(),
                                        input.shared_device());
        };
        Tensor result = part();
        // TT-NN has made it once already when it finds that its beginning is not that of a tile.
        if (input.layout() == Layout::TILE && !takes_tiles(begin, step)) {
            ScopedTensor unused(std::move(result));
            result = part();
        }
        return result;
    }
    if (takes_all(input.shape(), begin, end, step)) {
        if (!wanted && !output) return input;
        return output ? unscoped::copy(input, *output) : unscoped::to_memory_config(input, memory_config);
    }
    const bool by_rows = input.layout() == Layout::ROW_MAJOR;
    const bool in_other_shards = wanted && opens_other_shards(*wanted, input);
    const bool in_nd_shards = memory_config.memory_layout == TensorMemoryLayout::ND_SHARDED &&
                              (memory_config.nd_shard_spec || by_rows);
    if (((in_nd_shards && (wanted || by_rows)) || in_other_shards) && !output) {
        // By way of interleaved L1, which rows are read from, too.
        const bool by_way = by_rows && input.is_sharded();
        const ScopedTensor source(by_way ? unscoped::to_memory_config(input, L1_MEMORY_CONFIG) : input);
        const ScopedTensor part(slice_unscoped(*source, begin, end, step, L1_MEMORY_CONFIG, std::nullopt,
                                               pad_value, sub_core_grids));
        return unscoped::to_memory_config(*part, memory_config);
    }
    const bool reads = reads_through_l1(input, begin, memory_config);
    const std::uint32_t width = begin.empty() ? 0 : end.back() - begin.back();
    const bool in_pieces = writes_unaligned_pieces(input, width, memory_config);
    if (!output && (reads || (by_rows && in_pieces))) {
        SliceOperation in_l1 = operation;
        in_l1.memory_config = L1_MEMORY_CONFIG;
        const ScopedTensor source(reads ? unscoped::to_memory_config(input, L1_MEMORY_CONFIG) : input);
        ScopedTensor part(cut(in_l1, *source));
        return memory_config == L1_MEMORY_CONFIG ? part.take()
                                                 : unscoped::to_memory_config(*part, memory_config);
    }
    if (by_rows || takes_tiles(begin, step)) {
        ScopedTensor part(cut(operation, input, output));
        const bool filled = pad_value && part->padded_shape() != part->shape();
        if (filled) return fill_padding(*part, *pad_value);
        // Without what filled its rows up it lies in other shards.
        const bool is_elsewhere = by_rows && !output && part->memory_config() != memory_config;
        return is_elsewhere ? unscoped::to_memory_config(*part, memory_config) : part.take();
    }
    // On the way rows of shards stay in these, unless they are taken out.
    const bool stays = !wanted || (wanted->shard_spec && input.memory_config().shard_spec &&
                                   wanted->memory_layout == input.memory_config().memory_layout);
    const ScopedTensor rows(
        unscoped::to_layout(input, Layout::ROW_MAJOR, std::nullopt, stays ? input.memory_config() : *wanted));
    if (in_pieces) {
        const std::uint64_t piece = memory_config.shard_spec->shape[1] * element_size(rows->dtype());
        const std::uint64_t alignment = input.device().description().l1_alignment;
        refuse_with("ttnn::slice: output per-shard page size ", piece,
                    " B disagrees with the accessor's aligned page size ", round_up(piece, alignment), " B (",
                    piece, " B is not a multiple of the ", alignment, " B buffer alignment)");
    }
    const ScopedTensor part(cut(operation, *rows));
    // Without what filled its rows up it lies in other shards.
    const ScopedTensor there(
        part->memory_config() == memory_config ? Tensor() : unscoped::to_memory_config(*part, memory_config));
    ScopedTensor tiles(unscoped::to_layout(there->is_allocated() ? *there : *part, Layout::TILE, std::nullopt,
                                           std::nullopt, std::nullopt, pad_value.value_or(0)));
    return output ? unscoped::copy(*tiles, *output) : tiles.take();
}

// Equal parts of whole tiles along the last dimension have a program of their own, if there are two whole
// tiles above each other and the grid has a column for each batch and a row for each part. Several outer
// batches are cut in two only.
bool splits_at_once(const Tensor& input, std::uint32_t split_size, std::size_t position) {
    if (input.layout() != Layout::TILE) return false;
    if (input.shape().rank() < 2 || position + 1 != input.shape().rank()) return false;
    const Shape shape = input.shape().to_rank(std::min<std::size_t>(input.shape().rank(), 4));
    if (shape[-1] % split_size != 0 || split_size % kTileWidth != 0 || shape[-2] / kTileHeight < 2)
        return false;
    const TileGrid tiles = tile_grid(shape);
    const CoreCoord grid = input.device().description().compute_grid;
    const std::uint32_t parts = shape[-1] / split_size;
    if (shape.rank() == 4 && shape[0] != 1 && parts != 2) return false;
    return parts > 1 && parts <= grid.y && tiles.batch <= grid.x;
}

std::vector<Tensor> split_at_once(const Tensor& given, std::uint32_t split_size,
                                  const MemoryConfig& memory_config) {
    const Tensor input = view_in_four(given);
    const Shape& shape = input.shape();
    const bool several_batches = shape.rank() == 4 && shape[0] != 1;
    const ScopedTensor source(
        several_batches ? unscoped::reshape(input, Shape{1, shape[0] * shape[1], shape[2], shape[3]})
                        : unscoped::unsqueeze_to_4D(input));
    std::vector<Tensor> parts = launch_all(SplitOperation{shape[-1] / split_size, memory_config}, {*source});
    for (Tensor& part : parts) {
        part = several_batches ? unscoped::reshape(part, Shape{shape[0], shape[1], shape[2], split_size})
                               : unscoped::squeeze_from_4D(part, shape.rank());
    }
    if (given.shape().rank() == shape.rank()) return parts;
    Shape shape_of_part = given.shape();
    shape_of_part.set(-1, split_size);
    for (Tensor& part : parts)
        part = reshape_view(part, shape_of_part);
    return parts;
}

// Only the name stays of shards of more dimensions that are asked for: the part lies in blocks over all cores.
MemoryConfig in_blocks_of_nd_shards(const TensorSpec& part, MemoryConfig config, CoreCoord grid) {
    TensorSpec matrix = part;  // rows are cut as tiles
    const Shape padded = part.padded_shape();
    matrix.shape = Shape{static_cast<std::uint32_t>(padded.volume() / padded[-1]), padded[-1]};
    matrix.layout = Layout::TILE;
    config.nd_shard_spec.reset();
    config.shard_spec = shards_over(matrix, TensorMemoryLayout::BLOCK_SHARDED, grid);
    return config;
}

// Parts along one dimension, each by a slice of its own, as long as `sizes` say.
std::vector<Tensor> split_by_slices(const Tensor& input, const Index& sizes, std::size_t position,
                                    const MemoryConfig& memory_config) {
    const std::span<const std::uint32_t> dimensions = input.shape().dimensions();
    // TT-NN moves what it cuts into more than two parts for DRAM there first.
    const MemoryConfig& from = input.memory_config();
    const bool there_first =
        sizes.size() > 2 && memory_config == DRAM_MEMORY_CONFIG &&
        (from == L1_MEMORY_CONFIG || (from.is_sharded() && from.buffer_type == BufferType::L1));
    const ScopedTensor moved(there_first ? unscoped::to_memory_config(input, DRAM_MEMORY_CONFIG) : Tensor());
    const Tensor& source = there_first ? *moved : input;
    std::vector<Tensor> parts;
    std::uint32_t at = 0;
    for (const std::uint32_t size : sizes) {
        Index begin(dimensions.size(), 0);
        Index end(dimensions.begin(), dimensions.end());
        begin[position] = at;
        end[position] = at = std::min(at + size, dimensions[position]);
        MemoryConfig place = memory_config;
        if (place.nd_shard_spec) {
            TensorSpec part = source.spec();
            part.memory_config = DRAM_MEMORY_CONFIG;
            part.shape.set(static_cast<std::int64_t>(position), end[position] - begin[position]);
            place = in_blocks_of_nd_shards(part, place, source.device().description().compute_grid);
        }
        parts.push_back(slice_unscoped(source, begin, end, Index(begin.size(), 1), place));
    }
    return parts;
}

// The place of parts if nobody names one: that of the whole. If that is L1 and it is cut in more than two, it is DRAM,
// unless all of the tensor fits in one core beside the memory that TT-NN takes for the programs: four pages a part.
MemoryConfig place_of_parts(const Tensor& input, std::size_t position, std::uint32_t size,
                            std::uint64_t parts) {
    constexpr std::uint64_t kPagesOfPart = 4;
    const MemoryConfig& place = input.memory_config();
    if (place.nd_shard_spec && !place.shard_spec) return DRAM_MEMORY_CONFIG;
    if (place.shard_spec) {
        // Shards of equal parts are smaller by their number, if they stay whole; in tiles they are whole tiles.
        MemoryConfig scaled = place.made_anew();
        scaled.nd_shard_spec.reset();
        std::uint32_t& side = scaled.shard_spec->shape[position + 1 == input.shape().rank() ? 1 : 0];
        const std::uint64_t scaled_side = std::uint64_t{side} * size;
        const std::uint64_t whole = input.shape().dimensions()[position];
        const std::uint64_t step = input.layout() == Layout::TILE ? kTileHeight : 1;
        if (whole % size != 0 || scaled_side % whole != 0 || scaled_side / whole % step != 0)
            return DRAM_MEMORY_CONFIG;
        side = static_cast<std::uint32_t>(scaled_side / whole);
        return scaled;
    }
    if (place != L1_MEMORY_CONFIG || parts <= 2) return place;
    const bool tiled = input.layout() == Layout::TILE;
    const std::uint64_t page = tiled ? tile_size(input.dtype())
                                     : std::uint64_t{kTileHeight} * kTileWidth * element_size(input.dtype());
    const std::uint64_t whole = tiled ? num_tiles(input.spec()) : input.shape().volume();
    const std::uint64_t part = whole / parts * (tiled ? page : element_size(input.dtype()));
    const bool fits = parts * (part + kPagesOfPart * page) <= free_l1_below_tensors(input.device());
    return fits ? place : DRAM_MEMORY_CONFIG;
}

Index equal_sizes(std::uint32_t whole, std::uint32_t part) {
    return Index((whole + part - 1) / part, part);
}

}  // namespace

namespace unscoped {

ProgramPlan slice_program(const TensorSpec& input, const TensorSpec& output, const DeviceDescription& device,
                          std::uint64_t free_l1_bytes) {
    const std::size_t rank = output.shape.rank();
    const std::span<const std::uint32_t> end = output.shape.dimensions();
    const SliceOperation operation{std::vector<std::uint32_t>(rank, 0),
                                   {end.begin(), end.end()},
                                   std::vector<std::uint32_t>(rank, 1),
                                   output.memory_config};
    return operation.plan({&input, 1}, {&output, 1}, device, free_l1_bytes);
}

Tensor slice(const Tensor& input, const std::vector<std::uint32_t>& begin,
             const std::vector<std::uint32_t>& end, const OptionalMemoryConfig& memory_config) {
    return slice_unscoped(input, begin, end, Index(begin.size(), 1), memory_config);
}

Tensor slice_into(const Tensor& input, const std::vector<std::uint32_t>& begin,
                  const std::vector<std::uint32_t>& end, const Tensor& output) {
    return slice_unscoped(input, begin, end, Index(begin.size(), 1), output.memory_config(), output);
}

}  // namespace unscoped

std::tuple<const Tensor&, const std::vector<std::int64_t>&, const std::vector<std::int64_t>&,
           const std::vector<std::int64_t>&, const OptionalMemoryConfig&>
Slice::recorded() const {
    static const std::vector<std::int64_t> kNoStep;
    return {input_tensor, slice_start, slice_end, slice_step ? *slice_step : kNoStep, memory_config};
}

Tensor Slice::body() const {
    Index steps(slice_start.size(), 1);
    if (slice_step && !slice_step->empty()) steps.assign(slice_step->begin(), slice_step->end());
    const Shape& shape = input_tensor.shape();
    const OptionalMemoryConfig config = output_tensor ? output_tensor->memory_config() : memory_config;
    return slice_unscoped(input_tensor, resolved(shape, slice_start), resolved(shape, slice_end), steps,
                          config, output_tensor, pad_value, sub_core_grids);
}

Tensor SliceByTensors::call() const {
    const auto values = [](const Tensor& tensor) { return tensor.values().to_integers(); };
    return call_operation(Slice{input_tensor, values(starts), values(ends), slice_step, memory_config,
                                output_tensor, pad_value, sub_core_grids});
}

std::variant<Split::Recorded<std::uint32_t>, Split::Recorded<std::vector<std::uint32_t>>> Split::recorded()
    const {
    const auto recorded_with = [&](const auto& size) -> decltype(recorded()) {
        return std::tie(input_tensor, size, dim, memory_config);
    };
    return std::visit(recorded_with, split_size);
}

std::vector<Tensor> Split::body() const {
    const Tensor& input = input_tensor;
    if (const auto* size = std::get_if<std::uint32_t>(&split_size)) {
        require(*size != 0, "split: split_size: expected at least 1, got 0");
        const std::size_t position = input.shape().position(dim);
        const Index parts = equal_sizes(input.shape()[dim], *size);
        // Shards of more dimensions for parts of other sizes are given up.
        const bool is_given_up =
            memory_config && memory_config->nd_shard_spec && input.shape()[dim] % *size != 0;
        const MemoryConfig config =
            is_given_up ? DRAM_MEMORY_CONFIG
            : memory_config
                ? *memory_config
                : place_of_parts(input, position, std::min(*size, input.shape()[dim]), parts.size());
        if (splits_at_once(input, *size, position)) return split_at_once(input, *size, config);
        return split_by_slices(input, parts, position, config);
    }
    const Index& sizes = std::get<Index>(split_size);
    const std::size_t position = input.shape().position(dim);
    const std::uint64_t sum = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
    require(sum == input.shape()[dim], "split: split_size: expected sizes that come to ", input.shape()[dim],
            ", got ", sum);
    return split_by_slices(
        input, sizes, position,
        memory_config ? *memory_config
                      : place_of_parts(input, position, sizes.empty() ? 0 : sizes.front(), sizes.size()));
}

std::vector<Tensor> Chunk::body() const {
    require(chunks != 0, "chunk: chunks: expected at least 1, got 0");
    const std::size_t position = input_tensor.shape().position(dim);
    const std::uint32_t size = (input_tensor.shape()[dim] + chunks - 1) / chunks;
    return split_by_slices(input_tensor, equal_sizes(input_tensor.shape()[dim], std::max(size, 1U)), position,
                           input_tensor.memory_config());
}

}  // namespace tilemeter
