// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/triangle.hpp"

#include <tuple>
#include <vector>

#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/eltwise/binary.hpp"

namespace tilemeter {

namespace {

enum class Side : std::uint8_t { kBelow, kAbove };

Tensor mask_on_host(const Shape& shape, std::int64_t diagonal, Side kept) {
    const TensorSpec spec{shape, DataType::BFLOAT16, Layout::ROW_MAJOR, DRAM_MEMORY_CONFIG};
    return host_or_planned(spec, [&] {
        const std::int64_t columns = shape[-1];
        const std::int64_t rows = shape.rank() < 2 ? 1 : shape[-2];
        std::vector<float> mask(shape.volume());
        for (std::size_t i = 0; i < mask.size(); ++i) {
            const std::int64_t column = static_cast<std::int64_t>(i) % columns;
            const std::int64_t row = static_cast<std::int64_t>(i) / columns % rows;
            const bool inside = kept == Side::kBelow ? column - row <= diagonal : column - row >= diagonal;
            mask[i] = inside ? 1.0F : 0.0F;
        }
        return HostArray::from_floats(mask, spec.dtype, shape);
    });
}

Tensor triangle(const OperationName& name, std::string_view text, const Tensor& input, std::int64_t diagonal,
                const OptionalMemoryConfig& memory_config, Side kept) {
    return in_operation(name, std::tie(input, diagonal, memory_config), [&] {
        require_on_device(input, text, "input_tensor");
        if (input.shape().rank() == 0) {
            throw RuntimeError(std::string(text) +
                               ": input_tensor: expected at least one dimension, got none");
        }
        const MemoryConfig config = memory_config.value_or(input.memory_config());
        const Tensor tiles = unscoped::to_layout(mask_on_host(input.shape(), diagonal, kept), Layout::TILE);
        const ScopedTensor mask(upload(tiles, input.shared_device(), config));
        return unscoped::binary(compute::BinaryKind::kMultiply, input, *mask, {std::nullopt, config});
    });
}

}  // namespace

Tensor tril(const Tensor& input_tensor, std::int64_t diagonal, const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("tril");
    return triangle(kName, "tril", input_tensor, diagonal, memory_config, Side::kBelow);
}

Tensor triu(const Tensor& input_tensor, std::int64_t diagonal, const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("triu");
    return triangle(kName, "triu", input_tensor, diagonal, memory_config, Side::kAbove);
}

}  // namespace tilemeter
