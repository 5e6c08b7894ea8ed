// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Operations that place, arrange or look up values without computing on them.

#include <nanobind/stl/pair.h>
#include <nanobind/stl/variant.h>

#include "runtime/operations/concat.hpp"
#include "runtime/operations/copy.hpp"
#include "runtime/operations/embedding.hpp"
#include "runtime/operations/layout_conversion.hpp"
#include "runtime/operations/move.hpp"
#include "runtime/operations/pad.hpp"
#include "runtime/operations/permute.hpp"
#include "runtime/operations/repeat.hpp"
#include "runtime/operations/reshape.hpp"
#include "runtime/operations/sharding.hpp"
#include "runtime/operations/slice.hpp"
#include "runtime/operations/typecast.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/operation.hpp"

namespace tilemeter::python {

namespace {

void bind_shapes(nb::module_& m) {
    operation(
        m, "reshape",
        [](const Tensor& input, const Shape& shape, const OptionalMemoryConfig& memory_config, nb::handle) {
            return reshape(input, shape, memory_config);
        },
        "input_tensor"_a, "shape"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "pad_value"_a = nb::none(),
        "The same elements, in row-major order, under other dimensions; shares memory where none moves.");
    operation(
        m, "reshape",
        [](const Tensor& input, const std::vector<std::int64_t>& shape,
           const OptionalMemoryConfig& memory_config,
           nb::handle) { return reshape(input, resolve_shape(input, shape), memory_config); },
        "input_tensor"_a, "shape"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "pad_value"_a = nb::none(), "One dimension may be -1: it takes what is left.");
    operation(m, "unsqueeze_to_4D", &unsqueeze_to_4D, "input_tensor"_a,
              "Leading dimensions of 1 up to four.");
    operation(m, "unsqueeze", &unsqueeze, "input_tensor"_a, "dim"_a, "A dimension of 1 at dim.");
    operation(m, "squeeze", nb::overload_cast<const Tensor&>(&squeeze), "input_tensor"_a,
              "Without the dimensions that are 1.");
    operation(m, "squeeze", nb::overload_cast<const Tensor&, std::int64_t>(&squeeze), "input_tensor"_a,
              "dim"_a, "Without dimension dim, if it is 1.");
    operation(m, "squeeze", nb::overload_cast<const Tensor&, const std::vector<std::int64_t>&>(&squeeze),
              "input_tensor"_a, "dim"_a, "Without the dimensions dim, those of them that are 1.");
    operation(
        m, "permute",
        [](const Tensor& input, const std::vector<std::int64_t>& dims,
           const OptionalMemoryConfig& memory_config,
           float pad_value) { return permute(input, dims, memory_config, pad_value); },
        "input_tensor"_a, "dims"_a, nb::kw_only(), "memory_config"_a = nb::none(), "pad_value"_a = 0.0F,
        "Dimension i of the result is dimension dims[i] of the input.");
    operation(
        m, "transpose",
        [](const Tensor& input, std::int64_t dim1, std::int64_t dim2,
           const OptionalMemoryConfig& memory_config,
           float pad_value) { return transpose(input, dim1, dim2, memory_config, pad_value); },
        "input_tensor"_a, "dim1"_a, "dim2"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "pad_value"_a = 0.0F, "Two dimensions exchanged.");
}

void bind_places(nb::module_& m) {
    operation(
        m, "to_memory_config",
        [](const Tensor& tensor, const MemoryConfig& memory_config, const OptionalDataType& dtype,
           nb::handle) { return to_memory_config(tensor, memory_config, dtype); },
        "tensor"_a, "memory_config"_a, "dtype"_a = nb::none(), nb::kw_only(), "output_tensor"_a = nb::none(),
        "The same values in another place: interleaved or sharded. The input itself where it lies so "
        "already.");
    operation(
        m, "interleaved_to_sharded",
        [](const Tensor& input, const MemoryConfig& memory_config, const OptionalDataType& dtype,
           nb::handle) { return interleaved_to_sharded(input, memory_config, dtype); },
        "input_tensor"_a, "sharded_memory_config"_a, "output_dtype"_a = nb::none(), nb::kw_only(),
        "keep_l1_aligned"_a = nb::none(), "Spread over cores in shards.");
    operation(
        m, "interleaved_to_sharded",
        [](const Tensor& input, const std::variant<CoreCoord, CoreRangeSet>& grid,
           const std::vector<std::uint32_t>& shard_shape, TensorMemoryLayout::Value scheme,
           ShardOrientation orientation, const OptionalDataType& dtype, nb::handle) {
            if (shard_shape.size() != 2) throw nb::value_error("shard_shape: expected [height, width]");
            const CoreRangeSet cores = std::holds_alternative<CoreCoord>(grid)
                                           ? whole_grid(std::get<CoreCoord>(grid))
                                           : std::get<CoreRangeSet>(grid);
            const ShardSpec spec{cores, {shard_shape[0], shard_shape[1]}, orientation};
            return interleaved_to_sharded(input, MemoryConfig{scheme, BufferType::L1, spec}, dtype);
        },
        "input_tensor"_a, "grid"_a, "shard_shape"_a, "shard_scheme"_a, "shard_orientation"_a,
        "output_dtype"_a = nb::none(), nb::kw_only(), "keep_l1_aligned"_a = nb::none(),
        "Spread over cores in shards of a given shape.");
    operation(
        m, "sharded_to_interleaved",
        [](const Tensor& input, const OptionalMemoryConfig& memory_config, const OptionalDataType& dtype) {
            return sharded_to_interleaved(input, memory_config.value_or(DRAM_MEMORY_CONFIG), dtype);
        },
        "input_tensor"_a, "memory_config"_a = nb::none(), "output_dtype"_a = nb::none(),
        "Spread over all banks; DRAM unless given.");
    operation(m, "reshard", &reshard, "input_tensor"_a, "output_memory_config"_a, "Other shards.");
    operation(
        m, "clone",
        [](const Tensor& input, const OptionalDataType& dtype, const OptionalMemoryConfig& memory_config,
           nb::handle) { return clone(input, dtype, memory_config); },
        "input_tensor"_a, nb::kw_only(), "dtype"_a = nb::none(), "memory_config"_a = nb::none(),
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
        "input_tensor"_a, nb::kw_only(), "memory_config"_a = nb::none(), "move under its other name.");
    operation(
        m, "typecast",
        [](const Tensor& input, DataType dtype, const OptionalMemoryConfig& memory_config, nb::handle) {
            return typecast(input, dtype, memory_config);
        },
        "input_tensor"_a, "dtype"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "output_tensor"_a = nb::none(), "The same values in another element type.");
}

/// Padding beyond the tiles that hold the values is not modelled.
void require_filled_up(const Tensor& input, const Shape& wanted, const char* operation) {
    TensorSpec spec = input.spec();
    spec.layout = Layout::TILE;
    if (spec.padded_shape() != wanted) {
        throw nb::value_error((std::string(operation) + ": expected the shape filled up to whole tiles, " +
                               spec.padded_shape().to_string() + ", got " + wanted.to_string())
                                  .c_str());
    }
}

void bind_layouts(nb::module_& m) {
    operation(
        m, "to_layout",
        [](const Tensor& tensor, Layout layout, const OptionalDataType& dtype,
           const OptionalMemoryConfig& memory_config,
           nb::handle) { return to_layout(tensor, layout, dtype, memory_config); },
        "tensor"_a, "layout"_a, "dtype"_a = nb::none(), "memory_config"_a = nb::none(),
        "device"_a = nb::none(), "In tiles or in rows.");
    operation(
        m, "tilize",
        [](const Tensor& input, const OptionalMemoryConfig& memory_config, const OptionalDataType& dtype,
           bool) { return tilize(input, memory_config, dtype); },
        "input_tensor"_a, nb::kw_only(), "memory_config"_a = nb::none(), "dtype"_a = nb::none(),
        "use_multicore"_a = true, "From rows to tiles; height and width are multiples of 32.");
    operation(
        m, "tilize_with_val_padding",
        [](const Tensor& input, const Shape& shape, float value, const OptionalMemoryConfig& memory_config,
           const OptionalDataType& dtype, bool) {
            require_filled_up(input, shape, "tilize_with_val_padding");
            return tilize_with_val_padding(input, value, memory_config, dtype);
        },
        "input_tensor"_a, "output_padded_shape"_a, "pad_value"_a, nb::kw_only(),
        "memory_config"_a = nb::none(), "dtype"_a = nb::none(), "use_multicore"_a = true,
        "From rows to tiles, filled up with pad_value to whole tiles.");
    operation(
        m, "untilize",
        [](const Tensor& input, const OptionalMemoryConfig& memory_config, bool) {
            return untilize(input, memory_config);
        },
        "input_tensor"_a, nb::kw_only(), "memory_config"_a = nb::none(), "use_multicore"_a = true,
        "From tiles to rows.");
}

void bind_parts(nb::module_& m) {
    using Index = std::vector<std::uint32_t>;
    operation(
        m, "concat",
        [](const std::vector<Tensor>& tensors, std::int64_t dim, const OptionalMemoryConfig& memory_config) {
            return concat(tensors, dim, memory_config);
        },
        "tensors"_a, "dim"_a = 0, nb::kw_only(), "memory_config"_a = nb::none(),
        "One after the other along dim.");
    operation(
        m, "slice",
        [](const Tensor& input, const Index& starts, const Index& ends, const std::optional<Index>& steps,
           const OptionalMemoryConfig& memory_config) {
            return slice(input, starts, ends, steps.value_or(Index()), memory_config);
        },
        "input_tensor"_a, "starts"_a, "ends"_a, "steps"_a = nb::none(), nb::kw_only(),
        "memory_config"_a = nb::none(),
        "Elements starts, starts + steps, ... before ends of each dimension.");
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
        [](const Tensor& input, const Padding& padding, float value, bool,
           const OptionalMemoryConfig& memory_config) { return pad(input, padding, value, memory_config); },
        "input_tensor"_a, "padding"_a, "value"_a = 0.0F, nb::kw_only(), "use_multicore"_a = true,
        "memory_config"_a = nb::none(), "padding: (before, after) of each dimension.");
    operation(
        m, "repeat",
        [](const Tensor& input, const Shape& times, const OptionalMemoryConfig& memory_config) {
            return repeat(input, Index(times.dimensions().begin(), times.dimensions().end()), memory_config);
        },
        "input_tensor"_a, "repeat_dims"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "Each dimension as often as repeat_dims says.");
}

}  // namespace

void bind_data_movement(nb::module_& m) {
    bind_layouts(m);
    bind_parts(m);
    bind_shapes(m);
    bind_places(m);
    operation(
        m, "embedding",
        [](const Tensor& input, const Tensor& weight, std::optional<int> padding_idx,
           std::optional<Layout> layout, nb::handle, nb::handle, const OptionalMemoryConfig& memory_config,
           nb::handle) { return embedding(input, weight, padding_idx, layout, memory_config); },
        "input_tensor"_a, "weight"_a, nb::kw_only(), "padding_idx"_a = nb::none(), "layout"_a = nb::none(),
        "embeddings_type"_a = nb::none(), "dtype"_a = nb::none(), "memory_config"_a = nb::none(),
        "output_tensor"_a = nb::none(), "The rows of weight that input_tensor (uint32) names.");
}

}  // namespace tilemeter::python
