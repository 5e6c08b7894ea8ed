// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/sort.hpp"

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/compute/order.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/copy.hpp"
#include "runtime/operations/data_movement/fill_padding.hpp"
#include "runtime/operations/data_movement/leading_part.hpp"
#include "runtime/operations/data_movement/pad.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

constexpr std::uint64_t kMostTilesOfOneCore = 64;

// Indices of 16 bits, where they do and values are not sorted in 32 bits.
DataType index_dtype(DataType values, std::uint32_t length) {
    constexpr std::uint32_t kMostOfSixteenBits = 65535;
    return values == DataType::FLOAT32 || values == DataType::UINT16 || length > kMostOfSixteenBits
               ? DataType::UINT32
               : DataType::UINT16;
}

/// A row that is too long for one core, spread over the cores; `part` tiles each. 0: they are not enough, and the row
/// is sorted where it lies in memory.
struct LongRow {
    std::uint64_t num_cores = 0;
    std::uint64_t part = 0;
};

// Parts of 2 to 128 tiles for a power of two of cores.
LongRow long_row(std::uint64_t columns, DataType dtype, CoreCoord grid) {
    const auto part_for = [columns](std::uint64_t cores) {
        return std::clamp<std::uint64_t>(columns / cores, 2, 128);
    };
    const std::uint64_t all = std::uint64_t{grid.x} * grid.y;
    if (dtype == DataType::UINT16 || columns > all * part_for(all)) return {};
    const std::uint64_t part = part_for(std::bit_floor(all));
    return {ceil_div(columns, part), part};
}

/// Rows of whole tiles, or ROW_MAJOR in groups of 32; a power of two of tiles in each. A core takes a row of tiles at
/// a time, or all of them share it.
struct SortOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "SortDeviceOperation";
    static constexpr std::string_view kAttributesName = "SortParams";

    bool descending;
    bool stable;
    MemoryConfig memory_config;

    auto attributes() const {
        constexpr int kLast = -1;
        return std::make_tuple(kLast, descending, stable, memory_config);
    }

    void validate(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        const std::uint32_t width = input.padded_shape()[-1];
        if (!std::has_single_bit(width) || width < 2 * kTileWidth)
            refuse("sort", "input_tensor", "a power of two >= 64 in the last dimension",
                   std::to_string(width));
        if (input.dtype != DataType::BFLOAT16 && input.dtype != DataType::FLOAT32 &&
            input.dtype != DataType::UINT16)
            refuse("sort", "input_tensor", "BFLOAT16, UINT16 or FLOAT32", name_of(input.dtype));
    }
    TensorSpecs infer(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        return {
            TensorSpec{input.shape, input.dtype, input.layout, memory_config},
            TensorSpec{input.shape, index_dtype(input.dtype, input.shape[-1]), input.layout, memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const TensorSpec& input = inputs[0];
        const std::uint64_t columns = input.padded_shape()[-1] / kTileWidth;
        const bool by_rows = input.layout == Layout::ROW_MAJOR;
        const bool widened = input.dtype == DataType::UINT16;
        const bool too_long =
            columns > kMostTilesOfOneCore || (by_rows && widened && columns == kMostTilesOfOneCore);
        if (too_long) return plan_long_rows(input, columns, outputs, device);
        constexpr std::uint64_t kSynchronization = 1024;
        const std::uint64_t rows = input.padded_shape().volume() / (columns * kTileWidth * kTileHeight);
        const CoreRangeSet cores = cores_along_rows(rows, device);
        const std::uint64_t index = tile_size(outputs[1].dtype);
        const std::uint64_t value = widened ? tile_size(DataType::UINT32) : tile_size(outputs[0].dtype);
        std::vector<std::uint64_t> sizes = {4 * value, 4 * index, columns * value, columns * index,
                                            2 * value, 2 * index, kSynchronization};
        if (by_rows) {  // the rows that come and go lie there as rows and as tiles
            sizes = {columns * value, columns * index, columns * value, columns * index, kSynchronization,
                     columns * value, columns * index, columns * value, columns * index};
        }
        // The bytes of values that come and go, next to its numbers in 32 bits.
        const std::uint64_t narrow =
            by_rows ? columns * kTileWidth * sizeof(std::uint16_t) : tile_size(DataType::UINT16);
        if (widened) sizes.insert(sizes.end(), 2, narrow);
        return {{"ttnn::prim::SortProgramFactorySingleRowSingleCore", 0}, dataflow_buffers(sizes, cores)};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::uint64_t width = inputs[0]->shape()[-1];
        const compute::Ordered sorted =
            compute::ordered_rows(inputs[0]->to_floats(), width, width, descending);
        return {HostArray::from_floats(sorted.values, outputs[0].dtype, outputs[0].shape),
                HostArray::from_integers(sorted.places, outputs[1].dtype, outputs[1].shape)};
    }

private:
    // Each core has its part of the row; what it exchanges with others comes and goes by two tiles. A table
    // says where the cores are.
    static ProgramPlan plan_long_rows(const TensorSpec& input, std::uint64_t columns, SpecsView outputs,
                                      const DeviceDescription& device) {
        constexpr std::uint64_t kSynchronization = 4096, kPackets = 2048;
        const LongRow row = long_row(columns, input.dtype, device.compute_grid);
        if (row.num_cores == 0) return plan_rows_in_memory(input, columns, outputs, device);
        const CoreRangeSet cores = cores_along_rows(row.num_cores, device);
        const std::uint64_t value = tile_size(outputs[0].dtype), index = tile_size(outputs[1].dtype);
        const std::uint64_t values = row.part * value, indices = row.part * index;
        std::vector<std::uint64_t> sizes;
        if (input.layout == Layout::TILE) {
            for (const std::uint64_t tiles :
                 {std::uint64_t{2}, row.part, std::uint64_t{2}, std::uint64_t{2}, std::uint64_t{2}})
                sizes.insert(sizes.end(), {tiles * value, tiles * index});
            sizes.insert(sizes.end(), {kSynchronization, kPackets});
        } else {  // a part lies there as rows and as tiles, before and after
            sizes = {values,    2 * index,        values,   indices, 2 * value, 2 * index, 2 * value,
                     2 * index, kSynchronization, kPackets, values,  values,    indices,   indices};
        }
        ProgramPlan plan{{"ttnn::prim::SortProgramFactoryCrossCoreDataExchange", 1},
                         dataflow_buffers(sizes, cores)};
        plan.converts_config_tensors = true;
        plan.config_tensors.push_back(TensorSpec{Shape{1, static_cast<std::uint32_t>(2 * row.num_cores)},
                                                 DataType::UINT32, Layout::ROW_MAJOR, DRAM_MEMORY_CONFIG});
        return plan;
    }

    // The last core copies the rows and tells the others which pairs of tiles to sort next: each two tiles of both
    // tensors in, turned and out, numbers of 16 bits in 32.
    static ProgramPlan plan_rows_in_memory(const TensorSpec& input, std::uint64_t columns, SpecsView outputs,
                                           const DeviceDescription& device) {
        const CoreCoord last{device.compute_grid.x - 1, device.compute_grid.y - 1};
        const CoreRangeSet coordinator(CoreRange{last, last});
        const std::uint64_t pairs = columns / 2;
        const CoreRangeSet cores = cores_along_rows(std::min(pairs, device.num_compute_cores() - 1), device);
        const bool widened = input.dtype == DataType::UINT16;
        const std::uint64_t value = tile_size(widened ? DataType::FLOAT32 : input.dtype);
        const std::uint64_t index = tile_size(outputs[1].dtype);
        ProgramPlan plan{{"ttnn::prim::SortProgramFactorySingleRowMultiCore", 2}};
        const auto add = [&plan](std::initializer_list<std::uint64_t> sizes, std::size_t times,
                                 const CoreRangeSet& where) {
            for (std::size_t i = 0; i < times; ++i)
                for (const std::uint64_t size : sizes)
                    plan.memory.push_back(dataflow_buffer(size, where));
        };
        if (input.layout == Layout::TILE) {
            add({2 * value, 2 * index}, 1, coordinator);
            add({2 * value, 2 * index}, 3, cores);
        } else {  // the last core copies a tile's width of a row at a time
            add({2 * value, 2 * index}, 3, cores);
            add({kTileWidth * element_size(input.dtype), kTileWidth * element_size(outputs[1].dtype)}, 1,
                coordinator);
            add({2 * value, 2 * index}, 2, cores);
        }
        if (widened) add({tile_size(input.dtype)}, 2, cores);
        return plan;
    }
};

// The shape once rows are long enough to be sorted, of two tiles at least; 1 to 16 elements in ROW_MAJOR become a
// power of two, which the operation refuses then.
Shape sorted_shape_of(const Tensor& input) {
    Shape longer = input.shape();
    if (input.layout() == Layout::TILE) {
        const std::uint64_t tiles = input.spec().tile_columns();
        longer.set(3,
                   static_cast<std::uint32_t>(std::max<std::uint64_t>(std::bit_ceil(tiles), 2) * kTileWidth));
    } else {
        const std::uint32_t length = std::bit_ceil(longer[3]);
        longer.set(3, length == kTileWidth ? 2 * kTileWidth : length);
    }
    return longer;
}

// The shape of ROW_MAJOR tensors with all their rows in groups of 32.
Shape grouped_shape_of(const Tensor& input) {
    Shape shape = input.shape();
    const auto outer = static_cast<std::uint64_t>(shape[0]) * shape[1];
    const std::uint64_t unit = kTileHeight / std::gcd(outer, kTileHeight);
    shape.set(2, static_cast<std::uint32_t>(ceil_div(shape[2], unit) * unit));
    return shape;
}

// One element along dim, or none, is in order: a copy, and zeros that the host writes.
std::vector<Tensor> already_sorted(const Tensor& input, const MemoryConfig& config) {
    const TensorSpec places{input.shape(), index_dtype(input.dtype(), 1), input.layout(), config};
    const Tensor copy = unscoped::clone(input, std::nullopt, config);
    return {copy, upload_filled(places, 0.0F, input.shared_device())};
}

std::vector<Tensor> sorted(const Tensor& input, std::int64_t dim, bool descending, bool stable,
                           const MemoryConfig& config, const std::vector<Tensor>& out) {
    const std::size_t rank = input.shape().rank();
    if (rank == 0) {
        require(dim == 0 || dim == -1, "Sort dim ", dim, " is out of range for rank-0 tensor");
        return already_sorted(input, config);
    }
    if (input.shape().volume() == 0) return already_sorted(input, config);
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const bool counts = input.dtype() == DataType::UINT16;
    const float largest = counts ? std::numeric_limits<std::uint16_t>::max() : kInfinity;
    const float last_in_order = descending ? (counts ? 0.0F : -kInfinity) : largest;
    const auto from = static_cast<std::int64_t>(input.shape().position(dim));
    if (input.shape()[from] == 1) return already_sorted(input, config);
    const bool last = from + 1 == static_cast<std::int64_t>(rank);
    ScopedTensor held(last ? Tensor() : unscoped::transpose(input, from, -1));
    const auto in_four = [](const Tensor& tensor) {
        if (tensor.shape().rank() < 4) return reshape_view(tensor, tensor.shape().to_rank(4));
        return view_in_four(tensor);
    };
    const Shape given_shape = (last ? input : *held).shape();
    Tensor rows = in_four(last ? input : *held);
    std::vector<Shape> shapes{rows.shape()};  // before each padding
    const auto padded_to = [&](const Shape& longer) {
        shapes.push_back(longer);
        const Tensor full = unscoped::pad_behind(rows, longer, last_in_order);
        rows = Tensor();
        const Tensor view = full.layout() == Layout::TILE ? reshape_view(full, longer) : full;
        return std::pair(full, view);
    };
    const bool by_rows = input.layout() == Layout::ROW_MAJOR;
    ScopedTensor grouped{Tensor()};
    if (by_rows && grouped_shape_of(rows) != rows.shape()) {
        const auto [full, view] = padded_to(grouped_shape_of(rows));
        grouped = full;
        rows = view;
    }
    if (has_padding(rows)) rows = fill_padding(rows, last_in_order);
    const Shape longer = sorted_shape_of(rows);
    if (longer[3] != rows.padded_shape()[3]) {
        if (has_padding(rows)) rows = fill_padding(rows, last_in_order);
        const auto [full, view] = padded_to(longer);
        { const ScopedTensor no_longer_needed(grouped.take()); }
        { const ScopedTensor no_longer_needed(held.take()); }
        held = full;
        rows = view;
    } else if (shapes.size() > 1) {
        { const ScopedTensor no_longer_needed(held.take()); }
        held = grouped.take();
    }
    const bool padded = shapes.size() > 1;
    const SortOperation operation{descending, stable, config};
    std::vector<Tensor> given;
    // TT-NN frees what was given then, and has the caller's tensors name new memory.
    require(out.empty() || (last && !padded),
            "sort: out: expected it with the last dimension alone, of 2, 4, 8, 16 ... tiles, found dim ", dim,
            " of ", input.shape(), "; leave it out, and take what is returned");
    if (!out.empty()) {
        for (const Tensor& each : out)
            given.push_back(in_four(each));
    }
    std::vector<Tensor> results = launch_all(operation, {rows}, std::move(given));
    rows = Tensor();
    for (std::size_t i = shapes.size() - 1; i-- > 0;) {
        for (Tensor& result : results)
            result = leading_part(result, shapes[i], result.memory_config());
    }
    for (Tensor& result : results)
        result = rank == 4 ? result : reshape_view(result, given_shape);
    if (!last) {
        for (Tensor& result : results)
            result = unscoped::transpose(result, from, -1, input.memory_config());
    }
    return results;
}

}  // namespace

std::vector<Tensor> Sort::body() const {
    require_on_device(input_tensor, "sort", "input_tensor");
    return sorted(input_tensor, dim, descending, stable, memory_config.value_or(input_tensor.memory_config()),
                  out.value_or(std::vector<Tensor>()));
}

}  // namespace tilemeter
