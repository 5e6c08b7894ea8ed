// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/reduction/internal/reduction_dims.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <variant>

#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/reshape.hpp"

namespace tilemeter {

std::span<const int> given_dims(const ReduceDims& dim) {
    if (!dim) return {};
    if (const int* one = std::get_if<int>(&*dim)) return {one, 1};
    return std::get<std::vector<int>>(*dim);
}

std::optional<std::span<const int>> recorded_dims(const ReduceDims& dim) {
    if (!dim) return std::nullopt;
    return given_dims(dim);
}

ReducedDims resolve_dims(const ReduceDims& dim, std::size_t rank) {
    const std::span<const int> given = given_dims(dim);
    ReducedDims dims;
    if (given.empty()) {
        dims.resize(rank);
        std::iota(dims.begin(), dims.end(), std::size_t{0});
        return dims;
    }
    dims.reserve(given.size());
    const int count = static_cast<int>(rank);
    for (std::size_t i = 0; i < given.size(); ++i) {
        const int position = given[i] < 0 ? given[i] + count : given[i];
        require(position >= 0 && position < count, [&] {
            return "Unsupported dim " + std::to_string(given[i]) + " at index " + std::to_string(i) +
                   ". After possible adjustment, needs to be at least 0 and "
                   "less than rank " +
                   std::to_string(rank) + ", or exactly 0 for a rank 0 tensor.";
        });
        dims.push_back(static_cast<std::size_t>(position));
    }
    std::sort(dims.begin(), dims.end());
    for (std::size_t i = 1; i < dims.size(); ++i) {
        require(dims[i] != dims[i - 1], "reduce dim list contains a duplicate axis after sorting (indices ",
                i - 1, " and ", i, ", value ", dims[i], ")");
    }
    return dims;
}

Tensor reduced_from_nothing(const Tensor& input, std::span<const std::size_t> dims, bool keepdim,
                            std::optional<float> value, DataType dtype, const MemoryConfig& memory_config) {
    for (const std::size_t dim : dims)
        require(value || input.shape().dimensions()[dim] != 0, "Expected reduction dim ", dim,
                " to have non-zero size");
    const TensorSpec spec{remaining_shape(input.shape(), dims, keepdim), dtype, input.layout(),
                          memory_config};
    return upload_filled(spec, value.value_or(0.0F), input.shared_device());
}

Tensor in_remaining_shape(const Tensor& tensor, const Shape& shape) {
    if (tensor.shape() != shape) return unscoped::reshape(tensor, shape);
    return tensor.padded_shape() == shape ? tensor : reshape_view(tensor, shape);
}

Shape remaining_shape(const Shape& shape, std::span<const std::size_t> dims, bool keepdim) {
    Shape result;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        const bool reduced = std::find(dims.begin(), dims.end(), i) != dims.end();
        if (!reduced) result.push_back(shape.dimensions()[i]);
        if (reduced && keepdim) result.push_back(1);
    }
    return result;
}

}  // namespace tilemeter
