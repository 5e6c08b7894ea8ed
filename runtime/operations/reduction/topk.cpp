// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/reduction/topk.hpp"

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "runtime/compute/order.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/padding_view.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/fill_padding.hpp"
#include "runtime/operations/data_movement/leading_part.hpp"
#include "runtime/operations/data_movement/pad.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/typecast.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/operations/work/work_cores.hpp"

namespace tilemeter {

namespace {

constexpr std::uint32_t kNarrowestRow = 64;

/// The sharing of a row of tiles among the cores: each looks for the best in its part, one more in what they found.
struct RowSplit {
    CoreCoord first;
    CoreCoord local;  ///< columns and rows of cores that have a part each
    std::uint64_t part_tiles = 0;
    std::uint64_t gathered_tiles = 0;  ///< of what they found, in all
};

constexpr std::uint64_t kNarrowestPart = 4;  // tiles

// The most cores whose findings are not more than four times as long as a part of the row. The last column
// and two rows of the cores stay free.
std::optional<RowSplit> split_of_row(const TensorSpec& input, std::uint64_t k_tiles, const CoreRange& cores) {
    constexpr std::uint64_t kMostTilesOfK = 2, kNarrowest = 32, kAlwaysShared = 256, kWidest = 1024;
    const std::uint64_t width = input.tile_columns();
    if (k_tiles > kMostTilesOfK || width < kNarrowest || width > kWidest || !std::has_single_bit(width) ||
        input.shape[-1] != width * kTileWidth)
        return std::nullopt;
    const std::uint32_t columns = std::bit_floor(cores.end.x - cores.start.x);
    const std::uint32_t height = cores.end.y - cores.start.y;
    const std::uint32_t rows = height < 2 ? 0 : std::bit_floor(height - 1);
    std::uint64_t count = std::uint64_t{columns} * rows;
    while (count > 1 && (width / count < kNarrowestPart || count * k_tiles > 4 * (width / count)))
        count /= 2;
    if (count < 2) return std::nullopt;
    const RowSplit split{cores.start,
                         {static_cast<std::uint32_t>(std::min<std::uint64_t>(count, columns)),
                          static_cast<std::uint32_t>(ceil_div(count, columns))},
                         width / count,
                         count * k_tiles};
    // One row after the other is shared; cores of their own would take them at the same time.
    const std::uint64_t shared_cost = input.tile_rows() * (split.part_tiles + split.gathered_tiles);
    if (width < kAlwaysShared && shared_cost >= width) return std::nullopt;
    return split;
}

/// Tiles of the values that come and go, of those being sorted, and of indices.
struct TileSizes {
    std::uint64_t value = 0;
    std::uint64_t sorted = 0;
    std::uint64_t index = 0;
};

TileSizes tile_sizes(const TensorSpec& input, const TensorSpec& indices) {
    const bool wide = input.dtype == DataType::FLOAT32;
    return {tile_size(input.dtype), tile_size(wide ? DataType::FLOAT32 : DataType::BFLOAT16),
            tile_size(indices.dtype)};
}

ProgramPlan plan_split_rows(const TileSizes& tile, const RowSplit& split, std::uint64_t k_tiles,
                            bool stable) {
    const CoreCoord first = split.first;
    const CoreRange local_range{first, {first.x + split.local.x - 1, first.y + split.local.y - 1}};
    const CoreCoord last_core{first.x, first.y + split.local.y};
    const CoreRange last_range{last_core, last_core};
    const CoreRangeSet local({local_range}), last({last_range}), all({local_range, last_range});
    ProgramPlan plan{{"ttnn::prim::TopKDeviceOperation::TopKMultiCoreProgramFactory", 1}};
    const auto declare = [&](const CoreRangeSet& cores, std::initializer_list<std::uint64_t> sizes) {
        for (const std::uint64_t size : sizes)
            plan.memory.push_back(circular_buffer(size, cores));
    };
    const std::uint64_t gathered = split.gathered_tiles, part = split.part_tiles;
    declare(all, {kNarrowestPart * tile.value, kNarrowestPart * tile.index});
    // Sorted in a stable way, a value of 16 bits and its index are one number of 32.
    if (stable && tile.sorted == tile.index && tile.index < tile_size(DataType::UINT32)) {
        const std::uint64_t pair = tile_size(DataType::UINT32);
        declare(all, {gathered * pair});
        declare(last, {k_tiles * tile.index, 2 * tile.index});
        declare(local, {part * pair, 2 * pair});
        declare(last, {2 * tile.value, gathered * pair, k_tiles * tile.index});
        return plan;
    }
    declare(all, {gathered * tile.sorted, gathered * tile.index, 2 * tile.index});
    declare(local, {part * tile.sorted, part * tile.index, 2 * tile.sorted});
    declare(last, {2 * tile.value, gathered * tile.sorted, gathered * tile.index});
    return plan;
}

/// Over the last dimension of four. A second input holds the numbers of the elements.
struct TopKOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "TopKDeviceOperation";
    static constexpr std::string_view kAttributesName = "TopkParams";

    std::uint32_t k;
    bool largest;
    bool sorted;
    bool stable;
    DataType index;
    MemoryConfig memory_config;
    OptionalCores sub_core_grids;

    auto attributes() const {
        return std::make_tuple(k_tiles() * kTileWidth, -1, largest, sorted, stable, memory_config,
                               sub_core_grids, k, index);
    }

    void validate(SpecsView inputs, const DeviceDescription& device) const {
        const TensorSpec& input = inputs[0];
        require(!stable || inputs.size() <= 1,
                "TopK stable=true does not support a custom indices_tensor: tie-breaking against "
                "caller-supplied labels is not defined. Use positional indices (indices_tensor=None).");
        require_argument(input.layout == Layout::TILE, "input_tensor", "TILE layout", name_of(input.layout));
        require_argument(input.dtype == DataType::BFLOAT16 || input.dtype == DataType::BFLOAT8_B ||
                             input.dtype == DataType::FLOAT32,
                         "input_tensor", "BFLOAT16, BFLOAT8_B or FLOAT32", name_of(input.dtype));
        require_argument(index == DataType::UINT16 || index == DataType::UINT32, "indices",
                         "UINT16 or UINT32", name_of(index));
        require_on_grid(sub_core_grids, device.compute_grid, "TopK");
    }

    TensorSpecs infer(SpecsView inputs) const {
        Shape shape = inputs[0].shape;
        shape.set(-1, k);
        return {TensorSpec{shape, inputs[0].dtype, Layout::TILE, memory_config},
                TensorSpec{shape, index, Layout::TILE, memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const TensorSpec& input = inputs[0];
        const TileSizes tile = tile_sizes(input, outputs[1]);
        const CoreRangeSet all = sub_core_grids.value_or(whole_grid(device.compute_grid));
        if (const std::optional<RowSplit> split = split_of_row(input, k_tiles(), all.ranges().front()))
            return plan_split_rows(tile, *split, k_tiles(), stable);
        const CoreRangeSet cores =
            split_work(input.tile_rows(), sub_core_grids, device.compute_grid, CoreWalk::kAlongRows).cores;
        return {{"ttnn::prim::TopKDeviceOperation::TopKSingleCoreProgramFactory", 0},
                dataflow_buffers({2 * tile.value, 2 * tile.index, 4 * tile.sorted, 4 * tile.index,
                                  2 * k_tiles() * tile.sorted, 2 * k_tiles() * tile.index,
                                  k_tiles() * tile.value, k_tiles() * tile.index},
                                 cores)};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::uint64_t width = inputs[0]->shape()[-1];
        compute::Ordered best = compute::ordered_rows(inputs[0]->to_floats(), width, k, largest);
        if (inputs.size() > 1) number(best.places, *inputs[1]);
        return {HostArray::from_floats(best.values, outputs[0].dtype, outputs[0].shape),
                HostArray::from_integers(best.places, outputs[1].dtype, outputs[1].shape)};
    }

private:
    std::uint64_t k_tiles() const { return ceil_div(k, kTileWidth); }

    // The filling behind a row to make it wide enough has no number.
    void number(std::vector<std::int64_t>& places, const HostArray& names) const {
        const std::vector<std::int64_t> numbers = names.to_integers();
        const std::uint64_t width = names.shape()[-1];
        for (std::uint64_t i = 0; i < places.size(); ++i) {
            const auto place = static_cast<std::uint64_t>(places[i]);
            if (place < width) places[i] = numbers[i / k * width + place];
        }
    }

    static void require_argument(bool holds, std::string_view argument, std::string_view expected,
                                 std::string_view found) {
        require(holds, "topk: ", argument, ": expected ", expected, ", got ", found);
    }
};

// Rows of two tiles at least: `value` behind the shorter ones.
Tensor wide_enough(const Tensor& rows, float value) {
    if (rows.shape()[-1] >= kNarrowestRow) return rows;
    Shape wider = rows.shape();
    wider.set(-1, kNarrowestRow);
    const Tensor filled = has_padding(rows) ? fill_padding(rows, value) : rows;
    if (rows.shape()[-1] > kTileWidth) return with_padding(filled, wider, value);
    if (!is_block_float(rows.dtype())) return reshape_view(unscoped::pad_behind(filled, wider, value), wider);
    Tensor result;
    {
        const ScopedTensor whole(filled.shares_memory() ? Tensor() : filled);
        const ScopedTensor source(unscoped::typecast(filled, DataType::BFLOAT16));
        const ScopedTensor padded(unscoped::pad_behind(*source, wider, value));
        result = unscoped::typecast(*padded, rows.dtype());
    }
    return reshape_view(result, wider);
}

void require_arguments(const Tensor& input, const Topk& options, std::size_t position, std::uint32_t k) {
    Shape wanted = input.shape();
    const std::uint32_t length = wanted[static_cast<std::int64_t>(position)];
    require(k != 0, "topk: k: expected at least 1, got 0");
    require(k <= length, "K cannot be larger than the dimension size! K=", k, ", dimension size=", length);
    wanted.set(static_cast<std::int64_t>(position), k);
    const auto require_shape = [](const Tensor& tensor, const Shape& shape, std::string_view what) {
        require(tensor.shape() == shape, what, " tensor has incorrect shape! Got: ", tensor.shape(),
                ", expected: ", shape);
    };
    if (options.output_tensor) {
        require_shape(options.output_tensor->first, wanted, "Preallocated values");
        require_shape(options.output_tensor->second, wanted, "Preallocated indices");
        require(options.output_tensor->first.dtype() == input.dtype(),
                "topk: output_tensor: expected values of the input's dtype ", name_of(input.dtype()),
                ", got ", name_of(options.output_tensor->first.dtype()));
    }
    if (!options.indices_tensor) return;
    require_shape(*options.indices_tensor, input.shape(), "Indices");
    require(position + 1 == input.shape().rank(),
            "Indices tensor is only supported for a reduction on the last dimension");
}

DataType index_type(const Tensor& input, const Topk& options) {
    constexpr std::uint32_t kMostOfSixteenBits = 65536;
    if (options.output_tensor) return options.output_tensor->second.dtype();
    if (options.indices_tensor) return options.indices_tensor->dtype();
    const bool wide = input.dtype() == DataType::FLOAT32 || input.shape()[-1] > kMostOfSixteenBits;
    return wide ? DataType::UINT32 : DataType::UINT16;
}

Tensor in_four_dimensions(const Tensor& tensor) {
    if (tensor.shape().rank() < 4) return reshape_view(tensor, tensor.shape().to_rank(4));
    return view_in_four(tensor);
}

std::vector<Tensor> best_of(const Topk& options, const MemoryConfig& config) {
    const Tensor& input = options.input_tensor;
    const std::uint32_t k = options.k;
    const int dim = options.dim;
    const std::size_t rank = input.shape().rank(), position = input.shape().position(dim);
    require_arguments(input, options, position, k);
    if (input.shape().volume() == 0 && !options.output_tensor) {
        TensorSpec spec{input.shape(), input.dtype(), input.layout(), config};
        spec.shape.set(dim, k);
        return {upload_filled(spec, 0.0F, input.shared_device()),
                upload_filled(spec, 0.0F, input.shared_device())};
    }
    const bool last = position + 1 == rank;
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const float worst = options.largest ? -kInfinity : kInfinity;
    const ScopedTensor transposed(last ? input : unscoped::transpose(input, dim, -1));
    const Tensor four = in_four_dimensions(*transposed);
    ScopedTensor rows(wide_enough(four, worst));
    if (has_padding(*rows)) rows = fill_padding(*rows, worst);
    const auto as_rows = [&](const Tensor& given) {
        return in_four_dimensions(last ? given : unscoped::transpose(given, dim, -1));
    };
    Tensor given_values = options.output_tensor ? as_rows(options.output_tensor->first) : Tensor();
    const ScopedTensor places(options.output_tensor ? as_rows(options.output_tensor->second) : Tensor());
    const ScopedTensor values(std::move(given_values));
    std::vector<Tensor> inputs{*rows};
    if (options.indices_tensor) inputs.push_back(*options.indices_tensor);
    const TopKOperation operation{
        k,      options.largest,       options.sorted, options.stable, index_type(*rows, options),
        config, options.sub_core_grids};
    std::vector<Tensor> results = launch_all(
        operation, inputs, options.output_tensor ? std::vector{*values, *places} : std::vector<Tensor>{});
    // TT-NN computes whole tiles of results, of which only k columns count.
    if (k % kTileWidth != 0 && rank == 4 && last) {
        for (Tensor& result : results)
            result = reshape_view(result, result.shape());
    } else if (k % kTileWidth != 0 && !options.output_tensor) {
        for (Tensor& result : results)
            result = leading_part(result, result.shape(), config);
    }
    if (rank != 4) {
        Shape shape = transposed->shape();
        shape.set(-1, k);
        for (Tensor& result : results)
            result = reshape_view(result, shape);
    }
    if (!last) {
        for (Tensor& result : results)
            result = unscoped::transpose(result, dim, -1, input.memory_config());
        if (options.output_tensor) {
            take_values(options.output_tensor->first, results[0]);
            take_values(options.output_tensor->second, results[1]);
        }
    }
    return results;
}

}  // namespace

std::vector<Tensor> Topk::body() const {
    require_on_device(input_tensor, "topk", "input_tensor");
    return best_of(*this, memory_config.value_or(input_tensor.memory_config()));
}

}  // namespace tilemeter
