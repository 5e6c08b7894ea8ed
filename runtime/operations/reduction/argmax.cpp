// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/reduction/argmax.hpp"

#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/copy.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/reduction/internal/reduction_dims.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/operations/work/work_cores.hpp"

namespace tilemeter {

namespace {

constexpr std::uint64_t kAlignment = 32;
constexpr std::uint64_t kIndexBytes = 4;

bool is_comparable_in_tiles(DataType dtype) {
    return dtype == DataType::BFLOAT16 || dtype == DataType::FLOAT32;
}

std::string text_of(DataType dtype) {
    return "DataType::" + std::string(name_of(dtype));
}

void require_comparable_in_tiles(const TensorSpec& input) {
    require(is_comparable_in_tiles(input.dtype), [&] {
        return "Only BFLOAT16, FLOAT32 are supported for inputs with TILE layout, got " +
               text_of(input.dtype);
    });
}

/// The shape that is left; no dimension: of all of them.
Shape remaining(const Shape& shape, const std::optional<std::size_t>& dim, bool keepdim) {
    Shape left;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        const bool reduced = !dim || *dim == i;
        if (!reduced) left.push_back(shape.dimensions()[i]);
        if (reduced && keepdim) left.push_back(1);
    }
    return left;
}

std::vector<HostArray> indices_of_largest(const HostArray& input, const std::optional<std::size_t>& dim,
                                          const TensorSpec& out) {
    const Shape& shape = input.shape();
    std::uint64_t inner = 1;
    std::uint64_t along = dim ? shape.dimensions()[*dim] : shape.volume();
    for (std::size_t i = dim ? *dim + 1 : shape.rank(); i < shape.rank(); ++i)
        inner *= shape.dimensions()[i];
    const auto search = [&](const auto& values) {
        std::vector<std::int64_t> indices;
        indices.reserve(out.shape.volume());
        for (std::uint64_t outer = 0; outer < values.size(); outer += along * inner) {
            for (std::uint64_t first = outer; first < outer + inner; ++first) {
                std::uint64_t best = 0;
                auto largest = values[first];
                for (std::uint64_t i = 1; i < along; ++i) {
                    if (const auto value = values[first + i * inner]; value > largest) {
                        largest = value;
                        best = i;
                    }
                }
                indices.push_back(static_cast<std::int64_t>(best));
            }
        }
        return indices;
    };
    const std::vector<std::int64_t> indices =
        is_floating_point(input.dtype()) ? search(input.to_floats()) : search(input.to_integers());
    return {HostArray::from_integers(indices, out.dtype, out.shape)};
}

/// The cores on which the rows of a ROW_MAJOR tensor are searched: parts of a row on several cores.
struct RowParts {
    CoreRangeSet cores;
    std::vector<std::pair<CoreRangeSet, std::uint64_t>> elements;  ///< of a row, by cores
    std::uint64_t num_cores = 0;
};

// On cores that the caller names all parts are as long as the longest; of two rectangles each is one group.
RowParts parts_on(const CoreRangeSet& cores, std::uint64_t units, std::uint64_t unit) {
    RowParts parts{cores, {}, cores.num_cores()};
    const std::uint64_t elements = ceil_div(units, parts.num_cores) * unit;
    if (cores.ranges().size() != 2) {
        parts.elements.emplace_back(cores, elements);
        return parts;
    }
    for (const CoreRange& range : cores.ranges())
        parts.elements.emplace_back(range, elements);
    return parts;
}

// A part is at least half as many elements as a page is aligned to in bytes. Where several results make a
// page, cores grow with the root of a row's bytes, in powers of two, and what they read is read ahead.
RowParts split_row(const TensorSpec& input, bool several_results, const OptionalCores& sub_core_grids,
                   const DeviceDescription& device) {
    const bool dram = input.memory_config.buffer_type == BufferType::DRAM;
    const std::uint64_t unit = (dram ? device.dram_alignment : device.l1_alignment) / 2;
    const std::uint64_t width = input.shape.rank() == 0 ? 1 : input.shape[-1];
    const std::uint64_t units = ceil_div(width, unit);
    if (sub_core_grids) return parts_on(*sub_core_grids, units, unit);
    const std::uint64_t all = std::uint64_t{device.compute_grid.x} * device.compute_grid.y;
    if (several_results) {
        std::uint64_t wanted = 1;
        while (8 * wanted * wanted < width * element_size(input.dtype))
            wanted *= 2;
        if (wanted < all && wanted < units) {
            RowParts parts{first_cores(wanted, device.compute_grid, true), {}, wanted};
            for (const CoreRange& range : parts.cores.ranges())
                parts.elements.emplace_back(range, ceil_div(units, wanted) * unit);
            return parts;
        }
    }
    const WorkSplit split = split_work(units, device.compute_grid, CoreWalk::kDownColumns);
    RowParts parts{split.cores, {}, split.num_cores};
    const std::uint64_t busy = units - split.least * split.num_cores;  // cores with one unit more
    if (busy == 0 || split.most == split.least) {
        parts.elements.emplace_back(split.cores, split.most * unit);
        return parts;
    }
    // All cores are in use: the others begin below the last busy one, then come the columns to the right.
    const CoreCoord grid = device.compute_grid;
    const auto column = static_cast<std::uint32_t>(busy / grid.y),
               row = static_cast<std::uint32_t>(busy % grid.y);
    const CoreCoord corner{grid.x - 1, grid.y - 1};
    std::vector<CoreRange> others = {{{column, row}, corner}};
    if (row > 0 && column + 1 < grid.x) others.push_back({{column + 1, 0}, {grid.x - 1, row - 1}});
    parts.elements.emplace_back(first_cores(busy, grid, false), split.most * unit);
    parts.elements.emplace_back(CoreRangeSet(std::move(others)), split.least * unit);
    return parts;
}

struct ArgMaxOperation {
    static constexpr std::string_view kName = "ArgMaxDeviceOperation";
    static constexpr std::string_view kAttributesName = "ArgmaxParams";
    static constexpr bool kTakesNdShards = true;  // to refuse them as all others

    std::optional<int> dim;
    bool keepdim;
    MemoryConfig memory_config;
    OptionalCores sub_core_grids;
    std::optional<bool> secondary;  ///< both processors of a core that move data read rows

    auto attributes() const {
        return std::make_tuple(DataType::UINT32, dim, keepdim, sub_core_grids, memory_config, secondary);
    }

    void validate(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        require_interleaved(inputs);
        if (input.layout == Layout::TILE) {
            require_comparable_in_tiles(input);
            require(dim.has_value(), "For inputs with TILE layout, dim parameter must be specified!");
            return;
        }
        if (!dim) return;
        const std::size_t position = input.shape.position(*dim);
        require(position + 1 == input.shape.rank(), [&] {
            return "ROW_MAJOR: only argmax on the last dim is supported. Got dim=" + std::to_string(*dim) +
                   " (normalized=" + std::to_string(position) + "), expected " +
                   std::to_string(input.shape.rank() - 1);
        });
    }

    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{remaining(inputs[0].shape, position(inputs[0].shape), keepdim), DataType::UINT32,
                           Layout::ROW_MAJOR, memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const TensorSpec& input = inputs[0];
        const Shape& out = outputs[0].shape;
        const std::uint64_t results = out.rank() == 0 ? 1 : out[-1];  // in one page of the output
        if (input.layout == Layout::TILE) {
            const CoreRange core{{0, 0}, {0, 0}};
            return {{"ttnn::prim::ArgMaxSingleCoreProgramFactory", 0},
                    {dataflow_buffer(tile_size(input.dtype), core), scratchpad(results * kIndexBytes, core)}};
        }
        ProgramPlan plan{{"ttnn::prim::ArgMaxMultiCoreProgramFactory", 1}};
        require(!secondary.value_or(false) || results >= 2,
                "enable_secondary_dm needs at least two output rows; reduce_all, keepdim=True and rank < 2 "
                "leave one");
        const bool several = results > 1 && secondary.value_or(true);
        const RowParts parts = split_row(input, several, sub_core_grids, device);
        const std::uint64_t element = element_size(input.dtype);
        for (const auto& [cores, elements] : parts.elements) {
            plan.memory.push_back(
                dataflow_buffer((several ? 2 : 1) * round_up(elements * element, kAlignment), cores));
        }
        const std::uint64_t page = round_up(results * kIndexBytes, kAlignment);
        plan.memory.push_back(dataflow_buffer(page, parts.cores));
        plan.memory.push_back(dataflow_buffer(parts.num_cores * page, parts.cores));
        plan.memory.push_back(
            dataflow_buffer(parts.num_cores * round_up(results * element, kAlignment), parts.cores));
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        return indices_of_largest(*inputs[0], position(inputs[0]->shape()), outputs[0]);
    }

private:
    // In TT-NN's words, which come after those on shards that the result can't have.
    void require_interleaved(SpecsView inputs) const {
        const MemoryConfig& place = inputs[0].memory_config;
        if (!place.is_sharded()) return;
        page_geometry(placed_shards(infer(inputs)[0]));
        refuse_with("Only INTERLEAVED memory layout is supported for inputs, got TensorMemoryLayout::",
                    name_of(place.memory_layout));
    }
    std::optional<std::size_t> position(const Shape& shape) const {
        return dim ? std::optional(shape.position(*dim)) : std::nullopt;
    }
};

/// Over a dimension outside of the tiles.
struct ArgMaxNCOperation {
    static constexpr std::string_view kName = "ArgMaxNCDeviceOperation";
    static constexpr std::string_view kAttributesName = "ArgmaxNCParams";

    std::size_t dim;
    MemoryConfig memory_config;
    OptionalCores sub_core_grids;

    auto attributes() const { return std::make_tuple(dim, memory_config, sub_core_grids); }

    void validate(SpecsView inputs) const { require_comparable_in_tiles(inputs[0]); }

    TensorSpecs infer(SpecsView inputs) const {
        return {
            TensorSpec{remaining(inputs[0].shape, dim, true), DataType::UINT32, Layout::TILE, memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const std::uint64_t tiles = outputs[0].tile_rows() * outputs[0].tile_columns();
        const CoreRangeSet cores =
            split_work(tiles, sub_core_grids, device.compute_grid, CoreWalk::kAlongRows).cores;
        return {{"ttnn::device_operation::MeshDeviceOperationAdapter<ttnn::prim::ArgMaxNCDeviceOperation>::"
                 "DirectDescriptorFactory",
                 0},
                circular_buffers({2 * tile_size(inputs[0].dtype), 2 * tile_size(outputs[0].dtype)}, cores)};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        return indices_of_largest(*inputs[0], dim, outputs[0]);
    }
};

void require_output(const Tensor& output, const Shape& expected) {
    require(output.dtype() == DataType::UINT32,
            [&] { return "Only UINT32 is supported for outputs, got " + text_of(output.dtype()); });
    const auto row = [](const Shape& shape) { return shape.rank() == 0 ? 1 : shape[-1]; };
    require(output.shape().volume() == expected.volume() && row(output.shape()) == row(expected),
            "Preallocated output tensor is not page-compatible with the reduction result! Got : ",
            output.shape(), ", expected: ", expected);
}

// Into `output`, where it is given: its shape may have other dimensions of 1.
Tensor launched(const ArgMaxOperation& operation, const Tensor& source, const OptionalTensor& output) {
    if (!output) return launch(operation, {source});
    const TensorSpecs specs = operation.infer(std::vector{source.spec()});
    require_output(*output, specs.front().shape);
    if (output->shape() == specs.front().shape) return launch_into(operation, {source}, *output);
    TensorSpec spec = output->spec();
    spec.shape = specs.front().shape;
    launch_into(operation, {source}, Tensor::on_device(std::move(spec), output->shared_buffer(), true));
    return *output;
}

}  // namespace

Tensor Argmax::body() const {
    require_on_device(input_tensor, "argmax", "input_tensor");
    const MemoryConfig config = memory_config.value_or(input_tensor.memory_config());
    require(!config.is_sharded() || config.shard_spec || config.nd_shard_spec,
            "MemoryConfig must have Shard Spec specified for sharded memory layout");
    const Shape& shape = input_tensor.shape();
    const std::size_t position = dim ? shape.position(*dim) : shape.rank();
    if (shape.volume() == 0 && !output_tensor) {
        const ReducedDims dims =
            resolve_dims(dim ? ReduceDims(static_cast<int>(position)) : ReduceDims(), shape.rank());
        return reduced_from_nothing(input_tensor, dims, keepdim, std::nullopt, DataType::UINT32, config);
    }
    const bool in_rows = !dim || position + 1 == shape.rank();
    require(!enable_secondary_dm || (in_rows && input_tensor.layout() == Layout::ROW_MAJOR),
            "enable_secondary_dm applies only to ROW_MAJOR argmax over the last dim (or dim=None)");
    const bool tiles_needed = !in_rows && input_tensor.layout() == Layout::ROW_MAJOR &&
                              !input_tensor.is_sharded() && is_comparable_in_tiles(input_tensor.dtype());
    const ScopedTensor converted(tiles_needed ? unscoped::to_layout(input_tensor, Layout::TILE) : Tensor());
    const Tensor& source = tiles_needed ? *converted : input_tensor;
    if (in_rows || position + 2 >= shape.rank() || source.layout() != Layout::TILE || source.is_sharded()) {
        return launched(ArgMaxOperation{dim, keepdim, config, sub_core_grids, enable_secondary_dm}, source,
                        output_tensor);
    }
    const auto indices = [&] {
        const ScopedTensor tiles(launch(ArgMaxNCOperation{position, config, sub_core_grids}, {source}));
        Tensor rows = unscoped::to_layout(*tiles, Layout::ROW_MAJOR, std::nullopt, config);
        return keepdim ? rows : reshape_view(rows, remaining(shape, position, false));
    };
    if (!output_tensor) return indices();
    const ScopedTensor result(indices());
    require_output(*output_tensor, result->shape());
    return unscoped::copy(*result, *output_tensor);
}

}  // namespace tilemeter
