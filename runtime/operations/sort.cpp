// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sort.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/compute/order.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/fill_padding.hpp"
#include "runtime/operations/launch.hpp"
#include "runtime/operations/leading_part.hpp"
#include "runtime/operations/operation_scope.hpp"
#include "runtime/operations/pad.hpp"
#include "runtime/operations/permute.hpp"
#include "runtime/operations/reshape.hpp"
#include "runtime/operations/scoped_tensor.hpp"
#include "runtime/operations/tensor_pages.hpp"
#include "runtime/operations/upload.hpp"

namespace tilemeter {

namespace {

constexpr std::uint64_t kMostTilesOfOneCore = 64;

/// Rows of whole tiles, a power of two of them; a core takes a row of tiles at a time.
class Sort : public DeviceOperationWith<Sort> {
public:
    static constexpr std::string_view kName = "SortDeviceOperation";
    static constexpr std::string_view kAttributesName = "SortParams";

    Sort(bool descending, bool stable, MemoryConfig memory_config)
        : descending_(descending), stable_(stable), memory_config_(std::move(memory_config)) {}
    auto attributes() const {
        constexpr int kLast = -1;
        return std::make_tuple(kLast, descending_, stable_, memory_config_);
    }

    void validate(std::span<const TensorSpec> inputs) const override {
        const TensorSpec& input = inputs[0];
        if (input.layout != Layout::TILE) throw refused("TILE layout", std::string(name_of(input.layout)));
        if (input.dtype != DataType::BFLOAT16 && input.dtype != DataType::FLOAT32)
            throw refused("BFLOAT16 or FLOAT32", std::string(name_of(input.dtype)));
        if (input.tile_columns() > kMostTilesOfOneCore) {
            throw refused(
                "at most " + std::to_string(kMostTilesOfOneCore * kTileWidth) + " elements along dim",
                std::to_string(input.shape[-1]));
        }
    }

    TensorSpecs infer(std::span<const TensorSpec> inputs) const override {
        const TensorSpec& input = inputs[0];
        const DataType index = input.dtype == DataType::FLOAT32 ? DataType::UINT32 : DataType::UINT16;
        return {TensorSpec{input.shape, input.dtype, Layout::TILE, memory_config_},
                TensorSpec{input.shape, index, Layout::TILE, memory_config_}};
    }

    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const override {
        constexpr std::uint64_t kSynchronization = 1024;
        const CoreRangeSet cores = cores_along_rows(inputs[0].tile_rows(), device);
        const std::uint64_t columns = inputs[0].tile_columns();
        const std::uint64_t value = tile_size(outputs[0].dtype), index = tile_size(outputs[1].dtype);
        ProgramPlan plan{"ttnn::prim::SortProgramFactorySingleRowSingleCore", 0, {}, {}};
        for (const std::uint64_t size :
             {4 * value, 4 * index, columns * value, columns * index, 2 * value, 2 * index, kSynchronization})
            plan.memory.push_back(dataflow_buffer(size, cores));
        return plan;
    }

    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const override {
        const std::uint64_t width = inputs[0]->shape()[-1];
        const compute::Ordered sorted =
            compute::ordered_rows(inputs[0]->to_floats(), width, width, descending_);
        return {HostArray::from_floats(sorted.values, outputs[0].dtype, outputs[0].shape),
                HostArray::from_integers(sorted.places, outputs[1].dtype, outputs[1].shape)};
    }

private:
    static RuntimeError refused(const std::string& expected, const std::string& found) {
        return RuntimeError("sort: input_tensor: expected " + expected + ", got " + found);
    }

    bool descending_;
    bool stable_;
    MemoryConfig memory_config_;
};

// Elements of a row once it is long enough to be sorted.
std::uint32_t sorted_length(const Tensor& input) {
    const std::uint64_t tiles = input.spec().tile_columns();
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(std::bit_ceil(tiles), 2) * kTileWidth);
}

std::vector<Tensor> sorted(const Tensor& input, std::int64_t dim, bool descending, bool stable,
                           const MemoryConfig& config, const std::vector<Tensor>& out) {
    const std::size_t rank = input.shape().rank();
    if (rank == 0 || rank > 4) {
        throw RuntimeError("sort: input_tensor: expected one to four dimensions, got " +
                           input.shape().to_string());
    }
    if (input.spec().layout != Layout::TILE)
        return launch_all(Sort(descending, stable, config), {input});  // says what is wrong
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const float last_in_order = descending ? -kInfinity : kInfinity;
    const auto from = static_cast<std::int64_t>(input.shape().position(dim));
    const bool last = from + 1 == static_cast<std::int64_t>(rank);
    ScopedTensor held(last ? Tensor() : untraced::transpose(input, from, -1));
    Tensor rows = untraced::unsqueeze_to_4D(last ? input : *held);
    const Shape shape = rows.shape();
    if (has_padding(rows)) rows = fill_padding(rows, last_in_order);
    const std::uint32_t length = sorted_length(rows);
    const bool padded = length != rows.padded_shape()[3];
    if (padded) {
        if (has_padding(rows)) rows = fill_padding(rows, last_in_order);
        Shape longer = shape;
        longer.set(3, length);
        const Tensor full = untraced::pad_behind(rows, longer, last_in_order);
        rows = Tensor();
        const Tensor view = reshape_view(full, longer);
        { const ScopedTensor no_longer_needed(held.take()); }
        held = full;
        rows = view;
    }
    const Sort operation(descending, stable, config);
    const bool into_given = !out.empty() && last && rank == 4 && !padded;
    std::vector<Tensor> results = launch_all(operation, {rows}, into_given ? out : std::vector<Tensor>{});
    rows = Tensor();
    if (padded) {
        for (Tensor& result : results)
            result = leading_part(result, shape, result.memory_config());
    }
    for (Tensor& result : results)
        result = untraced::squeeze_from_4D(result, rank);
    if (!last) {
        for (Tensor& result : results)
            result = untraced::transpose(result, from, -1);
    }
    return results;
}

}  // namespace

std::vector<Tensor> sort(const Tensor& input_tensor, std::int64_t dim, bool descending, bool stable,
                         const OptionalMemoryConfig& memory_config, const std::vector<Tensor>& out) {
    static const OperationName kName("sort");
    return in_operation(kName, std::tie(input_tensor, dim, descending, stable, memory_config), [&] {
        require_on_device(input_tensor, "sort", "input_tensor");
        return sorted(input_tensor, dim, descending, stable,
                      memory_config.value_or(input_tensor.memory_config()), out);
    });
}

}  // namespace tilemeter
