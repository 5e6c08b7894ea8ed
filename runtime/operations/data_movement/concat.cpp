// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/concat.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "runtime/compute/rearrange.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/tensor_pages.hpp"
#include "runtime/operations/data_movement/internal/block_split.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/sharding.hpp"

namespace tilemeter {

namespace {

// A core per tile row: it takes the inputs' tiles apart into rows and makes tiles of the joined rows.
ProgramPlan plan_partial_tiles(SpecsView inputs, const TensorSpec& output, const DeviceDescription& device) {
    ProgramPlan plan{{"ttnn::prim::ConcatTiledUnalignedProgramFactory", 6}};
    const std::uint64_t tile = tile_size(output.dtype);
    std::uint64_t columns_in = 0;
    for (const TensorSpec& input : inputs)
        columns_in += input.tile_columns();
    const std::uint64_t columns_out = output.tile_columns();
    // TT-NN lists these cores one by one.
    const WorkCores all(std::nullopt, device.compute_grid, CoreWalk::kDownColumns);
    std::vector<CoreRange> each;
    for (std::uint64_t i = 0; i < cores_for_even_rows(output.tile_rows(), all.size()); ++i)
        each.push_back({all[i], all[i]});
    const CoreRangeSet cores(std::move(each));
    plan.memory = circular_buffers(
        {2 * columns_in * tile, columns_in * tile, columns_out * tile, 2 * columns_out * tile}, cores);
    return plan;
}

struct ConcatOperation {
    static constexpr std::string_view kName = "ConcatDeviceOperation";
    static constexpr std::string_view kAttributesName = "ConcatParams";

    std::size_t dim;
    MemoryConfig memory_config;
    OptionalCores sub_core_grids{};

    auto attributes() const {
        constexpr int kGroups = 1;
        return std::make_tuple(dim, kGroups, memory_config, sub_core_grids);
    }

    /// Whether tiles that are not full can be joined along the last dimension as they are.
    static bool joins_partial_tiles(SpecsView inputs, std::size_t dim) {
        bool partial = false;
        for (const TensorSpec& input : inputs) {
            const bool joinable = input.layout == Layout::TILE && dim + 1 == input.shape.rank() &&
                                  (input.dtype == DataType::BFLOAT16 || input.dtype == DataType::FLOAT32) &&
                                  !input.memory_config.is_sharded();
            if (!joinable) return false;
            partial = partial || input.shape[-1] % kTileWidth != 0;
        }
        return partial;
    }

    void validate(SpecsView inputs) const {
        const TensorSpec& first = inputs[0];
        for (const TensorSpec& input : inputs) {
            require(input.dtype == first.dtype && input.layout == first.layout,
                    "concat: tensors: expected all ", name_of(first.dtype), " ", name_of(first.layout),
                    ", got ", name_of(input.dtype), " ", name_of(input.layout));
        }
    }

    TensorSpecs infer(SpecsView inputs) const {
        const auto axis = static_cast<std::int64_t>(dim);
        Shape shape = inputs[0].shape;
        for (const TensorSpec& input : inputs.subspan(1))
            shape.set(axis, shape[axis] + input.shape[axis]);
        return {TensorSpec{shape, inputs[0].dtype, inputs[0].layout, memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        if (joins_partial_tiles(inputs, dim)) return plan_partial_tiles(inputs, outputs[0], device);
        ProgramPlan plan{{"ttnn::prim::ConcatProgramFactory", 0}};
        const TensorSpec& output = outputs[0];
        if (output.layout == Layout::TILE) {
            plan.memory = {
                dataflow_buffer(2 * tile_size(output.dtype), cores_for(num_tiles(output), device))};
            return plan;
        }
        const std::uint64_t alignment = std::max(page_alignment(inputs[0].memory_config, device),
                                                 page_alignment(output.memory_config, device));
        const std::uint64_t row = round_up(row_bytes(output), alignment);
        plan.memory = {dataflow_buffer(2 * row, cores_for(num_rows(output), device))};
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView) const {
        return {compute::concatenated(inputs, dim)};
    }

private:
    CoreRangeSet cores_for(std::uint64_t pages, const DeviceDescription& device) const {
        return sub_core_grids ? dividing_cores(pages, device, sub_core_grids, CoreWalk::kDownColumns)
                              : cores_down_columns(pages, device);
    }
};

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
