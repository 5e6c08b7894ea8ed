// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/pad.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "runtime/compute/rearrange.hpp"
#include "runtime/device/buffer_geometry.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/padding_view.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/fill_padding.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/data_movement/typecast.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

struct PadOperation {
    static constexpr bool kTakesNdShards = true;
    static constexpr std::string_view kName = "PadDeviceOperation";
    static constexpr std::string_view kAttributesName = "PadParams";

    Shape shape;
    Shape begin;
    float value;
    MemoryConfig memory_config;
    CoreChoice cores{};

    auto attributes() const {
        return std::make_tuple(shape, shape, begin, value, memory_config, cores.use_multicore,
                               cores.sub_core_grids);
    }

    // Rows of shards are moved as they are, so that they have to begin at aligned places; a row is never cut.
    void validate_program(SpecsView inputs, const DeviceDescription& device) const {
        require(inputs[0].dtype != DataType::BFLOAT4_B, "Cannot pad tilized tensor with specified format");
        const auto check = [&](std::string_view which, const MemoryConfig& config, std::uint64_t alignment) {
            if (inputs[0].layout != Layout::ROW_MAJOR || !config.is_sharded()) return;
            if (!config.shard_spec && !config.nd_shard_spec) return;
            const std::uint32_t width =
                config.shard_spec ? config.shard_spec->shape[1] : config.nd_shard_spec->shape[-1];
            const std::uint64_t row = width * element_size(inputs[0].dtype);
            require(row % alignment == 0, which, " row-major shard width ", width, " gives page size ", row,
                    " bytes, which must be aligned to ", device.l1_alignment, " bytes");
        };
        check("Input", inputs[0].memory_config, page_alignment(inputs[0].memory_config, device));
        check("Output", memory_config, device.l1_alignment);
        if (inputs[0].layout != Layout::ROW_MAJOR || stays_in_shards(inputs[0])) return;
        const std::uint64_t row = place_of_row(inputs[0], infer(inputs).front(), device);
        require(row <= half_of_l1(device), "ttnn.pad: padded row of ", row,
                " B does not fit in the per-core L1 budget (", half_of_l1(device), " B)");
    }

    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{shape, inputs[0].dtype, inputs[0].layout, memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        if (stays_in_shards(inputs[0])) return plan_shards(inputs[0], outputs[0], device);
        if (inputs[0].layout == Layout::ROW_MAJOR) return plan_rows(inputs[0], outputs[0], device);
        const CoreRangeSet used =
            cores.use_multicore ? cores_down_columns(num_tiles(outputs[0]), device, cores.sub_core_grids)
                                : CoreRangeSet(CoreRange{});
        const std::uint64_t tile = tile_size(outputs[0].dtype);
        return {{cores.use_multicore ? "ttnn::prim::PadTileMulticoreProgramFactory"
                                     : "ttnn::prim::PadTileCoreProgramFactory",
                 cores.use_multicore ? 5U : 6U},
                {dataflow_buffer(2 * tile, used), scratchpad(tile, used)}};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        return {compute::padded(*inputs[0], begin.dimensions(), outputs[0].shape, value)};
    }

private:
    // True if each core's rows become rows of its own shard, which is as wide as the result and no lower; either rows
    // or columns are added, not both.
    bool stays_in_shards(const TensorSpec& input) const {
        const MemoryConfig& from = input.memory_config;
        const auto in_rows_of_shards = [](const MemoryConfig& config) {
            return config.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED && config.shard_spec;
        };
        if (input.layout != Layout::ROW_MAJOR || from.buffer_type != BufferType::L1 || cores.sub_core_grids ||
            !in_rows_of_shards(from) || !in_rows_of_shards(memory_config)) {
            return false;
        }
        const auto& shard = memory_config.shard_spec->shape;
        if (shape[-1] != shard[1] || shard[0] < from.shard_spec->shape[0]) return false;
        return input.shape[-1] == shape[-1] ||
               input.shape.volume() / input.shape[-1] == shape.volume() / shape[-1];
    }

    // Each core has its shards of both tensors, and a row of padding.
    ProgramPlan plan_shards(const TensorSpec& input, const TensorSpec& output,
                            const DeviceDescription& device) const {
        const bool adds_rows = input.shape[-1] == shape[-1];
        const CoreRangeSet grid = (adds_rows ? output : input).memory_config.shard_spec->grid;
        return {adds_rows ? ProgramFactory{"ttnn::prim::PadRmShardedHeightOnlyProgramFactory", 3}
                          : ProgramFactory{"ttnn::prim::PadRmShardedWidthOnlyProgramFactory", 4},
                {borrowed_buffer(std::min<std::uint64_t>(buffer_geometry(input, device).size_per_bank_bytes,
                                                         num_rows(input) * row_bytes(input)),
                                 grid, 0),
                 borrowed_buffer(buffer_geometry(output, device).size_per_bank_bytes, grid, 1),
                 adds_rows ? dataflow_buffer(row_bytes(output), grid) : scratchpad(row_bytes(output), grid)}};
    }

    // As many batches as half of L1 holds, at most 16; a row is never cut.
    static std::uint64_t batches_in_flight(std::uint64_t batch, const DeviceDescription& device) {
        constexpr std::uint64_t kMost = 16;
        return std::min(half_of_l1(device) / batch, kMost);
    }
    static std::uint64_t half_of_l1(const DeviceDescription& device) {
        return device.l1_size / 2 - device.l1_unreserved_base;
    }

    bool uses_many_cores(const TensorSpec& input) const {
        return cores.use_multicore || input.memory_config.is_sharded();
    }
    /// The bytes of a row of the result in L1.
    std::uint64_t place_of_row(const TensorSpec& input, const TensorSpec& output,
                               const DeviceDescription& device) const {
        const std::uint64_t alignment =
            uses_many_cores(input)
                ? device.l1_alignment
                : std::max<std::uint64_t>(page_alignment(input.memory_config, device), kTileWidth);
        return round_up(row_bytes(output), alignment);
    }

    // Rows go in batches of at least 2 KiB; a row of padding, and another row where values begin at places that a
    // transfer can't reach.
    ProgramPlan plan_rows(const TensorSpec& input, const TensorSpec& output,
                          const DeviceDescription& device) const {
        constexpr std::uint64_t kBatch = 2048;
        const std::uint64_t row = place_of_row(input, output, device);
        if (!uses_many_cores(input)) {
            // A row of the value lies in L1 beside it.
            ProgramPlan plan{{"ttnn::prim::PadRmReaderWriterProgramFactory", 2},
                             {dataflow_buffer(batches_in_flight(row, device) * row, CoreRange{})}};
            plan.config_tensors = {
                TensorSpec{Shape{1, kTileWidth}, output.dtype, Layout::ROW_MAJOR, L1_MEMORY_CONFIG}};
            return plan;
        }
        const CoreRangeSet used = cores_down_columns(num_rows(output), device, cores.sub_core_grids);
        const std::uint64_t place = round_up(row_bytes(output), device.dram_alignment);
        const std::uint64_t batch = row * ceil_div(kBatch, row);
        ProgramPlan plan{
            {"ttnn::prim::PadRmReaderWriterMultiCoreDefaultProgramFactory", 1},
            {dataflow_buffer(batches_in_flight(batch, device) * batch, used), scratchpad(place, used)}};
        if (row != place || begin[-1] != 0) plan.memory.push_back(scratchpad(place, used));
        return plan;
    }
};

struct Frame {
    Shape begin;
    Shape shape;
};

Frame frame_of(const Shape& shape, const Padding& padding) {
    require(padding.size() <= shape.rank(), "pad: padding: expected at most ", shape.rank(), " pairs for ",
            shape, ", got ", padding.size());
    Frame frame{shape, shape};
    const std::size_t left_out = shape.rank() - padding.size();
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        const auto axis = static_cast<std::int64_t>(i);
        const auto [before, behind] = i < left_out ? Padding::value_type{0, 0} : padding[i - left_out];
        frame.begin.set(axis, before);
        frame.shape.set(axis, shape[axis] + before + behind);
    }
    return frame;
}

bool fills_its_tiles(const Tensor& input) {
    return input.padded_shape() == input.shape();
}

bool takes_more_tiles(const Tensor& input, const Shape& shape) {
    TensorSpec spec = input.spec();
    spec.shape = shape;
    return spec.padded_shape() != input.padded_shape();
}

// All but the last three dimensions as one.
Shape as_four(const Shape& shape) {
    if (shape.rank() <= 4) return shape.to_rank(4);
    std::uint32_t outer = 1;
    for (std::size_t i = 0; i + 3 < shape.rank(); ++i)
        outer *= shape.dimensions()[i];
    return Shape{outer, shape[-3], shape[-2], shape[-1]};
}

Tensor under_shape(const Tensor& tensor, const Shape& shape) {
    return tensor.shape() == shape ? tensor : reshape_view(tensor, shape);
}

Shape beginning_in_four(const Frame& frame) {
    constexpr std::int64_t kPlaces = 4;
    Shape begin{0, 0, 0, 0};
    for (std::int64_t i = -1; i >= -std::min(kPlaces, static_cast<std::int64_t>(frame.begin.rank())); --i)
        begin.set(i, frame.begin[i]);
    return begin;
}

// Shards of more dimensions get four by copies, and rows lose them so.
Tensor pad_nd_shards(const Tensor& input, const Frame& frame, float value,
                     const OptionalMemoryConfig& memory_config, const CoreChoice& cores) {
    const auto padded = [&] {
        const bool by_bfloat16 = input.dtype() == DataType::BFLOAT8_B;
        const ScopedTensor source(by_bfloat16 ? unscoped::typecast(input, DataType::BFLOAT16) : Tensor());
        const ScopedTensor four(unscoped::unsqueeze_to_4D(by_bfloat16 ? *source : input));
        const PadOperation operation{as_four(frame.shape), beginning_in_four(frame), value,
                                     memory_config.value_or(four->memory_config()), cores};
        if (!by_bfloat16) return launch(operation, {*four});
        const ScopedTensor result(launch(operation, {*four}));
        return unscoped::typecast(*result, input.dtype());
    };
    const Tensor result = padded();
    return input.layout() == Layout::ROW_MAJOR ? unscoped::reshape(result, frame.shape)
                                               : reshape_view(result, frame.shape);
}

// By way of four dimensions; the result of tiles gets its shape anew, unless it is padded further.
Tensor pad_as_four(const Tensor& input, const Frame& frame, float value, const MemoryConfig& memory_config,
                   const CoreChoice& cores = {}, bool is_whole = true) {
    const PadOperation operation{as_four(frame.shape), beginning_in_four(frame), value, memory_config, cores};
    const auto in_four = [](const Tensor& tensor) {
        return under_shape(view_in_four(tensor), as_four(tensor.shape()));
    };
    if (input.layout() == Layout::ROW_MAJOR)
        return under_shape(launch(operation, {in_four(input)}), frame.shape);
    Tensor result;
    if (input.dtype() == DataType::BFLOAT8_B) {
        const ScopedTensor source(unscoped::typecast(input, DataType::BFLOAT16));
        const ScopedTensor padded(launch(operation, {in_four(*source)}));
        result = unscoped::typecast(*padded, input.dtype());
    } else {
        result = launch(operation, {in_four(input)});
    }
    return is_whole ? reshape_view(result, frame.shape) : result;
}

Shape padded_as(const Tensor& input, const Shape& shape) {
    return TensorSpec{shape, input.dtype(), input.layout(), DRAM_MEMORY_CONFIG}.padded_shape();
}

// Rows in shards of rows get longer in these, in L1, wherever the result is to go: each is padded by itself. What gets
// higher, too, is padded again: where it is asked for, else over the same cores.
Tensor widen_in_shards(const Tensor& input, const Frame& frame, float value,
                       const OptionalMemoryConfig& memory_config, const CoreChoice& cores) {
    const ShardSpec& shards = *input.memory_config().shard_spec;
    const Shape to = padded_as(input, frame.shape);
    const auto spread = [&](std::uint64_t rows) {
        const auto share = static_cast<std::uint32_t>(ceil_div(rows, shards.grid.num_cores()));
        return MemoryConfig{TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
                            ShardSpec{shards.grid, {share, to[-1]}}};
    };
    Frame wider{input.shape(), input.shape()};
    for (std::size_t i = 0; i < wider.begin.rank(); ++i)
        wider.begin.set(static_cast<std::int64_t>(i), 0);
    wider.begin.set(-1, frame.begin[-1]);
    wider.shape.set(-1, frame.shape[-1]);
    const MemoryConfig place = spread(input.shape().volume() / input.shape()[-1]);
    const bool is_all = input.shape().volume() / input.shape()[-1] == to.volume() / to[-1];
    if (is_all) return pad_as_four(input, frame, value, place, cores, false);
    const ScopedTensor rows(pad_as_four(input, wider, value, place, cores, false));
    Frame higher = frame;
    higher.begin.set(-1, 0);
    return pad_as_four(*rows, higher, value, memory_config.value_or(spread(to.volume() / to[-1])), cores,
                       false);
}

// Block formats by way of bfloat16.
Tensor pad_in_shards(const Tensor& input, const Frame& frame, float value,
                     const OptionalMemoryConfig& memory_config, const CoreChoice& cores) {
    const auto padded = [&] {
        if (input.dtype() != DataType::BFLOAT8_B)
            return widen_in_shards(input, frame, value, memory_config, cores);
        const ScopedTensor source(unscoped::typecast(input, DataType::BFLOAT16));
        const ScopedTensor result(widen_in_shards(*source, frame, value, memory_config, cores));
        return unscoped::typecast(*result, input.dtype());
    };
    const Tensor result = padded();
    if (input.layout() != Layout::TILE) return result;
    require(!memory_config || memory_config->shard_spec,
            "pad: memory_config: expected a shard spec, got none");
    return reshape_view(result, frame.shape);
}

bool is_widened_in_shards(const Tensor& input, const Shape& shape, const MemoryConfig& config) {
    const MemoryConfig& from = input.memory_config();
    return from.shard_spec && from.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED &&
           config.is_sharded() && config.memory_layout != TensorMemoryLayout::ND_SHARDED &&
           input.shape()[-1] != padded_as(input, shape)[-1];
}

std::uint32_t product(std::span<const std::uint32_t> sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), 1U, std::multiplies<>());
}

bool is_padded(const Padding::value_type& sides) {
    return sides != Padding::value_type{0, 0};
}

// In a tensor of more than four dimensions those that become one in four are padded before, one after the other, as the
// second of four; the last of them only if others of them are not 1. `padding` loses what is done.
Tensor pad_outer_dimensions(const Tensor& input, Padding& padding, float value, const CoreChoice& cores) {
    const std::size_t rank = input.shape().rank(), outer = rank - 3;
    Tensor result = input;
    for (std::size_t dim = 0; dim < outer; ++dim) {
        if (!is_padded(padding[dim])) continue;
        const auto sizes = result.shape().dimensions();
        if (dim + 1 == outer && product(sizes.first(outer)) == sizes[dim]) continue;
        const std::uint32_t inner = product(sizes.subspan(dim + 1, outer - dim));
        const Shape four{product(sizes.first(dim)), sizes[dim] * inner, sizes[rank - 2], sizes[rank - 1]};
        Shape shape = result.shape();
        const auto [before, behind] = std::exchange(padding[dim], Padding::value_type{0, 0});
        shape.set(static_cast<std::int64_t>(dim), sizes[dim] + before + behind);
        result = unscoped::reshape(result, four);
        result = unscoped::pad(result, {{0, 0}, {before * inner, behind * inner}, {0, 0}, {0, 0}}, value,
                               std::nullopt, cores);
        result = unscoped::reshape(result, shape);
    }
    return result;
}

// Pads the last three of more than four dimensions, or the last four if those before are 1.
Tensor pad_inner_dimensions(const Tensor& input, const Padding& padding, float value,
                            const OptionalMemoryConfig& memory_config, const CoreChoice& cores) {
    const Frame frame = frame_of(input.shape(), padding);
    MemoryConfig config = memory_config.value_or(input.memory_config());
    if (config.shard_spec) config.nd_shard_spec.reset();
    // The padding that the tiles have already becomes part of the result.
    const bool keeps_tiles = input.layout() == Layout::TILE && !fills_its_tiles(input);
    const Tensor filled = keeps_tiles ? fill_padding(input, value) : input;
    // TT-NN only looks at a single row in another way.
    require(
        input.shape().rank() != 1 || input.layout() != Layout::TILE || !takes_more_tiles(input, frame.shape),
        "MeshBuffer must be large enough to hold the tensor.");
    const bool is_taken_out = input.layout() == Layout::TILE && input.memory_config().shard_spec &&
                              config.memory_layout == TensorMemoryLayout::INTERLEAVED;
    if (input.layout() == Layout::TILE && !takes_more_tiles(input, frame.shape) &&
        (is_taken_out || memory_config.value_or(input.memory_config()) == input.memory_config())) {
        const Tensor result = with_padding(filled, frame.shape, value);
        return is_taken_out ? unscoped::to_memory_config(result, config) : result;
    }
    if (is_taken_out && input.memory_config().buffer_type == BufferType::DRAM &&
        input.memory_config().memory_layout != TensorMemoryLayout::HEIGHT_SHARDED) {
        const auto padded = [&] {
            const ScopedTensor source(unscoped::to_memory_config(filled, DRAM_MEMORY_CONFIG));
            return pad_as_four(*source, frame, value, config, cores, false);
        };
        return reshape_view(padded(), frame.shape);
    }
    if (is_widened_in_shards(input, frame.shape, config))
        return pad_in_shards(filled, frame, value, memory_config, cores);
    if (input.memory_config().memory_layout == TensorMemoryLayout::ND_SHARDED && input.shape().rank() < 4)
        return pad_nd_shards(filled, frame, value, memory_config, cores);
    return pad_as_four(filled, frame, value, config, cores);
}

void require_padding_of_rows_and_columns(const Shape& from, const Shape& to, bool in_front) {
    bool others_stay = !in_front && from.rank() >= 2;
    for (std::size_t i = 0; i + 2 < from.rank(); ++i)
        others_stay &= from.dimensions()[i] == to.dimensions()[i];
    require(others_stay, "pad: input ", from,
            " on the host: expected padding behind the last two dimensions only, got ", to,
            in_front ? " and padding in front" : "");
}

}  // namespace

Tensor unscoped::pad_behind(const Tensor& input, const Shape& shape, float value) {
    Shape begin = shape;
    for (std::size_t i = 0; i < shape.rank(); ++i)
        begin.set(static_cast<std::int64_t>(i), 0);
    return launch(PadOperation{shape, begin, value, input.memory_config()}, {input});
}

Tensor unscoped::pad_on_host(const Tensor& input, std::uint32_t rows, std::uint32_t columns) {
    if (input.shape()[-2] == rows && input.shape()[-1] == columns) return input;
    in_scope(record::intern("Tensor::pad"), std::tie(input), [] {});
    TensorSpec spec = input.spec();
    if (input.layout() == Layout::ROW_MAJOR) spec.alignment = {rows, columns};
    return changed_on_host(input, std::move(spec), [](const HostArray& array) { return array; });
}

Tensor unscoped::pad_around(const Tensor& input, const Padding& padding) {
    return pad_as_four(input, frame_of(input.shape(), padding), 0.0F, input.memory_config());
}

Tensor unscoped::pad(const Tensor& input, const Padding& padding, float value,
                     const OptionalMemoryConfig& memory_config, const CoreChoice& cores) {
    const Frame frame = frame_of(input.shape(), padding);
    const std::span<const std::uint32_t> begin = frame.begin.dimensions();
    const bool in_front = std::any_of(begin.begin(), begin.end(), [](std::uint32_t at) { return at != 0; });
    require(!in_front || input.layout() != Layout::TILE,
            "ttnn.pad: on device tile padding does not support front padding");
    if (input.storage_type() == StorageType::HOST) {
        require_padding_of_rows_and_columns(input.shape(), frame.shape, in_front);
        return pad_on_host(input, frame.shape[-2], frame.shape[-1]);
    }
    require_on_device(input, "pad", "input");
    if (frame.shape == input.shape()) return input;
    const std::size_t rank = input.shape().rank();
    if (rank > 4) {
        Padding left(rank - padding.size(), {0, 0});
        left.insert(left.end(), padding.begin(), padding.end());
        const auto outer = left.begin() + static_cast<std::ptrdiff_t>(rank - 3);
        if (std::any_of(left.begin(), outer, is_padded)) {
            ScopedTensor inside(pad_outer_dimensions(input, left, value, cores));
            if (std::any_of(left.begin(), left.end(), is_padded))
                return pad_inner_dimensions(*inside, left, value, memory_config, cores);
            if (!memory_config || *memory_config == inside->memory_config()) return inside.take();
            return unscoped::to_memory_config(*inside, *memory_config);
        }
    }
    return pad_inner_dimensions(input, padding, value, memory_config, cores);
}

std::tuple<const Tensor&, Shape, const float&, const OptionalMemoryConfig&> Pad::recorded() const {
    return {input_tensor, frame_of(input_tensor.shape(), padding).begin, value, memory_config};
}

Tensor Pad::body() const {
    return unscoped::pad(input_tensor, padding, value, memory_config, {use_multicore, sub_core_grids});
}

Tensor PadToShape::call() const {
    const Shape& shape = input_tensor.shape();
    const Shape& start = input_tensor_start;
    require(output_padded_shape.rank() == shape.rank() && start.rank() == shape.rank(),
            "pad: expected output_padded_shape and input_tensor_start of ", shape.rank(), " dimensions, got ",
            output_padded_shape, " and ", start);
    Padding padding;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        const auto axis = static_cast<std::int64_t>(i);
        const std::uint64_t used = std::uint64_t{start[axis]} + shape[axis];
        require(used <= output_padded_shape[axis], "pad: output_padded_shape: expected room for ", shape,
                " at ", start, ", got ", output_padded_shape);
        padding.emplace_back(start[axis], static_cast<std::uint32_t>(output_padded_shape[axis] - used));
    }
    return call_operation(Pad{input_tensor, padding, value, use_multicore, memory_config, sub_core_grids});
}

}  // namespace tilemeter
