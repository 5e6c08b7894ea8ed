// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tilemeter_ttnn/storage.hpp"

#include <algorithm>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "runtime/device/device.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tilemeter_ttnn/tensor.hpp"
#include "tools/compat/src/storage.hpp"

namespace tt::tt_metal {

namespace {

template <typename T>
std::string text_of(const T& object) {
    std::ostringstream text;
    text << object;
    return text.str();
}

std::vector<distributed::MeshCoordinate> places_of(const distributed::MeshShape& shape) {
    std::vector<distributed::MeshCoordinate> places;
    for (const distributed::MeshCoordinate& each : distributed::MeshCoordinateRange(shape))
        places.push_back(each);
    return places;
}

// The bytes of a host tensor's elements, row by row, as TT-NN keeps them where the layout is ROW_MAJOR.
HostBuffer buffer_of(const tilemeter::HostArray& array) {
    if (tilemeter::is_block_float(array.dtype()))
        throw std::runtime_error("host_buffer: expected a type whose elements stand alone, found " +
                                 std::string(tilemeter::name_of(array.dtype())));
    const auto bytes = array.bytes();
    return HostBuffer(std::vector<std::byte>(bytes.begin(), bytes.end()));
}

}  // namespace

TensorTopology::TensorTopology()
    : placements_({distributed::MeshMapperConfig::Replicate()}),
      mesh_coords_({distributed::MeshCoordinate(0)}) {}

TensorTopology TensorTopology::create_fully_replicated_tensor_topology(
    const distributed::MeshShape& mesh_shape) {
    return {distributed::MeshShape(static_cast<std::uint32_t>(mesh_shape.mesh_size())),
            {distributed::MeshMapperConfig::Replicate()},
            places_of(mesh_shape)};
}
TensorTopology TensorTopology::create_sharded_tensor_topology(const distributed::MeshShape& mesh_shape,
                                                              int shard_dim) {
    return {distributed::MeshShape(static_cast<std::uint32_t>(mesh_shape.mesh_size())),
            {distributed::MeshMapperConfig::Shard{shard_dim}},
            places_of(mesh_shape)};
}

std::ostream& operator<<(std::ostream& out, const TensorTopology& topology) {
    out << "TensorTopology(distribution_shape=" << topology.distribution_shape()
        << ", placements=SmallVector([";
    const char* comma = "";
    for (const auto& each : topology.placements()) {
        out << comma;
        if (const auto* shard = std::get_if<distributed::MeshMapperConfig::Shard>(&each))
            out << "PlacementShard(" << shard->dim << ")";
        else
            out << "PlacementReplicate()";
        comma = ", ";
    }
    out << "]), mesh_coords=";
    comma = "";
    for (const distributed::MeshCoordinate& each : topology.mesh_coords()) {
        out << comma << each;
        comma = ", ";
    }
    return out << ")";
}

bool DistributedHostBuffer::is_local(const distributed::MeshCoordinate& place) const {
    return place.dims() == shape_.dims() && distributed::MeshCoordinateRange(shape_).contains(place);
}

void DistributedHostBuffer::require_inside(const distributed::MeshCoordinate& place) const {
    if (!is_local(place))
        throw std::runtime_error("DistributedHostBuffer: expected a place within " + text_of(shape_) +
                                 ", found " + text_of(place));
}

std::optional<HostBuffer> DistributedHostBuffer::get_shard(const distributed::MeshCoordinate& place) const {
    require_inside(place);
    const auto found = buffers_.find(place);
    return found == buffers_.end() ? std::nullopt : std::optional(found->second);
}

void DistributedHostBuffer::emplace_shard(const distributed::MeshCoordinate& place,
                                          const std::function<HostBuffer()>& make_buffer) {
    require_inside(place);
    buffers_.insert_or_assign(place, make_buffer());
    places_.insert(place);
}

void DistributedHostBuffer::apply(const std::function<void(const HostBuffer& buffer)>& function,
                                  ProcessShardExecutionPolicy /*policy*/) const {
    for (const auto& [place, buffer] : buffers_)
        function(buffer);
}

DistributedHostBuffer DistributedHostBuffer::transform(
    const std::function<HostBuffer(const HostBuffer& buffer)>& function,
    ProcessShardExecutionPolicy /*policy*/) const {
    DistributedHostBuffer transformed(shape_);
    for (const auto& [place, buffer] : buffers_)
        transformed.emplace_shard(place, [&] { return function(buffer); });
    return transformed;
}

namespace distributed {
std::uint64_t MeshBuffer::address() const {
    return buffer_->address();
}
std::uint64_t MeshBuffer::size() const {
    return buffer_->size();
}
std::uint64_t MeshBuffer::page_size() const {
    return buffer_->page_size();
}
std::uint32_t MeshBuffer::num_pages() const {
    return buffer_->num_pages();
}
MeshDevice* MeshBuffer::device() const {
    return buffer_->device();
}
}  // namespace distributed

HostStorage::HostStorage(HostBuffer buffer)
    : buffer_(DistributedHostBuffer::create(distributed::MeshShape(1, 1))) {
    buffer_.emplace_shard(distributed::MeshCoordinate(0, 0), [&] { return std::move(buffer); });
}

const distributed::MeshBuffer& DeviceStorage::get_mesh_buffer() const {
    if (mesh_buffer == nullptr) throw std::runtime_error("Buffer is not allocated");
    return *mesh_buffer;
}

namespace host_buffer {
HostBuffer get_host_buffer(const ttnn::Tensor& tensor) {
    const tilemeter::Tensor& model = tensor.model();
    if (model.storage_type() != tilemeter::StorageType::HOST)
        throw std::runtime_error("get_host_buffer: expected a tensor on the host, found one on a device");
    if (model.has_values() && model.chip_values()->size() > 1)
        throw std::runtime_error("get_host_buffer: expected a tensor of one part, found " +
                                 std::to_string(model.chip_values()->size()));
    return buffer_of(model.values());
}
}  // namespace host_buffer

}  // namespace tt::tt_metal

namespace tilemeter::compat {

namespace metal = ::tt::tt_metal;

metal::TensorTopology topology_of(const Tensor& tensor) {
    const bool is_on_device = tensor.storage_type() == StorageType::DEVICE;
    const std::shared_ptr<const Distribution>& spread = tensor.distribution();
    metal::distributed::MeshShape mesh(1);
    if (is_on_device)
        mesh = metal::distributed::MeshShape(tensor.device().mesh_shape().rows,
                                             tensor.device().mesh_shape().columns);
    else if (spread)
        mesh = metal::distributed::MeshShape(std::span<const std::uint32_t>(spread->parts));
    if (!spread) return metal::TensorTopology::create_fully_replicated_tensor_topology(mesh);
    metal::TensorTopology::Placements placements;
    for (const std::optional<int>& dim : spread->dimensions) {
        if (dim)
            placements.emplace_back(metal::distributed::MeshMapperConfig::Shard{*dim});
        else
            placements.emplace_back(metal::distributed::MeshMapperConfig::Replicate());
    }
    return {metal::distributed::MeshShape(std::span<const std::uint32_t>(spread->parts)),
            std::move(placements), metal::places_of(mesh)};
}

metal::HostStorage host_storage_of(const Tensor& tensor) {
    const metal::TensorTopology topology = topology_of(tensor);
    auto buffers = metal::DistributedHostBuffer::create(topology.distribution_shape());
    const auto places = metal::places_of(topology.distribution_shape());
    for (std::size_t chip = 0; chip < places.size(); ++chip)
        buffers.emplace_shard(places[chip], [&] { return metal::buffer_of(tensor.values(chip)); });
    return metal::HostStorage(std::move(buffers));
}

}  // namespace tilemeter::compat
