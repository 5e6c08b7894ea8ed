// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/concat.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <utility>

#include "runtime/compute/rearrange.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/core/free_l1.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/tensor_pages.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/copy.hpp"
#include "runtime/operations/data_movement/internal/block_split.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/data_movement/slice.hpp"

namespace tilemeter {

namespace {

std::uint64_t columns_of(SpecsView inputs) {
    std::uint64_t columns = 0;
    for (const TensorSpec& input : inputs)
        columns += input.tile_columns();
    return columns;
}

// A core per tile row: it takes the inputs' tiles apart into rows and makes tiles of the joined rows.
ProgramPlan plan_partial_tiles(SpecsView inputs, const TensorSpec& output, const DeviceDescription& device) {
    ProgramPlan plan{{"ttnn::prim::ConcatTiledUnalignedProgramFactory", 6}};
    const std::uint64_t tile = tile_size(output.dtype);
    const std::uint64_t columns_in = columns_of(inputs);
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

/// What a shard's rows or tiles take where both inputs lie side by side.
std::uint64_t rows_of_32_bytes(const TensorSpec& spec) {
    const std::array<std::uint32_t, 2>& shape = spec.memory_config.shard_spec->shape;
    return shape[0] * round_up(shape[1] * element_size(spec.dtype), 32);
}
std::uint64_t tiles_across(const TensorSpec& spec) {
    return spec.memory_config.shard_spec->shape[1] / kTileWidth;
}
std::uint64_t tiles_of_shard(const TensorSpec& spec) {
    return spec.memory_config.shard_spec->shape[0] / kTileHeight * tiles_across(spec) * tile_size(spec.dtype);
}

// Two tensors in shards, side by side: rows are copied, tiles are transposed, joined and transposed again.
ProgramPlan plan_two_in_shards(SpecsView inputs, const TensorSpec& output) {
    const CoreRangeSet& cores = inputs[0].memory_config.shard_spec->grid;
    if (output.layout == Layout::ROW_MAJOR) {
        return {{"ttnn::prim::ConcatS2SRMProgramFactory", 2},
                {borrowed_buffer(rows_of_32_bytes(inputs[0]), cores, 0),
                 borrowed_buffer(rows_of_32_bytes(inputs[1]), cores, 1),
                 borrowed_buffer(rows_of_32_bytes(output), cores, 2)}};
    }
    const std::uint64_t tile = tile_size(output.dtype);
    const std::uint64_t between = output.dtype == DataType::BFLOAT8_B ? tile_size(DataType::BFLOAT16) : tile;
    const std::uint64_t first = tiles_across(inputs[0]), second = tiles_across(inputs[1]);
    ProgramPlan plan{{"ttnn::prim::ConcatS2STiledProgramFactory", 3}};
    plan.memory = {borrowed_buffer(tiles_of_shard(inputs[0]), cores, 0),
                   borrowed_buffer(tiles_of_shard(inputs[1]), cores, 1),
                   borrowed_buffer(tiles_of_shard(output), cores, 2)};
    for (const std::uint64_t size :
         {first * between, second * between, (first + second) * between, (first + second) * tile})
        plan.memory.push_back(dataflow_buffer(size, cores));
    return plan;
}

// Any number of tensors in shards: pages that all their rows are made of are copied.
ProgramPlan plan_shards(SpecsView inputs, const TensorSpec& output, const DeviceDescription& device) {
    const CoreRangeSet& cores = inputs[0].memory_config.shard_spec->grid;
    const bool rows = output.layout == Layout::ROW_MAJOR;
    std::uint64_t page = tile_size(output.dtype), wide = kTileWidth, tall = kTileHeight;
    if (rows) {
        const std::uint64_t alignment = page_alignment(inputs[0].memory_config, device);
        const std::uint64_t element = element_size(output.dtype);
        // TT-NN counts the elements of the result, not their bytes.
        page = round_up(output.memory_config.shard_spec->shape[1], alignment);
        for (const TensorSpec& input : inputs) {
            const std::uint64_t row = input.memory_config.shard_spec->shape[1] * element;
            page = std::gcd(page, round_up(row, alignment));
        }
        wide = page / element;
        tall = 1;
    }
    ProgramPlan plan{{"ttnn::prim::ConcatS2SMultiProgramFactory", 4}};
    const auto add = [&](const TensorSpec& spec) {
        const std::array<std::uint32_t, 2>& shape = spec.memory_config.shard_spec->shape;
        ProgramMemory piece =
            circular_buffer(page * ceil_div(shape[1], wide) * ceil_div(shape[0], tall), cores);
        piece.shared_with = static_cast<int>(plan.memory.size());
        plan.memory.push_back(piece);
    };
    for (const TensorSpec& input : inputs)
        add(input);
    add(output);
    return plan;
}

/// The inputs of each group side by side, group after group.
HostArray concatenated_in_groups(ArraysView inputs, std::size_t dim, std::uint32_t groups) {
    std::vector<HostArray> parts;
    for (const HostArray* input : inputs) {
        const auto given = input->shape().dimensions();
        std::vector<std::uint32_t> apart(given.begin(), given.end());
        apart[dim] /= groups;
        apart.insert(apart.begin() + static_cast<std::ptrdiff_t>(dim), groups);
        parts.push_back(input->reshaped(Shape(apart)));
    }
    std::vector<const HostArray*> views;
    Shape joined = inputs[0]->shape();
    std::uint32_t size = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        views.push_back(&parts[i]);
        size += inputs[i]->shape().dimensions()[dim];
    }
    joined.set(static_cast<std::int64_t>(dim), size);
    return compute::concatenated(views, dim + 1).reshaped(joined);
}

struct ConcatOperation {
    static constexpr std::string_view kName = "ConcatDeviceOperation";
    static constexpr std::string_view kAttributesName = "ConcatParams";

    std::size_t dim;
    MemoryConfig memory_config;
    OptionalCores sub_core_grids{};
    std::uint32_t groups = 1;

    auto attributes() const { return std::tie(dim, groups, memory_config, sub_core_grids); }

    /// Whether tiles that are not full can be joined along the last dimension as they are.
    static bool joins_partial_tiles(SpecsView inputs, std::size_t dim) {
        bool partial = false;
        for (const TensorSpec& input : inputs) {
            const bool joinable = input.layout == Layout::TILE && dim > 0 && dim + 1 == input.shape.rank() &&
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
            require(input.memory_config.is_sharded() == first.memory_config.is_sharded(),
                    "All tensors must be sharded or all must be interleaved");
        }
        if (first.memory_config.is_sharded()) validate_shards(inputs);
    }

    // What TT-NN finds when it makes the program.
    void validate_program(SpecsView inputs, const DeviceDescription& device) const {
        if (!inputs[0].memory_config.is_sharded() && inputs[0].layout == Layout::ROW_MAJOR) {
            const std::uint64_t row = place_of_row(inputs[0], infer(inputs)[0], device);
            const std::uint64_t all = device.l1_size - device.l1_unreserved_base;
            require(row <= all, "ttnn.concat: required DFB entry size (", row,
                    " B) exceeds per-core L1 capacity (", all, " B); op cannot fit on this device.");
        }
        if (!joins_two_in_shards(inputs)) return;
        const auto whole = [this](const TensorSpec& input) { return input.shape[-1] % groups == 0; };
        if (inputs[0].layout == Layout::ROW_MAJOR && std::all_of(inputs.begin(), inputs.end(), whole)) {
            for (std::size_t i = 0; i < inputs.size(); ++i) {
                const std::array<std::uint32_t, 2>& shape = inputs[i].memory_config.shard_spec->shape;
                const std::uint64_t needed = rows_of_32_bytes(inputs[i]);
                const std::uint64_t there =
                    shape[0] * round_up(shape[1] * element_size(inputs[i].dtype),
                                        page_alignment(inputs[i].memory_config, device));
                require(
                    needed <= there, "DFB 's2s_rm_input_", i, "' (entry_size ", needed / shape[0],
                    " * num_entries ", shape[0], " = ", needed,
                    " bytes) is larger than the per-bank allocation of its borrowed TensorParameter 'input_",
                    i, "' (", there, " bytes).");
            }
            return;
        }
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const std::uint32_t width = inputs[i].shape[-1], padded = inputs[i].padded_shape()[-1];
            require(width == padded, "Cannot have padding along width dimension in input tensor ", i, " (",
                    width, " != ", padded, ")");
            require(padded % groups == 0, "Input tensor ", i,
                    " columns must be evenly divisible by groups (W=", padded, ", groups=", groups, ")");
        }
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const std::uint32_t group = inputs[i].padded_shape()[-1] / groups;
            require(group >= kTileHeight / 2, "Group size must be at least 16 for input", i, " (was ", group,
                    ")");
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
        if (joins_two_in_shards(inputs)) return plan_two_in_shards(inputs, outputs[0]);
        if (inputs[0].memory_config.is_sharded()) return plan_shards(inputs, outputs[0], device);
        ProgramPlan plan{{"ttnn::prim::ConcatProgramFactory", 0}};
        const TensorSpec& output = outputs[0];
        if (output.layout == Layout::TILE) {
            plan.memory = {
                dataflow_buffer(2 * tile_size(output.dtype), cores_for(num_tiles(output), device))};
            return plan;
        }
        // The next row is read while one is written, unless two take more than half of L1.
        const std::uint64_t row = place_of_row(inputs[0], output, device);
        const std::uint64_t depth = 2 * row > device.l1_size / 2 - device.l1_unreserved_base ? 1 : 2;
        plan.memory = {dataflow_buffer(depth * row, cores_for(num_rows(output), device))};
        return plan;
    }

    // Only the program of two tensors in shards knows of groups.
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const bool grouped =
            groups > 1 && inputs.size() == 2 && outputs[0].memory_config.is_sharded() && dim == 3;
        if (grouped) return {concatenated_in_groups(inputs, dim, groups)};
        return {compute::concatenated(inputs, dim)};
    }

private:
    /// What a row of the result takes in L1.
    static std::uint64_t place_of_row(const TensorSpec& input, const TensorSpec& output,
                                      const DeviceDescription& device) {
        return round_up(row_bytes(output), std::max(page_alignment(input.memory_config, device),
                                                    page_alignment(output.memory_config, device)));
    }

    bool joins_two_in_shards(SpecsView inputs) const {
        return inputs.size() == 2 && inputs[0].memory_config.is_sharded() && dim == 3;
    }

    void validate_shards(SpecsView inputs) const {
        const MemoryConfig& first = inputs[0].memory_config;
        for (const TensorSpec& input : inputs) {
            require(input.memory_config.shard_spec->grid == first.shard_spec->grid,
                    "Sharded tensors must have the same grid.");
            require(input.memory_config.memory_layout == first.memory_layout,
                    "Sharded tensors must have the same memory layout.");
        }
        require(memory_config.memory_layout == first.memory_layout,
                "Sharded output and inputs must have the same memory layout.");
        require(memory_config.shard_spec && memory_config.shard_spec->grid == first.shard_spec->grid,
                "Sharded output and inputs must have the same grid.");
        const std::size_t rank = inputs[0].shape.rank();
        if (dim + 1 == rank) {
            require(first.memory_layout != TensorMemoryLayout::WIDTH_SHARDED,
                    "Only support width concat on height-sharded or block-sharded tensors.");
        } else {
            require(dim + 2 == rank, "Only width or height concat on sharded tensors");
            require(first.memory_layout != TensorMemoryLayout::HEIGHT_SHARDED,
                    "Only support height concat on width-sharded or block-sharded tensors.");
        }
        require(groups == 1 || first.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED,
                "Groups > 1 is only supported on height-sharded tensors (groups=", groups,
                " and memory_layout=TensorMemoryLayout::", name_of(first.memory_layout), " was provided)");
    }

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

// TT-NN joins so many interleaved tensors in one program, for what its kernels can be told, and more in batches.
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
        return row_bytes(tensor.spec()) % alignment != 0;
    });
}

// Of one dimension: as the one row of a matrix.
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

// What was joined from transposed tensors of `rank` dimensions.
Tensor transposed_back(const Tensor& joined, std::size_t rank, const MemoryConfig& memory_config) {
    Tensor rows = unscoped::transpose(joined, -2, -1, memory_config);
    return rank > 1 ? rows : reshape_view(rows, Shape{rows.shape()[-1]});
}

// Of the transposed tensors.
ConcatOperation below_each_other(std::size_t rank, const MemoryConfig& memory_config) {
    return {rank > 1 ? rank - 2 : 0, memory_config};
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

// Whether the values are joined as they lie in memory.
bool lie_whole(const Tensors& tensors, std::size_t dim) {
    return tensors.front().layout() == Layout::ROW_MAJOR ? !rows_unaligned(tensors, dim)
                                                         : !tiles_in_the_way(tensors, dim);
}

// The program of partial tiles takes so many tensors, and three times a row of tiles of all and of the result.
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

/// Where tensors in shards are joined: on the same cores, shards as much larger as there are more of them.
MemoryConfig joined_shards(const Tensors& tensors, std::size_t dim) {
    MemoryConfig config = tensors.front().memory_config().made_anew();
    const std::size_t side = dim + 1 == tensors.front().shape().rank() ? 1 : 0;
    std::uint32_t size = 0;
    for (const Tensor& tensor : tensors)
        size += tensor.memory_config().shard_spec->shape[side];
    config.shard_spec->shape[side] = size;
    return config;
}

/// Whether shards can be joined where they lie.
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
