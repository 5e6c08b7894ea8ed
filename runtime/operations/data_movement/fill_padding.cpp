// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/fill_padding.hpp"

#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/core/write_log.hpp"
#include "runtime/operations/data_movement/internal/fill_pad_operation.hpp"
#include "runtime/operations/data_movement/typecast.hpp"
#include "runtime/tensor/stored_values.hpp"

namespace tilemeter {

bool has_padding(const Tensor& tensor) {
    const Shape padded = tensor.padded_shape();
    return padded.volume() != tensor.shape().volume() || (padded.volume() == 0 && padded != tensor.shape());
}

namespace {

Tensor fill_padding_in_place(const Tensor& input, float value) {
    const ScopedPaddingWrites scope;
    const Shape& shape = input.shape();
    const FillPadDeviceOperation operation{value, input.memory_config()};
    const bool is_flat = shape.rank() <= 3 || input.is_sharded();
    const Tensor flat = is_flat ? input : reshape_view(input, shape.to_rank(3));
    Tensor filled = launch_into(operation, {flat}, flat);
    note_padding(filled.buffer().values(), value);
    return is_flat ? filled : reshape_view(filled, shape);
}

}  // namespace

// The elements of block formats can't be written one by one.
Tensor fill_padding(const Tensor& input, float value) {
    if (!is_block_float(input.dtype())) return fill_padding_in_place(input, value);
    const ScopedTensor wide(unscoped::typecast(input, DataType::BFLOAT16));
    return unscoped::typecast(fill_padding_in_place(*wide, value), input.dtype());
}

Tensor FillImplicitTilePadding::body() const {
    require_on_device(input_tensor, "fill_implicit_tile_padding", "input_tensor");
    // The operation takes rows that would need padding as tiles for rows without padding.
    const TensorSpec in_tiles{input_tensor.shape(), input_tensor.dtype(), Layout::TILE, DRAM_MEMORY_CONFIG};
    const bool padded_in_tiles = in_tiles.padded_shape() != input_tensor.shape();
    return has_padding(input_tensor) || padded_in_tiles ? fill_padding(input_tensor, fill_value)
                                                        : input_tensor;
}

}  // namespace tilemeter
