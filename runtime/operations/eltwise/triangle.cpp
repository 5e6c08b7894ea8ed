// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/triangle.hpp"

#include <vector>

#include "runtime/device/device.hpp"
#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/eltwise/binary.hpp"

namespace tilemeter {

namespace {

// The mask of integers in the tensor's dtype.
Tensor mask_on_host(const Shape& shape, DataType dtype, std::int64_t diagonal, bool lower) {
    const DataType own = is_floating_point(dtype) ? DataType::BFLOAT16 : dtype;
    const TensorSpec spec{shape, own, Layout::ROW_MAJOR, DRAM_MEMORY_CONFIG};
    return host_or_planned(spec, [spec, shape, diagonal, lower] {
        const std::int64_t columns = shape[-1];
        const std::int64_t rows = shape.rank() < 2 ? 1 : shape[-2];
        std::vector<float> mask(shape.volume());
        for (std::size_t i = 0; i < mask.size(); ++i) {
            const std::int64_t column = static_cast<std::int64_t>(i) % columns;
            const std::int64_t row = static_cast<std::int64_t>(i) / columns % rows;
            const bool inside = lower ? column - row <= diagonal : column - row >= diagonal;
            mask[i] = inside ? 1.0F : 0.0F;
        }
        return HostArray::from_floats(mask, spec.dtype, shape);
    });
}

}  // namespace

Tensor Triangle::body() const {
    const char* const name = row->operation.name;
    require_on_device(input_tensor, name, "input_tensor");
    const Shape& shape = input_tensor.shape();
    if (shape.rank() == 0) refuse(name, "input_tensor", "at least one dimension", "none");
    const bool by_rows = input_tensor.layout() == Layout::ROW_MAJOR;
    require(!by_rows || shape.rank() > 1, "ShapeBase[] index out of range. 1 not in [-4, 1)");
    const MemoryConfig config = memory_config.value_or(input_tensor.memory_config());
    const Tensor tiles =
        unscoped::to_layout(mask_on_host(shape, input_tensor.dtype(), diagonal, row->lower), Layout::TILE);
    // The mask of rows has their shape, which tiles of it do not.
    if (by_rows) {
        const TensorSpec in_tiles{shape, DataType::BFLOAT16, Layout::TILE, DRAM_MEMORY_CONFIG};
        require(
            in_tiles.padded_shape() == shape,
            "to_layout: Converting layout to Layout::TILE implicitly changed physical shape from (",
            shape[-2], ", ", shape[-1], ") to (", in_tiles.padded_shape()[-2], ", ",
            in_tiles.padded_shape()[-1],
            ") due to alignment constraints. This is currently unsupported. Please pad the tensor explicitly "
            "before conversion.");
    }
    const ScopedTensor mask(upload(tiles, input_tensor.shared_device(), config));
    return unscoped::binary(compute::BinaryKind::kMultiply, input_tensor, *mask,
                            {std::nullopt, memory_config ? config : config.made_anew()});
}

}  // namespace tilemeter
