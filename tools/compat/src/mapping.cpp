// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tilemeter_ttnn/mapping.hpp"

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tools/compat/src/model.hpp"

namespace ttnn::distributed {

namespace {

using tilemeter::HostArray;
using Places = std::vector<std::uint32_t>;

// Walks the elements of a block within a whole, row by row: `copy(number in the block, number in the whole)`.
template <typename Copy>
void walk_block(const tilemeter::Shape& whole, const Places& offsets, const tilemeter::Shape& block,
                const Copy& copy) {
    Places place(block.rank(), 0);
    const std::uint64_t count = block.volume();
    for (std::uint64_t number = 0; number < count; ++number) {
        std::uint64_t in_whole = 0;
        for (std::size_t axis = 0; axis < place.size(); ++axis)
            in_whole = in_whole * whole.dimensions()[axis] + offsets[axis] + place[axis];
        copy(number, in_whole);
        for (std::size_t axis = place.size(); axis-- > 0;) {
            if (++place[axis] < block.dimensions()[axis]) break;
            place[axis] = 0;
        }
    }
}

template <typename Numbers, typename Make>
HostArray cut_numbers(const Numbers& numbers, const tilemeter::Shape& whole, const Places& offsets,
                      const tilemeter::Shape& part, const Make& make) {
    Numbers taken(part.volume());
    walk_block(whole, offsets, part,
               [&](std::uint64_t to, std::uint64_t from) { taken[to] = numbers[from]; });
    return make(taken);
}

HostArray cut(const HostArray& whole, const Places& offsets, const tilemeter::Shape& part) {
    if (tilemeter::is_floating_point(whole.dtype()))
        return cut_numbers(whole.to_floats(), whole.shape(), offsets, part,
                           [&](const std::vector<float>& values) {
                               return HostArray::from_floats(values, whole.dtype(), part);
                           });
    return cut_numbers(whole.to_integers(), whole.shape(), offsets, part,
                       [&](const std::vector<std::int64_t>& values) {
                           return HostArray::from_integers(values, whole.dtype(), part);
                       });
}

// The values of blocks, each at its offsets, as one array.
HostArray joined(const std::vector<HostArray>& blocks, const std::vector<Places>& offsets,
                 const tilemeter::Shape& whole) {
    const tilemeter::DataType dtype = blocks.front().dtype();
    const auto fill = [&](auto numbers, const auto& read) {
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            const auto values = read(blocks[i]);
            walk_block(whole, offsets[i], blocks[i].shape(),
                       [&](std::uint64_t from, std::uint64_t to) { numbers[to] = values[from]; });
        }
        return numbers;
    };
    if (tilemeter::is_floating_point(dtype))
        return HostArray::from_floats(
            fill(std::vector<float>(whole.volume()), [](const HostArray& b) { return b.to_floats(); }), dtype,
            whole);
    return HostArray::from_integers(
        fill(std::vector<std::int64_t>(whole.volume()), [](const HostArray& b) { return b.to_integers(); }),
        dtype, whole);
}

std::size_t axis_of(int dim, std::size_t rank) {
    const int axis = dim < 0 ? dim + static_cast<int>(rank) : dim;
    if (axis < 0 || axis >= static_cast<int>(rank))
        throw std::runtime_error("mesh mapper: dimension " + std::to_string(dim) + " of a tensor of rank " +
                                 std::to_string(rank));
    return static_cast<std::size_t>(axis);
}

// The chips of a mesh in their order, each with its place along the axes.
std::vector<Places> places_of(const MeshShape& shape) {
    std::vector<Places> places;
    for (const MeshCoordinate& each : MeshCoordinateRange(shape))
        places.emplace_back(each.coords().begin(), each.coords().end());
    return places;
}

void require_axes(std::size_t found, const MeshShape& shape, const char* what) {
    if (found != shape.dims())
        throw std::runtime_error(std::string(what) + ": expected one for each of the " +
                                 std::to_string(shape.dims()) + " axes of the mesh, found " +
                                 std::to_string(found));
}

tilemeter::Tensor on_host(const Tensor& tensor) {
    const tilemeter::Tensor& model = tensor.model();
    return model.storage_type() == tilemeter::StorageType::HOST ? model : tilemeter::download(model);
}

}  // namespace

TensorToMesh TensorToMesh::create(const MeshDevice& mesh_device, const MeshMapperConfig& config) {
    return create(mesh_device.shape(), config);
}

TensorToMesh TensorToMesh::create(const MeshShape& mesh_shape, const MeshMapperConfig& config) {
    MeshShape shape = config.mesh_shape_override ? *config.mesh_shape_override : mesh_shape;
    require_axes(config.placements.size(), shape, "mesh mapper: placements");
    return {std::move(shape), config};
}

Tensor TensorToMesh::operator()(const Tensor& tensor) const {
    const tilemeter::Tensor host = on_host(tensor);
    tilemeter::TensorSpec spec = host.spec();
    tilemeter::Distribution distribution;
    for (std::size_t axis = 0; axis < shape_.dims(); ++axis) {
        const std::uint32_t parts = shape_.view()[axis];
        const auto* shard = std::get_if<MeshMapperConfig::Shard>(&config_.placements[axis]);
        distribution.parts.push_back(parts);
        distribution.dimensions.push_back(shard != nullptr ? std::optional<int>(shard->dim) : std::nullopt);
        if (shard == nullptr) continue;
        const std::size_t dim = axis_of(shard->dim, spec.shape.rank());
        const std::uint32_t size = spec.shape.dimensions()[dim];
        if (size % parts != 0)
            throw std::runtime_error("mesh mapper: expected equal parts, found " + std::to_string(size) +
                                     " along dimension " + std::to_string(dim) + " for " +
                                     std::to_string(parts) + " chips");
        spec.shape.set(static_cast<std::int64_t>(dim), size / parts);
    }
    tilemeter::ChipValues values;
    if (host.has_values()) {
        const HostArray whole = host.values();
        for (const Places& place : places_of(shape_)) {
            Places offsets(spec.shape.rank(), 0);
            for (std::size_t axis = 0; axis < place.size(); ++axis)
                if (const auto* shard = std::get_if<MeshMapperConfig::Shard>(&config_.placements[axis])) {
                    const std::size_t dim = axis_of(shard->dim, spec.shape.rank());
                    offsets[dim] = place[axis] * spec.shape.dimensions()[dim];
                }
            values.push_back(cut(whole, offsets, spec.shape));
        }
    }
    tilemeter::Tensor spread = values.empty() ? tilemeter::Tensor::planned_on_host(spec)
                                              : tilemeter::Tensor::on_host(spec, std::move(values));
    spread.set_distribution(std::make_shared<const tilemeter::Distribution>(std::move(distribution)));
    return Tensor::of(std::move(spread));
}

MeshToTensor MeshToTensor::create(const MeshDevice& mesh_device, const MeshComposerConfig& config) {
    MeshShape shape = config.mesh_shape_override ? *config.mesh_shape_override : mesh_device.shape();
    require_axes(config.dims.size(), shape, "mesh composer: dims");
    return {std::move(shape), config};
}

Tensor MeshToTensor::compose(const Tensor& tensor) const {
    const tilemeter::Tensor host = on_host(tensor);
    tilemeter::TensorSpec spec = host.spec();
    const tilemeter::Shape part = spec.shape;
    std::vector<std::size_t> dims;
    for (std::size_t axis = 0; axis < shape_.dims(); ++axis) {
        dims.push_back(axis_of(config_.dims[axis], part.rank()));
        spec.shape.set(static_cast<std::int64_t>(dims.back()),
                       spec.shape.dimensions()[dims.back()] * shape_.view()[axis]);
    }
    if (!host.has_values()) return Tensor::of(tilemeter::Tensor::planned_on_host(spec));
    std::vector<HostArray> blocks;
    std::vector<Places> offsets;
    for (const Places& place : places_of(shape_)) {
        Places offset(part.rank(), 0);
        for (std::size_t axis = 0; axis < place.size(); ++axis)
            offset[dims[axis]] =
                offset[dims[axis]] * shape_.view()[axis] + place[axis] * part.dimensions()[dims[axis]];
        offsets.push_back(std::move(offset));
        blocks.push_back(host.values(blocks.size()));
    }
    return Tensor::of(tilemeter::Tensor::on_host(spec, joined(blocks, offsets, spec.shape)));
}

std::unique_ptr<TensorToMesh> create_mesh_mapper(MeshDevice& mesh_device, const MeshMapperConfig& config) {
    return std::make_unique<TensorToMesh>(TensorToMesh::create(mesh_device, config));
}
std::unique_ptr<TensorToMesh> create_mesh_mapper(const MeshShape& mesh_shape,
                                                 const MeshMapperConfig& config) {
    return std::make_unique<TensorToMesh>(TensorToMesh::create(mesh_shape, config));
}

std::unique_ptr<TensorToMesh> replicate_tensor_to_mesh_mapper(MeshDevice& mesh_device) {
    MeshMapperConfig config;
    config.placements.assign(mesh_device.shape().dims(), MeshMapperConfig::Replicate());
    return create_mesh_mapper(mesh_device, config);
}

std::unique_ptr<TensorToMesh> shard_tensor_to_mesh_mapper(MeshDevice& mesh_device, int dim,
                                                          std::optional<int> cluster_axis) {
    MeshMapperConfig config;
    if (cluster_axis) {
        config.placements.assign(mesh_device.shape().dims(), MeshMapperConfig::Replicate());
        config.placements.at(axis_of(*cluster_axis, mesh_device.shape().dims())) =
            MeshMapperConfig::Shard{dim};
    } else {
        config.placements = {MeshMapperConfig::Shard{dim}};
        config.mesh_shape_override = MeshShape(static_cast<std::uint32_t>(mesh_device.num_devices()));
    }
    return create_mesh_mapper(mesh_device, config);
}

std::unique_ptr<MeshToTensor> create_mesh_composer(MeshDevice& mesh_device,
                                                   const MeshComposerConfig& config) {
    return std::make_unique<MeshToTensor>(MeshToTensor::create(mesh_device, config));
}
std::unique_ptr<MeshToTensor> concat_mesh_to_tensor_composer(MeshDevice& mesh_device, int dim) {
    MeshComposerConfig config;
    config.dims = {dim};
    config.mesh_shape_override = MeshShape(static_cast<std::uint32_t>(mesh_device.num_devices()));
    return create_mesh_composer(mesh_device, config);
}

Tensor distribute_tensor(const Tensor& tensor, const TensorToMesh& mapper,
                         std::optional<std::reference_wrapper<MeshDevice>> mesh_device,
                         std::optional<QueueId> queue) {
    const Tensor spread = mapper(tensor);
    return mesh_device ? spread.to_device(&mesh_device->get(), std::nullopt, queue) : spread;
}

Tensor aggregate_tensor(const Tensor& tensor, const MeshToTensor& composer) {
    return composer.compose(tensor);
}

Tensor from_host_shards(const std::vector<Tensor>& tensor_shards, const MeshShape& mesh_shape,
                        int shard_dim) {
    if (tensor_shards.empty() || tensor_shards.size() != mesh_shape.mesh_size())
        throw std::runtime_error("from_host_shards: expected " + std::to_string(mesh_shape.mesh_size()) +
                                 " tensors, found " + std::to_string(tensor_shards.size()));
    tilemeter::ChipValues values;
    for (const Tensor& each : tensor_shards) {
        if (each.logical_shape() != tensor_shards.front().logical_shape() ||
            each.dtype() != tensor_shards.front().dtype())
            throw std::runtime_error("from_host_shards: expected tensors of one shape and type");
        values.push_back(on_host(each).values());
    }
    tilemeter::Tensor whole =
        tilemeter::Tensor::on_host(tensor_shards.front().model().spec(), std::move(values));
    whole.set_distribution(std::make_shared<const tilemeter::Distribution>(
        tilemeter::Distribution{{static_cast<std::uint32_t>(tensor_shards.size())}, {shard_dim}}));
    return Tensor::of(std::move(whole));
}

}  // namespace ttnn::distributed
