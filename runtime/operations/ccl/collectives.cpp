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

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        return compute_on_all_chips(inputs, outputs[0]);
    }

    std::vector<HostArray> compute_on_all_chips(ArraysView input_by_chip, const TensorSpec& output) const {
        return rings.gather(input_by_chip, dim, output);
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
        const TensorSpec& input = inputs[0];
        require_interleaved("reduce_scatter", input, memory_config);
        require(input.layout == Layout::TILE && is_floating_point(input.dtype),
                "reduce_scatter: input_tensor: expected floating point in TILE layout, got ",
                name_of(input.dtype), " in ", name_of(input.layout));
        require(can_be_shared(input.shape, dim, ring_size), [&] {
            return "reduce_scatter: dim: expected whole tiles for each of " + std::to_string(ring_size) +
                   " chips, got " + std::to_string(input.shape.dimensions()[dim]) + " of " +
                   input.shape.to_string();
        });
    }

    TensorSpecs infer(SpecsView inputs) const {
        TensorSpec out = inputs[0];
        const auto axis = static_cast<std::int64_t>(dim);
        out.shape.set(axis, out.shape[axis] / ring_size);
        out.memory_config = memory_config;
        // Both directions have a place of their own.
        TensorSpec halfway = inputs[0];
        halfway.shape = halfway.shape.to_rank(std::max<std::size_t>(halfway.shape.rank(), 3));
        halfway.shape.set(0, 2 * halfway.shape[0]);
        halfway.memory_config = DRAM_MEMORY_CONFIG;
        return {out, halfway};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        constexpr std::uint64_t kBuffers = 4, kSemaphores = 4;
        const std::uint64_t page = buffer_geometry(inputs[0], device).page_size_bytes;
        // So many pages go at once: four packets, or two of four pages.
        const std::uint64_t packet = std::max<std::uint64_t>(kPacketBytes / page, 1);
        const std::uint64_t pages = packet < 4 ? 4 * packet : 8;
        const CoreRangeSet cores = workers(outputs[0], ring_size, device);
        ProgramPlan plan{"ttnn::operations::ccl::ReduceScatterDeviceOperation::ReduceScatterProgram",
                         0,
                         {},
                         {},
                         rings.mesh.size()};
        for (std::uint64_t i = 0; i < kBuffers; ++i)
            plan.memory.push_back(circular_buffer(3 * pages * page, cores));
        plan.config_tensors.assign(kSemaphores, semaphore(device));
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        return compute_on_all_chips(inputs, outputs[0]);
    }

    std::vector<HostArray> compute_on_all_chips(ArraysView input_by_chip, const TensorSpec& output) const {
        return rings.scatter(input_by_chip, dim, output);
    }

private:
    // For each link in each of two directions one core that talks to the other chip, not counted here, and after it those
    // that add up: more for more data. Along the rows of the grid.
    static CoreRangeSet workers(const TensorSpec& output, std::uint32_t ring_size,
                                const DeviceDescription& device) {
        constexpr std::uint64_t kMuch = 4'000'000, kSome = 500'000;  // bytes that go over a link
        const BufferGeometry geometry = buffer_geometry(output, device);
        const std::uint64_t moved = geometry.size_bytes * (ring_size - 1) / device.mesh.links;
        const std::uint64_t by_size = moved > kMuch ? 8 : moved > kSome ? 4 : 2;
        const std::uint64_t count = std::min(by_size, ceil_div(geometry.num_pages, 2));
        const std::uint32_t width = device.compute_grid.x;
        std::vector<CoreRange> ranges;
        for (std::uint64_t direction = 0; direction < 2 * device.mesh.links; ++direction) {
            const std::uint64_t first = direction * (count + 1) + 1;
            for (std::uint64_t i = first; i < first + count; ++i) {
                const CoreCoord core{static_cast<std::uint32_t>(i % width),
                                     static_cast<std::uint32_t>(i / width)};
                const bool goes_on = i != first && core.x != 0;
                if (goes_on) {
                    ranges.back().end = core;
                } else {
                    ranges.push_back({core, core});
                }
            }
        }
        std::sort(ranges.begin(), ranges.end(), [](const CoreRange& a, const CoreRange& b) {
            return std::tie(a.start.x, a.start.y) < std::tie(b.start.x, b.start.y);
        });
        // Those of equal columns in rows one below the other are one.
        std::vector<CoreRange> merged;
        for (const CoreRange& range : ranges) {
            const bool goes_on = !merged.empty() && merged.back().start.x == range.start.x &&
                                 merged.back().end.x == range.end.x &&
                                 merged.back().end.y + 1 == range.start.y;
            if (goes_on) {
                merged.back().end.y = range.end.y;
            } else {
                merged.push_back(range);
            }
        }
        return CoreRangeSet(std::move(merged));
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

Tensor AllReduce::call() const {
    return in_operation(*this, [&] {
        require_on_device(input_tensor, "all_reduce", "input_tensor");
        const MemoryConfig config = memory_config.value_or(input_tensor.memory_config());
        Tensor sum = input_tensor;
        for (const Rings& rings : rings_of(input_tensor, cluster_axis)) {
            const std::size_t axis = shared_dimension(sum.shape(), rings.size());
            Tensor next;
            {
                const ScopedTensor parts(scattered(sum, axis, config, rings));
                next = gathered(*parts, axis, config, rings);
            }
            sum = std::move(next);
        }
        return sum;
    });
}

}  // namespace tilemeter
