// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/ccl/collectives.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/device/buffer_geometry.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/ccl/internal/rings.hpp"
#include "runtime/operations/ccl/transfers.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/concat.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/typecast.hpp"
#include "runtime/operations/moreh/moreh_reductions.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

struct AllGatherOperation {
    static constexpr std::string_view kName = "AllGatherDeviceOperation";
    static constexpr std::string_view kAttributesName = "AllGatherParams";

    std::size_t dim;
    std::uint32_t ring_size;  ///< the number of chips that exchange values, as TT-NN calls it
    MemoryConfig memory_config;
    Rings rings;

    auto attributes() const {
        return std::make_tuple(dim, ring_size, memory_config, rings.axis.value_or(-1));
    }

    void validate(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        require_interleaved("all_gather", input, memory_config);
        const std::size_t rank = input.shape.rank();
        const std::uint32_t size = input.shape.dimensions()[dim];
        require(input.layout != Layout::TILE || dim + 2 < rank || size % kTileHeight == 0,
                "all_gather: dim: expected whole tiles of 32 along it, got ", size, " of ", input.shape);
    }

    TensorSpecs infer(SpecsView inputs) const {
        TensorSpec out = inputs[0];
        const auto axis = static_cast<std::int64_t>(dim);
        out.shape.set(axis, out.shape[axis] * ring_size);
        out.memory_config = memory_config;
        return {out};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const bool tiled = inputs[0].layout == Layout::TILE;
        const std::uint64_t page = buffer_geometry(inputs[0], device).page_size_bytes;
        const std::uint64_t packet = std::max<std::uint64_t>(kPacketBytes / page, 1) * page;
        return {"ttnn::operations::ccl::AllGatherMulticastFactory",
                0,
                {circular_buffer((tiled ? 9 : 3) * packet, CoreRange{{0, 0}, {device.mesh.links - 1, 0}})},
                {semaphore_spec(device), semaphore_spec(device)},
                rings.mesh.size()};
    }

    // On a mesh of several chips, as there is no other.
    std::vector<HostArray> compute(ArraysView, SpecsView) const { return {}; }

    std::vector<std::vector<HostArray>> compute_on_all_chips(ArraysView input_by_chip,
                                                             SpecsView outputs) const {
        return {rings.gather(input_by_chip, dim, outputs[0])};
    }
};

/// The second output is where the sums of half the way lie.
struct ReduceScatterOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "ReduceScatterDeviceOperation";
    static constexpr std::string_view kAttributesName = "ReduceScatterParams";

    std::size_t dim;
    std::uint32_t ring_size;  ///< the number of chips that exchange values, as TT-NN calls it
    MemoryConfig memory_config;
    Rings rings;

    auto attributes() const {
        return std::make_tuple(dim, ring_size, memory_config, rings.axis.value_or(-1));
    }

    void validate(SpecsView inputs) const {
        require_scattered("reduce_scatter", inputs[0], dim, ring_size, memory_config);
    }

    TensorSpecs infer(SpecsView inputs) const {
        ScatteredSpecs specs = scattered_specs(inputs[0], dim, ring_size, memory_config);
        specs.halfway.shape =
            inputs[0].shape;  // of two dimensions twice as high, where another is one more matrix
        specs.halfway.shape.set(0, 2 * inputs[0].shape[0]);
        specs.halfway.memory_config = DRAM_MEMORY_CONFIG;
        return {specs.part, specs.halfway};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        constexpr std::uint64_t kSemaphores = 4;
        ProgramPlan plan{"ttnn::operations::ccl::ReduceScatterDeviceOperation::ReduceScatterProgram", 0,
                         reduce_scatter_buffers(inputs[0], outputs[0], ring_size, Links::of(device), device)};
        plan.config_tensors.assign(kSemaphores, semaphore_spec(device));
        plan.num_programs = rings.mesh.size();
        return plan;
    }

    // On a mesh of several chips, as there is no other.
    std::vector<HostArray> compute(ArraysView, SpecsView) const { return {}; }

    std::vector<std::vector<HostArray>> compute_on_all_chips(ArraysView input_by_chip,
                                                             SpecsView outputs) const {
        return {rings.scatter(input_by_chip, dim, outputs[0]), {}};
    }
};

// One after the other along `dim`, which is joined on each chip, in DRAM whatever was asked for.
Tensor broadcast_and_joined(const Tensor& input, std::size_t dim, const Rings& rings) {
    const Shape& shape = input.shape();
    const bool casts = input.dtype() == DataType::BFLOAT8_B && shape.rank() > 1 &&
                       (shape[-2] % kTileHeight != 0 || shape[-1] % kTileWidth != 0);
    const ScopedTensor source(casts ? unscoped::typecast(input, DataType::BFLOAT16) : input);
    std::vector<Tensor> parts = unscoped::all_broadcast(*source, rings.axis, source->memory_config(),
                                                        source->device().description().mesh.links);
    ScopedTensor joined(unscoped::concat(parts, static_cast<std::int64_t>(dim), DRAM_MEMORY_CONFIG));
    if (casts) joined = unscoped::typecast(*joined, DataType::BFLOAT8_B);
    for (Tensor& each : parts)
        each.deallocate();
    return joined.take();
}

// True if parts end within a tile, or within what memory is read by.
bool is_cut_unevenly(const Tensor& input, std::size_t dim) {
    const std::size_t rank = input.shape().rank();
    const std::uint32_t size = input.shape().dimensions()[dim];
    if (input.layout() == Layout::TILE) return dim + 2 >= rank && size % kTileHeight != 0;
    const std::uint64_t alignment = input.device().description().dram_alignment;
    return dim + 1 == rank && size * element_size(input.dtype()) % alignment != 0;
}

Tensor gathered(const Tensor& input, std::size_t dim, const MemoryConfig& memory_config, const Rings& rings) {
    require(rings.size() > 1, "all_gather collective will only work for num_devices > 1, got ", rings.size());
    if (is_cut_unevenly(input, dim)) return broadcast_and_joined(input, dim, rings);
    return launch(AllGatherOperation{dim, rings.size(), memory_config, rings}, {input});
}

// Over the first dimension, as moreh does, which takes no blocks.
Tensor sum_of_tiles(const Tensor& stack, const MemoryConfig& memory_config) {
    const bool casts = stack.dtype() == DataType::BFLOAT8_B;
    const ScopedTensor source(casts ? unscoped::typecast(stack, DataType::BFLOAT16) : stack);
    ScopedTensor sum(unscoped::moreh_sum(*source, ReduceDims(0), true, std::nullopt, memory_config));
    if (casts) sum = unscoped::typecast(*sum, DataType::BFLOAT8_B);
    return sum.take();
}

// The same of FLOAT32, which moreh doesn't take either: the dimension goes by one further in.
Tensor sum_of_rows(const Tensor& stack, const MemoryConfig& memory_config) {
    Shape split{stack.shape()[0], 1};
    for (const std::uint32_t size : stack.shape().dimensions().subspan(1))
        split.push_back(size);
    const ScopedTensor parts(reshape_view(stack, split));
    const ScopedTensor exchanged(unscoped::transpose(*parts, 0, 1));
    return unscoped::sum_over(*exchanged, ReduceDims(1), memory_config);
}

// A sum that the chips cannot share: all of the input goes to all of them, and each adds up.
Tensor summed_on_each(const Tensor& input, const MemoryConfig& memory_config, const Rings& rings) {
    require(rings.size() > 1, "all_reduce: cluster_axis: expected an axis with several chips, got one with ",
            rings.size());
    const Shape& shape = input.shape();
    const DataType dtype = input.dtype();
    require(input.layout() == Layout::TILE && (dtype == DataType::FLOAT32 || dtype == DataType::BFLOAT16 ||
                                               dtype == DataType::INT32 || is_block_float(dtype)),
            "all_reduce: input_tensor: expected a dimension that ", rings.size(),
            " chips can share in whole tiles, or floating point or INT32 in TILE layout, got ",
            name_of(dtype), " in ", name_of(input.layout()), " ", shape);
    const Tensor stacked = reshape_view(input, shape.to_rank(shape.rank() + 1));
    Tensor sum_of_stack;
    {
        const ScopedTensor of_all(broadcast_and_joined(stacked, 0, rings));
        sum_of_stack = dtype == DataType::FLOAT32 ? sum_of_rows(*of_all, memory_config)
                                                  : sum_of_tiles(*of_all, memory_config);
    }
    return reshape_view(sum_of_stack, shape);
}

Tensor scattered(const Tensor& input, std::size_t dim, const MemoryConfig& memory_config,
                 const Rings& rings) {
    require(rings.size() > 1,
            "reduce_scatter: cluster_axis: expected an axis with several chips, got one with ", rings.size());
    require_whole_parts("reduce_scatter", input.shape(), dim, rings.size());
    std::vector<Tensor> outputs =
        launch_all(ReduceScatterOperation{dim, rings.size(), memory_config, rings}, {input});
    const ScopedTensor halfway(std::move(outputs.at(1)));
    return outputs.at(0);
}

}  // namespace

Tensor AllGather::call() const {
    require_none(output_tensor, "all_gather", "output_tensor");
    require_none(sub_core_grids, "all_gather", "sub_core_grids");
    return in_operation(*this, [&] {
        require_on_device(input_tensor, "all_gather", "input_tensor");
        const std::vector<Rings> rings = rings_of(input_tensor, cluster_axis);
        require(rings.size() == 1, "1D fabric on a 2D mesh_device requires cluster_axis to be set");
        return gathered(input_tensor, input_tensor.shape().position(dim),
                        memory_config.value_or(input_tensor.memory_config()), rings[0]);
    });
}

Tensor ReduceScatter::call() const {
    require_none(intermediate_memory_config, "reduce_scatter", "intermediate_memory_config");
    require_none(output_tensor, "reduce_scatter", "output_tensor");
    return in_operation(*this, [&] {
        require_on_device(input_tensor, "reduce_scatter", "input_tensor");
        const MemoryConfig config = memory_config.value_or(input_tensor.memory_config());
        require(input_tensor.shape().rank() >= 2,
                "reduce_scatter currently supports rank 2 tensors at minimum");
        const std::size_t axis = input_tensor.shape().position(dim);
        Tensor part = input_tensor;
        for (const Rings& rings : rings_of(input_tensor, cluster_axis))
            part = scattered(part, axis, config, rings);
        return part;
    });
}

Tensor unscoped::all_reduce(const Tensor& input, std::optional<int> cluster_axis,
                            const MemoryConfig& memory_config) {
    const Shape& shape = input.shape();
    if (shape.rank() == 1)  // as a matrix of one row
        return reshape_view(all_reduce(reshape_view(input, {1, shape[0]}), cluster_axis, memory_config),
                            shape);
    Tensor result = input;
    for (const Rings& rings : rings_of(input, cluster_axis)) {
        const std::optional<std::size_t> axis = shared_dimension(result.shape(), rings.size());
        Tensor next;
        if (axis) {
            const ScopedTensor parts(scattered(result, *axis, memory_config, rings));
            next = gathered(*parts, *axis, memory_config, rings);
        } else {
            next = summed_on_each(result, memory_config, rings);
        }
        result = std::move(next);
    }
    return result;
}

Tensor AllReduce::call() const {
    return in_operation(*this, [&] {
        require_on_device(input_tensor, "all_reduce", "input_tensor");
        return unscoped::all_reduce(input_tensor, cluster_axis,
                                    memory_config.value_or(input_tensor.memory_config()));
    });
}

}  // namespace tilemeter
