// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/ccl/internal/rings.hpp"

#include <cstring>
#include <utility>

#include "runtime/device/device.hpp"
#include "runtime/operations/core/require.hpp"

namespace tilemeter {

namespace {

// What `compute` makes of each ring's arrays, by chip.
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

}  // namespace

std::vector<HostArray> Rings::gather(ArraysView input_by_chip, std::size_t dim,
                                     const TensorSpec& output) const {
    return compute_in_rings(*this, input_by_chip,
                            [&](ArraysView ring) { return gathered(ring, dim, output); });
}

std::vector<HostArray> Rings::scatter(ArraysView input_by_chip, std::size_t dim,
                                      const TensorSpec& output) const {
    return compute_in_rings(*this, input_by_chip,
                            [&](ArraysView ring) { return scattered(ring, dim, output); });
}

std::vector<Rings> rings_of(const Tensor& input, std::optional<int> cluster_axis) {
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

bool can_be_shared(const Shape& shape, std::size_t dim, std::uint32_t chips) {
    const std::uint32_t size = shape.dimensions()[dim];
    const bool tiled = dim + 2 >= shape.rank();
    return tiled ? size % (kTileHeight * chips) == 0 : size % chips == 0;
}

std::size_t shared_dimension(const Shape& shape, std::uint32_t chips) {
    std::size_t dim = shape.rank();
    while (dim > 0 && !can_be_shared(shape, dim - 1, chips))
        --dim;
    require(dim != 0, "all_reduce: input_tensor: expected a dimension that ", chips,
            " chips can share in whole tiles, got ", shape);
    return dim - 1;
}

}  // namespace tilemeter
