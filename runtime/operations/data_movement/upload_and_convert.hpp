// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Upload with a conversion on the device.

#pragma once

#include <memory>

#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// upload(), then on the device a conversion to `dtype` and `layout` where they differ (tilize, cast, untilize).
/// REQUIRES: no block format.
Tensor upload_and_convert(const Tensor& host, const std::shared_ptr<Device>& device,
                          const MemoryConfig& memory_config, DataType dtype, Layout layout);

}  // namespace tilemeter
