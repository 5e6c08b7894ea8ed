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

Tensor mask_on_host(const Shape& shape, std::int64_t diagonal, bool lower) {
    const TensorSpec spec{shape, DataType::BFLOAT16, Layout::ROW_MAJOR, DRAM_MEMORY_CONFIG};
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
    if (input_tensor.shape().rank() == 0) refuse(name, "input_tensor", "at least one dimension", "none");
    const MemoryConfig config = memory_config.value_or(input_tensor.memory_config());
    const Tensor tiles =
        unscoped::to_layout(mask_on_host(input_tensor.shape(), diagonal, row->lower), Layout::TILE);
    const ScopedTensor mask(upload(tiles, input_tensor.shared_device(), config));
    return unscoped::binary(compute::BinaryKind::kMultiply, input_tensor, *mask,
                            {std::nullopt, memory_config ? config : config.made_anew()});
}

}  // namespace tilemeter
