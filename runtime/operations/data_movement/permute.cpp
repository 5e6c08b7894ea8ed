// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/permute.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include "runtime/device/device.hpp"
#include "runtime/operations/core/free_l1.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/copy.hpp"
#include "runtime/operations/data_movement/internal/permute_operation.hpp"
#include "runtime/operations/data_movement/internal/scaled_shards.hpp"
#include "runtime/operations/data_movement/internal/transpose_operation.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/data_movement/typecast.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

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
    // Rows of elements need not fill the shards that they come from.
    if (result.layout == Layout::ROW_MAJOR) result.memory_config = DRAM_MEMORY_CONFIG;
    for (std::size_t i = 0; i < order.size(); ++i)
        result.shape.set(static_cast<int>(i), tensor.shape()[static_cast<int>(order[i])]);
    return result;
}

// The spec of a permuted tensor that has what fills its shards as elements, which TT-NN counts where it makes new ones.
TensorSpec permuted_with_padding(const Tensor& tensor, const Order& order) {
    TensorSpec result = permuted_spec(tensor, order);
    if (result.layout != Layout::ROW_MAJOR) return result;
    const Shape padded = tensor.padded_shape();
    for (std::size_t i = 0; i < order.size(); ++i)
        result.shape.set(static_cast<std::int64_t>(i), padded[static_cast<std::int64_t>(order[i])]);
    return result;
}

bool lies_in_nd_shards(const Tensor& tensor) {
    return tensor.memory_config().memory_layout == TensorMemoryLayout::ND_SHARDED &&
           tensor.memory_config().nd_shard_spec;
}

// The same shards with their dimensions in the other order.
MemoryConfig permuted_nd_shards(const Tensor& tensor, const Order& order) {
    MemoryConfig config = tensor.memory_config();
    auto shards = std::make_shared<NdShardSpec>(*config.nd_shard_spec);
    const Shape before = shards->shape.to_rank(std::max(shards->shape.rank(), order.size()));
    shards->shape = before;
    for (std::size_t i = 0; i < order.size(); ++i)
        shards->shape.set(static_cast<std::int64_t>(i), before[static_cast<std::int64_t>(order[i])]);
    config.nd_shard_spec = std::move(shards);
    return config;
}

// Rows in shards of parts of them are taken out first, unless they could as well be whole tiles in full shards.
bool lies_in_pieces(const Tensor& input) {
    const MemoryConfig& config = input.memory_config();
    const bool has_parts = config.memory_layout == TensorMemoryLayout::WIDTH_SHARDED ||
                           config.memory_layout == TensorMemoryLayout::BLOCK_SHARDED;
    if (input.layout() != Layout::ROW_MAJOR || !has_parts || !config.shard_spec) return false;
    const Shape& shape = input.shape();
    const auto [rows, columns] = config.shard_spec->shape;
    return shape.rank() < 2 || shape[-2] % kTileHeight != 0 || shape[-1] % kTileWidth != 0 ||
           shape[-1] % columns != 0 || shape.volume() / shape[-1] % rows != 0;
}

// The place of rows that were taken out, if their shards are left open: as many rows, and elements, on each core;
// columns are cut between 16 bytes.
OptionalMemoryConfig in_shards_of_rows(const OptionalMemoryConfig& wanted, const Tensor& input,
                                       const Order& order) {
    if (!wanted || !wanted->is_sharded() || wanted->shard_spec || wanted->nd_shard_spec) return wanted;
    constexpr std::uint64_t kPiece = 16;
    const Shape shape = permuted_with_padding(input, order).shape;
    const CoreCoord grid = input.device().description().compute_grid;
    const std::uint64_t rows = shape.volume() / shape[-1], columns = shape[-1];
    const std::uint64_t cores = std::uint64_t{grid.x} * grid.y;
    const bool by_height = wanted->memory_layout == TensorMemoryLayout::HEIGHT_SHARDED;
    const bool by_width = wanted->memory_layout == TensorMemoryLayout::WIDTH_SHARDED;
    const std::uint64_t down = by_width ? 1 : by_height ? cores : grid.y;
    const std::uint64_t across = by_height ? 1 : by_width ? cores : grid.x;
    const std::uint64_t unit = by_width ? kPiece / element_size(input.dtype()) : 1;
    MemoryConfig config = *wanted;
    config.shard_spec = ShardSpec{whole_grid(grid),
                                  {static_cast<std::uint32_t>(ceil_div(rows, down)),
                                   static_cast<std::uint32_t>(round_up(ceil_div(columns, across), unit))}};
    return config;
}

// TT-NN's words, of rows in shards that are asked for.
void require_whole_pages(const Tensor& input, const MemoryConfig& wanted) {
    if (input.layout() != Layout::ROW_MAJOR || !wanted.shard_spec || wanted.buffer_type != BufferType::L1)
        return;
    const std::uint64_t alignment = input.device().description().l1_alignment;
    require(wanted.shard_spec->shape[1] * element_size(input.dtype()) % alignment == 0,
            "Shard page size must be aligned to ", alignment, "B for L1 Tensor");
}

// As few exchanges of neighbouring dimensions as TT-NN takes for shards; what is made on the way lies where
// such an exchange puts it by default.
Tensor permute_shards(const Tensor& input, const Order& order, const OptionalMemoryConfig& wanted,
                      float pad_value) {
    const auto exchange_wh = [&](const Tensor& tensor, bool last) {
        return unscoped::transpose(tensor, -2, -1, last ? wanted : std::nullopt);
    };
    const auto exchange_hc = [&](const Tensor& tensor, bool last) {
        return unscoped::transpose(tensor, 1, -2, last ? wanted : std::nullopt, pad_value);
    };
    if (order == Order{0, 1, 3, 2}) return exchange_wh(input, true);
    if (order == Order{0, 2, 1, 3}) return exchange_hc(input, true);
    if (order == Order{0, 2, 3, 1}) return exchange_wh(*ScopedTensor(exchange_hc(input, false)), true);
    if (order == Order{0, 3, 1, 2}) return exchange_hc(*ScopedTensor(exchange_wh(input, false)), true);
    if (order == Order{0, 3, 2, 1}) {
        const ScopedTensor first(exchange_wh(input, false));
        const ScopedTensor second(exchange_hc(*first, false));
        return exchange_wh(*second, true);
    }
    const TensorSpec result = permuted_spec(input, order);
    const DeviceDescription& device = input.device().description();
    const bool stays_nd = lies_in_nd_shards(input) && (!wanted || wanted->nd_shard_spec);
    const MemoryConfig config =
        stays_nd ? permuted_nd_shards(input, order)
        : wanted ? with_shards(*wanted, input.spec(), permuted_with_padding(input, order), device)
                 : scaled_or_new_shards(input.spec(), result, device);
    if (order == Order{1, 0, 2, 3}) return unscoped::transpose(input, 0, 1, config);
    return launch(PermuteOperation{order, config, pad_value}, {input});
}

Tensor permute_interleaved(const Tensor& input, const Order& order, const MemoryConfig& memory_config,
                           float pad_value) {
    if (order == Order{0, 1, 3, 2}) return unscoped::transpose(input, -2, -1, memory_config);
    if (order == Order{0, 2, 1, 3}) return unscoped::transpose(input, 1, -2, memory_config, pad_value);
    if (order == Order{1, 0, 2, 3}) return unscoped::transpose(input, 0, 1, memory_config);
    return launch(PermuteOperation{order, memory_config, pad_value}, {input});
}

// The shards that are asked for are those of the whole tensor still.
Tensor permute_pieces(const Tensor& input, const Order& order, const OptionalMemoryConfig& wanted,
                      float pad_value) {
    const ScopedTensor rows(unscoped::to_memory_config(input, L1_MEMORY_CONFIG));
    // Shards that are left open are not those of the input, in whichever way they lie.
    TensorSpec from = input.spec();
    from.memory_config.memory_layout = TensorMemoryLayout::INTERLEAVED;
    const MemoryConfig config =
        wanted ? with_shards(*wanted, from, permuted_with_padding(input, order), input.device().description())
               : L1_MEMORY_CONFIG;
    return permute_interleaved(*rows, order, config, pad_value);
}

Tensor permute_four(const Tensor& input, const Order& order, const OptionalMemoryConfig& memory_config,
                    float pad_value) {
    if (lies_in_pieces(input)) return permute_pieces(input, order, memory_config, pad_value);
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

// The place of the result if the caller names none: on the same cores, where the shards can be scaled as the tensor is.
// The rows of one matrix become its columns. Where they cannot, full shards are given up, and others cut anew over all
// cores.
MemoryConfig config_of_transposed(const Tensor& input, TransposeOpDim dim) {
    MemoryConfig config = input.memory_config();
    const auto order = order_of(dim);
    if (lies_in_nd_shards(input) && (dim != TransposeOpDim::HC || input.layout() == Layout::ROW_MAJOR))
        return permuted_nd_shards(input, {order.begin(), order.end()});
    if (lies_in_nd_shards(input)) {
        // Rows that become channels lie in blocks over all cores.
        config = {TensorMemoryLayout::BLOCK_SHARDED, config.buffer_type, std::nullopt};
        return with_shards(config, input.spec(), permuted_spec(input, {order.begin(), order.end()}),
                           input.device().description());
    }
    if (!config.shard_spec || dim == TransposeOpDim::CN) return config;
    const TensorSpec result = permuted_spec(input, {order.begin(), order.end()});
    if (!has_full_shards(input.spec()))
        return scaled_or_new_shards(input.spec(), result, input.device().description());
    const bool one_matrix = input.shape()[0] == 1 && input.shape()[1] == 1;
    if (dim == TransposeOpDim::WH && one_matrix && config.shard_spec->shape[1] == input.padded_shape()[-1]) {
        config = config.made_anew();
        config.nd_shard_spec.reset();
        config.memory_layout = TensorMemoryLayout::WIDTH_SHARDED;
        std::swap(config.shard_spec->shape[0], config.shard_spec->shape[1]);
        return config;
    }
    return scaled_shards(input.spec(), result)
        .value_or(MemoryConfig{TensorMemoryLayout::INTERLEAVED, BufferType::L1, std::nullopt});
}

// True if a core of its own for each matrix has too little L1 for rows of shards to be transposed as tiles.
bool exceeds_l1_as_tiles(const Tensor& input) {
    const std::uint64_t width = round_up(input.shape()[-1], kTileWidth);
    const std::uint64_t height = round_up(input.shape()[-2], kTileHeight);
    const std::uint64_t bytes = (2 * width + 2 * height + width * height) * element_size(input.dtype());
    return bytes > free_l1_below_tensors(input.device());
}

Tensor transpose_moving(const Tensor& input, std::size_t low, std::size_t high,
                        const OptionalMemoryConfig& memory_config, float pad_value) {
    const std::vector<std::int64_t> order = exchange(4, low, high);
    const std::optional<TransposeOpDim> own = own_program(low, high);
    if (!own) return unscoped::permute(input, order, memory_config, pad_value);
    const MemoryConfig config =
        memory_config
            ? with_shards(*memory_config, input.spec(), permuted_spec(input, {order.begin(), order.end()}),
                          input.device().description())
            : config_of_transposed(input, *own);
    const bool by_rows = input.layout() == Layout::ROW_MAJOR;
    if (by_rows && (!input.is_sharded() || (*own == TransposeOpDim::WH && exceeds_l1_as_tiles(input))))
        return launch(PermuteOperation{{order.begin(), order.end()}, config, pad_value}, {input});
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
    if (memory_config) require_whole_pages(input, *memory_config);
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
    if (lies_in_pieces(input)) {
        const std::vector<std::int64_t> order = exchange(rank, low, high);
        const OptionalMemoryConfig place =
            in_shards_of_rows(memory_config, input, {order.begin(), order.end()});
        const ScopedTensor rows(unscoped::to_memory_config(input, L1_MEMORY_CONFIG));
        return unscoped::transpose(*rows, dim0, dim1, place ? *place : L1_MEMORY_CONFIG, pad_value);
    }
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
