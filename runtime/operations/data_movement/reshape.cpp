// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/reshape.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/device/errors.hpp"
#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/internal/fill_pad_operation.hpp"
#include "runtime/operations/data_movement/internal/scaled_shards.hpp"
#include "runtime/operations/data_movement/reshape_mapping.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/data_movement/sharding_operations.hpp"
#include "runtime/operations/data_movement/typecast.hpp"
#include "runtime/operations/work/later_ttnn.hpp"
#include "runtime/operations/work/shards_over.hpp"
#include "runtime/operations/work/tensor_pages.hpp"
#include "runtime/operations/work/work_cores.hpp"
#include "runtime/types/rounding.hpp"

namespace tilemeter {

namespace {

bool is_read_by_windows(const TensorSpec& input, const TensorSpec& output, const DeviceDescription& device,
                        const OptionalCores& sub_core_grids) {
    const WorkSplit pages =
        split_work(num_tiles(output), sub_core_grids, device.compute_grid, CoreWalk::kDownColumns);
    const std::uint64_t alignment = std::max(device.dram_alignment, device.l1_alignment);
    return reshape_window_segments(input.shape, output.shape, pages, element_size(output.dtype), alignment)
        .has_value();
}

// One page of the table, one input tile, and a place where the output tile is put together.
ProgramPlan plan_tiles(const TensorSpec& input, const TensorSpec& output, const DeviceDescription& device,
                       const OptionalCores& sub_core_grids) {
    if (NotesOnLaterTtnn* const notes = NotesOnLaterTtnn::of_this_thread())
        notes->add_reshape_table(is_read_by_windows(input, output, device, sub_core_grids));
    ProgramPlan plan{{"ttnn::prim::ReshapeViewTiledProgramFactory", 1}};
    const std::uint64_t tiles = num_tiles(output);
    const std::uint64_t words = reshape_mapping_words(input.shape, output.shape);
    const CoreRangeSet cores = cores_down_columns(tiles, device, sub_core_grids);
    const std::uint64_t tile_bytes = tile_size(input.dtype);
    plan.memory = {dataflow_buffer(words * element_size(DataType::UINT32), cores),
                   dataflow_buffer(tile_bytes, cores), scratchpad(tile_size(output.dtype), cores)};
    plan.config_tensors = {
        TensorSpec{Shape{static_cast<std::uint32_t>(tiles), static_cast<std::uint32_t>(words)},
                   DataType::UINT32, Layout::ROW_MAJOR, DRAM_MEMORY_CONFIG}};
    return plan;
}

// Two reading places of a whole row with room for its misalignment, and one or, for rows that are not
// aligned, up to eight places to write from. Rows of which one divides the other keep both data movers of a core
// busy.
ProgramPlan plan_rows(const TensorSpec& input, const TensorSpec& output, const DeviceDescription& device,
                      const OptionalCores& sub_core_grids, std::uint64_t free_l1_bytes) {
    constexpr std::uint64_t kBlock = 64;
    constexpr std::uint64_t kAlignment = 16;
    constexpr std::uint64_t kMostSlots = 8;
    const std::uint64_t from = row_bytes(input);
    const std::uint64_t to = row_bytes(output);
    const std::uint64_t read = 2 * ((from - 1) / kBlock * kBlock + 128);
    const std::uint64_t slot = (to - 1) / kBlock * kBlock + 80;
    const bool to_aligned = to % kAlignment == 0;
    const bool both_movers = (from % to == 0 || to % from == 0) &&
                             (to_aligned || output.memory_config.buffer_type != BufferType::DRAM);
    const std::uint64_t movers = both_movers ? 2 : 1;
    std::uint64_t slots = 1;
    if (!to_aligned || from % kAlignment != 0) {
        const std::uint64_t source = read * movers, least = slot * movers;
        require(free_l1_bytes >= source + least, "RM reshape dest staging does not fit in L1: need at least ",
                least, " B dest + ", source, " B source, have ", free_l1_bytes, " B");
        slots = std::min((free_l1_bytes - source) / least, kMostSlots);
    }
    ProgramPlan plan{{"ttnn::prim::ReshapeViewRMProgramFactory", 0}};
    const CoreRangeSet cores = sub_core_grids.value_or(whole_grid(device.compute_grid));
    for (std::uint64_t mover = 0; mover < movers; ++mover) {
        plan.memory.push_back(scratchpad(read, cores));
        plan.memory.push_back(scratchpad(slot * slots, cores));
    }
    return plan;
}

/// ROW_MAJOR: two dimensions to two, interleaved; TILE: three to three.
struct ReshapeView {
    static constexpr std::string_view kName = "ReshapeViewDeviceOperation";
    static constexpr std::string_view kAttributesName = "ReshapeViewParams";

    Shape shape;
    MemoryConfig memory_config;
    OptionalCores sub_core_grids{};

    auto attributes() const { return std::make_tuple(shape, shape, memory_config, false, sub_core_grids); }

    void validate(SpecsView inputs) const {
        switch (inputs[0].dtype) {
            case DataType::BFLOAT16:
            case DataType::FLOAT32:
            case DataType::INT32:
            case DataType::UINT32:
                return;
            default:
                refuse_with("Can only work with bfloat16/float32 or int32/uint32 tensors");
        }
    }

    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{shape, inputs[0].dtype, inputs[0].layout, memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device,
                     std::uint64_t free_l1_bytes) const {
        return inputs[0].layout == Layout::TILE
                   ? plan_tiles(inputs[0], outputs[0], device, sub_core_grids)
                   : plan_rows(inputs[0], outputs[0], device, sub_core_grids, free_l1_bytes);
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView) const {
        return {inputs[0]->reshaped(shape)};
    }
};

Tensor viewed(const Tensor& tensor, const Shape& shape) {
    return tensor.shape() == shape ? tensor : reshape_view(tensor, shape);
}

std::uint32_t dimension_or_one(const Shape& shape, std::int64_t index) {
    return shape.rank() >= static_cast<std::size_t>(-index) ? shape[index] : 1;
}

bool nothing_moves(const Tensor& input, const Shape& shape, const MemoryConfig& memory_config) {
    const MemoryConfig& from = input.memory_config();
    if (dimension_or_one(input.shape(), -1) != dimension_or_one(shape, -1)) return false;
    if (memory_config.is_sharded() != from.is_sharded()) return false;
    if ((memory_config.buffer_type == BufferType::L1) != (from.buffer_type == BufferType::L1)) return false;
    if (input.layout() == Layout::ROW_MAJOR) return true;
    const std::uint32_t rows_from = dimension_or_one(input.shape(), -2);
    const std::uint32_t rows_to = dimension_or_one(shape, -2);
    return rows_from == rows_to || (rows_from % kTileHeight == 0 && rows_to % kTileHeight == 0);
}

MemoryConfig interleaved(const MemoryConfig& config) {
    return {TensorMemoryLayout::INTERLEAVED, config.buffer_type, std::nullopt};
}

bool is_in_nd_shards(const MemoryConfig& config) {
    return config.memory_layout == TensorMemoryLayout::ND_SHARDED;
}

Shape as_matrix(const Shape& shape) {
    return shape.to_rank(2);
}

// The place of the result: shards, also those that the caller names, are cut anew for the new shape where their cores
// are one rectangle, else they are given up.
MemoryConfig place_of_result(const Tensor& input, const Shape& shape, const MemoryConfig& wanted) {
    if (!wanted.is_sharded() || !wanted.shard_spec) return wanted;
    if (wanted.shard_spec->grid.ranges().size() != 1) return interleaved(wanted);
    return fitted_shards(wanted, TensorSpec{shape, input.dtype(), input.layout(), DRAM_MEMORY_CONFIG});
}

Tensor move_rows(const Tensor& input, const Shape& shape, const MemoryConfig& wanted,
                 const OptionalCores& sub_core_grids) {
    const MemoryConfig place = place_of_result(input, shape, wanted);
    const auto moved = [&] {
        const bool in_nd_shards = is_in_nd_shards(input.memory_config());
        const ScopedTensor copy(in_nd_shards ? unscoped::to_memory_config(input, DRAM_MEMORY_CONFIG)
                                             : Tensor());
        ScopedTensor source(viewed(in_nd_shards ? *copy : input, as_matrix(input.shape())));
        if (input.is_sharded() && !in_nd_shards)
            source = unscoped::sharded_to_interleaved(*source, interleaved(input.memory_config()));
        ScopedTensor result(
            launch(ReshapeView{as_matrix(shape), interleaved(place), sub_core_grids}, {*source}));
        return place.is_sharded() ? launch(InterleavedToShardedOperation{place, input.dtype()}, {*result})
                                  : result.take();
    };
    const Tensor result = moved();
    return result.shape() == shape ? result : unpadded_view(result, shape);
}

// Without a stop on the way, but where shards are asked for and given up, or hold a block format.
Tensor move_tiles(const Tensor& input, const Shape& shape, const MemoryConfig& wanted,
                  const OptionalCores& sub_core_grids) {
    const MemoryConfig place = place_of_result(input, shape, wanted);
    const bool by_bfloat16 = is_block_float(input.dtype());
    const bool directly = !wanted.is_sharded() || (place.is_sharded() && !by_bfloat16);
    const bool in_nd_shards = is_in_nd_shards(input.memory_config());
    const ScopedTensor copy(in_nd_shards ? unscoped::to_memory_config(input, DRAM_MEMORY_CONFIG) : Tensor());
    ScopedTensor source(viewed(in_nd_shards ? *copy : input, input.shape().to_rank(3)));
    if (input.is_sharded() && !in_nd_shards && !directly)
        source = unscoped::sharded_to_interleaved(*source, interleaved(input.memory_config()));
    if (by_bfloat16) source = unscoped::typecast(*source, DataType::BFLOAT16);
    ScopedTensor moved(launch(
        ReshapeView{shape.to_rank(3), directly ? place : interleaved(place), sub_core_grids}, {*source}));
    if (by_bfloat16) {
        // The padding would get into the exponents that blocks share.
        if (moved->padded_shape() != moved->shape()) {
            launch_into(FillPadDeviceOperation{0, moved->memory_config()}, {*moved}, *moved);
        }
        moved = unscoped::typecast(*moved, input.dtype());
    }
    if (place.is_sharded() && !directly) moved = unscoped::interleaved_to_sharded(*moved, place);
    return viewed(*moved, shape);
}

Shape without_dimensions(const Shape& shape, const std::vector<std::int64_t>& dims) {
    std::vector<bool> left_out(shape.rank());
    const auto rank = static_cast<std::int64_t>(shape.rank());
    std::vector<std::int64_t> seen;
    for (const std::int64_t dim : dims) {
        const std::int64_t at = dim < 0 ? dim + rank : dim;
        // TT-NN's words.
        require(at >= 0 && at < rank, "Dimension out of range (expected to be in range of [", -rank, ",",
                rank - 1, "], but got ", at, ")");
        require(std::find(seen.begin(), seen.end(), at) == seen.end(), "dim ", at,
                " appears multiple times in the list of dims");
        seen.push_back(at);
        const auto position = static_cast<std::size_t>(at);
        left_out[position] = shape.dimensions()[position] == 1;
    }
    Shape result;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        if (!left_out[i]) result.push_back(shape.dimensions()[i]);
    }
    return result;
}

std::vector<std::int64_t> all_dimensions(const Shape& shape) {
    std::vector<std::int64_t> dims;
    for (std::size_t i = 0; i < shape.rank(); ++i)
        dims.push_back(static_cast<std::int64_t>(i));
    return dims;
}

// Shards of more dimensions have no view under another shape: TT-NN copies what they hold out of them and back into as many.
Tensor reshape_by_copies(const Tensor& input, const Shape& shape, const OptionalMemoryConfig& wanted) {
    const ScopedTensor copy(unscoped::to_memory_config(input, DRAM_MEMORY_CONFIG));
    const auto moved = [&] {
        if (nothing_moves(*copy, shape, DRAM_MEMORY_CONFIG)) return unpadded_view(*copy, shape);
        return input.layout() == Layout::ROW_MAJOR
                   ? move_rows(*copy, shape, DRAM_MEMORY_CONFIG, std::nullopt)
                   : move_tiles(*copy, shape, DRAM_MEMORY_CONFIG, std::nullopt);
    };
    const ScopedTensor view(moved());
    return unscoped::to_memory_config(*view,
                                      wanted ? *wanted : as_many_nd_shards(input.spec(), view->spec()));
}

Tensor viewed_by_copies(const Tensor& input, const Shape& shape) {
    if (!is_in_nd_shards(input.memory_config()) || input.shape().rank() == shape.rank())
        return viewed(input, shape);
    return reshape_by_copies(input, shape, std::nullopt);
}

// Shards that are left open are on the cores of the input's.
MemoryConfig on_cores_of(const MemoryConfig& wanted, const MemoryConfig& input) {
    if (!is_open(wanted)) return wanted;
    require(input.shard_spec.has_value(), [&] {
        return "ttnn.reshape: sharded output memory_config (layout=TensorMemoryLayout::" +
               std::string(name_of(wanted.memory_layout)) +
               ") was supplied without a shard_spec, and no input_shard_spec is available (input is likely interleaved). "
               "Either provide a shard_spec on memory_config or omit memory_config to inherit it from the input tensor.";
    });
    MemoryConfig config = wanted;
    config.shard_spec = input.shard_spec;
    return config;
}

Shape to_4D(const Shape& shape) {  // NOLINT: as the operation
    require(shape.rank() <= 4, "unsqueeze_to_4D: ", shape, ": expected at most 4 dimensions, got ",
            shape.rank());
    return shape.to_rank(4);
}

}  // namespace

namespace unscoped {

Tensor reshape(const Tensor& input, const Shape& shape, const OptionalMemoryConfig& memory_config,
               const OptionalCores& sub_core_grids) {
    require(shape.volume() == input.shape().volume(), "Invalid arguments to reshape: ", input.shape(), " to ",
            shape, ": expected equal volumes, got ", input.shape().volume(), " and ", shape.volume());
    // A tensor with padding is another one under its own shape.
    const bool same = input.padded_shape() == shape && input.shape() == shape;
    if (same && !memory_config) return input;
    if (input.storage_type() == StorageType::HOST || shape.volume() == 0) return reshape_view(input, shape);
    require_on_device(input, "reshape", "input");
    const MemoryConfig config = memory_config.value_or(input.memory_config());
    if (same && is_open(config) && input.is_sharded()) return input;
    if (same) return config == input.memory_config() ? input : to_memory_config(input, config);
    if (is_in_nd_shards(input.memory_config()) && shape != input.shape() && !is_open(config))
        return reshape_by_copies(input, shape, memory_config);
    if (nothing_moves(input, shape, config)) return unpadded_view(input, shape);
    if (is_in_nd_shards(config)) return reshape_by_copies(input, shape, config);
    const MemoryConfig place = on_cores_of(config, input.memory_config());
    return input.layout() == Layout::ROW_MAJOR ? move_rows(input, shape, place, sub_core_grids)
                                               : move_tiles(input, shape, place, sub_core_grids);
}

Tensor unsqueeze_to_4D(const Tensor& input) {
    return viewed_by_copies(input, to_4D(input.shape()));
}

Tensor squeeze_from_4D(const Tensor& input, std::size_t rank) {
    return viewed_by_copies(input, input.shape().to_rank(rank));
}

}  // namespace unscoped

Shape resolve_shape(const Tensor& tensor, std::span<const std::int64_t> dimensions) {
    constexpr std::int64_t kOpen = -1;
    std::uint64_t known = 1;
    for (const std::int64_t dimension : dimensions) {
        require(dimension >= kOpen && dimension <= std::int64_t{0xffffffff}, "reshape: dimension ", dimension,
                ": expected -1 or a size below 2^32");
        if (dimension != kOpen) known *= static_cast<std::uint64_t>(dimension);
    }
    const auto open = std::count(dimensions.begin(), dimensions.end(), kOpen);
    if (open > 1) {
        std::string used;
        for (const std::int64_t dimension : dimensions)
            used += std::to_string(dimension) + ",";
        refuse_with("Shape cannot have more than 1 elements that is set to -1! Shape used: (", used, ")");
    }
    Shape shape;
    for (const std::int64_t dimension : dimensions) {
        const std::uint64_t left = known == 0 ? 0 : tensor.shape().volume() / known;
        shape.push_back(static_cast<std::uint32_t>(dimension == kOpen ? left : dimension));
    }
    return shape;
}

namespace {

// A tensor of another volume: the tiles stay where they are, and as wide as they were.
Tensor with_other_padding(const Tensor& input, const Shape& shape, const MemoryConfig& memory_config) {
    require_on_device(input, "reshape", "input_tensor");
    const bool views = nothing_moves(input, shape, memory_config) ||
                       (shape.rank() >= 2 && input.shape().rank() >= 1 &&
                        round_up(shape[-1], kTileWidth) == input.padded_shape()[-1]);
    require(input.layout() == Layout::TILE && shape.rank() >= 2 && views,
            "Attempting to reshape between two shapes with different volumes: ", input.shape(), " and ",
            shape);
    return view_of_tiles(input, shape);
}

}  // namespace

Tensor Reshape::body() const {
    if (padding_may_change && shape.volume() != input_tensor.shape().volume() && shape.volume() != 0 &&
        input_tensor.storage_type() == StorageType::DEVICE) {
        return with_other_padding(input_tensor, shape, memory_config.value_or(input_tensor.memory_config()));
    }
    if (padding_may_change && shape == input_tensor.shape() && !memory_config &&
        input_tensor.storage_type() == StorageType::DEVICE) {
        return input_tensor;
    }
    return unscoped::reshape(input_tensor, shape, memory_config, sub_core_grids);
}

Tensor ReshapeWithPadding::call() const {
    TensorSpec spec = input_tensor.spec();
    spec.shape = logical_shape;
    const bool is_expected = spec.padded_shape() == padded_shape;
    // If tiles are filled up or move, TT-NN does not look at it.
    const bool is_ignored =
        spec.layout == Layout::TILE && input_tensor.storage_type() == StorageType::DEVICE &&
        logical_shape.volume() == input_tensor.shape().volume() &&
        (spec.padded_shape() != logical_shape ||
         !nothing_moves(input_tensor, logical_shape, memory_config.value_or(input_tensor.memory_config())));
    if (!is_expected && !is_ignored) {
        throw std::invalid_argument("reshape: padded_shape: expected " + spec.padded_shape().to_string() +
                                    ", got " + padded_shape.to_string());
    }
    return call_operation(Reshape{.input_tensor = input_tensor,
                                  .shape = logical_shape,
                                  .memory_config = memory_config,
                                  .sub_core_grids = sub_core_grids,
                                  .padding_may_change = is_expected});
}

Tensor ReshapeByNumbers::call() const {
    return call_operation(Reshape{.input_tensor = input_tensor,
                                  .shape = resolve_shape(input_tensor, shape),
                                  .memory_config = memory_config,
                                  .sub_core_grids = sub_core_grids});
}

namespace {

// TT-NN's words.
void require_view(const Tensor& input, const Shape& shape) {
    const Shape& from = input.shape();
    const auto refuse = [](const std::string& what, std::uint64_t was, std::uint64_t is, const char* advice) {
        refuse_with(what, " from ", was, " to ", is, advice);
    };
    constexpr const char* kAdvice = ", use reshape instead";
    if (shape.volume() != from.volume())
        refuse("Invalid view, logical volumes are changing", from.volume(), shape.volume(), "");
    require(input.storage_type() != StorageType::HOST,
            "View requires the tensor be stored on device, use reshape instead");
    require_on_device(input, "view", "input_tensor");
    if (dimension_or_one(from, -1) != dimension_or_one(shape, -1)) {
        refuse("The last dimension can not change in view, attempting to change last dimension",
               dimension_or_one(from, -1), dimension_or_one(shape, -1), kAdvice);
    }
    if (!nothing_moves(input, shape, input.memory_config())) {
        refuse("Invalid second last dims for TILED reshape,", dimension_or_one(from, -2),
               dimension_or_one(shape, -2), kAdvice);
    }
}

}  // namespace

Tensor View::body() const {
    require_view(input_tensor, shape);
    return reshape_view(input_tensor, shape);
}

// Rows may get another width, as nothing says where one ends.
Tensor experimental::View::body() const {
    const bool nothing = shape.volume() == 0 && input_tensor.shape().volume() == 0;
    const bool in_tiles = input_tensor.layout() == Layout::TILE;
    if (in_tiles && input_tensor.storage_type() == StorageType::DEVICE && !nothing)
        require_view(input_tensor, shape);
    return reshape_view(input_tensor, shape);
}

Tensor UnsqueezeTo4D::body() const {
    return unscoped::unsqueeze_to_4D(tensor);
}

Tensor Unsqueeze::body() const {
    const auto rank = static_cast<std::int64_t>(input_tensor.shape().rank());
    require(dim >= -rank - 1 && dim <= rank, "Dimension out of range (expected to be in range of [",
            -rank - 1, ",", rank, "], but got ", dim, ")");
    const std::int64_t at = dim < 0 ? dim + rank + 1 : dim;
    Shape shape;
    for (std::int64_t i = 0; i <= rank; ++i) {
        if (i == at) shape.push_back(1);
        if (i < rank) shape.push_back(input_tensor.shape()[i]);
    }
    return unscoped::reshape(input_tensor, shape);
}

std::vector<std::int64_t> Squeeze::dims() const {
    if (!dim) return all_dimensions(input_tensor.shape());
    if (const auto* one = std::get_if<std::int64_t>(&*dim)) return {*one};
    return std::get<std::vector<std::int64_t>>(*dim);
}

Tensor Squeeze::body() const {
    const Shape shape = without_dimensions(input_tensor.shape(), dims());
    return shape == input_tensor.shape() ? input_tensor : unscoped::reshape(input_tensor, shape);
}

}  // namespace tilemeter
