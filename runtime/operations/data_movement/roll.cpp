// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/roll.hpp"

#include <string>
#include <tuple>

#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/concat.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/data_movement/slice.hpp"

namespace tilemeter {

namespace {

Tensor part(const Tensor& tensor, std::size_t dim, std::uint32_t begin, std::uint32_t end) {
    std::vector<std::uint32_t> from(tensor.shape().rank(), 0);
    std::vector<std::uint32_t> to(tensor.shape().dimensions().begin(), tensor.shape().dimensions().end());
    from[dim] = begin;
    to[dim] = end;
    return unscoped::slice(tensor, from, to);
}

// The end of the dimension, then its beginning, in DRAM wherever `tensor` lies: TT-NN names no memory. What
// `tensor` was goes before they do.
void shift(Tensor& tensor, std::int64_t by, std::size_t dim) {
    const std::int64_t size = tensor.shape().dimensions()[dim];
    require(size != 0, "roll: input_tensor: expected elements along a rolled dimension, got ",
            tensor.shape());
    const auto behind = static_cast<std::uint32_t>(((by % size) + size) % size);
    if (behind == 0) return;
    const auto length = static_cast<std::uint32_t>(size);
    const ScopedTensor end(part(tensor, dim, length - behind, length));
    const ScopedTensor beginning(part(tensor, dim, 0, length - behind));
    tensor = unscoped::concat({*end, *beginning}, static_cast<std::int64_t>(dim), DRAM_MEMORY_CONFIG);
}

std::vector<std::int64_t> listed(const Roll::Numbers& numbers) {
    if (const auto* one = std::get_if<std::int64_t>(&numbers)) return {*one};
    return std::get<std::vector<std::int64_t>>(numbers);
}

}  // namespace

std::tuple<const Tensor&, std::vector<std::int64_t>, std::vector<std::int64_t>> Roll::recorded() const {
    return {input_tensor, listed(shifts), dim ? listed(*dim) : std::vector<std::int64_t>()};
}

Tensor Roll::body() const {
    const std::vector<std::int64_t> distances = listed(shifts);
    const std::vector<std::int64_t> dims = dim ? listed(*dim) : std::vector<std::int64_t>();
    require_on_device(input_tensor, "roll", "input_tensor");
    require(!(dims.empty() ? distances.size() != 1 : distances.size() != dims.size()), [&] {
        return "roll: shifts: expected " + std::to_string(dims.empty() ? 1 : dims.size()) + ", got " +
               std::to_string(distances.size());
    });
    if (dims.empty()) {
        const auto volume = static_cast<std::uint32_t>(input_tensor.shape().volume());
        Tensor row;
        {
            const Tensor flat = unscoped::reshape(input_tensor, Shape{1, volume});  // goes after its parts
            row = flat;
            shift(row, distances[0], 1);
        }
        row = unscoped::to_memory_config(row, memory_config.value_or(input_tensor.memory_config()));
        return unscoped::reshape(row, input_tensor.shape());
    }
    Tensor result = input_tensor;
    for (std::size_t i = 0; i < dims.size(); ++i)
        shift(result, distances[i], input_tensor.shape().position(dims[i]));
    return unscoped::to_memory_config(result, memory_config.value_or(input_tensor.memory_config()));
}

}  // namespace tilemeter
