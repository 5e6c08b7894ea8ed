// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tensors from nothing or from host data. On a device they are made on the host and sent, as TT-NN does.
//
// `device`: where to put the result; none: on the host. `memory_config`: DRAM interleaved unless given.
// All throw OutOfMemoryError and RuntimeError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

using OptionalDevice = std::shared_ptr<Device>;

/// Every element `value`. Shape as given; any dtype.
Tensor full(const Shape& shape, float value, DataType dtype = DataType::BFLOAT16,
            Layout layout = Layout::ROW_MAJOR, const OptionalDevice& device = nullptr,
            const MemoryConfig& memory_config = DRAM_MEMORY_CONFIG);
/// Over the values of a device tensor of that shape, in its dtype and layout.
Tensor full(const Shape& shape, float value, const Tensor& into);
Tensor zeros(const Shape& shape, DataType dtype = DataType::BFLOAT16, Layout layout = Layout::ROW_MAJOR,
             const OptionalDevice& device = nullptr, const MemoryConfig& memory_config = DRAM_MEMORY_CONFIG);
Tensor ones(const Shape& shape, DataType dtype = DataType::BFLOAT16, Layout layout = Layout::ROW_MAJOR,
            const OptionalDevice& device = nullptr, const MemoryConfig& memory_config = DRAM_MEMORY_CONFIG);

/// Memory without values (they read as zeros). Only on a device.
Tensor empty(const Shape& shape, DataType dtype, Layout layout, const OptionalDevice& device,
             const MemoryConfig& memory_config = DRAM_MEMORY_CONFIG);

/// start, start + step, ... below (above, for a negative step) end; shape [n].
Tensor arange(std::int64_t start, std::int64_t end, std::int64_t step = 1,
              DataType dtype = DataType::BFLOAT16, const OptionalDevice& device = nullptr,
              const MemoryConfig& memory_config = DRAM_MEMORY_CONFIG, Layout layout = Layout::ROW_MAJOR);

/// `values` in row-major order, rounded to `dtype`.
Tensor from_vector(std::span<const float> values, const Shape& shape, DataType dtype = DataType::BFLOAT16,
                   Layout layout = Layout::ROW_MAJOR, const OptionalDevice& device = nullptr,
                   const MemoryConfig& memory_config = DRAM_MEMORY_CONFIG);
Tensor from_vector(std::span<const std::int64_t> values, const Shape& shape, DataType dtype,
                   Layout layout = Layout::ROW_MAJOR, const OptionalDevice& device = nullptr,
                   const MemoryConfig& memory_config = DRAM_MEMORY_CONFIG);

/// A host tensor to a device, and back.
Tensor to_device(const Tensor& host, const std::shared_ptr<Device>& device,
                 const MemoryConfig& memory_config = DRAM_MEMORY_CONFIG);
Tensor from_device(const Tensor& tensor);

/// Frees the device memory of a tensor, also for others that share it (`force`).
void deallocate(Tensor& tensor, bool force = true);

}  // namespace tilemeter
