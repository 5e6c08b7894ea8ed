// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tilemeter_ttnn/tensor.hpp"

#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "capture/log/log.hpp"
#include "capture/record/records.hpp"
#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/definitions.hpp"
#include "runtime/tensor/tensor.hpp"
#include "runtime/types/rounding.hpp"
#include "tilemeter_ttnn/bfloat16.hpp"
#include "tools/compat/src/fatal.hpp"
#include "tools/compat/src/model.hpp"
#include "tools/compat/src/storage.hpp"

namespace tt::tt_metal {

namespace {

/// The bytes from a page to the next: those of the memory's alignment.
std::uint64_t page_step(const tilemeter::record::BufferRecord& record,
                        const distributed::MeshDevice* device) {
    if (device == nullptr) return record.page_size_bytes;
    const tilemeter::DeviceDescription& description = device->model()->description();
    const std::uint64_t unit = static_cast<BufferType>(record.memory) == BufferType::DRAM
                                   ? description.dram_alignment
                                   : description.l1_alignment;
    return tilemeter::round_up(record.page_size_bytes, unit);
}

}  // namespace

Buffer::Buffer(const tilemeter::record::BufferRecord& record, distributed::MeshDevice* device)
    : Buffer(record.address, record.size_bytes, record.page_size_bytes, page_step(record, device),
             static_cast<BufferType>(record.memory), static_cast<TensorMemoryLayout>(record.layout), device) {
    id_ = static_cast<std::uint64_t>(record.buffer);
    num_cores_ = record.num_cores;
    size_per_bank_ = record.size_per_bank_bytes;
}

}  // namespace tt::tt_metal

namespace ttnn {

namespace metal = tt::tt_metal;
using tilemeter::compat::as_fatal;
using tilemeter::compat::to_model;

struct Tensor::State {
    tilemeter::Tensor model;
    metal::TensorSpec spec;
    mutable std::optional<metal::Buffer> buffer{};
    mutable std::optional<metal::TensorTopology> topology{};
    mutable std::optional<metal::MeshTensor> mesh_tensor{};

    explicit State(tilemeter::Tensor tensor)
        : model(std::move(tensor)), spec(tilemeter::compat::from_model(model.spec())) {}
    // The last handle frees, and TT-NN shows a function for it.
    ~State() {
        try {
            if (model.storage_type() == tilemeter::StorageType::DEVICE) model.deallocate(false);
        } catch (const std::exception& error) {
            tilemeter::logging::error({"a tensor was freed with its last handle: ", error.what()});
        }
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
};

const Tensor::State& Tensor::state() const {
    if (!state_)
        throw std::runtime_error("Tensor: expected a tensor, found one that was made without anything");
    return *state_;
}

Tensor Tensor::of(tilemeter::Tensor model) {
    Tensor tensor;
    tensor.state_ = std::make_shared<State>(std::move(model));
    return tensor;
}
const tilemeter::Tensor& Tensor::model() const {
    return state().model;
}

namespace {

template <typename T>
tilemeter::HostArray array_of(std::span<const T> values, tilemeter::DataType dtype,
                              const tilemeter::Shape& shape) {
    if (values.size() != shape.volume())
        throw std::runtime_error("Tensor: expected " + std::to_string(shape.volume()) + " elements for " +
                                 shape.to_string() + ", found " + std::to_string(values.size()));
    if constexpr (std::is_integral_v<T>)
        return tilemeter::HostArray::from_integers(std::vector<std::int64_t>(values.begin(), values.end()),
                                                   dtype, shape);
    else
        return tilemeter::HostArray::from_floats(std::vector<float>(values.begin(), values.end()), dtype,
                                                 shape);
}

tilemeter::HostArray array_of(const metal::HostBuffer& buffer, tilemeter::DataType dtype,
                              const tilemeter::Shape& shape) {
    switch (dtype) {
        case tilemeter::DataType::FLOAT32:
            return array_of(buffer.view_as<float>(), dtype, shape);
        case tilemeter::DataType::BFLOAT16:
            return array_of(buffer.view_as<::bfloat16>(), dtype, shape);
        case tilemeter::DataType::UINT32:
            return array_of(buffer.view_as<std::uint32_t>(), dtype, shape);
        case tilemeter::DataType::INT32:
            return array_of(buffer.view_as<std::int32_t>(), dtype, shape);
        case tilemeter::DataType::UINT16:
            return array_of(buffer.view_as<std::uint16_t>(), dtype, shape);
        case tilemeter::DataType::UINT8:
            return array_of(buffer.view_as<std::uint8_t>(), dtype, shape);
        default:
            throw std::runtime_error("Tensor: values of block formats cannot be taken from a host buffer");
    }
}

template <typename T>
constexpr metal::DataType kTypeOf = metal::DataType::INVALID;
template <>
constexpr metal::DataType kTypeOf<::bfloat16> = metal::DataType::BFLOAT16;
template <>
constexpr metal::DataType kTypeOf<float> = metal::DataType::FLOAT32;
template <>
constexpr metal::DataType kTypeOf<std::int32_t> = metal::DataType::INT32;
template <>
constexpr metal::DataType kTypeOf<std::uint32_t> = metal::DataType::UINT32;
template <>
constexpr metal::DataType kTypeOf<std::uint16_t> = metal::DataType::UINT16;
template <>
constexpr metal::DataType kTypeOf<std::uint8_t> = metal::DataType::UINT8;

}  // namespace

Tensor::Tensor(metal::HostBuffer buffer, metal::TensorSpec spec) {
    const tilemeter::TensorSpec model = to_model(spec);
    *this = of(tilemeter::Tensor::on_host(model, array_of(buffer, model.dtype, model.shape)));
}

Tensor::Tensor(metal::HostBuffer buffer, const metal::Shape& shape, metal::DataType dtype,
               metal::Layout layout, const std::optional<metal::Tile>& tile)
    : Tensor(std::move(buffer),
             metal::TensorSpec(shape, metal::TensorLayout(dtype, metal::PageConfig(layout, tile), {}))) {}

template <typename T>
Tensor Tensor::from_span(std::span<const T> values, const metal::TensorSpec& spec,
                         metal::distributed::MeshDevice* device, std::optional<QueueId> queue,
                         T /*pad_value*/) {
    const tilemeter::TensorSpec model = to_model(spec);
    Tensor tensor = of(tilemeter::Tensor::on_host(model, array_of(values, model.dtype, model.shape)));
    return device == nullptr ? tensor : tensor.to_device(device, spec.memory_config(), queue);
}

template <typename T>
Tensor Tensor::from_borrowed_data(std::span<T> values, const metal::Shape& shape, metal::MemoryPin pin,
                                  const std::optional<metal::Tile>& tile) {
    return Tensor(metal::HostBuffer(values, std::move(pin)), shape, kTypeOf<T>, metal::Layout::ROW_MAJOR,
                  tile);
}

template <typename T>
std::vector<T> Tensor::to_vector(std::optional<QueueId> /*queue*/) const {
    return as_fatal("Tensor::to_vector", [&]() -> std::vector<T> {
        const tilemeter::Tensor host =
            model().storage_type() == tilemeter::StorageType::DEVICE ? tilemeter::download(model()) : model();
        if constexpr (std::is_same_v<T, ::bfloat16>) {
            const std::vector<float> values = host.to_vector<float>();
            return {values.begin(), values.end()};
        } else {
            return host.to_vector<T>();
        }
    });
}

#define TILEMETER_TENSOR_OF(T)                                                                         \
    template Tensor Tensor::from_span<T>(std::span<const T>, const metal::TensorSpec&,                 \
                                         metal::distributed::MeshDevice*, std::optional<QueueId>, T);  \
    template Tensor Tensor::from_borrowed_data<T>(std::span<T>, const metal::Shape&, metal::MemoryPin, \
                                                  const std::optional<metal::Tile>&);                  \
    template std::vector<T> Tensor::to_vector<T>(std::optional<QueueId>) const;
TILEMETER_TENSOR_OF(::bfloat16)
TILEMETER_TENSOR_OF(float)
TILEMETER_TENSOR_OF(std::int32_t)
TILEMETER_TENSOR_OF(std::uint8_t)
TILEMETER_TENSOR_OF(std::uint16_t)
TILEMETER_TENSOR_OF(std::uint32_t)
#undef TILEMETER_TENSOR_OF

const metal::Shape& Tensor::logical_shape() const {
    return state().spec.logical_shape();
}
const metal::Shape& Tensor::padded_shape() const {
    return state().spec.padded_shape();
}
const metal::TensorSpec& Tensor::tensor_spec() const {
    return state().spec;
}
metal::DataType Tensor::dtype() const {
    return state().spec.data_type();
}
metal::Layout Tensor::layout() const {
    return state().spec.layout();
}
std::uint64_t Tensor::logical_volume() const {
    return logical_shape().volume();
}
std::uint64_t Tensor::physical_volume() const {
    return padded_shape().volume();
}
std::uint32_t Tensor::element_size() const {
    return static_cast<std::uint32_t>(tilemeter::element_size(model().dtype()));
}
const metal::MemoryConfig& Tensor::memory_config() const {
    return state().spec.memory_config();
}
const std::optional<metal::ShardSpec>& Tensor::shard_spec() const {
    return memory_config().shard_spec();
}
const std::optional<metal::NdShardSpec>& Tensor::nd_shard_spec() const {
    return memory_config().nd_shard_spec();
}
metal::StorageType Tensor::storage_type() const {
    return static_cast<metal::StorageType>(model().storage_type());
}
const metal::TensorTopology& Tensor::tensor_topology() const {
    state().topology = tilemeter::compat::topology_of(model());
    return *state().topology;
}
metal::Storage Tensor::storage() const {
    if (storage_type() == metal::StorageType::HOST) return tilemeter::compat::host_storage_of(model());
    metal::DeviceStorage storage{tensor_topology().mesh_coords(), nullptr};
    if (metal::Buffer* memory = buffer())
        storage.mesh_buffer =
            std::make_shared<metal::distributed::MeshBuffer>(std::shared_ptr<metal::Buffer>(state_, memory));
    return storage;
}
bool Tensor::is_scalar() const {
    return logical_shape().rank() == 0 || logical_volume() == 1;
}
bool Tensor::is_sharded() const {
    return model().is_sharded();
}
bool Tensor::is_allocated() const {
    return state_ && state_->model.is_allocated();
}
metal::Strides Tensor::strides() const {
    return metal::compute_strides(padded_shape());
}

metal::distributed::MeshDevice* Tensor::device() const {
    if (model().storage_type() == tilemeter::StorageType::HOST) return nullptr;
    return metal::distributed::MeshDevice::of(model().device());
}

metal::Buffer* Tensor::buffer() const {
    if (model().storage_type() == tilemeter::StorageType::HOST || !is_allocated()) return nullptr;
    const tilemeter::Buffer& buffer = model().buffer();
    state().buffer.emplace(buffer.record(), device());
    return &*state().buffer;
}

void Tensor::deallocate(bool force) {
    if (!state_ || (!force && state_.use_count() > 1)) return;
    as_fatal("Tensor::deallocate", [&] { state_->model.deallocate(force); });
}

namespace operations::core {
void deallocate(Tensor& tensor, bool force) {
    if (!tensor.state_) return;
    const tilemeter::ScopedCallStyle bare(tilemeter::CallStyle::kBare);
    // Another handle keeps the memory, which the model sees as a handle of its own.
    const tilemeter::Tensor kept =
        !force && tensor.state_.use_count() > 1 ? tensor.state_->model : tilemeter::Tensor();
    as_fatal("ttnn::deallocate", [&] { tilemeter::deallocate(tensor.state_->model, force); });
}
}  // namespace operations::core

Tensor Tensor::to_device(metal::distributed::MeshDevice* device,
                         ttsl::optional_reference<const metal::MemoryConfig> memory_config,
                         std::optional<QueueId> /*queue*/) const {
    const tilemeter::MemoryConfig place = memory_config ? to_model(*memory_config) : model().memory_config();
    return as_fatal("Tensor::to_device",
                    [&] { return of(tilemeter::upload(model(), to_model(device), place)); });
}

Tensor Tensor::cpu(bool /*blocking*/, std::optional<QueueId> /*queue*/) const {
    if (model().storage_type() == tilemeter::StorageType::HOST) return *this;
    return as_fatal("Tensor::cpu", [&] { return of(tilemeter::download(model())); });
}

Tensor Tensor::to_layout(metal::Layout layout) const {
    return of(tilemeter::to_layout(model(), to_model(layout)));
}
Tensor Tensor::reshape(const metal::Shape& shape) const {
    return of(tilemeter::reshape(model(), to_model(shape)));
}

const metal::MeshTensor& Tensor::mesh_tensor() const {
    const State& of = state();
    if (of.model.storage_type() != tilemeter::StorageType::DEVICE)
        throw std::runtime_error("Tensor::mesh_tensor: expected a tensor on a device, found one on the host");
    if (!of.mesh_tensor) of.mesh_tensor.emplace(of.spec, *device());
    return *of.mesh_tensor;
}

std::uint64_t Tensor::id() const {
    return static_cast<std::uint64_t>(model().id());
}

std::uint64_t Tensor::to_hash() const {
    std::ostringstream text;
    text << storage_type() << tensor_spec();
    return std::hash<std::string>{}(text.str());
}

std::string Tensor::write_to_string() const {
    return model().to_string();
}
std::ostream& operator<<(std::ostream& out, const Tensor& tensor) {
    return out << tensor.write_to_string();
}

}  // namespace ttnn
