// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/ccl/async_collectives.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/device/buffer_geometry.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/ccl/collectives.hpp"
#include "runtime/operations/ccl/internal/rings.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

// For each link in each of two directions the cores that send, after one that serves the link if there are several.
// Along the rows of the grid.
CoreRangeSet cores_that_send(std::uint64_t links, std::uint64_t workers, const DeviceDescription& device) {
    const std::uint64_t step = workers == 1 ? 1 : workers + 1;
    std::vector<CoreRange> cores;
    for (std::uint64_t direction = 0; direction < 2 * links; ++direction) {
        for (std::uint64_t i = step - workers; i < step; ++i) {
            const std::uint64_t at = direction * step + i;
            const CoreCoord core{static_cast<std::uint32_t>(at % device.compute_grid.x),
                                 static_cast<std::uint32_t>(at / device.compute_grid.x)};
            cores.push_back({core, core});
        }
    }
    return CoreRangeSet(std::move(cores));
}

std::uint64_t senders_for(std::uint64_t bytes_over_a_link) {
    constexpr std::uint64_t kMuch = 256 << 10U, kPacket = 4 << 10U;
    return bytes_over_a_link > kMuch ? 4 : bytes_over_a_link > kPacket ? 2 : 1;
}

struct AllGatherAsyncOperation {
    static constexpr std::string_view kName = "AllGatherAsyncDeviceOperation";
    static constexpr std::string_view kAttributesName = "AllGatherAsyncParams";

    std::size_t dim;
    MemoryConfig memory_config;
    Rings rings;
    Links links;
    bool reversed;

    auto attributes() const {
        return std::make_tuple(dim, rings.size(), memory_config, rings.axis.value_or(-1), links.count,
                               links.workers.value_or(0), reversed);
    }

    void validate(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        require_interleaved("all_gather_async", input, memory_config);
        require(input.shape.rank() >= 2, "AllGatherAsync requires tensor of rank 2 or greater");
        const std::uint32_t size = input.shape.dimensions()[dim];
        require(input.layout == Layout::TILE && (dim + 2 < input.shape.rank() || size % kTileHeight == 0),
                "all_gather_async: dim: expected TILE layout and whole tiles of 32 along it, got ",
                name_of(input.layout), " and ", size, " of ", input.shape);
        if (!reversed) return;
        require(input.shape.rank() == 4,
                "all_gather_async_reversed: input_tensor: expected 4 dimensions, got ", input.shape);
        const std::uint32_t width = input.shape[-1] * (dim == 3 ? rings.size() : 1);
        require(width % (kTileWidth * rings.size()) == 0, "When reverse_order=true, tensor width (", width,
                ") must be divisible by 32*num_devices (32*", rings.size(), " = ", kTileWidth * rings.size(),
                ")");
    }

    TensorSpecs infer(SpecsView inputs) const {
        TensorSpec out = inputs[0];
        const auto axis = static_cast<std::int64_t>(dim);
        out.shape.set(axis, out.shape[axis] * rings.size());
        out.memory_config = memory_config;
        return {out};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        constexpr std::uint64_t kPagesOfPacket = 4, kBuffered = 3;
        const std::uint64_t page = buffer_geometry(inputs[0], device).page_size_bytes;
        const std::uint64_t pages = std::clamp<std::uint64_t>(kPacketBytes / page, 1, kPagesOfPacket);
        const std::uint64_t moved =
            buffer_geometry(outputs[0], device).size_bytes * (rings.size() - 1) / rings.size() / links.count;
        const CoreRangeSet cores =
            cores_that_send(links.count, links.workers ? *links.workers : senders_for(moved), device);
        return {"ttnn::experimental::prim::DefaultMeshWorkloadFactory",
                0,
                {circular_buffer(kBuffered * pages * page, cores)},
                {},
                rings.mesh.size()};
    }

    // On a mesh of several chips, as there is no other.
    std::vector<HostArray> compute(ArraysView, SpecsView) const { return {}; }

    std::vector<std::vector<HostArray>> compute_on_all_chips(ArraysView input_by_chip,
                                                             SpecsView outputs) const {
        return {rings.gather(input_by_chip, dim, outputs[0], reversed)};
    }
};

/// The first output is where the sums of half the way lie.
struct ReduceScatterMinimalAsyncOperation {
    static constexpr std::string_view kName = "ReduceScatterMinimalAsyncDeviceOperation";
    static constexpr std::string_view kAttributesName = "ReduceScatterMinimalAsyncParams";

    std::size_t dim;
    MemoryConfig memory_config;
    OptionalMemoryConfig halfway_memory_config;
    Rings rings;
    Links links;

    auto attributes() const {
        return std::make_tuple(dim, links.count, rings.size(), memory_config, halfway_memory_config,
                               rings.axis.value_or(-1), links.workers.value_or(0));
    }

    void validate(SpecsView inputs) const {
        require_scattered("reduce_scatter_minimal_async", inputs[0], dim, rings.size(), memory_config);
    }

    TensorSpecs infer(SpecsView inputs) const {
        ScatteredSpecs specs = scattered_specs(inputs[0], dim, rings.size(), memory_config);
        if (halfway_memory_config) specs.halfway.memory_config = *halfway_memory_config;
        return {specs.halfway, specs.part};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        return {"ttnn::experimental::prim::LineReduceScatterMeshWorkloadFactory",
                1,
                reduce_scatter_buffers(inputs[0], outputs[1], rings.size(), links, device),
                {},
                rings.mesh.size()};
    }

    // On a mesh of several chips, as there is no other.
    std::vector<HostArray> compute(ArraysView, SpecsView) const { return {}; }

    std::vector<std::vector<HostArray>> compute_on_all_chips(ArraysView input_by_chip,
                                                             SpecsView outputs) const {
        return {{}, rings.scatter(input_by_chip, dim, outputs[1])};
    }
};

Links links_of(const Tensor& input, std::optional<std::uint32_t> count, std::optional<std::uint32_t> workers,
               const char* operation) {
    const DeviceDescription& device = input.device().description();
    const Links links{count.value_or(device.mesh.links), workers};
    const CoreCoord grid = device.compute_grid;
    require(links.count > 0 && links.count <= grid.y, operation, ": num_links: expected 1 to ", grid.y,
            ", got ", links.count);
    const std::uint64_t cores = 2 * std::uint64_t{links.count} * (std::uint64_t{workers.value_or(1)} + 1);
    require(workers.value_or(1) > 0 && cores <= std::uint64_t{grid.x} * grid.y, operation,
            ": num_workers_per_link: expected 1 or more for which there are cores, got ",
            workers.value_or(0));
    return links;
}

// The chips along `cluster_axis`, or all of a line.
Rings line_of(const Tensor& input, std::optional<int> cluster_axis, const char* operation) {
    const std::vector<Rings> rings = rings_of(input, cluster_axis);
    require(rings.size() == 1, operation,
            ": cluster_axis: expected 0 or 1 on a mesh of two dimensions, got None");
    require(rings[0].size() > 1, operation, " will only work for num_devices > 1, but has ", rings[0].size());
    return rings[0];
}

struct GatherAsync {
    int dim;
    std::optional<int> cluster_axis;
    OptionalMemoryConfig memory_config;
    std::optional<std::uint32_t> links, workers;
    bool reversed;
};

Tensor gathered(const Tensor& input, const GatherAsync& how, const OptionalTensor& into) {
    constexpr const char* kOperation = "all_gather_async";
    require_on_device(input, kOperation, "input_tensor");
    const MemoryConfig memory_config = how.memory_config ? *how.memory_config
                                       : into            ? into->memory_config()
                                                         : input.memory_config();
    return launch(AllGatherAsyncOperation{input.shape().position(how.dim), memory_config,
                                          line_of(input, how.cluster_axis, kOperation),
                                          links_of(input, how.links, how.workers, kOperation), how.reversed},
                  {input}, into);
}

Tensor scattered(const Tensor& input, const ReduceScatterMinimalAsyncOperation& operation,
                 std::vector<Tensor> into = {}) {
    const bool keeps_halfway = !into.empty();
    std::vector<Tensor> outputs = launch_all(operation, {input}, std::move(into));
    if (keeps_halfway) return outputs.at(1);
    const ScopedTensor halfway(std::move(outputs.at(0)));
    return outputs.at(1);
}

Tensor reduced_on_all(const Tensor& input, std::optional<int> cluster_axis,
                      const OptionalMemoryConfig& memory_config, std::optional<std::uint32_t> num_links) {
    constexpr const char* kOperation = "all_reduce_async";
    require_on_device(input, kOperation, "input_tensor");
    const MemoryConfig config = memory_config.value_or(input.memory_config());
    const Rings rings = line_of(input, cluster_axis, kOperation);
    const Links links = links_of(input, num_links, std::nullopt, kOperation);
    const std::optional<std::size_t> dim = shared_dimension(input.shape(), rings.size());
    require(dim.has_value(), "all_reduce_async: input_tensor: expected a dimension that ", rings.size(),
            " chips can share in whole tiles, got ", input.shape());
    const ScopedTensor parts(
        scattered(input, ReduceScatterMinimalAsyncOperation{*dim, config, std::nullopt, rings, links}));
    return launch(AllGatherAsyncOperation{*dim, config, rings, links, false}, {*parts});
}

}  // namespace

template <bool kReversed>
Tensor AllGatherAsync<kReversed>::call() const {
    require_none(sub_core_grids, "all_gather_async", "sub_core_grids");
    return in_operation(*this, [&] {
        return gathered(input_tensor,
                        {dim, std::nullopt, memory_config, num_links, num_workers_per_link, kReversed},
                        std::nullopt);
    });
}

template <bool kReversed>
Tensor AllGatherAsyncInto<kReversed>::call() const {
    require_none(sub_core_grids, "all_gather_async", "sub_core_grids");
    require_modelled(!use_broadcast, "all_gather_async: use_broadcast: expected False, True is not modelled");
    return in_operation(*this, [&] {
        return gathered(input_tensor,
                        {dim, cluster_axis, memory_config, num_links, num_workers_per_link, kReversed},
                        persistent_output_buffer);
    });
}

template <bool kReversed>
Tensor AllGatherAsyncAlong<kReversed>::call() const {
    require_none(sub_core_grids, "all_gather_async", "sub_core_grids");
    require_modelled(!use_broadcast, "all_gather_async: use_broadcast: expected False, True is not modelled");
    return in_operation(*this, [&] {
        return gathered(input_tensor,
                        {dim, cluster_axis, memory_config, num_links, num_workers_per_link, kReversed},
                        persistent_output_tensor);
    });
}

template struct AllGatherAsync<false>;
template struct AllGatherAsync<true>;
template struct AllGatherAsyncInto<false>;
template struct AllGatherAsyncInto<true>;
template struct AllGatherAsyncAlong<false>;
template struct AllGatherAsyncAlong<true>;

Tensor ReduceScatterMinimalAsync::call() const {
    constexpr const char* kCalled = "reduce_scatter_minimal_async";
    std::vector<Tensor> into = persistent_output_buffers.value_or(std::vector<Tensor>());
    require(into.empty() || into.size() == 2, kCalled,
            ": persistent_output_buffers: expected None or two tensors, got ", into.size());
    return in_operation(*this, [&] {
        require_on_device(input_tensor, kCalled, "input_tensor");
        const MemoryConfig config = memory_config   ? *memory_config
                                    : !into.empty() ? into[1].memory_config()
                                                    : input_tensor.memory_config();
        OptionalMemoryConfig halfway = intermediate_memory_config;
        if (!into.empty()) halfway = into[0].memory_config();
        return scattered(input_tensor,
                         ReduceScatterMinimalAsyncOperation{
                             input_tensor.shape().position(dim), config, halfway,
                             line_of(input_tensor, cluster_axis, kCalled),
                             links_of(input_tensor, num_links, num_workers_per_link, kCalled)},
                         into);
    });
}

Tensor AllReduceAsync::call() const {
    return in_operation(*this,
                        [&] { return reduced_on_all(input_tensor, std::nullopt, memory_config, num_links); });
}

Tensor AllReduceAsyncAlong::call() const {
    return in_operation(*this, [&] {
        const bool have_semaphores =
            barrier_semaphores.are_given && rs_global_semaphores.are_given && ag_global_semaphores.are_given;
        if (have_semaphores) return reduced_on_all(input_tensor, cluster_axis, memory_config, num_links);
        require_on_device(input_tensor, "all_reduce_async", "input_tensor");
        return unscoped::all_reduce(input_tensor, cluster_axis,
                                    memory_config.value_or(input_tensor.memory_config()));
    });
}

}  // namespace tilemeter
