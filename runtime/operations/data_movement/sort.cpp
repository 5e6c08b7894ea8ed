// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/sort.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/compute/order.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/tensor_pages.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/copy.hpp"
#include "runtime/operations/data_movement/fill_padding.hpp"
#include "runtime/operations/data_movement/leading_part.hpp"
#include "runtime/operations/data_movement/pad.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/reshape.hpp"

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

/// Rows of whole tiles, a power of two of them; a core takes a row of tiles at a time, or all of them share it.
struct SortOperation {
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
        if (input.layout != Layout::TILE)
            refuse("sort", "input_tensor", "TILE layout", name_of(input.layout));
        if (input.dtype != DataType::BFLOAT16 && input.dtype != DataType::FLOAT32 &&
            input.dtype != DataType::UINT16)
            refuse("sort", "input_tensor", "BFLOAT16, UINT16 or FLOAT32", name_of(input.dtype));
    }
    TensorSpecs infer(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        return {
            TensorSpec{input.shape, input.dtype, Layout::TILE, memory_config},
            TensorSpec{input.shape, index_dtype(input.dtype, input.shape[-1]), Layout::TILE, memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        constexpr std::uint64_t kSynchronization = 1024;
        if (inputs[0].tile_columns() > kMostTilesOfOneCore) return plan_long_rows(inputs[0], outputs, device);
        const CoreRangeSet cores = cores_along_rows(inputs[0].tile_rows(), device);
        const std::uint64_t columns = inputs[0].tile_columns();
        const bool widened = inputs[0].dtype == DataType::UINT16;
        const std::uint64_t index = tile_size(outputs[1].dtype);
        const std::uint64_t value = widened ? tile_size(DataType::UINT32) : tile_size(outputs[0].dtype);
        std::vector<std::uint64_t> sizes = {4 * value, 4 * index, columns * value, columns * index,
                                            2 * value, 2 * index, kSynchronization};
        // What comes and goes, next to its numbers in 32 bits.
        if (widened) sizes.insert(sizes.end(), 2, tile_size(DataType::UINT16));
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
    static ProgramPlan plan_long_rows(const TensorSpec& input, SpecsView outputs,
                                      const DeviceDescription& device) {
        constexpr std::uint64_t kSynchronization = 4096, kPackets = 2048;
        const LongRow row = long_row(input.tile_columns(), input.dtype, device.compute_grid);
        if (row.num_cores == 0) return plan_rows_in_memory(input, outputs, device);
        const CoreRangeSet cores = cores_along_rows(row.num_cores, device);
        const std::uint64_t value = tile_size(outputs[0].dtype), index = tile_size(outputs[1].dtype);
        ProgramPlan plan{{"ttnn::prim::SortProgramFactoryCrossCoreDataExchange", 1}};
        for (const std::uint64_t tiles :
             {std::uint64_t{2}, row.part, std::uint64_t{2}, std::uint64_t{2}, std::uint64_t{2}}) {
            plan.memory.push_back(dataflow_buffer(tiles * value, cores));
            plan.memory.push_back(dataflow_buffer(tiles * index, cores));
        }
        plan.memory.push_back(dataflow_buffer(kSynchronization, cores));
        plan.memory.push_back(dataflow_buffer(kPackets, cores));
        plan.converts_config_tensors = true;
        plan.config_tensors.push_back(TensorSpec{Shape{1, static_cast<std::uint32_t>(2 * row.num_cores)},
                                                 DataType::UINT32, Layout::ROW_MAJOR, DRAM_MEMORY_CONFIG});
        return plan;
    }

    // The last core copies the rows and tells the others which pairs of tiles to sort next: each two tiles of both
    // tensors in, turned and out, numbers of 16 bits in 32.
    static ProgramPlan plan_rows_in_memory(const TensorSpec& input, SpecsView outputs,
                                           const DeviceDescription& device) {
        const CoreCoord last{device.compute_grid.x - 1, device.compute_grid.y - 1};
        const CoreRangeSet coordinator(CoreRange{last, last});
        const std::uint64_t pairs = input.tile_columns() / 2;
        const CoreRangeSet cores = cores_along_rows(std::min(pairs, device.num_compute_cores() - 1), device);
        const bool widened = input.dtype == DataType::UINT16;
        const std::uint64_t value = tile_size(widened ? DataType::FLOAT32 : input.dtype);
        const std::uint64_t index = tile_size(outputs[1].dtype);
        constexpr std::size_t kSteps = 3;
        ProgramPlan plan{{"ttnn::prim::SortProgramFactorySingleRowMultiCore", 2},
                         dataflow_buffers({2 * value, 2 * index}, coordinator)};
        for (std::size_t step = 0; step < kSteps; ++step) {
            plan.memory.push_back(dataflow_buffer(2 * value, cores));
            plan.memory.push_back(dataflow_buffer(2 * index, cores));
        }
        if (widened) plan.memory.insert(plan.memory.end(), 2, dataflow_buffer(tile_size(input.dtype), cores));
        return plan;
    }
};

// Elements of a row once it is long enough to be sorted.
std::uint32_t sorted_length(const Tensor& input) {
    const std::uint64_t tiles = input.spec().tile_columns();
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(std::bit_ceil(tiles), 2) * kTileWidth);
}

// One element along dim is in order: a copy, and zeros that the host writes.
std::vector<Tensor> already_sorted(const Tensor& input, const MemoryConfig& config) {
    const TensorSpec places{input.shape(), index_dtype(input.dtype(), 1), Layout::TILE, DRAM_MEMORY_CONFIG};
    const Tensor copy = unscoped::clone(input, std::nullopt, config);
    const Tensor host = host_or_planned(places, [places] { return HostArray(places.dtype, places.shape); });
    return {copy, upload(host, input.shared_device(), config)};
}

std::vector<Tensor> sorted(const Tensor& input, std::int64_t dim, bool descending, bool stable,
                           const MemoryConfig& config, const std::vector<Tensor>& out) {
    const std::size_t rank = input.shape().rank();
    if (rank == 0) {
        require(dim == 0 || dim == -1, "Sort dim ", dim, " is out of range for rank-0 tensor");
        return already_sorted(input, config);
    }
    if (input.spec().layout != Layout::TILE)
        return launch_all(SortOperation{descending, stable, config}, {input});  // says what is wrong
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
    const Shape sorted_shape = (last ? input : *held).shape();
    Tensor rows = in_four(last ? input : *held);
    const Shape shape = rows.shape();
    if (has_padding(rows)) rows = fill_padding(rows, last_in_order);
    const std::uint32_t length = sorted_length(rows);
    const bool padded = length != rows.padded_shape()[3];
    if (padded) {
        if (has_padding(rows)) rows = fill_padding(rows, last_in_order);
        Shape longer = shape;
        longer.set(3, length);
        const Tensor full = unscoped::pad_behind(rows, longer, last_in_order);
        rows = Tensor();
        const Tensor view = reshape_view(full, longer);
        { const ScopedTensor no_longer_needed(held.take()); }
        held = full;
        rows = view;
    }
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
    if (padded) {
        for (Tensor& result : results)
            result = leading_part(result, shape, result.memory_config());
    }
    for (Tensor& result : results)
        result = rank == 4 ? result : reshape_view(result, sorted_shape);
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
