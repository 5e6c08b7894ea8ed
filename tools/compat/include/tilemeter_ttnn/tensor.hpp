// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// ttnn::Tensor: a handle of a tensor on the host or on a device.

#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tilemeter_ttnn/bfloat16.hpp"
#include "tilemeter_ttnn/host_buffer.hpp"
#include "tilemeter_ttnn/mesh_device.hpp"
#include "tilemeter_ttnn/tensor_spec.hpp"
#include "tt_stl/optional_reference.hpp"

namespace tilemeter {
class Tensor;
namespace record {
struct BufferRecord;
}
}  // namespace tilemeter

namespace tt::tt_metal {

// tilemeter_ttnn/storage.hpp has them.
class DeviceStorage;
class HostStorage;
class MeshTensor;
class TensorTopology;
using Storage = std::variant<HostStorage, DeviceStorage>;

/// The memory of a device tensor.
class Buffer {
public:
    std::uint64_t address() const { return address_; }
    std::uint64_t size() const { return size_; }                            ///< bytes of all banks together
    std::uint64_t page_size() const { return page_size_; }                  ///< bytes
    std::uint64_t aligned_page_size() const { return aligned_page_size_; }  ///< bytes from a page to the next
    std::uint32_t num_pages() const {
        return static_cast<std::uint32_t>(page_size_ == 0 ? 0 : size_ / page_size_);
    }
    BufferType buffer_type() const { return buffer_type_; }
    TensorMemoryLayout buffer_layout() const { return layout_; }
    bool is_l1() const { return buffer_type_ == BufferType::L1 || buffer_type_ == BufferType::L1_SMALL; }
    bool is_dram() const { return buffer_type_ == BufferType::DRAM; }
    bool is_trace() const { return buffer_type_ == BufferType::TRACE; }
    distributed::MeshDevice* device() const { return device_; }
    std::size_t unique_id() const { return id_; }  ///< that of no other buffer of the process
    /// None for interleaved buffers.
    std::optional<std::uint32_t> num_cores() const {
        return num_cores_ == 0 ? std::nullopt : std::optional(num_cores_);
    }
    std::uint64_t aligned_size_per_bank() const { return size_per_bank_; }  ///< bytes of the fullest bank
    bool is_allocated() const { return size_ != 0; }

    Buffer(const tilemeter::record::BufferRecord& record, distributed::MeshDevice* device);
    Buffer(std::uint64_t address, std::uint64_t size, std::uint64_t page_size,
           std::uint64_t aligned_page_size, BufferType type, TensorMemoryLayout layout,
           distributed::MeshDevice* device)
        : address_(address),
          size_(size),
          page_size_(page_size),
          aligned_page_size_(aligned_page_size),
          buffer_type_(type),
          layout_(layout),
          device_(device) {}

private:
    std::uint64_t address_;
    std::uint64_t size_;
    std::uint64_t page_size_;
    std::uint64_t aligned_page_size_;
    BufferType buffer_type_;
    TensorMemoryLayout layout_;
    distributed::MeshDevice* device_;
    std::uint64_t id_ = 0;
    std::uint32_t num_cores_ = 0;
    std::uint64_t size_per_bank_ = 0;
};

}  // namespace tt::tt_metal

namespace ttnn {

namespace operations::core {
void deallocate(Tensor& tensor, bool force);
}

/// Copies are handles of the same tensor; the last one frees its memory.
class Tensor {
public:
    /// No tensor. Everything but is_allocated() throws std::runtime_error.
    Tensor() = default;
    Tensor(tt::tt_metal::HostBuffer buffer, tt::tt_metal::TensorSpec spec);
    Tensor(tt::tt_metal::HostBuffer buffer, const tt::tt_metal::Shape& shape, tt::tt_metal::DataType dtype,
           tt::tt_metal::Layout layout, const std::optional<tt::tt_metal::Tile>& tile = std::nullopt);

    /// A host tensor of these values, row by row; of `spec`'s dtype, layout and, where a device is given, on it.
    /// T: bfloat16, float, std::int32_t, std::uint8_t, std::uint16_t, std::uint32_t. Throws std::runtime_error unless
    /// there are as many as the shape has.
    template <typename T>
    static Tensor from_span(std::span<const T> values, const tt::tt_metal::TensorSpec& spec,
                            tt::tt_metal::distributed::MeshDevice* device = nullptr,
                            std::optional<QueueId> queue = std::nullopt, T pad_value = 0);
    template <typename T>
    static Tensor from_vector(const std::vector<T>& values, const tt::tt_metal::TensorSpec& spec,
                              tt::tt_metal::distributed::MeshDevice* device = nullptr,
                              std::optional<QueueId> queue = std::nullopt, T pad_value = 0) {
        return from_span<T>(std::span<const T>(values), spec, device, queue, pad_value);
    }
    /// A host tensor in memory of the caller's, which `pin` keeps. Its values are read once, when it is made.
    template <typename T>
    static Tensor from_borrowed_data(std::span<T> values, const tt::tt_metal::Shape& shape,
                                     tt::tt_metal::MemoryPin pin = {},
                                     const std::optional<tt::tt_metal::Tile>& tile = std::nullopt);
    /// Values row by row, of the first chip of a mesh. Throws std::runtime_error where none were computed.
    template <typename T>
    std::vector<T> to_vector(std::optional<QueueId> queue = std::nullopt) const;
    template <typename T>
    T item(std::optional<QueueId> queue = std::nullopt) const {
        return to_vector<T>(queue).at(0);
    }

    const tt::tt_metal::Shape& logical_shape() const;
    const tt::tt_metal::Shape& padded_shape() const;
    const tt::tt_metal::TensorSpec& tensor_spec() const;
    tt::tt_metal::DataType dtype() const;
    tt::tt_metal::Layout layout() const;
    std::uint64_t logical_volume() const;
    std::uint64_t physical_volume() const;
    std::uint32_t element_size() const;  ///< bytes
    const tt::tt_metal::MemoryConfig& memory_config() const;
    const std::optional<tt::tt_metal::ShardSpec>& shard_spec() const;
    const std::optional<tt::tt_metal::NdShardSpec>& nd_shard_spec() const;
    tt::tt_metal::StorageType storage_type() const;
    /// The values on the host, a copy of them, or the memory of the device.
    tt::tt_metal::Storage storage() const;
    const tt::tt_metal::TensorTopology& tensor_topology() const;
    bool is_scalar() const;
    bool is_sharded() const;
    bool is_allocated() const;
    tt::tt_metal::Strides strides() const;

    /// Null on the host.
    tt::tt_metal::distributed::MeshDevice* device() const;
    /// Null on the host, and after it was freed.
    tt::tt_metal::Buffer* buffer() const;
    /// The same without the handle, for as long as there is one. Throws std::runtime_error on the host.
    const tt::tt_metal::MeshTensor& mesh_tensor() const;
    /// Frees the memory of a device tensor: of all handles (`force`), or only where this is the last one.
    void deallocate(bool force = false);

    Tensor to_device(tt::tt_metal::distributed::MeshDevice* device,
                     ttsl::optional_reference<const tt::tt_metal::MemoryConfig> memory_config = std::nullopt,
                     std::optional<QueueId> queue = std::nullopt) const;
    Tensor cpu(bool blocking = true, std::optional<QueueId> queue = std::nullopt) const;
    Tensor to_layout(tt::tt_metal::Layout layout) const;
    Tensor reshape(const tt::tt_metal::Shape& shape) const;
    std::string write_to_string() const;

    std::uint64_t id() const;
    std::uint64_t to_hash() const;  ///< of its spec and of the kind of memory it lies in

    /// The tensor of the model. Throws std::runtime_error where there is none.
    const tilemeter::Tensor& model() const;
    static Tensor of(tilemeter::Tensor model);

private:
    friend void operations::core::deallocate(Tensor& tensor, bool force);
    struct State;
    const State& state() const;
    std::shared_ptr<State> state_;
};
std::ostream& operator<<(std::ostream& out, const Tensor& tensor);

using Tensors = std::vector<Tensor>;
using OptionalTensor = std::optional<Tensor>;
using OptionalTensors = std::vector<std::optional<Tensor>>;

}  // namespace ttnn

namespace tt::tt_metal {
using ttnn::Tensor;
}  // namespace tt::tt_metal
