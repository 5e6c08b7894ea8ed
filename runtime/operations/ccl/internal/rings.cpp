// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/ccl/internal/rings.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "runtime/device/buffer_geometry.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/ccl/fabric.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

// The results of `compute` for each ring's arrays, by chip.
template <typename Compute>
std::vector<HostArray> compute_in_rings(const Rings& rings, ArraysView input_by_chip,
                                        const Compute& compute) {
    std::vector<HostArray> results(input_by_chip.size());
    for (std::size_t ring = 0; ring < rings.count(); ++ring) {
        std::vector<const HostArray*> inputs;
        for (std::size_t place = 0; place < rings.size(); ++place)
            inputs.push_back(input_by_chip[rings.chip(ring, place)]);
        std::vector<HostArray> made = compute(ArraysView(inputs));
        for (std::size_t place = 0; place < rings.size(); ++place)
            results[rings.chip(ring, place)] = std::move(made[place]);
    }
    return results;
}

std::vector<HostArray> gathered(ArraysView input_by_chip, std::size_t dim, const TensorSpec& output) {
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

std::vector<HostArray> scattered(ArraysView input_by_chip, std::size_t dim, const TensorSpec& output) {
    std::vector<double> sums(input_by_chip[0]->shape().volume(), 0.0);
    for (const HostArray* chip : input_by_chip) {
        const std::vector<float> values = chip->to_floats();
        for (std::size_t i = 0; i < sums.size(); ++i)
            sums[i] += values[i];
    }
    const Shape& whole = input_by_chip[0]->shape();
    std::size_t outer = 1, inner = 1;
    for (std::size_t i = 0; i < whole.rank(); ++i) {
        if (i < dim) outer *= whole.dimensions()[i];
        if (i > dim) inner *= whole.dimensions()[i];
    }
    // Each chip gets as many tiles; what it then has of the padding behind the last element is zeros.
    const std::size_t chips = input_by_chip.size(), length = whole.dimensions()[dim];
    const std::size_t share =
        length % chips == 0 ? length / chips : ceil_div(length, kTileHeight) / chips * kTileHeight;
    const std::size_t kept = output.shape.dimensions()[dim];
    std::vector<HostArray> parts;
    for (std::size_t chip = 0; chip < chips; ++chip) {
        std::vector<float> part(output.shape.volume(), 0.0F);
        const std::size_t first = std::min(chip * share, length);
        const std::size_t count = std::min(kept, length - first) * inner;
        for (std::size_t i = 0; i < outer; ++i) {
            const auto from = sums.begin() + static_cast<std::ptrdiff_t>((i * length + first) * inner);
            std::copy(from, from + static_cast<std::ptrdiff_t>(count),
                      part.begin() + static_cast<std::ptrdiff_t>(i * kept * inner));
        }
        parts.push_back(HostArray::from_floats(part, output.dtype, output.shape));
    }
    return parts;
}

// True if each chip can have the same number of whole tiles along that dimension.
bool can_be_shared(const Shape& shape, std::size_t dim, std::uint32_t chips) {
    const std::uint32_t size = shape.dimensions()[dim];
    const bool tiled = dim + 2 >= shape.rank();
    return tiled ? size % (kTileHeight * chips) == 0 : size % chips == 0;
}

std::uint64_t workers_for(std::uint64_t bytes_over_a_link) {
    constexpr std::uint64_t kMuch = 4'000'000, kSome = 500'000, kPacket = 4096;
    return bytes_over_a_link > kMuch     ? 8
           : bytes_over_a_link >= kSome  ? 4
           : bytes_over_a_link > kPacket ? 2
                                         : 1;
}

// For each link in each of two directions one core that talks to the other chip, not counted here, and after it those
// that add up. Along the rows of the grid.
CoreRangeSet cores_that_add(std::uint64_t links, std::uint64_t workers, const DeviceDescription& device) {
    const std::uint32_t width = device.compute_grid.x;
    std::vector<CoreRange> ranges;
    for (std::uint64_t direction = 0; direction < 2 * links; ++direction) {
        const std::uint64_t first = direction * (workers + 1) + 1;
        for (std::uint64_t i = first; i < first + workers; ++i) {
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
                             merged.back().end.x == range.end.x && merged.back().end.y + 1 == range.start.y;
        if (goes_on) {
            merged.back().end.y = range.end.y;
        } else {
            merged.push_back(range);
        }
    }
    return CoreRangeSet(std::move(merged));
}

}  // namespace

TensorSpec semaphore_spec(const DeviceDescription& device) {
    const auto cores = static_cast<std::uint32_t>(device.num_compute_cores());
    return {Shape{cores, 1},
            DataType::UINT32,
            Layout::ROW_MAJOR,
            {TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
             ShardSpec{whole_grid(device.compute_grid), {1, 1}}}};
}

std::vector<HostArray> Rings::gather(ArraysView input_by_chip, std::size_t dim, const TensorSpec& output,
                                     bool reversed) const {
    return compute_in_rings(*this, input_by_chip, [&](ArraysView ring) {
        std::vector<const HostArray*> parts(ring.begin(), ring.end());
        if (reversed) std::reverse(parts.begin(), parts.end());
        return gathered(ArraysView(parts), dim, output);
    });
}

std::vector<HostArray> Rings::scatter(ArraysView input_by_chip, std::size_t dim,
                                      const TensorSpec& output) const {
    return compute_in_rings(*this, input_by_chip,
                            [&](ArraysView ring) { return scattered(ring, dim, output); });
}

std::vector<Rings> rings_of(const Tensor& input, std::optional<int> cluster_axis) {
    require(is_fabric_on(),
            "Trying to get un-initialized fabric context: call set_fabric_config before the mesh is opened");
    const MeshShape mesh = input.device().mesh_shape();
    if (cluster_axis) {
        require(*cluster_axis == 0 || *cluster_axis == 1, "cluster_axis: expected 0 or 1, got ",
                *cluster_axis);
        return {{mesh, cluster_axis}};
    }
    if (mesh.rows == 1 || mesh.columns == 1) return {{mesh, std::nullopt}};
    return {{mesh, 0}, {mesh, 1}};
}

void require_interleaved(const std::string& operation, const TensorSpec& input, const MemoryConfig& result) {
    require(!input.memory_config.is_sharded() && !result.is_sharded(), operation,
            ": input_tensor: expected INTERLEAVED input and result, got ",
            name_of(input.memory_config.memory_layout));
}

std::optional<std::size_t> shared_dimension(const Shape& shape, std::uint32_t chips) {
    std::size_t dim = shape.rank();
    while (dim > 0 && !can_be_shared(shape, dim - 1, chips))
        --dim;
    if (dim == 0) return std::nullopt;
    return dim - 1;
}

void require_scattered(const std::string& operation, const TensorSpec& input, std::size_t dim,
                       std::uint32_t ring_size, const MemoryConfig& result) {
    require_interleaved(operation, input, result);
    require(input.layout == Layout::TILE && is_floating_point(input.dtype), operation,
            ": input_tensor: expected floating point in TILE layout, got ", name_of(input.dtype), " in ",
            name_of(input.layout));
    require_whole_parts(operation, input.shape, dim, ring_size);
    const std::uint32_t size = input.shape.dimensions()[dim];
    if (dim + 2 < input.shape.rank()) {
        require(size % ring_size == 0, "Dimension ", dim, " must be divisible by ring_size");
    } else {
        require(ceil_div(size, kTileHeight) % ring_size == 0, "Number of tiles at dimension ", dim,
                " must be divisible by ring_size");
    }
}

void require_whole_parts(const std::string& operation, const Shape& shape, std::size_t dim,
                         std::uint32_t chips) {
    const std::uint32_t size = shape.dimensions()[dim];
    require(size % chips != 0 || dim + 2 < shape.rank() || size / chips % kTileHeight == 0, operation,
            ": dim: expected whole tiles for each of ", chips, " chips, got ", size, " of ", shape);
}

ScatteredSpecs scattered_specs(const TensorSpec& input, std::size_t dim, std::uint32_t ring_size,
                               const MemoryConfig& memory_config) {
    ScatteredSpecs specs{input, input};
    const auto axis = static_cast<std::int64_t>(dim);
    specs.part.shape.set(axis, specs.part.shape[axis] / ring_size);
    specs.part.memory_config = memory_config;
    Shape& halfway = specs.halfway.shape;
    halfway = halfway.to_rank(std::max<std::size_t>(halfway.rank(), 3));
    halfway.set(0, 2 * halfway[0]);
    return specs;
}

std::vector<ProgramMemory> reduce_scatter_buffers(const TensorSpec& input, const TensorSpec& part,
                                                  std::uint32_t ring_size, const Links& links,
                                                  const DeviceDescription& device) {
    constexpr std::size_t kBuffers = 4;
    const std::uint64_t page = buffer_geometry(input, device).page_size_bytes;
    // So many pages go at once: four packets, or two of four pages.
    const std::uint64_t packet = std::max<std::uint64_t>(kPacketBytes / page, 1);
    const std::uint64_t pages = packet < 4 ? 4 * packet : 8;
    const std::uint64_t moved = buffer_geometry(part, device).size_bytes * (ring_size - 1) / links.count;
    const CoreRangeSet cores =
        cores_that_add(links.count, links.workers ? *links.workers : workers_for(moved), device);
    return circular_buffers(std::vector<std::uint64_t>(kBuffers, 3 * pages * page), cores);
}

}  // namespace tilemeter
