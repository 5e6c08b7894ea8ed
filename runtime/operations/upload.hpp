// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Between host and device.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <memory>
#include <optional>

#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// The host tensor on `device`, in `memory_config`. Recorded as "Tensor::to_device".
/// Throws OutOfMemoryError, RuntimeError.
Tensor upload(const Tensor& host, const std::shared_ptr<Device>& device, const MemoryConfig& memory_config);

/// The same, then on the device in another dtype and layout, as far as they differ: in tiles, cast, in rows.
/// REQUIRES: no block format.
Tensor upload_and_convert(const Tensor& host, const std::shared_ptr<Device>& device,
                          const MemoryConfig& memory_config, DataType dtype, Layout layout);

/// The host tensor's values over those of a device tensor of its shape, dtype and layout. Recorded as
/// "tt::tt_metal::copy_to_device". Throws RuntimeError.
void overwrite(const Tensor& host, const Tensor& device_tensor);

/// The device tensor's values on the host. Recorded as "Tensor::cpu".
Tensor download(const Tensor& tensor);

/// The same tensor under another shape, sharing its memory. Recorded as "Tensor::reshape".
/// Throws RuntimeError unless the volumes are equal and no value changes its place: any shape in ROW_MAJOR
/// that keeps the last dimension, in TILE also the padded rows.
Tensor reshape_view(const Tensor& tensor, const Shape& shape);

/// The same memory, its last rows taken for padding; `tensor` is not to be read again. REQUIRES: on a device.
Tensor without_padding_rows(const Tensor& tensor, const Shape& shape);

}  // namespace tilemeter
