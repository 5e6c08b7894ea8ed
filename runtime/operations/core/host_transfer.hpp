// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Transfers between host and device.

#pragma once

#include <memory>

#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// The host tensor on `device`, in `memory_config`. Recorded as "Tensor::to_device".
/// Throws OutOfMemoryError, RuntimeError.
Tensor upload(const Tensor& host, const std::shared_ptr<Device>& device, const MemoryConfig& memory_config);

/// The host tensor's values over those of a device tensor of its shape, dtype and layout. Recorded as
/// "tt::tt_metal::copy_to_device". Throws RuntimeError.
void overwrite(const Tensor& host, const Tensor& device_tensor);

/// The device tensor's values on the host. Recorded as "Tensor::cpu".
Tensor download(const Tensor& tensor);

}  // namespace tilemeter
