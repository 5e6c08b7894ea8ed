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
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/program_pieces.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"

namespace tilemeter {

namespace {

// A word on every core by which chips tell each other how far they are.
TensorSpec semaphore(const DeviceDescription& device) {
    const auto cores = static_cast<std::uint32_t>(device.num_compute_cores());
    return {Shape{cores, 1},
            DataType::UINT32,
            Layout::ROW_MAJOR,
            {TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
             ShardSpec{whole_grid(device.compute_grid), {1, 1}}}};
}

struct AllGatherOperation {
    static constexpr std::string_view kName = "AllGatherDeviceOperation";
    static constexpr std::string_view kAttributesName = "AllGatherParams";

    std::size_t dim;
    std::uint32_t ring_size;  ///< how many chips exchange values, as TT-NN calls it
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
                {semaphore(device), semaphore(device)},
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
    static constexpr std::string_view kName = "ReduceScatterDeviceOperation";
    static constexpr std::string_view kAttributesName = "ReduceScatterParams";

    std::size_t dim;
    std::uint32_t ring_size;  ///< how many chips exchange values, as TT-NN calls it
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
        specs.halfway.memory_config = DRAM_MEMORY_CONFIG;
        return {specs.part, specs.halfway};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        constexpr std::uint64_t kSemaphores = 4;
        ProgramPlan plan{"ttnn::operations::ccl::ReduceScatterDeviceOperation::ReduceScatterProgram", 0,
                         reduce_scatter_buffers(inputs[0], outputs[0], ring_size, Links::of(device), device)};
        plan.config_tensors.assign(kSemaphores, semaphore(device));
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

Tensor gathered(const Tensor& input, std::size_t dim, const MemoryConfig& memory_config, const Rings& rings) {
    require(rings.size() > 1, "all_gather collective will only work for num_devices > 1, got ", rings.size());
    return launch(AllGatherOperation{dim, rings.size(), memory_config, rings}, {input});
}

Tensor scattered(const Tensor& input, std::size_t dim, const MemoryConfig& memory_config,
                 const Rings& rings) {
    require(rings.size() > 1,
            "reduce_scatter: cluster_axis: expected an axis with several chips, got one with ", rings.size());
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
        const std::size_t axis = input_tensor.shape().position(dim);
        Tensor part = input_tensor;
        for (const Rings& rings : rings_of(input_tensor, cluster_axis))
            part = scattered(part, axis, config, rings);
        return part;
    });
}

Tensor unscoped::all_reduce(const Tensor& input, std::optional<int> cluster_axis,
                            const MemoryConfig& memory_config) {
    Tensor sum = input;
    for (const Rings& rings : rings_of(input, cluster_axis)) {
        const std::size_t axis = shared_dimension(sum.shape(), rings.size());
        Tensor next;
        {
            const ScopedTensor parts(scattered(sum, axis, memory_config, rings));
            next = gathered(*parts, axis, memory_config, rings);
        }
        sum = std::move(next);
    }
    return sum;
}

Tensor AllReduce::call() const {
    return in_operation(*this, [&] {
        require_on_device(input_tensor, "all_reduce", "input_tensor");
        return unscoped::all_reduce(input_tensor, cluster_axis,
                                    memory_config.value_or(input_tensor.memory_config()));
    });
}

}  // namespace tilemeter
