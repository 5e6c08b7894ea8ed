// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/concat.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "runtime/device/device.hpp"
#include "runtime/operations/core/free_l1.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/copy.hpp"
#include "runtime/operations/data_movement/internal/concat_operation.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/data_movement/slice.hpp"
#include "runtime/operations/work/later_ttnn.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

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

// The most interleaved tensors that TT-NN joins in one program, by the arguments of its kernels; more go in batches.
constexpr std::size_t kMostTensorsOfProgram = 47;

Tensor launch_in_batches(const ConcatOperation& operation, const Tensors& tensors,
                         const MemoryConfig& memory_config) {
    if (tensors.size() <= kMostTensorsOfProgram) return launch(operation, tensors);
    Tensors parts;
    for (std::size_t begin = 0; begin < tensors.size(); begin += kMostTensorsOfProgram) {
        const std::size_t end = std::min(begin + kMostTensorsOfProgram, tensors.size());
        const Tensors batch(tensors.begin() + static_cast<std::ptrdiff_t>(begin),
                            tensors.begin() + static_cast<std::ptrdiff_t>(end));
        const bool as_it_is = batch.size() == 1 && batch.front().memory_config() == memory_config;
        if (as_it_is) {
            parts.push_back(batch.front());
        } else {
            parts.push_back(batch.size() == 1 ? unscoped::clone(batch.front(), std::nullopt, memory_config)
                                              : launch(operation, batch));
        }
    }
    Tensor result = launch_in_batches(operation, parts, memory_config);
    const bool ends_with_input = parts.back().buffer().id() == tensors.back().buffer().id();
    if (ends_with_input) parts.pop_back();
    deallocate_all(parts);
    return result;
}

// Rows that begin at unaligned places can't be written side by side.
bool rows_unaligned(const Tensors& tensors, std::size_t dim) {
    if (dim + 1 != tensors.front().shape().rank()) return false;
    return std::any_of(tensors.begin(), tensors.end(), [](const Tensor& tensor) {
        const std::uint64_t alignment = page_alignment(tensor.memory_config(), tensor.device().description());
        // In shards rows are filled up to whole shards.
        const std::uint64_t row = tensor.padded_shape()[-1] * element_size(tensor.dtype());
        return (tensor.layout() == Layout::ROW_MAJOR ? row : row_bytes(tensor.spec())) % alignment != 0;
    });
}

// Tensors of one dimension, as the one row of a matrix.
Tensors as_rows_of_matrices(const Tensors& tensors) {
    if (tensors.front().shape().rank() > 1) return tensors;
    return converted(tensors, [](const Tensor& tensor) {
        return reshape_view(tensor, Shape{1, tensor.shape()[-1]});
    });
}

Tensors transposed(const Tensors& tensors) {
    return converted(as_rows_of_matrices(tensors),
                     [](const Tensor& tensor) { return unscoped::transpose(tensor, -2, -1); });
}

// A tensor that was joined from transposed tensors of `rank` dimensions.
Tensor transposed_back(const Tensor& joined, std::size_t rank, const MemoryConfig& memory_config) {
    Tensor rows = unscoped::transpose(joined, -2, -1, memory_config);
    return rank > 1 ? rows : reshape_view(rows, Shape{rows.shape()[-1]});
}

// The concatenation of the transposed tensors.
ConcatOperation below_each_other(std::size_t rank, const MemoryConfig& memory_config) {
    return {rank > 1 ? rank - 2 : 0, memory_config};
}

// The later TT-NN joins such rows as they are. Tensors that are others under another shape have the memory of these.
void note_needless(const Tensors& on_the_way, const Tensors& others) {
    NotesOnLaterTtnn* const notes = NotesOnLaterTtnn::of_this_thread();
    if (notes == nullptr) return;
    for (const Tensor& tensor : on_the_way)
        if (std::ranges::none_of(
                others, [&](const Tensor& other) { return other.buffer().id() == tensor.buffer().id(); }))
            notes->add_needless(tensor.buffer().id());
}

Tensor join_rows(const Tensors& tensors, std::size_t dim, const MemoryConfig& memory_config,
                 const OptionalCores& sub_core_grids) {
    if (!rows_unaligned(tensors, dim)) {
        return launch_in_batches(ConcatOperation{dim, memory_config, sub_core_grids}, tensors, memory_config);
    }
    const std::size_t rank = tensors.front().shape().rank();
    Tensors columns = transposed(tensors);
    Tensor result;
    {
        const ScopedTensor joined(
            launch_in_batches(below_each_other(rank, memory_config), columns, memory_config));
        result = transposed_back(*joined, rank, memory_config);
        note_needless(columns, tensors);
        note_needless({*joined}, {result});
    }
    deallocate_all(columns);
    return result;
}

// Tiles whose padding lies between the values become rows, and tiles again.
Tensor join_untilized(const Tensors& tensors, std::size_t dim, const MemoryConfig& memory_config) {
    Tensors rows =
        converted(tensors, [](const Tensor& tensor) { return unscoped::untilize_with_unpadding(tensor); });
    const std::size_t rank = tensors.front().shape().rank();
    const bool by_columns = rows_unaligned(rows, dim);
    if (by_columns) {
        Tensors columns = transposed(rows);
        deallocate_all(rows);
        rows = std::move(columns);
    }
    Tensor result;
    {
        const ScopedTensor joined(launch_in_batches(
            by_columns ? below_each_other(rank, memory_config) : ConcatOperation{dim, memory_config}, rows,
            memory_config));
        const ScopedTensor as_rows(by_columns ? transposed_back(*joined, rank, memory_config) : *joined);
        result = unscoped::tilize_with_val_padding(*as_rows, 0);
    }
    deallocate_all(rows);
    return result;
}

bool tiles_in_the_way(const Tensors& tensors, std::size_t dim) {
    return std::any_of(tensors.begin(), tensors.end(), [dim](const Tensor& tensor) {
        if (tensor.layout() != Layout::TILE) return false;
        if (tensor.shape().rank() == 1) return true;
        return tensor.padded_shape().dimensions()[dim] != tensor.shape().dimensions()[dim];
    });
}

// True if the values are joined as they lie in memory.
bool lie_whole(const Tensors& tensors, std::size_t dim) {
    return tensors.front().layout() == Layout::ROW_MAJOR ? !rows_unaligned(tensors, dim)
                                                         : !tiles_in_the_way(tensors, dim);
}

// The most tensors of the program of partial tiles, which takes three times a row of tiles of all and of the result.
bool fits_partial_tiles(const Tensors& tensors, std::size_t dim, const MemoryConfig& memory_config) {
    constexpr std::size_t kMostTensors = 32;
    const TensorSpecs specs = specs_of(tensors);
    if (!ConcatOperation::joins_partial_tiles(specs, dim) || tensors.size() > kMostTensors) return false;
    std::uint64_t width = 0;
    for (const TensorSpec& each : specs)
        width += each.shape[-1];
    const std::uint64_t tiles = columns_of(specs) + ceil_div(width, kTileWidth);
    const TensorSpec output = ConcatOperation{dim, memory_config}.infer(specs).front();
    return 3 * tiles * tile_size(specs[0].dtype) <= free_l1_beside(tensors[0].device(), output);
}

// Rows that do not begin at aligned places are joined transposed, and then have to fit in a core. So many rows of the
// tensors at a time, if not all of them do; 0: all.
std::uint32_t rows_at_a_time(const Tensors& tensors, std::size_t dim, const MemoryConfig& memory_config) {
    const Tensor& first = tensors.front();
    if (first.shape().rank() < 2 || dim + 1 != first.shape().rank()) return 0;
    const bool tiled = first.layout() == Layout::TILE;
    if (tiled && !tiles_in_the_way(tensors, dim)) return 0;
    const DeviceDescription& device = first.device().description();
    const std::uint64_t alignment =
        std::max(page_alignment(first.memory_config(), device), page_alignment(memory_config, device));
    const bool aligned = std::all_of(tensors.begin(), tensors.end(), [&](const Tensor& tensor) {
        return row_bytes(tensor.spec()) % alignment == 0;
    });
    const std::uint64_t all = device.l1_size - device.l1_unreserved_base;
    const std::uint64_t element = element_size(first.dtype());
    if (aligned || round_up(element * first.shape()[-2], alignment) <= all) return 0;
    const std::uint64_t unit = tiled ? kTileHeight : 1;
    return static_cast<std::uint32_t>(all / (2 * element) / unit * unit);
}

Tensor join(const Tensors& tensors, std::size_t dim, const MemoryConfig& memory_config,
            const OptionalCores& sub_core_grids);

Tensor join_parts(const Tensors& tensors, std::size_t dim, const MemoryConfig& memory_config,
                  const OptionalCores& sub_core_grids, std::uint32_t rows) {
    const std::uint32_t height = tensors.front().shape()[-2];
    Tensors joined;
    for (std::uint32_t row = 0; row < height; row += rows) {
        Tensors parts = converted(tensors, [&](const Tensor& tensor) {
            const auto sizes = tensor.shape().dimensions();
            std::vector<std::uint32_t> begin(sizes.size(), 0), end(sizes.begin(), sizes.end());
            begin[dim - 1] = row;
            end[dim - 1] = std::min(row + rows, height);
            return unscoped::slice(tensor, begin, end, memory_config);
        });
        joined.push_back(join(parts, dim, memory_config, sub_core_grids));
        deallocate_all(parts);
    }
    Tensor result = join(joined, dim - 1, memory_config, sub_core_grids);
    deallocate_all(joined);
    return result;
}

Tensor join(const Tensors& tensors, std::size_t dim, const MemoryConfig& memory_config,
            const OptionalCores& sub_core_grids) {
    const bool at_once =
        tensors.front().layout() == Layout::TILE && fits_partial_tiles(tensors, dim, memory_config);
    if (const std::uint32_t rows = at_once ? 0 : rows_at_a_time(tensors, dim, memory_config); rows != 0)
        return join_parts(tensors, dim, memory_config, sub_core_grids, rows);
    if (tensors.front().layout() == Layout::ROW_MAJOR)
        return join_rows(tensors, dim, memory_config, sub_core_grids);
    if (!tiles_in_the_way(tensors, dim) || at_once) {
        return launch_in_batches(ConcatOperation{dim, memory_config, sub_core_grids}, tensors, memory_config);
    }
    return join_untilized(tensors, dim, memory_config);
}

/// The place of joined tensors in shards: on the same cores, in shards larger by the number of tensors.
MemoryConfig joined_shards(const Tensors& tensors, std::size_t dim) {
    MemoryConfig config = tensors.front().memory_config().made_anew();
    const std::size_t side = dim + 1 == tensors.front().shape().rank() ? 1 : 0;
    std::uint32_t size = 0;
    for (const Tensor& tensor : tensors)
        size += tensor.memory_config().shard_spec->shape[side];
    config.shard_spec->shape[side] = size;
    return config;
}

/// True if shards can be joined where they lie.
bool shards_lie_along(const MemoryConfig& config, std::size_t dim, std::size_t rank) {
    if (dim + 1 == rank) return config.memory_layout != TensorMemoryLayout::WIDTH_SHARDED;
    return dim + 2 == rank && config.memory_layout != TensorMemoryLayout::HEIGHT_SHARDED;
}

// In shards, and from there to interleaved memory if that is asked for; across shards the other way round.
Tensor join_shards(const Tensors& tensors, std::size_t dim, const MemoryConfig& memory_config,
                   std::uint32_t groups) {
    if (memory_config.is_sharded())
        return launch(ConcatOperation{dim, memory_config, std::nullopt, groups}, tensors);
    const Tensor& first = tensors.front();
    if (!shards_lie_along(first.memory_config(), dim, first.shape().rank())) {
        Tensors interleaved = converted(tensors, [&](const Tensor& tensor) {
            return unscoped::sharded_to_interleaved(tensor, memory_config);
        });
        Tensor result = launch_in_batches(ConcatOperation{dim, memory_config}, interleaved, memory_config);
        deallocate_all(interleaved);
        return result;
    }
    const ScopedTensor joined(
        launch(ConcatOperation{dim, joined_shards(tensors, dim), std::nullopt, groups}, tensors));
    return unscoped::sharded_to_interleaved(*joined, memory_config);
}

}  // namespace

Tensor unscoped::concat(const std::vector<Tensor>& tensors, std::int64_t dim,
                        const OptionalMemoryConfig& memory_config, const OptionalCores& sub_core_grids,
                        std::uint32_t groups) {
    require(!tensors.empty(), "ttnn.concat: expected a non-empty list of Tensors!");
    for (const Tensor& tensor : tensors)
        require_on_device(tensor, "concat", "tensor");
    const MemoryConfig config = memory_config.value_or(DRAM_MEMORY_CONFIG);
    const std::size_t position = tensors.front().shape().position(dim);
    require_joinable(tensors, position);
    if (tensors.size() == 1) return unscoped::to_memory_config(tensors.front(), config);
    const bool sharded = std::all_of(tensors.begin(), tensors.end(), [](const Tensor& tensor) {
        return tensor.memory_config().is_sharded();
    });
    if (sharded && lie_whole(tensors, position)) return join_shards(tensors, position, config, groups);
    return join(tensors, position, config, sub_core_grids);
}

Tensor Concat::call() const {
    // TT-NN's words.
    require(!output_tensor.is_given, "optional output tensor currently unsupported!");
    require(groups > 0, "concat: groups: expected at least 1, got ", groups);
    return in_operation(*this, [&] {
        return unscoped::concat(tensors, dim, memory_config, sub_core_grids,
                                static_cast<std::uint32_t>(groups));
    });
}

}  // namespace tilemeter
