// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tensors of random numbers, made on the device.
//
// The numbers are those of a generator of the host (Mersenne twister), not the device's: equal seeds give
// equal numbers, 0 a new sequence each time. Throws RuntimeError (dtype, no device, probability),
// OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <memory>

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// Uniform in [low, high). Other dtypes than BFLOAT16 and FLOAT32 are made as FLOAT32 and cast; in ROW_MAJOR
/// they are untilized afterwards.
Tensor rand(const Shape& shape, const std::shared_ptr<Device>& device, DataType dtype = DataType::BFLOAT16,
            Layout layout = Layout::TILE, const MemoryConfig& memory_config = DRAM_MEMORY_CONFIG,
            float low = 0.0F, float high = 1.0F, std::uint32_t seed = 0);
/// Normal, mean 0 and deviation 1.
Tensor randn(const Shape& shape, const std::shared_ptr<Device>& device, DataType dtype = DataType::BFLOAT16,
             Layout layout = Layout::TILE, const MemoryConfig& memory_config = DRAM_MEMORY_CONFIG,
             std::uint32_t seed = 0);

/// Writes uniform numbers in [from, to) over the input, which is returned. TILE, interleaved; BFLOAT16 or
/// FLOAT32.
Tensor uniform(const Tensor& input, float from = 0.0F, float to = 1.0F, std::uint32_t seed = 0);
/// 1 with the probability that the input has there, else 0. TILE, interleaved; BFLOAT16 or FLOAT32, the
/// result FLOAT32 unless told otherwise. memory_config: that of the input unless given.
Tensor bernoulli(const Tensor& input, std::uint32_t seed = 0, const OptionalTensor& output = std::nullopt,
                 const OptionalDataType& dtype = std::nullopt,
                 const OptionalMemoryConfig& memory_config = std::nullopt);

namespace experimental {
/// Zero with a probability, else times `scale`. BFLOAT16, TILE; shape and dtype of the input.
Tensor dropout(const Tensor& input, float probability, float scale, std::uint32_t seed,
               const OptionalMemoryConfig& memory_config = std::nullopt,
               const OptionalTensor& output = std::nullopt);
}  // namespace experimental

}  // namespace tilemeter
