// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Operations that place, arrange or look up values without computing on them.

#include <nanobind/stl/pair.h>
#include <nanobind/stl/variant.h>

#include "runtime/operations/data_movement/concat.hpp"
#include "runtime/operations/data_movement/copy.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/move.hpp"
#include "runtime/operations/data_movement/pad.hpp"
#include "runtime/operations/data_movement/repeat.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/data_movement/slice.hpp"
#include "runtime/operations/data_movement/typecast.hpp"
#include "runtime/operations/transformer/embedding.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/operation.hpp"

namespace tilemeter::python {

namespace {

void bind_places(nb::module_& m) {
    operation(
        m, "to_memory_config",
        [](const Tensor& tensor, const MemoryConfig& memory_config, const OptionalDataType& dtype,
           const OptionalTensor& output) {
            return output ? to_memory_config(tensor, *output)
                          : to_memory_config(tensor, memory_config, dtype);
        },
        "tensor"_a, "memory_config"_a, "dtype"_a = nb::none(), "output_tensor"_a = nb::none(),
        "The same values in another place: interleaved or sharded. The input itself where it lies so "
        "already. With output_tensor: in its memory and dtype.");
    operation(
        m, "interleaved_to_sharded",
        [](const Tensor& input, const MemoryConfig& memory_config, const OptionalDataType& dtype, bool,
           const OptionalTensor& preallocated) {
            return interleaved_to_sharded(input, memory_config, dtype, preallocated);
        },
        "input_tensor"_a, "sharded_memory_config"_a, "output_dtype"_a = nb::none(), nb::kw_only(),
        "keep_l1_aligned"_a = false, "preallocated_output"_a = nb::none(), "Spread over cores in shards.");
    operation(
        m, "interleaved_to_sharded",
        [](const Tensor& input, const std::variant<CoreCoord, CoreRangeSet>& grid,
           const std::vector<std::uint32_t>& shard_shape, TensorMemoryLayout::Value scheme,
           ShardOrientation orientation, const OptionalDataType& dtype, bool) {
            if (shard_shape.size() != 2) throw nb::value_error("shard_shape: expected [height, width]");
            const CoreRangeSet cores = std::holds_alternative<CoreCoord>(grid)
                                           ? whole_grid(std::get<CoreCoord>(grid))
                                           : std::get<CoreRangeSet>(grid);
            const ShardSpec spec{cores, {shard_shape[0], shard_shape[1]}, orientation};
            return interleaved_to_sharded(input, MemoryConfig{scheme, BufferType::L1, spec}, dtype);
        },
        "input_tensor"_a, "grid"_a, "shard_shape"_a, "shard_scheme"_a, "shard_orientation"_a,
        "output_dtype"_a = nb::none(), nb::kw_only(), "keep_l1_aligned"_a = false,
        "Spread over cores in shards of a given shape.");
    operation(
        m, "sharded_to_interleaved",
        [](const Tensor& input, const OptionalMemoryConfig& memory_config, const OptionalDataType& dtype) {
            return sharded_to_interleaved(input, memory_config.value_or(DRAM_MEMORY_CONFIG), dtype);
        },
        "input_tensor"_a, "memory_config"_a = nb::none(), "output_dtype"_a = nb::none(),
        "Spread over all banks; DRAM unless given.");
    operation(m, "reshard", &reshard, "input_tensor"_a, "output_memory_config"_a,
              "output_tensor"_a = nb::none(), "Other shards; in output_tensor, if given.");
    operation(
        m, "clone",
        [](const Tensor& input, const OptionalDataType& dtype, const OptionalMemoryConfig& memory_config,
           nb::handle) { return clone(input, dtype, memory_config); },
        "input"_a, nb::kw_only(), "dtype"_a = nb::none(), "memory_config"_a = nb::none(),
        "compute_kernel_config"_a = nb::none(), "A copy in memory of its own.");
    operation(
        m, "move",
        [](Tensor input, const OptionalMemoryConfig& memory_config) { return move(input, memory_config); },
        "input_tensor"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "The tensor where the allocator now finds the best place; input_tensor is deallocated.");
    operation(
        m, "reallocate",
        [](Tensor input, const OptionalMemoryConfig& memory_config) {
            return reallocate(input, memory_config);
        },
        "tensor"_a, "memory_config"_a = nb::none(), "move under its other name.");
    operation(
        m, "typecast",
        [](const Tensor& input, DataType dtype, const OptionalMemoryConfig& memory_config,
           const OptionalTensor& output, const OptionalCores& sub_core_grids) {
            return typecast(input, dtype, memory_config, output, sub_core_grids);
        },
        "input_tensor"_a, "dtype"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "output_tensor"_a = nb::none(), "sub_core_grids"_a = nb::none(),
        "The same values in another element type.");
    operation(
        m, "typecast",
        [](const Tensor& input, DataType from, DataType to, const OptionalMemoryConfig& memory_config,
           const OptionalTensor& output, const OptionalCores& sub_core_grids) {
            if (from != input.dtype()) {
                throw nb::value_error(("typecast: input_dtype: expected " +
                                       std::string(name_of(input.dtype())) + ", got " +
                                       std::string(name_of(from)))
                                          .c_str());
            }
            return typecast(input, to, memory_config, output, sub_core_grids);
        },
        "input_tensor"_a, "input_dtype"_a, "output_dtype"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "output_tensor"_a = nb::none(), "sub_core_grids"_a = nb::none(), "input_dtype: that of the input.");
}

void bind_layouts(nb::module_& m) {
    operation(m, "to_layout", &to_layout, "tensor"_a, "layout"_a, "dtype"_a = nb::none(),
              "memory_config"_a = nb::none(), "sub_core_grids"_a = nb::none(), "pad_value"_a = 0.0F,
              "In tiles or in rows; pad_value fills up to whole tiles.");
    operation(
        m, "tilize",
        [](const Tensor& input, const OptionalMemoryConfig& memory_config, const OptionalDataType& dtype,
           bool use_multicore, bool use_low_perf, nb::handle tile, const OptionalCores& sub_core_grids) {
            require_none(tile, "tilize", "tile");
            return tilize(input, memory_config, dtype, {use_multicore, sub_core_grids}, use_low_perf);
        },
        "input_tensor"_a, nb::kw_only(), "memory_config"_a = nb::none(), "dtype"_a = nb::none(),
        "use_multicore"_a = true, "use_low_perf"_a = false, "tile"_a = nb::none(),
        "sub_core_grids"_a = nb::none(),
        "From rows to tiles; height and width are multiples of 32. use_low_perf: by one core, a tile at a "
        "time, for L1 that is full.");
    operation(
        m, "tilize_with_val_padding",
        [](const Tensor& input, const Shape& shape, float value, const OptionalMemoryConfig& memory_config,
           const OptionalDataType& dtype, bool use_multicore, const OptionalCores& sub_core_grids) {
            return tilize_with_val_padding(input, shape, value, memory_config, dtype,
                                           {use_multicore, sub_core_grids});
        },
        "input_tensor"_a, "output_tensor_shape"_a, "pad_value"_a, nb::kw_only(),
        "memory_config"_a = nb::none(), "dtype"_a = nb::none(), "use_multicore"_a = true,
        "sub_core_grids"_a = nb::none(),
        "From rows to tiles, filled up with pad_value to output_tensor_shape, which is whole tiles.");
    operation(
        m, "tilize_with_zero_padding",
        [](const Tensor& input, const OptionalMemoryConfig& memory_config, const OptionalDataType& dtype,
           bool use_multicore, const OptionalCores& sub_core_grids) {
            return tilize_with_zero_padding(input, memory_config, dtype, {use_multicore, sub_core_grids});
        },
        "input_tensor"_a, nb::kw_only(), "memory_config"_a = nb::none(), "output_dtype"_a = nb::none(),
        "use_multicore"_a = true, "sub_core_grids"_a = nb::none(),
        "From rows to tiles, filled up with zeros to whole tiles.");
    operation(
        m, "untilize",
        [](const Tensor& input, const OptionalMemoryConfig& memory_config, bool use_multicore,
           const OptionalCores& sub_core_grids) {
            return untilize(input, memory_config, {use_multicore, sub_core_grids});
        },
        "input_tensor"_a, nb::kw_only(), "memory_config"_a = nb::none(), "use_multicore"_a = true,
        "sub_core_grids"_a = nb::none(), "From tiles to rows.");
    operation(
        m, "untilize_with_unpadding",
        [](const Tensor& input, const Shape& end, const OptionalMemoryConfig& memory_config,
           bool use_multicore, const OptionalCores& sub_core_grids) {
            return untilize_with_unpadding(input, end, memory_config, {use_multicore, sub_core_grids});
        },
        "input_tensor"_a, "output_tensor_end"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "use_multicore"_a = true, "sub_core_grids"_a = nb::none(),
        "From tiles to rows, up to the element output_tensor_end, inclusive.");
}

void bind_parts(nb::module_& m) {
    using Index = std::vector<std::uint32_t>;
    operation(
        m, "concat",
        [](const std::vector<Tensor>& tensors, std::int64_t dim, const OptionalMemoryConfig& memory_config,
           nb::handle output_tensor, int groups, const OptionalCores& sub_core_grids) {
            // TT-NN's words.
            if (!output_tensor.is_none()) throw RuntimeError("optional output tensor currently unsupported!");
            if (groups != 1) throw RuntimeError("concat: groups: expected 1, others are not modelled");
            return concat(tensors, dim, memory_config, sub_core_grids);
        },
        "tensors"_a, "dim"_a = 0, nb::kw_only(), "memory_config"_a = nb::none(),
        "output_tensor"_a = nb::none(), "groups"_a = 1, "sub_core_grids"_a = nb::none(),
        "One after the other along dim.");
    using Signed = std::vector<std::int64_t>;
    operation(
        m, "slice",
        [](const Tensor& input, const Signed& starts, const Signed& ends, const std::optional<Signed>& steps,
           const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor,
           std::optional<float> pad_value, const OptionalCores& sub_core_grids) {
            return slice(input, starts, ends, steps.value_or(Signed()), memory_config, output_tensor,
                         pad_value, sub_core_grids);
        },
        "input_tensor"_a, "slice_start"_a, "slice_end"_a, "slice_step"_a = nb::none(), nb::kw_only(),
        "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(), "pad_value"_a = nb::none(),
        "sub_core_grids"_a = nb::none(),
        "Elements start, start + step, ... before end of each dimension; below 0: counted from its end.");
    operation(
        m, "slice",
        [](const Tensor& input, const Signed& starts, const Signed& ends, const std::optional<Signed>& steps,
           const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor,
           std::optional<float> pad_value, const OptionalCores& sub_core_grids) {
            return slice(input, starts, ends, steps.value_or(Signed()), memory_config, output_tensor,
                         pad_value, sub_core_grids);
        },
        "input_tensor"_a, "starts"_a, "ends"_a, "steps"_a = nb::none(), nb::kw_only(),
        "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(), "pad_value"_a = nb::none(),
        "sub_core_grids"_a = nb::none(), "The same under other names of the arguments.");
    operation(
        m, "slice",
        [](const Tensor& input, const Tensor& starts, const Tensor& ends, const std::optional<Signed>& steps,
           const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor,
           std::optional<float> pad_value, std::optional<std::uint32_t>, std::optional<std::uint32_t>,
           const OptionalCores& sub_core_grids) {
            const auto values = [](const Tensor& tensor) { return tensor.values().to_integers(); };
            return slice(input, values(starts), values(ends), steps.value_or(Signed()), memory_config,
                         output_tensor, pad_value, sub_core_grids);
        },
        "input_tensor"_a, "starts"_a, "ends"_a, "slice_step"_a = nb::none(), nb::kw_only(),
        "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(), "pad_value"_a = nb::none(),
        "slice_dim"_a = nb::none(), "num_devices"_a = nb::none(), "sub_core_grids"_a = nb::none(),
        "Start and end in tensors (uint32 or int32, one element per dimension).");
    operation(
        m, "split",
        [](const Tensor& input, std::uint32_t split_size, std::int64_t dim,
           const OptionalMemoryConfig& memory_config) {
            return split(input, split_size, dim, memory_config);
        },
        "input_tensor"_a, "split_size"_a, "dim"_a = 0, nb::kw_only(), "memory_config"_a = nb::none(),
        "Parts of split_size along dim; the last may be smaller.");
    operation(
        m, "split",
        [](const Tensor& input, const Index& split_sizes, std::int64_t dim,
           const OptionalMemoryConfig& memory_config) {
            return split(input, split_sizes, dim, memory_config);
        },
        "input_tensor"_a, "split_size"_a, "dim"_a = 0, nb::kw_only(), "memory_config"_a = nb::none(),
        "Parts of the sizes given, which come to the whole dimension.");
    operation(m, "chunk", &chunk, "input_tensor"_a, "chunks"_a, "dim"_a,
              "Equal parts along dim; the last may be smaller.");
    operation(
        m, "pad",
        [](const Tensor& input, const Padding& padding, float value, bool use_multicore,
           const OptionalMemoryConfig& memory_config, const OptionalCores& sub_core_grids) {
            return pad(input, padding, value, memory_config, {use_multicore, sub_core_grids});
        },
        "input_tensor"_a, "padding"_a, "value"_a = 0.0F, nb::kw_only(), "use_multicore"_a = true,
        "memory_config"_a = nb::none(), "sub_core_grids"_a = nb::none(),
        "padding: (before, after) of each dimension.");
    operation(
        m, "pad",
        [](const Tensor& input, const Shape& shape, const Shape& start, float value, bool use_multicore,
           const OptionalMemoryConfig& memory_config, const OptionalCores& sub_core_grids) {
            return pad(input, shape, start, value, memory_config, {use_multicore, sub_core_grids});
        },
        "input_tensor"_a, "output_padded_shape"_a, "input_tensor_start"_a, "value"_a, nb::kw_only(),
        "use_multicore"_a = true, "memory_config"_a = nb::none(), "sub_core_grids"_a = nb::none(),
        "To output_padded_shape, in which the input begins at input_tensor_start.");
    operation(
        m, "repeat",
        [](const Tensor& input, const Shape& times, const OptionalMemoryConfig& memory_config,
           nb::handle output_tensor) {
            require_none(output_tensor, "repeat", "optional_output_tensor");
            return repeat(input, Index(times.dimensions().begin(), times.dimensions().end()), memory_config);
        },
        "input_tensor"_a, "repeat_dims"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "optional_output_tensor"_a = nb::none(), "Each dimension as often as repeat_dims says.");
}

}  // namespace

void bind_data_movement(nb::module_& m) {
    bind_layouts(m);
    bind_parts(m);
    bind_places(m);
    operation(
        m, "embedding",
        [](const Tensor& input, const Tensor& weight, std::optional<int> padding_idx,
           std::optional<Layout> layout, nb::handle, nb::handle, const OptionalMemoryConfig& memory_config,
           const OptionalTensor& output) {
            return embedding(input, weight, padding_idx, layout, memory_config, output);
        },
        "input_tensor"_a, "weight"_a, nb::kw_only(), "padding_idx"_a = nb::none(), "layout"_a = nb::none(),
        "embeddings_type"_a = nb::none(), "dtype"_a = nb::none(), "memory_config"_a = nb::none(),
        "output_tensor"_a = nb::none(), "The rows of weight that input_tensor (uint32) names.");
}

}  // namespace tilemeter::python
