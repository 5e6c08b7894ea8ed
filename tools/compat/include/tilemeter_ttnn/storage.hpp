// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What holds a tensor's values: buffers of the host, one for each chip of a mesh, or memory of a device; and how a tensor is
// spread over chips.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "tilemeter_ttnn/host_buffer.hpp"
#include "tilemeter_ttnn/mapping_config.hpp"
#include "tilemeter_ttnn/mesh.hpp"
#include "tilemeter_ttnn/tensor_spec.hpp"

namespace tt::tt_metal {

/// Parts along each axis of a distribution, what each axis does, and the chips of the parts.
class TensorTopology {
public:
    using Placements = ttsl::SmallVector<distributed::MeshMapperConfig::Placement>;

    /// One part, for one chip.
    TensorTopology();
    TensorTopology(distributed::MeshShape distribution_shape, Placements placements,
                   std::vector<distributed::MeshCoordinate> mesh_coords)
        : distribution_shape_(std::move(distribution_shape)),
          placements_(std::move(placements)),
          mesh_coords_(std::move(mesh_coords)) {}
    static TensorTopology create_fully_replicated_tensor_topology(const distributed::MeshShape& mesh_shape);
    static TensorTopology create_sharded_tensor_topology(const distributed::MeshShape& mesh_shape,
                                                         int shard_dim = 0);

    const distributed::MeshShape& distribution_shape() const { return distribution_shape_; }
    const Placements& placements() const { return placements_; }
    const std::vector<distributed::MeshCoordinate>& mesh_coords() const { return mesh_coords_; }
    bool operator==(const TensorTopology&) const = default;

private:
    distributed::MeshShape distribution_shape_{1};
    Placements placements_;
    std::vector<distributed::MeshCoordinate> mesh_coords_;
};
std::ostream& operator<<(std::ostream& out, const TensorTopology& topology);

/// A part of a buffer: bytes from its begin, and how many.
struct BufferRegion {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    bool operator==(const BufferRegion&) const = default;
};

/// Host buffers of a mesh, by the places of their chips.
class DistributedHostBuffer {
public:
    enum class ProcessShardExecutionPolicy : std::uint8_t { SEQUENTIAL, PARALLEL };

    static DistributedHostBuffer create(const distributed::MeshShape& shape) {
        return DistributedHostBuffer(shape);
    }

    /// The buffer of a chip; none where there is none yet. Throws std::runtime_error for a place outside the mesh.
    std::optional<HostBuffer> get_shard(const distributed::MeshCoordinate& place) const;
    void emplace_shard(const distributed::MeshCoordinate& place,
                       const std::function<HostBuffer()>& make_buffer);
    bool is_local(const distributed::MeshCoordinate& place) const;
    void apply(const std::function<void(const HostBuffer& buffer)>& function,
               ProcessShardExecutionPolicy policy = ProcessShardExecutionPolicy::SEQUENTIAL) const;
    DistributedHostBuffer transform(
        const std::function<HostBuffer(const HostBuffer& buffer)>& function,
        ProcessShardExecutionPolicy policy = ProcessShardExecutionPolicy::SEQUENTIAL) const;

    const distributed::MeshShape& shape() const { return shape_; }
    const std::set<distributed::MeshCoordinate>& shard_coords() const { return places_; }

private:
    explicit DistributedHostBuffer(distributed::MeshShape shape) : shape_(std::move(shape)) {}
    void require_inside(const distributed::MeshCoordinate& place) const;

    distributed::MeshShape shape_;
    std::map<distributed::MeshCoordinate, HostBuffer> buffers_;
    std::set<distributed::MeshCoordinate> places_;
};

class Buffer;

namespace distributed {

class MeshDevice;

/// The memory of a tensor on all chips of a mesh, at one address.
class MeshBuffer {
public:
    explicit MeshBuffer(std::shared_ptr<Buffer> buffer) : buffer_(std::move(buffer)) {}

    std::uint64_t address() const;
    std::uint64_t size() const;  ///< bytes, on each chip
    std::uint64_t device_local_size() const { return size(); }
    std::uint64_t page_size() const;  ///< bytes
    std::uint32_t num_pages() const;
    MeshDevice* device() const;
    Buffer* get_reference_buffer() const { return buffer_.get(); }
    Buffer* get_backing_buffer() const { return buffer_.get(); }
    bool is_allocated() const { return buffer_ != nullptr; }

private:
    std::shared_ptr<Buffer> buffer_;
};

}  // namespace distributed

/// Values on the host.
class HostStorage {
public:
    explicit HostStorage(DistributedHostBuffer buffer) : buffer_(std::move(buffer)) {}
    explicit HostStorage(HostBuffer buffer);
    const DistributedHostBuffer& buffer() const { return buffer_; }

private:
    DistributedHostBuffer buffer_;
};

/// Memory of a device.
struct DeviceStorage {
    std::vector<distributed::MeshCoordinate> coords;
    std::shared_ptr<distributed::MeshBuffer> mesh_buffer;

    bool is_allocated() const { return mesh_buffer != nullptr && mesh_buffer->is_allocated(); }
    /// Throws std::runtime_error where it was freed.
    const distributed::MeshBuffer& get_mesh_buffer() const;
    Buffer* get_buffer() const { return get_mesh_buffer().get_reference_buffer(); }
};

using Storage = std::variant<HostStorage, DeviceStorage>;

/// A tensor of a device without its handle: of no use once that has gone.
class MeshTensor {
public:
    MeshTensor(const TensorSpec& spec, distributed::MeshDevice& device) : spec_(&spec), device_(&device) {}

    const TensorSpec& tensor_spec() const { return *spec_; }
    const Shape& logical_shape() const { return spec_->logical_shape(); }
    const Shape& padded_shape() const { return spec_->padded_shape(); }
    DataType dtype() const { return spec_->data_type(); }
    Layout layout() const { return spec_->layout(); }
    const MemoryConfig& memory_config() const { return spec_->memory_config(); }
    distributed::MeshDevice& device() const { return *device_; }

private:
    const TensorSpec* spec_;
    distributed::MeshDevice* device_;
};

}  // namespace tt::tt_metal

namespace ttnn {
using tt::tt_metal::DeviceStorage;
using tt::tt_metal::HostStorage;
using tt::tt_metal::MeshTensor;
using tt::tt_metal::Storage;
using tt::tt_metal::TensorTopology;
class Tensor;
}  // namespace ttnn

namespace tt::tt_metal::host_buffer {
/// The values of a host tensor, of one chip. Throws std::runtime_error for a tensor of a device, or of several parts.
HostBuffer get_host_buffer(const ttnn::Tensor& tensor);
}  // namespace tt::tt_metal::host_buffer
