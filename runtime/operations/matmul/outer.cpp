// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/matmul/outer.hpp"

#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/matmul/matmul.hpp"

namespace tilemeter {

namespace {

Shape with_one(const Shape& shape, std::size_t at) {
    Shape result;
    for (std::size_t i = 0; i <= shape.rank(); ++i) {
        if (i == at) result.push_back(1);
        if (i < shape.rank()) result.push_back(shape.dimensions()[i]);
    }
    return result;
}

bool is_one_row(const Shape& shape) {
    return shape.volume() == shape[-1];
}

}  // namespace

// A column times a row; of several, element by element.
Tensor Outer::body() const {
    require_on_device(input_tensor_a, "outer", "input_tensor_a");
    require_on_device(input_tensor_b, "outer", "input_tensor_b");
    const Shape &a = input_tensor_a.shape(), &b = input_tensor_b.shape();
    require(a.rank() != 0 && b.rank() != 0, "outer: expected at least one dimension, got none");
    const ScopedTensor column(unscoped::reshape(input_tensor_a, with_one(a, a.rank())));
    const ScopedTensor row(unscoped::reshape(input_tensor_b, with_one(b, b.rank() - 1)));
    if (is_one_row(a) && is_one_row(b)) {
        return unscoped::matmul(*column, *row, memory_config, std::nullopt, std::nullopt, std::nullopt,
                                std::nullopt, std::nullopt);
    }
    BinaryOptions options;
    options.memory_config = memory_config;
    return unscoped::binary(compute::BinaryKind::kMultiply, *column, *row, options);
}

}  // namespace tilemeter
