// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/permute.hpp"

#include <algorithm>
#include <numeric>

#include "runtime/device/device.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/shards_over.hpp"
#include "runtime/operations/data_movement/copy.hpp"
#include "runtime/operations/data_movement/internal/permute_operation.hpp"
#include "runtime/operations/data_movement/internal/transpose_operation.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/data_movement/typecast.hpp"

namespace tilemeter {

namespace {

using Order = std::vector<std::uint32_t>;

Order order_from(const Shape& shape, const std::vector<std::int64_t>& dims) {
    require(dims.size() == shape.rank(),
            "The number of dimensions in the tensor input does not match the length of the desired "
            "ordering: ",
            shape, " and ", dims.size(), " dims");
    Order order;
    for (const std::int64_t dim : dims) {
        const auto position = static_cast<std::uint32_t>(shape.position(dim));
        require(std::find(order.begin(), order.end(), position) == order.end(),
                "permute: dims: expected each dimension once, got ", dim, " again");
        order.push_back(position);
    }
    return order;
}

// Only dimensions of 1 move, and none within the page (tile or row).
bool nothing_moves(const Tensor& input, const Order& order) {
    const std::size_t rank = order.size();
    if (std::is_sorted(order.begin(), order.end())) return true;
    const std::size_t in_page = input.layout() == Layout::TILE ? 2 : 1;
    for (std::size_t i = 0; i < rank; ++i) {
        if (order[i] == i) continue;
        if (i + in_page >= rank) return false;
        if (input.shape().dimensions()[i] != 1 || input.shape().dimensions()[order[i]] != 1) return false;
    }
    return true;
}

Order to_four(const Order& order) {
    Order four(4 - order.size());
    std::iota(four.begin(), four.end(), 0U);
    const auto added = static_cast<std::uint32_t>(four.size());
    for (const std::uint32_t dimension : order)
        four.push_back(dimension + added);
    return four;
}

TensorSpec permuted_spec(const Tensor& tensor, const Order& order) {
    TensorSpec result = tensor.spec();
    for (std::size_t i = 0; i < order.size(); ++i)
        result.shape.set(static_cast<int>(i), tensor.shape()[static_cast<int>(order[i])]);
    return result;
}

// Where rows and columns of tiles in shards lie exchanged, as a step on the way: rows of one matrix become
// columns of shards, columns stay columns where each core gets some.
MemoryConfig config_of_exchanged(const Tensor& tensor) {
    const TensorSpec result = permuted_spec(tensor, {0, 1, 3, 2});
    MemoryConfig config = tensor.memory_config();
    if (!config.shard_spec) return config;
    const MemoryConfig interleaved{TensorMemoryLayout::INTERLEAVED, config.buffer_type, std::nullopt};
    if (config.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED) {
        if (tensor.shape()[0] * tensor.shape()[1] != 1) return interleaved;
        config.memory_layout = TensorMemoryLayout::WIDTH_SHARDED;
        std::swap(config.shard_spec->shape[0], config.shard_spec->shape[1]);
        return config;
    }
    if (config.memory_layout == TensorMemoryLayout::WIDTH_SHARDED &&
        result.tile_columns() < config.shard_spec->grid.num_cores()) {
        return interleaved;
    }
    return on_its_cores(result, config);
}

// As few exchanges of neighbouring dimensions as TT-NN takes for shards. Where the caller does not say where
// the result is to lie, and on the way, it stays on the input's cores; rows of another width go to all.
Tensor permute_shards(const Tensor& input, const Order& order, const OptionalMemoryConfig& wanted,
                      float pad_value) {
    const bool tiles = input.layout() == Layout::TILE;
    const bool own = !wanted && tiles;
    const MemoryConfig memory_config = wanted.value_or(input.memory_config());
    const auto exchange_wh = [&](const Tensor& tensor, bool last) {
        return unscoped::transpose(tensor, -2, -1,
                                   tiles && (own || !last) ? config_of_exchanged(tensor) : memory_config);
    };
    const auto exchange_hc = [&](const Tensor& tensor, bool last) {
        const MemoryConfig config =
            tiles && (own || !last)
                ? on_its_cores(permuted_spec(tensor, {0, 2, 1, 3}), tensor.memory_config())
                : memory_config;
        return unscoped::transpose(tensor, 1, -2, config, pad_value);
    };
    if (order == Order{0, 1, 3, 2}) {
        return unscoped::transpose(input, -2, -1,
                                   own ? OptionalMemoryConfig() : OptionalMemoryConfig(memory_config));
    }
    if (order == Order{0, 2, 1, 3}) return exchange_hc(input, true);
    if (order == Order{0, 2, 3, 1}) return exchange_wh(*ScopedTensor(exchange_hc(input, false)), true);
    if (order == Order{0, 3, 1, 2}) return exchange_hc(*ScopedTensor(exchange_wh(input, false)), true);
    if (order == Order{0, 3, 2, 1}) {
        const ScopedTensor first(exchange_wh(input, false));
        const ScopedTensor second(exchange_hc(*first, false));
        return exchange_wh(*second, true);
    }
    const TensorSpec result = permuted_spec(input, order);
    MemoryConfig config = own ? on_its_cores(result, memory_config) : memory_config;
    if (order == Order{1, 0, 2, 3}) return unscoped::transpose(input, 0, 1, config);
    if (own && order[3] != 3) {
        config.shard_spec =
            shards_over(result, config.memory_layout, input.device().description().compute_grid);
    }
    return launch(PermuteOperation{order, config, pad_value}, {input});
}

Tensor permute_interleaved(const Tensor& input, const Order& order, const MemoryConfig& memory_config,
                           float pad_value) {
    if (order == Order{0, 1, 3, 2}) return unscoped::transpose(input, -2, -1, memory_config);
    if (order == Order{0, 2, 1, 3}) return unscoped::transpose(input, 1, -2, memory_config, pad_value);
    if (order == Order{1, 0, 2, 3}) return unscoped::transpose(input, 0, 1, memory_config);
    return launch(PermuteOperation{order, memory_config, pad_value}, {input});
}

Tensor permute_four(const Tensor& input, const Order& order, const OptionalMemoryConfig& memory_config,
                    float pad_value) {
    // The block format can't be taken apart: its elements share exponents.
    const bool tiles_stay =
        order == Order{0, 1, 3, 2} || order == Order{1, 0, 2, 3} || order == Order{1, 0, 3, 2};
    const bool by_bfloat16 = input.dtype() == DataType::BFLOAT8_B && !tiles_stay && !input.is_sharded();
    ScopedTensor source(by_bfloat16 ? unscoped::typecast(input, DataType::BFLOAT16) : input);
    ScopedTensor result(
        input.is_sharded()
            ? permute_shards(*source, order, memory_config, pad_value)
            : permute_interleaved(*source, order, memory_config.value_or(input.memory_config()), pad_value));
    if (by_bfloat16) result = unscoped::typecast(*result, DataType::BFLOAT8_B);
    return result.take();
}

// An exchange of dimensions of four that has a program of its own, or nothing.
std::optional<TransposeOpDim> own_program(std::size_t low, std::size_t high) {
    if (low == 2 && high == 3) return TransposeOpDim::WH;
    if (low == 1 && high == 2) return TransposeOpDim::HC;
    if (low == 0 && high == 1) return TransposeOpDim::CN;
    return std::nullopt;
}

std::vector<std::int64_t> exchange(std::size_t rank, std::size_t low, std::size_t high) {
    std::vector<std::int64_t> order(rank);
    std::iota(order.begin(), order.end(), 0);
    std::swap(order[low], order[high]);
    return order;
}

// Where the result of transposing tiles lies if the caller does not say: rows of shards become columns of
// shards on the same cores; columns do not become rows; blocks are cut anew, over as many cores as there are.
MemoryConfig config_of_transposed(const Tensor& input) {
    const MemoryConfig& from = input.memory_config();
    if (!from.shard_spec || input.layout() != Layout::TILE) return from;
    MemoryConfig config = from;
    switch (from.memory_layout) {
        case TensorMemoryLayout::HEIGHT_SHARDED:
            config.memory_layout = TensorMemoryLayout::WIDTH_SHARDED;
            std::swap(config.shard_spec->shape[0], config.shard_spec->shape[1]);
            return config;
        case TensorMemoryLayout::WIDTH_SHARDED:
            return {TensorMemoryLayout::INTERLEAVED, from.buffer_type, std::nullopt};
        case TensorMemoryLayout::BLOCK_SHARDED: {
            TensorSpec result = input.spec();
            const std::size_t rank = result.shape.rank();
            const std::uint32_t rows = result.shape[-2];
            result.shape.set(-2, result.shape[-1]);
            result.shape.set(-1, rank < 2 ? 1 : rows);
            config.shard_spec =
                shards_over(result, from.memory_layout, input.device().description().compute_grid);
            return config;
        }
        default:
            return from;
    }
}

Tensor transpose_moving(const Tensor& input, std::size_t low, std::size_t high,
                        const OptionalMemoryConfig& memory_config, float pad_value) {
    const std::vector<std::int64_t> order = exchange(4, low, high);
    const std::optional<TransposeOpDim> own = own_program(low, high);
    if (!own) return unscoped::permute(input, order, memory_config, pad_value);
    const MemoryConfig config = memory_config.value_or(
        *own == TransposeOpDim::WH ? config_of_transposed(input) : input.memory_config());
    if (input.layout() == Layout::ROW_MAJOR && !input.is_sharded()) {
        return launch(PermuteOperation{{order.begin(), order.end()}, config, pad_value}, {input});
    }
    return launch(TransposeOperation{*own, config, pad_value}, {input});
}

Tensor transpose_four(const Tensor& input, std::size_t low, std::size_t high,
                      const OptionalMemoryConfig& memory_config, float pad_value) {
    const Shape padded = input.padded_shape();
    if (low == high || (padded.dimensions()[low] == 1 && padded.dimensions()[high] == 1)) {
        if (!memory_config || *memory_config == input.memory_config()) return input;
        return unscoped::clone(input, std::nullopt, memory_config);
    }
    return transpose_moving(input, low, high, memory_config, pad_value);
}

}  // namespace

namespace unscoped {

Tensor permute(const Tensor& input, const std::vector<std::int64_t>& dims,
               const OptionalMemoryConfig& memory_config, float pad_value) {
    require_on_device(input, "permute", "input");
    const Order order = order_from(input.shape(), dims);
    const MemoryConfig config = memory_config.value_or(input.memory_config());
    if (nothing_moves(input, order)) return unscoped::to_memory_config(input, config);
    const std::size_t rank = order.size();
    if (rank > 4) return launch(PermuteOperation{order, config, pad_value}, {input});
    if (rank == 4) return permute_four(input, order, memory_config, pad_value);
    const ScopedTensor source(unscoped::unsqueeze_to_4D(input));
    const ScopedTensor result(permute_four(*source, to_four(order), memory_config, pad_value));
    return unscoped::squeeze_from_4D(*result, rank);
}

Tensor transpose(const Tensor& input, std::int64_t dim0, std::int64_t dim1,
                 const OptionalMemoryConfig& memory_config, float pad_value) {
    require_on_device(input, "transpose", "input");
    const std::size_t rank = input.shape().rank();
    const auto [low, high] = std::minmax({input.shape().position(dim0), input.shape().position(dim1)});
    if (rank > 4) return unscoped::permute(input, exchange(rank, low, high), memory_config, pad_value);
    const std::size_t added = 4 - rank;
    const std::size_t first = low + added;
    const std::size_t second = high + added;
    const ScopedTensor source(unscoped::unsqueeze_to_4D(input));
    const bool tiles_stay = (first == 0 && second == 1) || (first == 2 && second == 3);
    const bool by_bfloat16 = input.dtype() == DataType::BFLOAT8_B && !tiles_stay;
    const ScopedTensor cast(by_bfloat16 ? unscoped::typecast(*source, DataType::BFLOAT16) : *source);
    ScopedTensor result(transpose_four(*cast, first, second, memory_config, pad_value));
    if (rank < 4) result = unscoped::squeeze_from_4D(*result, rank);
    return by_bfloat16 ? unscoped::typecast(*result, DataType::BFLOAT8_B) : result.take();
}

}  // namespace unscoped

Tensor Permute::body() const {
    return unscoped::permute(input_tensor, dims, memory_config, pad_value);
}

Tensor Transpose::body() const {
    return unscoped::transpose(input_tensor, dim1, dim2, memory_config, pad_value);
}

}  // namespace tilemeter
