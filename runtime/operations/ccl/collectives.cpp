// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/ccl/collectives.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/device/buffer_geometry.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/program_pieces.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"

namespace tilemeter {

namespace {

/// What a packet between chips carries at most, in bytes.
constexpr std::uint64_t kPacketBytes = 4352;

// A word on every core by which chips tell each other how far they are.
TensorSpec semaphore(const DeviceDescription& device) {
    const auto cores = static_cast<std::uint32_t>(device.num_compute_cores());
    return {Shape{cores, 1},
            DataType::UINT32,
            Layout::ROW_MAJOR,
            {TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
             ShardSpec{whole_grid(device.compute_grid), {1, 1}}}};
}

void require_interleaved(const std::string& operation, const TensorSpec& input, const MemoryConfig& result) {
    require(!input.memory_config.is_sharded() && !result.is_sharded(), operation,
            ": input_tensor: expected INTERLEAVED input and result, got ",
            name_of(input.memory_config.memory_layout));
}

struct AllGatherOperation {
    static constexpr std::string_view kName = "AllGatherDeviceOperation";
    static constexpr std::string_view kAttributesName = "AllGatherParams";

    std::size_t dim;
    std::uint32_t ring_size;  ///< how many chips exchange values, as TT-NN calls it
    MemoryConfig memory_config;

    auto attributes() const { return std::make_tuple(dim, ring_size, memory_config); }

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
                {circular_buffer((tiled ? 9 : 3) * packet, CoreRange{{0, 0}, {0, 0}})},
                {semaphore(device), semaphore(device)},
                ring_size};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        return compute_on_all_chips(inputs, outputs[0]);
    }

    std::vector<HostArray> compute_on_all_chips(ArraysView input_by_chip, const TensorSpec& output) const {
        HostArray gathered(output.dtype, output.shape);
        const Shape& part = input_by_chip[0]->shape();
        std::uint64_t run =
            input_by_chip[0]->stored_element_size();  // bytes that lie together in one chip's part
        for (std::size_t i = dim; i < part.rank(); ++i)
            run *= part.dimensions()[i];
        std::byte* to = gathered.bytes().data();
        for (std::uint64_t at = 0; at < input_by_chip[0]->bytes().size(); at += run) {
            for (const HostArray* chip : input_by_chip) {
                std::memcpy(to, chip->bytes().data() + at, run);
                to += run;
            }
        }
        return std::vector<HostArray>(input_by_chip.size(), gathered);
    }
};

// Whether each chip can have as many whole tiles along that dimension.
bool can_be_shared(const Shape& shape, std::size_t dim, std::uint32_t chips) {
    const std::uint32_t size = shape.dimensions()[dim];
    const bool tiled = dim + 2 >= shape.rank();
    return tiled ? size % (kTileHeight * chips) == 0 : size % chips == 0;
}

/// The second output is where the sums of half the way lie.
struct ReduceScatterOperation {
    static constexpr std::string_view kName = "ReduceScatterDeviceOperation";
    static constexpr std::string_view kAttributesName = "ReduceScatterParams";

    std::size_t dim;
    std::uint32_t ring_size;  ///< how many chips exchange values, as TT-NN calls it
    MemoryConfig memory_config;

    auto attributes() const { return std::make_tuple(dim, ring_size, memory_config); }

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
        const CoreRangeSet cores = workers(outputs[0], device);
        ProgramPlan plan{"ttnn::operations::ccl::ReduceScatterDeviceOperation::ReduceScatterProgram",
                         0,
                         {},
                         {},
                         ring_size};
        for (std::uint64_t i = 0; i < kBuffers; ++i)
            plan.memory.push_back(circular_buffer(3 * pages * page, cores));
        plan.config_tensors.assign(kSemaphores, semaphore(device));
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        return compute_on_all_chips(inputs, outputs[0]);
    }

    std::vector<HostArray> compute_on_all_chips(ArraysView input_by_chip, const TensorSpec& output) const {
        std::vector<double> sums(input_by_chip[0]->shape().volume(), 0.0);
        for (const HostArray* chip : input_by_chip) {
            const std::vector<float> values = chip->to_floats();
            for (std::size_t i = 0; i < sums.size(); ++i)
                sums[i] += values[i];
        }
        const Shape& whole = input_by_chip[0]->shape();
        std::size_t run = 1;  // elements of one part that lie together
        for (std::size_t i = dim; i < whole.rank(); ++i)
            run *= output.shape.dimensions()[i];
        std::vector<HostArray> parts;
        for (std::size_t chip = 0; chip < input_by_chip.size(); ++chip) {
            std::vector<float> part;
            part.reserve(output.shape.volume());
            for (std::size_t at = chip * run; at < sums.size(); at += input_by_chip.size() * run)
                part.insert(part.end(), sums.begin() + static_cast<std::ptrdiff_t>(at),
                            sums.begin() + static_cast<std::ptrdiff_t>(at + run));
            parts.push_back(HostArray::from_floats(part, output.dtype, output.shape));
        }
        return parts;
    }

private:
    // In each of two directions one core that talks to the other chip, not counted here, and after it those
    // that add up: more for more data. Along the rows of the grid.
    static CoreRangeSet workers(const TensorSpec& output, const DeviceDescription& device) {
        constexpr std::uint64_t kMuch = 4'000'000, kSome = 500'000;  // bytes of one chip's part
        const BufferGeometry geometry = buffer_geometry(output, device);
        const std::uint64_t by_size = geometry.size_bytes > kMuch ? 8 : geometry.size_bytes > kSome ? 4 : 2;
        const std::uint64_t count = std::min(by_size, ceil_div(geometry.num_pages, 2));
        const std::uint32_t width = device.compute_grid.x;
        std::vector<CoreRange> ranges;
        for (std::uint64_t direction = 0; direction < 2; ++direction) {
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
        return CoreRangeSet(std::move(ranges));
    }
};

Tensor gathered(const Tensor& input, std::size_t dim, const MemoryConfig& memory_config) {
    const auto chips = static_cast<std::uint32_t>(input.device().chips().size());
    return launch(AllGatherOperation{dim, chips, memory_config}, {input});
}

Tensor scattered(const Tensor& input, std::size_t dim, const MemoryConfig& memory_config) {
    const auto chips = static_cast<std::uint32_t>(input.device().chips().size());
    std::vector<Tensor> outputs = launch_all(ReduceScatterOperation{dim, chips, memory_config}, {input});
    const ScopedTensor halfway(std::move(outputs.at(1)));
    return outputs.at(0);
}

// An axis on which only some of the chips lie is not modelled.
void require_all_chips(const Tensor& input, std::optional<int> cluster_axis) {
    if (!cluster_axis || input.storage_type() == StorageType::HOST) return;
    const MeshShape shape = input.device().mesh_shape();
    const std::uint32_t chips = *cluster_axis == 0 ? shape.rows : shape.columns;
    require(chips == shape.size(), [&] {
        return "cluster_axis " + std::to_string(*cluster_axis) + ": expected an axis with all " +
               std::to_string(shape.size()) + " chips of the mesh, got one with " + std::to_string(chips);
    });
}

}  // namespace

Tensor AllGather::call() const {
    require_all_chips(input_tensor, cluster_axis);
    require_none(output_tensor, "all_gather", "output_tensor");
    require_none(sub_core_grids, "all_gather", "sub_core_grids");
    return in_operation(*this, [&] {
        require_on_device(input_tensor, "all_gather", "input_tensor");
        return gathered(input_tensor, input_tensor.shape().position(dim),
                        memory_config.value_or(input_tensor.memory_config()));
    });
}

Tensor ReduceScatter::call() const {
    require_all_chips(input_tensor, cluster_axis);
    require_none(intermediate_memory_config, "reduce_scatter", "intermediate_memory_config");
    require_none(output_tensor, "reduce_scatter", "output_tensor");
    return in_operation(*this, [&] {
        require_on_device(input_tensor, "reduce_scatter", "input_tensor");
        return scattered(input_tensor, input_tensor.shape().position(dim),
                         memory_config.value_or(input_tensor.memory_config()));
    });
}

Tensor AllReduce::call() const {
    require_all_chips(input_tensor, cluster_axis);
    return in_operation(*this, [&] {
        require_on_device(input_tensor, "all_reduce", "input_tensor");
        const auto chips = static_cast<std::uint32_t>(input_tensor.device().chips().size());
        const Shape& shape = input_tensor.shape();
        std::size_t dim = shape.rank();
        while (dim > 0 && !can_be_shared(shape, dim - 1, chips))
            --dim;
        require(dim != 0, "all_reduce: input_tensor: expected a dimension that ", chips,
                " chips can share in whole tiles, got ", shape);
        const MemoryConfig config = memory_config.value_or(input_tensor.memory_config());
        const ScopedTensor parts(scattered(input_tensor, dim - 1, config));
        return gathered(*parts, dim - 1, config);
    });
}

}  // namespace tilemeter
