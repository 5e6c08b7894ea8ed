// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tilemeter_ttnn/core_functions.hpp"

#include <cstring>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "runtime/device/buffer.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/metal_trace.hpp"
#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/tensor/global_semaphore.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tilemeter_ttnn/semaphore.hpp"
#include "tools/compat/src/fatal.hpp"
#include "tools/compat/src/model.hpp"

namespace ttnn {

namespace metal = tt::tt_metal;
using metal::distributed::MeshDevice;
using tilemeter::compat::as_fatal;
using tilemeter::compat::from_model;
using tilemeter::compat::to_model;

Tensor create_device_tensor(const metal::TensorSpec& tensor_spec, MeshDevice* mesh_device) {
    return as_fatal("ttnn::create_device_tensor", [&] {
        return from_model(tilemeter::create_device_tensor(to_model(tensor_spec), to_model(mesh_device)));
    });
}

Tensor allocate_tensor_on_host(const metal::TensorSpec& tensor_spec, MeshDevice* /*mesh_device*/) {
    return from_model(tilemeter::Tensor::planned_on_host(to_model(tensor_spec)));
}

Tensor to_dtype(const Tensor& tensor, const metal::DataType& dtype) {
    return as_fatal("ttnn::to_dtype", [&] {
        const tilemeter::Tensor& host = tensor.model();
        tilemeter::require(host.storage_type() == tilemeter::StorageType::HOST,
                           "to_dtype: tensor: expected one on the host, found one on a device: typecast "
                           "converts there");
        static const tilemeter::record::TextId kName = tilemeter::record::intern("tt::tt_metal::to_dtype");
        return from_model(tilemeter::in_scope(kName, std::tie(host), [&] {
            tilemeter::TensorSpec spec = host.spec();
            spec.dtype = to_model(dtype);
            if (spec.dtype == host.dtype()) return host;
            if (tilemeter::is_block_float(spec.dtype)) spec.layout = tilemeter::Layout::TILE;
            return tilemeter::changed_on_host(
                host, spec,
                [to = spec.dtype](const tilemeter::HostArray& each) { return each.converted(to); });
        }));
    });
}

Tensor cpu(const Tensor& tensor, bool blocking, std::optional<QueueId> queue) {
    return tensor.cpu(blocking, queue);
}

void copy_to_device(const Tensor& host_tensor, Tensor& device_tensor, std::optional<QueueId> /*queue*/) {
    as_fatal("ttnn::copy_to_device",
             [&] { tilemeter::overwrite(host_tensor.model(), device_tensor.model()); });
}

void copy_to_host(const Tensor& device_tensor, Tensor& host_tensor, bool /*blocking*/,
                  std::optional<QueueId> /*queue*/) {
    as_fatal("ttnn::copy_to_host",
             [&] { host_tensor = from_model(tilemeter::download(device_tensor.model())); });
}

void copy_to_device(metal::distributed::MeshCommandQueue& /*queue*/, const std::byte* from,
                    Tensor& device_tensor, const std::optional<metal::BufferRegion>& region) {
    if (region) throw std::runtime_error("copy_to_device: region: expected none, parts are not modelled");
    const tilemeter::Tensor& model = device_tensor.model();
    tilemeter::HostArray values(model.dtype(), model.shape());
    if (tilemeter::is_block_float(model.dtype()))
        throw std::runtime_error("copy_to_device: expected a type whose elements stand alone");
    std::memcpy(values.bytes().data(), from, values.bytes().size());
    tilemeter::overwrite(tilemeter::Tensor::on_host(model.spec(), std::move(values)), model);
}

void copy_to_host(metal::distributed::MeshCommandQueue& /*queue*/, const Tensor& device_tensor, std::byte* to,
                  const std::optional<metal::BufferRegion>& region, bool /*blocking*/) {
    if (region) throw std::runtime_error("copy_to_host: region: expected none, parts are not modelled");
    const metal::HostBuffer buffer = metal::host_buffer::get_host_buffer(device_tensor.cpu());
    std::memcpy(to, buffer.view_bytes().data(), buffer.view_bytes().size());
}

void deallocate_buffers(MeshDevice* device) {
    for (const std::shared_ptr<tilemeter::Buffer>& each : to_model(device)->live_buffers())
        each->deallocate();
}

bool is_cpu_tensor(const Tensor& tensor) {
    return tensor.storage_type() == metal::StorageType::HOST;
}
bool is_device_tensor(const Tensor& tensor) {
    return tensor.storage_type() == metal::StorageType::DEVICE;
}
std::string to_string(const Tensor& tensor) {
    return tensor.write_to_string();
}

void queue_synchronize(metal::distributed::MeshCommandQueue& queue) {
    queue.finish();
}
void event_synchronize(const metal::distributed::MeshEvent& event) {
    metal::distributed::EventSynchronize(event);
}
metal::distributed::MeshEvent record_event(metal::distributed::MeshCommandQueue& queue) {
    return {1, queue.device(), queue.id(), metal::distributed::MeshCoordinateRange(queue.device()->shape())};
}
metal::distributed::MeshEvent record_event_to_host(metal::distributed::MeshCommandQueue& queue) {
    return record_event(queue);
}
void wait_for_event(metal::distributed::MeshCommandQueue& /*queue*/,
                    const metal::distributed::MeshEvent& /*event*/) {}

ComputeKernelConfig init_device_compute_kernel_config(
    tt::ARCH /*arch*/, const std::optional<const ComputeKernelConfig>& device_kernel_config,
    metal::MathFidelity default_fidelity, bool default_approx_mode, bool default_fp32_acc,
    bool default_l1_acc, bool default_dst_full_sync_en,
    operations::compute_throttle_utils::ThrottleLevel default_throttle_level) {
    if (device_kernel_config) return *device_kernel_config;
    return {default_fidelity, default_approx_mode,      default_fp32_acc,
            default_l1_acc,   default_dst_full_sync_en, default_throttle_level};
}

namespace operations::trace {
namespace {
std::uint8_t queue_of(std::optional<QueueId> queue) {
    return queue ? **queue : std::uint8_t{0};
}
tilemeter::MeshTraceId trace_of(metal::distributed::MeshTraceId trace) {
    return static_cast<tilemeter::MeshTraceId>(*trace);
}
}  // namespace

metal::distributed::MeshTraceId begin_trace_capture(MeshDevice* device, std::optional<QueueId> queue) {
    return as_fatal("ttnn::begin_trace_capture", [&] {
        return metal::distributed::MeshTraceId(
            static_cast<std::uint32_t>(tilemeter::begin_trace_capture(*to_model(device), queue_of(queue))));
    });
}
void end_trace_capture(MeshDevice* device, metal::distributed::MeshTraceId trace_id,
                       std::optional<QueueId> queue) {
    as_fatal("ttnn::end_trace_capture",
             [&] { tilemeter::end_trace_capture(*to_model(device), trace_of(trace_id), queue_of(queue)); });
}
void execute_trace(MeshDevice* device, metal::distributed::MeshTraceId trace_id, std::optional<QueueId> queue,
                   bool blocking) {
    as_fatal("ttnn::execute_trace", [&] {
        tilemeter::execute_trace(*to_model(device), trace_of(trace_id), queue_of(queue), blocking);
    });
}
void release_trace(MeshDevice* device, metal::distributed::MeshTraceId trace_id) {
    as_fatal("ttnn::release_trace", [&] { tilemeter::release_trace(*to_model(device), trace_of(trace_id)); });
}
}  // namespace operations::trace

namespace events {
MeshEvent record_mesh_event(MeshDevice* mesh_device, std::optional<QueueId> queue,
                            const std::vector<metal::SubDeviceId>& /*sub_device_ids*/,
                            const std::optional<metal::distributed::MeshCoordinateRange>& device_range) {
    return {1, mesh_device, queue ? std::uint32_t{**queue} : 0U,
            device_range ? *device_range : metal::distributed::MeshCoordinateRange(mesh_device->shape())};
}
void wait_for_mesh_event(std::optional<QueueId> /*queue*/, const MeshEvent& /*event*/) {}
void event_synchronize(const MeshEvent& event) {
    metal::distributed::EventSynchronize(event);
}
}  // namespace events

namespace distributed {
std::shared_ptr<MeshDevice> open_mesh_device(const MeshShape& mesh_shape, std::size_t l1_small_size,
                                             std::size_t trace_region_size, std::size_t num_command_queues,
                                             const metal::DispatchCoreConfig& dispatch_core_config,
                                             const std::optional<MeshCoordinate>& offset,
                                             const std::vector<int>& physical_device_ids,
                                             std::size_t worker_l1_size) {
    return MeshDevice::create(metal::distributed::MeshDeviceConfig(mesh_shape, offset, physical_device_ids),
                              l1_small_size, trace_region_size, num_command_queues, dispatch_core_config, {},
                              worker_l1_size);
}
void close_mesh_device(const std::shared_ptr<MeshDevice>& mesh_device) {
    mesh_device->close();
}
std::vector<Tensor> get_device_tensors(const Tensor& tensor) {
    if (is_cpu_tensor(tensor)) return {tensor};
    std::vector<Tensor> parts;
    for (std::size_t chip = 0; chip < tensor.model().device().chips().size(); ++chip)
        parts.push_back(from_model(tilemeter::Tensor::of_chip(tensor.model(), chip)));
    return parts;
}
}  // namespace distributed

namespace device {
std::shared_ptr<MeshDevice> open_mesh_device(int device_id, std::size_t l1_small_size,
                                             std::size_t trace_region_size, std::size_t num_command_queues,
                                             const metal::DispatchCoreConfig& dispatch_core_config,
                                             std::size_t worker_l1_size) {
    return MeshDevice::create_unit_mesh(device_id, l1_small_size, trace_region_size, num_command_queues,
                                        dispatch_core_config, {}, worker_l1_size);
}
void close_device(MeshDevice& device) {
    device.close();
}
bool is_wormhole_or_blackhole(tt::ARCH arch) {
    return arch == tt::ARCH::WORMHOLE_B0 || arch == tt::ARCH::BLACKHOLE;
}
}  // namespace device

namespace global_semaphore {
GlobalSemaphore create_global_semaphore(MeshDevice* mesh_device, const metal::CoreRangeSet& cores,
                                        std::uint32_t initial_value, metal::BufferType buffer_type) {
    return {mesh_device, cores, initial_value, buffer_type};
}
metal::DeviceAddr get_global_semaphore_address(const GlobalSemaphore& global_semaphore) {
    return global_semaphore.address();
}
void reset_global_semaphore_value(const GlobalSemaphore& global_semaphore, std::uint32_t reset_value) {
    global_semaphore.reset_semaphore_value(reset_value);
}
}  // namespace global_semaphore

}  // namespace ttnn

namespace tt::tt_metal {

GlobalSemaphore::GlobalSemaphore(distributed::MeshDevice* device, CoreRangeSet cores,
                                 std::uint32_t initial_value, BufferType buffer_type)
    : device_(device),
      cores_(std::move(cores)),
      value_(std::make_shared<std::uint32_t>(initial_value)),
      memory_(std::make_shared<tilemeter::GlobalSemaphore>(tilemeter::compat::to_model(device),
                                                           tilemeter::compat::to_model(cores_),
                                                           tilemeter::compat::to_model(buffer_type))) {}

DeviceAddr GlobalSemaphore::address() const {
    return memory_->address();
}

}  // namespace tt::tt_metal
