// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Transfers between host and device.

#pragma once

#include <cstdint>
#include <memory>

#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// The host tensor on `device`, in `memory_config`. Recorded as "Tensor::to_device".
/// Throws OutOfMemoryError, RuntimeError.
Tensor upload(const Tensor& host, const std::shared_ptr<Device>& device, const MemoryConfig& memory_config);

/// A tensor of `spec` on `device`, made on the host with `value` in each element. Recorded as "Tensor::to_device".
/// Throws OutOfMemoryError, RuntimeError.
Tensor upload_filled(const TensorSpec& spec, float value, const std::shared_ptr<Device>& device);

/// The shards that a copy writes: it goes by another name if it names cores.
enum class CopiedShards : std::uint8_t { kAll, kOfSomeCores };

/// The host tensor's values over those of a device tensor of its shape, dtype and layout. kOfSomeCores: the caller has put
/// what stays into `host`. Recorded as "tt::tt_metal::copy_to_device", or "...copy_to_device_filtered". Throws RuntimeError.
void overwrite(const Tensor& host, const Tensor& device_tensor, CopiedShards shards = CopiedShards::kAll);

/// The device tensor's values on the host. Recorded as "Tensor::cpu".
Tensor download(const Tensor& tensor);

}  // namespace tilemeter
