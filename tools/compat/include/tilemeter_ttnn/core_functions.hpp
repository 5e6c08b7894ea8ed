// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions of TT-NN that are no operations of the tables: devices, tensors between host and device, metal traces, events.

#pragma once

#include <cassert>  // clients find it, and <functional>, in TT-NN's headers
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tilemeter_ttnn/configs.hpp"
#include "tilemeter_ttnn/storage.hpp"
#include "tilemeter_ttnn/tensor.hpp"

namespace ttnn {

/// Memory for a tensor on a device, without values. Throws std::runtime_error where there is no room.
Tensor create_device_tensor(const tt::tt_metal::TensorSpec& tensor_spec,
                            tt::tt_metal::distributed::MeshDevice* mesh_device);
Tensor allocate_tensor_on_host(const tt::tt_metal::TensorSpec& tensor_spec,
                               tt::tt_metal::distributed::MeshDevice* mesh_device);
/// A host tensor with another type.
Tensor to_dtype(const Tensor& tensor, const tt::tt_metal::DataType& dtype);
Tensor cpu(const Tensor& tensor, bool blocking = true, std::optional<QueueId> queue = std::nullopt);
/// The host tensor's values over those of a device tensor of its shape, type and layout.
void copy_to_device(const Tensor& host_tensor, Tensor& device_tensor,
                    std::optional<QueueId> queue = std::nullopt);
/// The device tensor's values; `host_tensor` becomes what holds them.
void copy_to_host(const Tensor& device_tensor, Tensor& host_tensor, bool blocking = true,
                  std::optional<QueueId> queue = std::nullopt);
/// Bytes as they lie in the tensor's rows, over the values of a device tensor, and the way back. Throw std::runtime_error for
/// a region, which is part of a tensor, and for block formats.
void copy_to_device(tt::tt_metal::distributed::MeshCommandQueue& queue, const std::byte* from,
                    Tensor& device_tensor,
                    const std::optional<tt::tt_metal::BufferRegion>& region = std::nullopt);
void copy_to_host(tt::tt_metal::distributed::MeshCommandQueue& queue, const Tensor& device_tensor,
                  std::byte* to, const std::optional<tt::tt_metal::BufferRegion>& region = std::nullopt,
                  bool blocking = true);
/// Frees the memory of all tensors on the device.
void deallocate_buffers(tt::tt_metal::distributed::MeshDevice* device);
bool is_cpu_tensor(const Tensor& tensor);
bool is_device_tensor(const Tensor& tensor);
std::string to_string(const Tensor& tensor);
void queue_synchronize(tt::tt_metal::distributed::MeshCommandQueue& queue);
void event_synchronize(const tt::tt_metal::distributed::MeshEvent& event);
tt::tt_metal::distributed::MeshEvent record_event(tt::tt_metal::distributed::MeshCommandQueue& queue);
tt::tt_metal::distributed::MeshEvent record_event_to_host(tt::tt_metal::distributed::MeshCommandQueue& queue);
void wait_for_event(tt::tt_metal::distributed::MeshCommandQueue& queue,
                    const tt::tt_metal::distributed::MeshEvent& event);

ComputeKernelConfig init_device_compute_kernel_config(
    tt::ARCH arch, const std::optional<const ComputeKernelConfig>& device_kernel_config,
    tt::tt_metal::MathFidelity default_fidelity = tt::tt_metal::MathFidelity::LoFi,
    bool default_approx_mode = true, bool default_fp32_acc = false, bool default_l1_acc = false,
    bool default_dst_full_sync_en = false,
    operations::compute_throttle_utils::ThrottleLevel default_throttle_level =
        operations::compute_throttle_utils::ThrottleLevel::NO_THROTTLE);

namespace operations::core {
/// Frees the memory of a device tensor: of all its handles (`force`), or only where this is the last one. An operation.
void deallocate(Tensor& tensor, bool force = true);
}  // namespace operations::core
using operations::core::deallocate;

namespace operations::trace {
tt::tt_metal::distributed::MeshTraceId begin_trace_capture(tt::tt_metal::distributed::MeshDevice* device,
                                                           std::optional<QueueId> queue);
void end_trace_capture(tt::tt_metal::distributed::MeshDevice* device,
                       tt::tt_metal::distributed::MeshTraceId trace_id, std::optional<QueueId> queue);
void execute_trace(tt::tt_metal::distributed::MeshDevice* device,
                   tt::tt_metal::distributed::MeshTraceId trace_id, std::optional<QueueId> queue,
                   bool blocking);
void release_trace(tt::tt_metal::distributed::MeshDevice* device,
                   tt::tt_metal::distributed::MeshTraceId trace_id);
}  // namespace operations::trace

namespace events {
using tt::tt_metal::distributed::MeshEvent;
MeshEvent record_mesh_event(
    tt::tt_metal::distributed::MeshDevice* mesh_device, std::optional<QueueId> queue = std::nullopt,
    const std::vector<tt::tt_metal::SubDeviceId>& sub_device_ids = {},
    const std::optional<tt::tt_metal::distributed::MeshCoordinateRange>& device_range = std::nullopt);
void wait_for_mesh_event(std::optional<QueueId> queue, const MeshEvent& event);
void event_synchronize(const MeshEvent& event);
}  // namespace events

namespace distributed {
std::shared_ptr<MeshDevice> open_mesh_device(
    const MeshShape& mesh_shape, std::size_t l1_small_size, std::size_t trace_region_size,
    std::size_t num_command_queues, const tt::tt_metal::DispatchCoreConfig& dispatch_core_config,
    const std::optional<MeshCoordinate>& offset = std::nullopt,
    const std::vector<int>& physical_device_ids = {},
    std::size_t worker_l1_size = tt::tt_metal::DEFAULT_WORKER_L1_SIZE);
void close_mesh_device(const std::shared_ptr<MeshDevice>& mesh_device);
/// The part on each chip, as tensors of their own.
std::vector<Tensor> get_device_tensors(const Tensor& tensor);
}  // namespace distributed

namespace device {
using MeshDevice = tt::tt_metal::distributed::MeshDevice;
/// The board is that of TILEMETER_DEVICE, n150 without it. Throws std::runtime_error where there is no such device.
std::shared_ptr<MeshDevice> open_mesh_device(
    int device_id = 0, std::size_t l1_small_size = tt::tt_metal::DEFAULT_L1_SMALL_SIZE,
    std::size_t trace_region_size = tt::tt_metal::DEFAULT_TRACE_REGION_SIZE,
    std::size_t num_command_queues = 1, const tt::tt_metal::DispatchCoreConfig& dispatch_core_config = {},
    std::size_t worker_l1_size = tt::tt_metal::DEFAULT_WORKER_L1_SIZE);
void close_device(MeshDevice& device);
bool is_wormhole_or_blackhole(tt::ARCH arch);
}  // namespace device
using device::close_device;
using device::open_mesh_device;

}  // namespace ttnn
