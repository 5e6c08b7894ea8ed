// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/layout_conversion.hpp"

#include <string>
#include <tuple>
#include <utility>

#include "capture/record/emit.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/core/free_l1.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/fill_padding.hpp"
#include "runtime/operations/data_movement/pad.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/data_movement/tilize_operations.hpp"
#include "runtime/tensor/stored_values.hpp"

namespace tilemeter {

namespace {

bool whole_tiles(const Shape& shape) {
    return shape.rank() >= 2 && shape[-1] % kTileWidth == 0 && shape[-2] % kTileHeight == 0;
}

Tensor view(const Tensor& tensor, const Shape& shape) {
    return tensor.shape() == shape ? tensor : reshape_view(tensor, shape);
}

constexpr std::size_t kMostDimensions = 4;  // that programs know

// `convert` runs on a view of as many dimensions, its result is viewed back.
template <typename Convert>
Tensor in_four_dimensions(const Tensor& input, Convert convert) {
    if (input.shape().rank() <= kMostDimensions) return convert(input);
    const ScopedTensor source(view_in_four(input));
    const ScopedTensor result(convert(*source));
    return reshape_view(*result, input.shape());
}

// True if a row of tiles that becomes `output`, or is made from it, has room in a core beside the output.
bool row_fits(const Tensor& input, const TensorSpec& output, std::uint64_t columns) {
    Device& device = input.device();
    return row_of_tiles_fits(columns, input.dtype(), output.dtype, output.layout == Layout::TILE,
                             device.description(), free_l1_beside(device, output));
}

std::uint64_t columns_of_tiles(const Shape& shape) {
    return shape.rank() == 0 ? 1 : ceil_div(shape[-1], kTileWidth);
}

// Shards whose rows are too wide are taken out of their cores for it, and put where they belong afterwards.
template <typename Operation>
Tensor tilized_out_of_shards(const Tensor& input, Operation operation, const MemoryConfig& memory_config) {
    operation.memory_config = DRAM_MEMORY_CONFIG;
    const ScopedTensor rows(unscoped::to_memory_config(input, DRAM_MEMORY_CONFIG));
    const ScopedTensor tiles(launch(operation, {*rows}));
    return unscoped::to_memory_config(*tiles, memory_config);
}

// Nothing to convert: TT-NN runs no program, and what it makes has the padded shape where tiles are made.
Tensor converted_nothing(const Tensor& input, const Shape& shape, Layout layout, DataType dtype,
                         const MemoryConfig& memory_config) {
    return create_device_tensor({shape, dtype, layout, memory_config}, input.shared_device());
}

Tensor tilized(const Tensor& input, const MemoryConfig& memory_config, DataType dtype,
               const CoreChoice& cores = {}, bool low_memory = false) {
    if (input.shape().volume() == 0)
        return converted_nothing(input, input.shape(), Layout::TILE, dtype, memory_config);
    const TensorSpec tiles{input.shape(), dtype, Layout::TILE, memory_config};
    const bool fits = row_fits(input, tiles, columns_of_tiles(input.shape()));
    return in_four_dimensions(input, [&](const Tensor& tensor) {
        const TilizeOperation operation{memory_config, dtype, cores, low_memory, fits};
        if (!fits && tensor.is_sharded()) return tilized_out_of_shards(tensor, operation, memory_config);
        return launch(operation, {tensor});
    });
}

Shape to_whole_tiles(const Shape& shape) {
    Shape padded = shape.rank() < 2 ? shape.to_rank(2) : shape;
    padded.set(-1, static_cast<std::uint32_t>(round_up(padded[-1], kTileWidth)));
    padded.set(-2, static_cast<std::uint32_t>(round_up(padded[-2], kTileHeight)));
    return padded;
}

Tensor tilized_with_padding(const Tensor& input, const Shape& padded, float pad_value,
                            const OptionalMemoryConfig& memory_config, const OptionalDataType& dtype,
                            const CoreChoice& cores) {
    const MemoryConfig place = memory_config.value_or(input.memory_config());
    const DataType to = dtype.value_or(input.dtype());
    if (input.shape().volume() == 0) return converted_nothing(input, padded, Layout::TILE, to, place);
    const bool fits = row_fits(input, {padded, to, Layout::TILE, place}, columns_of_tiles(padded));
    return in_four_dimensions(input, [&](const Tensor& tensor) {
        const Shape shape = padded.rank() > tensor.shape().rank() && tensor.shape().rank() > 2
                                ? padded.to_rank(tensor.shape().rank())
                                : padded;
        const TilizeWithValPaddingOperation operation{shape, pad_value, place, to, cores, fits};
        Tensor tiles = !fits && tensor.is_sharded() ? tilized_out_of_shards(tensor, operation, place)
                                                    : launch(operation, {tensor});
        note_padding(tiles.buffer().values(), pad_value);
        return tiles;
    });
}

// Height shards are padded by themselves.
bool lacks_only_rows(const Tensor& input) {
    return input.memory_config().memory_layout == TensorMemoryLayout::HEIGHT_SHARDED &&
           input.shape().rank() == 4 && input.shape()[-1] % kTileWidth == 0;
}

// Rows in others are tilized in their shards, wherever the result goes.
void require_shards_of_tiles(const Tensor& input) {
    if (!input.memory_config().shard_spec) return;
    const auto [rows, columns] = input.memory_config().shard_spec->shape;
    require(rows % kTileHeight == 0 && columns % kTileWidth == 0, "Physical shard shape (", rows, ", ",
            columns, ") must be tile {", kTileHeight, ", ", kTileWidth, "} sized!");
}

Tensor tilized_in_shards(const Tensor& input, const MemoryConfig& memory_config, DataType dtype) {
    Shape shape = input.shape();
    shape.set(-2, static_cast<std::uint32_t>(round_up(shape[-2], kTileHeight)));
    ScopedTensor padded(unscoped::pad_behind(input, shape));
    const ScopedTensor tiles(tilized(*padded, memory_config, dtype));
    padded = Tensor();
    return without_padding_rows(*tiles, input.shape());
}

// TT-NN views the rows of more than four dimensions as padded ones, and takes them if those come to the same bytes.
void require_whole_pages(const TensorSpec& rows, const Shape& padded) {
    const std::uint64_t element = element_size(rows.dtype);
    const std::uint64_t page = padded[-1] * element, size = rows.shape.volume() * element;
    require(page == 0 || size % page == 0, "For valid non-interleaved buffers page size ", page,
            " must equal buffer size ", size,
            ". For interleaved-buffers, buffer size should be divisible by the page size");
}

// Rows have no blocks.
DataType rows_dtype(DataType dtype) {
    return is_block_float(dtype) ? DataType::BFLOAT16 : dtype;
}

Shape last_element(const Shape& shape) {
    Shape last = shape;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        const auto axis = static_cast<std::int64_t>(i);
        last.set(axis, shape[axis] == 0 ? 0 : shape[axis] - 1);
    }
    return last;
}

Tensor up_to_element(const Tensor& input, const Shape& last, const MemoryConfig& config,
                     const CoreChoice& cores) {
    const DataType rows = rows_dtype(input.dtype());
    Shape shape = last;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        const auto axis = static_cast<std::int64_t>(i);
        shape.set(axis, last[axis] + 1);
    }
    const TensorSpec output{shape, rows, Layout::ROW_MAJOR, config};
    const bool fits = row_fits(input, output, columns_of_tiles(input.spec().padded_shape()));
    return launch(UntilizeWithUnpaddingOperation{last, config, cores, fits}, {input});
}

Tensor without_padding(const Tensor& input, const MemoryConfig& config, const CoreChoice& cores) {
    return up_to_element(input, last_element(input.shape()), config, cores);
}

// The layout of a host tensor is only how it will lie on a device.
Tensor on_host(const Tensor& input, Layout layout, DataType dtype) {
    TensorSpec spec = input.spec();
    spec.layout = layout;
    spec.tile = kWholeTile;
    spec.dtype = dtype;
    spec.memory_config = DRAM_MEMORY_CONFIG;  // as TT-NN's: what it makes anew goes to DRAM
    return changed_on_host(input, std::move(spec),
                           [dtype](const HostArray& array) { return array.converted(dtype); });
}

}  // namespace

Tensor unscoped::untilize(const Tensor& input, const OptionalMemoryConfig& memory_config,
                          const CoreChoice& cores) {
    const MemoryConfig config = memory_config.value_or(input.memory_config());
    if (input.shape().volume() == 0)
        return converted_nothing(input, input.shape(), Layout::ROW_MAJOR, rows_dtype(input.dtype()), config);
    const bool anywhere = cores.use_multicore && !cores.sub_core_grids;
    const Tensor rows = in_four_dimensions(input, [&](const Tensor& tensor) {
        Device& device = tensor.device();
        const DataType dtype = rows_dtype(tensor.dtype());
        const TensorSpec output{tensor.shape(), dtype, Layout::ROW_MAJOR, config};
        const UntilizeCodegen codegen{config};
        if (anywhere && codegen.takes(tensor.spec(), device.description(), free_l1_beside(device, output)))
            return launch(codegen, {tensor});
        if (!tensor.is_sharded() && has_padding(tensor)) return without_padding(tensor, config, cores);
        const bool fits = row_fits(tensor, output, columns_of_tiles(tensor.shape()));
        return launch(UntilizeOperation{config, cores, fits}, {tensor});
    });
    if (input.shape().rank() > kMostDimensions) require_whole_pages(rows.spec(), input.padded_shape());
    return rows;
}

Tensor unscoped::tilize_with_val_padding(const Tensor& input, float pad_value,
                                         const OptionalMemoryConfig& memory_config,
                                         const OptionalDataType& dtype, const CoreChoice& cores) {
    return tilized_with_padding(input, to_whole_tiles(input.shape()), pad_value, memory_config, dtype, cores);
}

Tensor unscoped::untilize_with_unpadding(const Tensor& input, const OptionalMemoryConfig& memory_config,
                                         const CoreChoice& cores) {
    if (input.shape().volume() == 0) {
        return converted_nothing(input, input.shape(), Layout::ROW_MAJOR, rows_dtype(input.dtype()),
                                 memory_config.value_or(input.memory_config()));
    }
    return in_four_dimensions(input, [&](const Tensor& tensor) {
        return without_padding(tensor, memory_config.value_or(tensor.memory_config()), cores);
    });
}

Tensor unscoped::to_layout(const Tensor& input, Layout layout, const OptionalDataType& dtype,
                           const OptionalMemoryConfig& memory_config, const OptionalCores& sub_core_grids,
                           float pad_value) {
    const CoreChoice cores(true, sub_core_grids);
    if (input.layout() == layout) return input;
    const DataType to = dtype.value_or(input.dtype());
    if (input.storage_type() == StorageType::HOST) {
        static const record::TextId kName = record::intern("Tensor::to_layout");
        return in_scope(kName, std::tie(input, layout), [&] { return on_host(input, layout, to); });
    }
    require_on_device(input, "to_layout", "input");
    const MemoryConfig config = memory_config.value_or(input.memory_config());
    if (layout == Layout::ROW_MAJOR) {
        require(!dtype || *dtype == input.dtype(), [&] {
            return "to_layout: dtype: expected none or " + std::string(name_of(input.dtype())) +
                   " for ROW_MAJOR, got " + std::string(name_of(*dtype));
        });
        return whole_tiles(input.shape()) ? unscoped::untilize(input, config, cores)
                                          : unscoped::untilize_with_unpadding(input, config, cores);
    }
    if (input.shape().volume() == 0)
        return unscoped::tilize_with_val_padding(input, pad_value, config, to, cores);
    const Shape matrix = input.shape().rank() < 2 ? input.shape().to_rank(2) : input.shape();
    // The padding of rows up to whole shards counts.
    const bool is_whole = whole_tiles(
        input.memory_config().shard_spec && input.shape().rank() >= 2 ? input.padded_shape() : matrix);
    require_shards_of_tiles(input);
    const ScopedTensor source(view(input, matrix));
    ScopedTensor tiles(is_whole ? tilized(*source, config, to, cores)
                       : lacks_only_rows(*source)
                           ? tilized_in_shards(*source, config, to)
                           : unscoped::tilize_with_val_padding(*source, pad_value, config, to, cores));
    return tiles->shape() == input.shape() ? tiles.take() : reshape_view(*tiles, input.shape());
}

// Here values have no padding.
Tensor unscoped::host_to_layout(const Tensor& input, Layout layout, const OptionalDataType& dtype) {
    const bool is_row = input.shape().rank() < 2;
    const bool is_whole = !is_row && whole_tiles(input.shape());
    const auto step = [&](std::string_view name) {
        record::emit_function_begin(record::intern(name), 0);
        record::emit_function_end();
    };
    if (layout == Layout::TILE) {
        if (is_row) step("Tensor::reshape");
        if (!is_whole) step("Tensor::pad");
    }
    Tensor result = unscoped::to_layout(input, layout, dtype);
    if (layout == Layout::TILE) {
        if (!is_whole) step("Tensor::reshape");
    } else {
        if (!is_whole) step("Tensor::unpad_from_tile");
        if (is_row) step("Tensor::reshape");
    }
    return result;
}

Tensor ToLayout::body() const {
    if (tensor.storage_type() != StorageType::HOST || tensor.layout() == layout)
        return unscoped::to_layout(tensor, layout, dtype, memory_config, sub_core_grids, pad_value);
    Tensor result = unscoped::host_to_layout(tensor, layout, dtype);
    if (layout == Layout::TILE && pad_value != 0.0F && result.has_values())
        note_padding(result.chip_values(), pad_value);
    return result;
}

Tensor Tilize::call() const {
    require_none(tile, "tilize", "tile");
    return in_operation(*this, [&] {
        return tilized(input_tensor, memory_config.value_or(input_tensor.memory_config()),
                       dtype.value_or(input_tensor.dtype()), {use_multicore, sub_core_grids}, use_low_perf);
    });
}

Tensor Untilize::body() const {
    return unscoped::untilize(input_tensor, memory_config, {use_multicore, sub_core_grids});
}

Tensor TilizeWithValPadding::body() const {
    return tilized_with_padding(input_tensor, output_tensor_shape, pad_value, memory_config, dtype,
                                {use_multicore, sub_core_grids});
}

Tensor TilizeWithZeroPadding::body() const {
    return unscoped::tilize_with_val_padding(input_tensor, 0, memory_config, output_dtype,
                                             {use_multicore, sub_core_grids});
}

Tensor UntilizeWithUnpadding::body() const {
    const Tensor& input = input_tensor;
    const Shape& last = output_tensor_end;
    const CoreChoice cores(use_multicore, sub_core_grids);
    const auto cut = [&](const Tensor& tensor, const Shape& to) {
        return up_to_element(tensor, to, memory_config.value_or(tensor.memory_config()), cores);
    };
    if (last.rank() != input.shape().rank() || last.rank() <= kMostDimensions) return cut(input, last);
    Shape shape = last;
    for (std::size_t i = 0; i < last.rank(); ++i) {
        const auto axis = static_cast<std::int64_t>(i);
        shape.set(axis, last[axis] + 1);
    }
    const ScopedTensor source(view_in_four(input));
    const ScopedTensor part(cut(*source, last_element(shape.to_rank(kMostDimensions))));
    return reshape_view(*part, shape);
}

}  // namespace tilemeter
