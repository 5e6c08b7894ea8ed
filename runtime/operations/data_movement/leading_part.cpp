// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/leading_part.hpp"

#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/internal/slice_operation.hpp"

namespace tilemeter {

Tensor leading_part(Tensor tensor, const Shape& shape, const MemoryConfig& memory_config) {
    const auto end = shape.dimensions();
    const SliceOperation::Index zeros(end.size(), 0), ends(end.begin(), end.end()), ones(end.size(), 1);
    tensor = launch(SliceOperation{zeros, ends, ones, memory_config}, {tensor});
    return reshape_view(tensor, tensor.shape());
}

}  // namespace tilemeter
