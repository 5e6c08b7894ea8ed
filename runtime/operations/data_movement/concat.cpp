// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/concat.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "runtime/device/device.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/tensor_pages.hpp"
#include "runtime/operations/data_movement/internal/concat_operation.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/sharding.hpp"

namespace tilemeter {

namespace {

using Tensors = std::vector<Tensor>;

void require_joinable(const Tensors& tensors, std::size_t dim) {
    const Shape& first = tensors.front().shape();
    for (const Tensor& tensor : tensors) {
        bool fits = tensor.shape().rank() == first.rank();
        for (std::size_t i = 0; fits && i < first.rank(); ++i)
            fits = i == dim || tensor.shape().dimensions()[i] == first.dimensions()[i];
        require(fits,
                "All dimensions must be the same size except for the dimension along which the "
                "contenation is taking place. Here it is ",
                dim, " of ", first, " and ", tensor.shape());
    }
}

TensorSpecs specs_of(const Tensors& tensors) {
    TensorSpecs specs;
    for (const Tensor& tensor : tensors)
        specs.push_back(tensor.spec());
    return specs;
}

// Frees temporaries in their order, as the elements of a C++ vector are.
void deallocate_all(Tensors& tensors) {
    for (Tensor& tensor : tensors)
        ScopedTensor(std::exchange(tensor, Tensor()));
}

template <typename Convert>
Tensors converted(const Tensors& tensors, Convert convert) {
    Tensors result;
    std::transform(tensors.begin(), tensors.end(), std::back_inserter(result), convert);
    return result;
}

// Rows that begin at unaligned places can't be written side by side.
bool rows_unaligned(const Tensors& tensors, std::size_t dim) {
    if (dim + 1 != tensors.front().shape().rank()) return false;
    return std::any_of(tensors.begin(), tensors.end(), [](const Tensor& tensor) {
        const std::uint64_t alignment = page_alignment(tensor.memory_config(), tensor.device().description());
        return row_bytes(tensor.spec()) % alignment != 0;
    });
}

Tensors transposed(const Tensors& tensors) {
    return converted(tensors, [](const Tensor& tensor) { return unscoped::transpose(tensor, -2, -1); });
}

Tensor join_rows(const Tensors& tensors, std::size_t dim, const MemoryConfig& memory_config,
                 const OptionalCores& sub_core_grids) {
    if (!rows_unaligned(tensors, dim))
        return launch(ConcatOperation{dim, memory_config, sub_core_grids}, tensors);
    Tensors columns = transposed(tensors);
    Tensor result;
    {
        const ScopedTensor joined(launch(ConcatOperation{dim - 1, memory_config}, columns));
        result = unscoped::transpose(*joined, -2, -1, memory_config);
    }
    deallocate_all(columns);
    return result;
}

// Tiles whose padding lies between the values become rows, and tiles again.
Tensor join_untilized(const Tensors& tensors, std::size_t dim, const MemoryConfig& memory_config) {
    Tensors rows =
        converted(tensors, [](const Tensor& tensor) { return unscoped::untilize_with_unpadding(tensor); });
    const bool by_columns = rows_unaligned(rows, dim);
    if (by_columns) {
        Tensors columns = transposed(rows);
        deallocate_all(rows);
        rows = std::move(columns);
    }
    Tensor result;
    {
        const ScopedTensor joined(launch(ConcatOperation{by_columns ? dim - 1 : dim, memory_config}, rows));
        const ScopedTensor as_rows(by_columns ? unscoped::transpose(*joined, -2, -1, memory_config)
                                              : *joined);
        result = unscoped::tilize_with_val_padding(*as_rows, 0);
    }
    deallocate_all(rows);
    return result;
}

bool tiles_in_the_way(const Tensors& tensors, std::size_t dim) {
    return std::any_of(tensors.begin(), tensors.end(), [dim](const Tensor& tensor) {
        if (tensor.layout() != Layout::TILE) return false;
        return tensor.padded_shape().dimensions()[dim] != tensor.shape().dimensions()[dim];
    });
}

Tensor join(const Tensors& tensors, std::size_t dim, const MemoryConfig& memory_config,
            const OptionalCores& sub_core_grids) {
    if (tensors.front().layout() == Layout::ROW_MAJOR)
        return join_rows(tensors, dim, memory_config, sub_core_grids);
    if (!tiles_in_the_way(tensors, dim) || ConcatOperation::joins_partial_tiles(specs_of(tensors), dim)) {
        return launch(ConcatOperation{dim, memory_config, sub_core_grids}, tensors);
    }
    return join_untilized(tensors, dim, memory_config);
}

}  // namespace

Tensor unscoped::concat(const std::vector<Tensor>& tensors, std::int64_t dim,
                        const OptionalMemoryConfig& memory_config, const OptionalCores& sub_core_grids) {
    require(!tensors.empty(), "ttnn.concat: expected a non-empty list of Tensors!");
    for (const Tensor& tensor : tensors)
        require_on_device(tensor, "concat", "tensor");
    const MemoryConfig config = memory_config.value_or(DRAM_MEMORY_CONFIG);
    const std::size_t position = tensors.front().shape().position(dim);
    require_joinable(tensors, position);
    if (tensors.size() == 1) return unscoped::to_memory_config(tensors.front(), config);
    return join(tensors, position, config, sub_core_grids);
}

Tensor Concat::call() const {
    // TT-NN's words.
    require(!output_tensor.is_given, "optional output tensor currently unsupported!");
    require(groups == 1, "concat: groups: expected 1, others are not modelled");
    return in_operation(*this, [&] { return unscoped::concat(tensors, dim, memory_config, sub_core_grids); });
}

}  // namespace tilemeter
